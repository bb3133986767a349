import {
  bool,
  boolOrFalse,
  inline,
  intOrZero,
  ints,
  many,
  one,
  quantityMap,
  string,
  stringMap,
  stringOrEmpty,
  strings,
  time,
  type Message,
} from '../message'
import {
  container,
  containerStatus,
  resourceRequirements,
  securityProfile,
  seLinuxOptions,
  windowsOptions,
} from './containers'
import { localObjectReference } from './core'
import { labelSelector, objectMeta, selectorRequirement } from './meta'
import { volume } from './volumes'

// Field numbers and names: k8s.io/api, core/v1 generated.proto and types.go.

const ephemeralContainer: Message = { 1: inline(container), 2: ['targetContainerName', string] }

const podSecurityContext: Message = {
  1: ['seLinuxOptions', one(seLinuxOptions)],
  2: ['runAsUser', intOrZero],
  3: ['runAsNonRoot', boolOrFalse],
  4: ['supplementalGroups', ints],
  5: ['fsGroup', intOrZero],
  6: ['runAsGroup', intOrZero],
  7: ['sysctls', many({ 1: ['name', stringOrEmpty], 2: ['value', stringOrEmpty] })],
  8: ['windowsOptions', one(windowsOptions)],
  9: ['fsGroupChangePolicy', stringOrEmpty],
  10: ['seccompProfile', one(securityProfile)],
  11: ['appArmorProfile', one(securityProfile)],
  12: ['supplementalGroupsPolicy', stringOrEmpty],
  13: ['seLinuxChangePolicy', stringOrEmpty],
}

const nodeSelectorTerm: Message = {
  1: ['matchExpressions', many(selectorRequirement)],
  2: ['matchFields', many(selectorRequirement)],
}

const nodeAffinity: Message = {
  1: ['requiredDuringSchedulingIgnoredDuringExecution', one({ 1: ['nodeSelectorTerms', many(nodeSelectorTerm)] })],
  2: [
    'preferredDuringSchedulingIgnoredDuringExecution',
    many({ 1: ['weight', intOrZero], 2: ['preference', one(nodeSelectorTerm)] }),
  ],
}

const podAffinityTerm: Message = {
  1: ['labelSelector', one(labelSelector)],
  2: ['namespaces', strings],
  3: ['topologyKey', stringOrEmpty],
  4: ['namespaceSelector', one(labelSelector)],
  5: ['matchLabelKeys', strings],
  6: ['mismatchLabelKeys', strings],
}

/** Pod anti-affinity has the same shape. */
const podAffinity: Message = {
  1: ['requiredDuringSchedulingIgnoredDuringExecution', many(podAffinityTerm)],
  2: [
    'preferredDuringSchedulingIgnoredDuringExecution',
    many({ 1: ['weight', intOrZero], 2: ['podAffinityTerm', one(podAffinityTerm)] }),
  ],
}

const affinity: Message = {
  1: ['nodeAffinity', one(nodeAffinity)],
  2: ['podAffinity', one(podAffinity)],
  3: ['podAntiAffinity', one(podAffinity)],
}

const toleration: Message = {
  1: ['key', string],
  2: ['operator', string],
  3: ['value', string],
  4: ['effect', string],
  5: ['tolerationSeconds', intOrZero],
}

const topologySpreadConstraint: Message = {
  1: ['maxSkew', intOrZero],
  2: ['topologyKey', stringOrEmpty],
  3: ['whenUnsatisfiable', stringOrEmpty],
  4: ['labelSelector', one(labelSelector)],
  5: ['minDomains', intOrZero],
  6: ['nodeAffinityPolicy', stringOrEmpty],
  7: ['nodeTaintsPolicy', stringOrEmpty],
  8: ['matchLabelKeys', strings],
}

const dnsConfig: Message = {
  1: ['nameservers', strings],
  2: ['searches', strings],
  3: ['options', many({ 1: ['name', string], 2: ['value', stringOrEmpty] })],
}

const podResourceClaim: Message = {
  1: ['name', stringOrEmpty],
  3: ['resourceClaimName', stringOrEmpty],
  4: ['resourceClaimTemplateName', stringOrEmpty],
}

export const podSpec: Message = {
  1: ['volumes', many(volume)],
  2: ['containers', many(container)],
  3: ['restartPolicy', string],
  4: ['terminationGracePeriodSeconds', intOrZero],
  5: ['activeDeadlineSeconds', intOrZero],
  6: ['dnsPolicy', string],
  7: ['nodeSelector', stringMap],
  8: ['serviceAccountName', string],
  9: ['serviceAccount', string],
  10: ['nodeName', string],
  11: ['hostNetwork', bool],
  12: ['hostPID', bool],
  13: ['hostIPC', bool],
  14: ['securityContext', one(podSecurityContext)],
  15: ['imagePullSecrets', many(localObjectReference)],
  16: ['hostname', string],
  17: ['subdomain', string],
  18: ['affinity', one(affinity)],
  19: ['schedulerName', string],
  20: ['initContainers', many(container)],
  21: ['automountServiceAccountToken', boolOrFalse],
  22: ['tolerations', many(toleration)],
  23: ['hostAliases', many({ 1: ['ip', stringOrEmpty], 2: ['hostnames', strings] })],
  24: ['priorityClassName', string],
  25: ['priority', intOrZero],
  26: ['dnsConfig', one(dnsConfig)],
  27: ['shareProcessNamespace', boolOrFalse],
  28: ['readinessGates', many({ 1: ['conditionType', stringOrEmpty] })],
  29: ['runtimeClassName', stringOrEmpty],
  30: ['enableServiceLinks', boolOrFalse],
  31: ['preemptionPolicy', stringOrEmpty],
  32: ['overhead', quantityMap],
  33: ['topologySpreadConstraints', many(topologySpreadConstraint)],
  34: ['ephemeralContainers', many(ephemeralContainer)],
  35: ['setHostnameAsFQDN', boolOrFalse],
  36: ['os', one({ 1: ['name', stringOrEmpty] })],
  37: ['hostUsers', boolOrFalse],
  38: ['schedulingGates', many({ 1: ['name', stringOrEmpty] })],
  39: ['resourceClaims', many(podResourceClaim)],
  40: ['resources', one(resourceRequirements)],
  41: ['hostnameOverride', stringOrEmpty],
}

const podCondition: Message = {
  1: ['type', stringOrEmpty],
  2: ['status', stringOrEmpty],
  3: ['lastProbeTime', time],
  4: ['lastTransitionTime', time],
  5: ['reason', string],
  6: ['message', string],
}

const podStatus: Message = {
  1: ['phase', string],
  2: ['conditions', many(podCondition)],
  3: ['message', string],
  4: ['reason', string],
  5: ['hostIP', string],
  6: ['podIP', string],
  7: ['startTime', time],
  8: ['containerStatuses', many(containerStatus)],
  9: ['qosClass', string],
  10: ['initContainerStatuses', many(containerStatus)],
  11: ['nominatedNodeName', string],
  12: ['podIPs', many({ 1: ['ip', stringOrEmpty] })],
  13: ['ephemeralContainerStatuses', many(containerStatus)],
  14: ['resize', string],
  15: ['resourceClaimStatuses', many({ 1: ['name', stringOrEmpty], 2: ['resourceClaimName', stringOrEmpty] })],
  16: ['hostIPs', many({ 1: ['ip', stringOrEmpty] })],
}

export const pod: Message = {
  1: ['metadata', one(objectMeta)],
  2: ['spec', one(podSpec)],
  3: ['status', one(podStatus)],
}
