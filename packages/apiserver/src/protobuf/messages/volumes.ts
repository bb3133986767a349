import {
  bool,
  boolOrFalse,
  inline,
  intOrZero,
  many,
  one,
  quantity,
  quantityMap,
  string,
  stringMap,
  stringOrEmpty,
  strings,
  time,
  unsupported,
  type Message,
} from '../message'
import { localObjectReference } from './core'
import { labelSelector, objectMeta } from './meta'

// Field numbers and names: k8s.io/api, core/v1 generated.proto and types.go.

const claimSpec: Message = {
  1: ['accessModes', strings],
  2: ['resources', one({ 1: ['limits', quantityMap], 2: ['requests', quantityMap] })],
  3: ['volumeName', string],
  4: ['selector', one(labelSelector)],
  5: ['storageClassName', stringOrEmpty],
  6: ['volumeMode', stringOrEmpty],
  7: ['dataSource', one({ 1: ['apiGroup', stringOrEmpty], 2: ['kind', stringOrEmpty], 3: ['name', stringOrEmpty] })],
  8: [
    'dataSourceRef',
    one({
      1: ['apiGroup', stringOrEmpty],
      2: ['kind', stringOrEmpty],
      3: ['name', stringOrEmpty],
      4: ['namespace', stringOrEmpty],
    }),
  ],
  9: ['volumeAttributesClassName', stringOrEmpty],
}

const claimCondition: Message = {
  1: ['type', stringOrEmpty],
  2: ['status', stringOrEmpty],
  3: ['lastProbeTime', time],
  4: ['lastTransitionTime', time],
  5: ['reason', string],
  6: ['message', string],
}

const claimStatus: Message = {
  1: ['phase', string],
  2: ['accessModes', strings],
  3: ['capacity', quantityMap],
  4: ['conditions', many(claimCondition)],
  5: ['allocatedResources', quantityMap],
  7: ['allocatedResourceStatuses', stringMap],
  8: ['currentVolumeAttributesClassName', stringOrEmpty],
  9: ['modifyVolumeStatus', one({ 1: ['targetVolumeAttributesClassName', string], 2: ['status', stringOrEmpty] })],
}

export const persistentVolumeClaim: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['spec', one(claimSpec)],
  3: ['status', one(claimStatus)],
}

export const objectFieldSelector: Message = { 1: ['apiVersion', string], 2: ['fieldPath', stringOrEmpty] }

export const resourceFieldSelector: Message = {
  1: ['containerName', string],
  2: ['resource', stringOrEmpty],
  3: ['divisor', quantity],
}

const keyToPath: Message = { 1: ['key', stringOrEmpty], 2: ['path', stringOrEmpty], 3: ['mode', intOrZero] }

const downwardFile: Message = {
  1: ['path', stringOrEmpty],
  2: ['fieldRef', one(objectFieldSelector)],
  3: ['resourceFieldRef', one(resourceFieldSelector)],
  4: ['mode', intOrZero],
}

const secretVolume: Message = {
  1: ['secretName', string],
  2: ['items', many(keyToPath)],
  3: ['defaultMode', intOrZero],
  4: ['optional', boolOrFalse],
}

/** A Secret or a ConfigMap among the sources of a projected volume. */
const nameProjection: Message = {
  1: inline(localObjectReference),
  2: ['items', many(keyToPath)],
  4: ['optional', boolOrFalse],
}

const configMapVolume: Message = { ...nameProjection, 3: ['defaultMode', intOrZero] }

const tokenProjection: Message = {
  1: ['audience', string],
  2: ['expirationSeconds', intOrZero],
  3: ['path', stringOrEmpty],
}

const trustBundleProjection: Message = {
  1: ['name', stringOrEmpty],
  2: ['signerName', stringOrEmpty],
  3: ['labelSelector', one(labelSelector)],
  4: ['path', stringOrEmpty],
  5: ['optional', boolOrFalse],
}

const volumeProjection: Message = {
  1: ['secret', one(nameProjection)],
  2: ['downwardAPI', one({ 1: ['items', many(downwardFile)] })],
  3: ['configMap', one(nameProjection)],
  4: ['serviceAccountToken', one(tokenProjection)],
  5: ['clusterTrustBundle', one(trustBundleProjection)],
  6: ['podCertificate', unsupported],
}

const csiVolume: Message = {
  1: ['driver', stringOrEmpty],
  2: ['readOnly', boolOrFalse],
  3: ['fsType', stringOrEmpty],
  4: ['volumeAttributes', stringMap],
  5: ['nodePublishSecretRef', one(localObjectReference)],
}

/** Vendor-specific disks are rejected rather than skipped: a volume without a source would be an empty directory. */
const volumeSource: Message = {
  1: ['hostPath', one({ 1: ['path', stringOrEmpty], 2: ['type', stringOrEmpty] })],
  2: ['emptyDir', one({ 1: ['medium', string], 2: ['sizeLimit', quantity] })],
  3: ['gcePersistentDisk', unsupported],
  4: ['awsElasticBlockStore', unsupported],
  5: ['gitRepo', unsupported],
  6: ['secret', one(secretVolume)],
  7: ['nfs', one({ 1: ['server', stringOrEmpty], 2: ['path', stringOrEmpty], 3: ['readOnly', bool] })],
  8: ['iscsi', unsupported],
  9: ['glusterfs', unsupported],
  10: ['persistentVolumeClaim', one({ 1: ['claimName', stringOrEmpty], 2: ['readOnly', bool] })],
  11: ['rbd', unsupported],
  12: ['flexVolume', unsupported],
  13: ['cinder', unsupported],
  14: ['cephfs', unsupported],
  15: ['flocker', unsupported],
  16: ['downwardAPI', one({ 1: ['items', many(downwardFile)], 2: ['defaultMode', intOrZero] })],
  17: ['fc', unsupported],
  18: ['azureFile', unsupported],
  19: ['configMap', one(configMapVolume)],
  20: ['vsphereVolume', unsupported],
  21: ['quobyte', unsupported],
  22: ['azureDisk', unsupported],
  23: ['photonPersistentDisk', unsupported],
  24: ['portworxVolume', unsupported],
  25: ['scaleIO', unsupported],
  26: ['projected', one({ 1: ['sources', many(volumeProjection)], 2: ['defaultMode', intOrZero] })],
  27: ['storageos', unsupported],
  28: ['csi', one(csiVolume)],
  29: [
    'ephemeral',
    one({ 1: ['volumeClaimTemplate', one({ 1: ['metadata', one(objectMeta)], 2: ['spec', one(claimSpec)] })] }),
  ],
  30: ['image', one({ 1: ['reference', string], 2: ['pullPolicy', string] })],
}

export const volume: Message = { 1: ['name', stringOrEmpty], 2: inline(volumeSource) }
