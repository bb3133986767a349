import {
  bool,
  boolOrFalse,
  inline,
  int,
  intOrString,
  intOrZero,
  ints,
  many,
  one,
  quantityMap,
  string,
  stringOrEmpty,
  strings,
  time,
  type Message,
} from '../message'
import { localObjectReference } from './core'
import { objectFieldSelector, resourceFieldSelector } from './volumes'

// Field numbers and names: k8s.io/api, core/v1 generated.proto and types.go.

export const resourceRequirements: Message = {
  1: ['limits', quantityMap],
  2: ['requests', quantityMap],
  3: ['claims', many({ 1: ['name', stringOrEmpty], 2: ['request', string] })],
}

const containerPort: Message = {
  1: ['name', string],
  2: ['hostPort', int],
  3: ['containerPort', intOrZero],
  4: ['protocol', string],
  5: ['hostIP', string],
}

const keySelector: Message = {
  1: inline(localObjectReference),
  2: ['key', stringOrEmpty],
  3: ['optional', boolOrFalse],
}

const fileKeySelector: Message = {
  1: ['volumeName', stringOrEmpty],
  2: ['path', stringOrEmpty],
  3: ['key', stringOrEmpty],
  4: ['optional', boolOrFalse],
}

const envVar: Message = {
  1: ['name', stringOrEmpty],
  2: ['value', string],
  3: [
    'valueFrom',
    one({
      1: ['fieldRef', one(objectFieldSelector)],
      2: ['resourceFieldRef', one(resourceFieldSelector)],
      3: ['configMapKeyRef', one(keySelector)],
      4: ['secretKeyRef', one(keySelector)],
      5: ['fileKeyRef', one(fileKeySelector)],
    }),
  ],
}

const envSource: Message = { 1: inline(localObjectReference), 2: ['optional', boolOrFalse] }

const envFromSource: Message = {
  1: ['prefix', string],
  2: ['configMapRef', one(envSource)],
  3: ['secretRef', one(envSource)],
}

const volumeMount: Message = {
  1: ['name', stringOrEmpty],
  2: ['readOnly', bool],
  3: ['mountPath', stringOrEmpty],
  4: ['subPath', string],
  5: ['mountPropagation', stringOrEmpty],
  6: ['subPathExpr', string],
  7: ['recursiveReadOnly', stringOrEmpty],
}

const httpGetAction: Message = {
  1: ['path', string],
  2: ['port', intOrString],
  3: ['host', string],
  4: ['scheme', string],
  5: ['httpHeaders', many({ 1: ['name', stringOrEmpty], 2: ['value', stringOrEmpty] })],
}

/** Actions that probes and lifecycle hooks share. */
const action: Message = {
  1: ['exec', one({ 1: ['command', strings] })],
  2: ['httpGet', one(httpGetAction)],
  3: ['tcpSocket', one({ 1: ['port', intOrString], 2: ['host', string] })],
}

const probe: Message = {
  1: inline({ ...action, 4: ['grpc', one({ 1: ['port', intOrZero], 2: ['service', stringOrEmpty] })] }),
  2: ['initialDelaySeconds', int],
  3: ['timeoutSeconds', int],
  4: ['periodSeconds', int],
  5: ['successThreshold', int],
  6: ['failureThreshold', int],
  7: ['terminationGracePeriodSeconds', intOrZero],
}

const lifecycleHandler: Message = { ...action, 4: ['sleep', one({ 1: ['seconds', intOrZero] })] }

const lifecycle: Message = {
  1: ['postStart', one(lifecycleHandler)],
  2: ['preStop', one(lifecycleHandler)],
  3: ['stopSignal', stringOrEmpty],
}

export const seLinuxOptions: Message = {
  1: ['user', string],
  2: ['role', string],
  3: ['type', string],
  4: ['level', string],
}

export const windowsOptions: Message = {
  1: ['gmsaCredentialSpecName', stringOrEmpty],
  2: ['gmsaCredentialSpec', stringOrEmpty],
  3: ['runAsUserName', stringOrEmpty],
  4: ['hostProcess', boolOrFalse],
}

/** Profile for seccomp and AppArmor. */
export const securityProfile: Message = { 1: ['type', stringOrEmpty], 2: ['localhostProfile', stringOrEmpty] }

const securityContext: Message = {
  1: ['capabilities', one({ 1: ['add', strings], 2: ['drop', strings] })],
  2: ['privileged', boolOrFalse],
  3: ['seLinuxOptions', one(seLinuxOptions)],
  4: ['runAsUser', intOrZero],
  5: ['runAsNonRoot', boolOrFalse],
  6: ['readOnlyRootFilesystem', boolOrFalse],
  7: ['allowPrivilegeEscalation', boolOrFalse],
  8: ['runAsGroup', intOrZero],
  9: ['procMount', stringOrEmpty],
  10: ['windowsOptions', one(windowsOptions)],
  11: ['seccompProfile', one(securityProfile)],
  12: ['appArmorProfile', one(securityProfile)],
}

const restartRule: Message = {
  1: ['action', string],
  2: ['exitCodes', one({ 1: ['operator', string], 2: ['values', ints] })],
}

export const container: Message = {
  1: ['name', stringOrEmpty],
  2: ['image', string],
  3: ['command', strings],
  4: ['args', strings],
  5: ['workingDir', string],
  6: ['ports', many(containerPort)],
  7: ['env', many(envVar)],
  8: ['resources', one(resourceRequirements)],
  9: ['volumeMounts', many(volumeMount)],
  10: ['livenessProbe', one(probe)],
  11: ['readinessProbe', one(probe)],
  12: ['lifecycle', one(lifecycle)],
  13: ['terminationMessagePath', string],
  14: ['imagePullPolicy', string],
  15: ['securityContext', one(securityContext)],
  16: ['stdin', bool],
  17: ['stdinOnce', bool],
  18: ['tty', bool],
  19: ['envFrom', many(envFromSource)],
  20: ['terminationMessagePolicy', string],
  21: ['volumeDevices', many({ 1: ['name', stringOrEmpty], 2: ['devicePath', stringOrEmpty] })],
  22: ['startupProbe', one(probe)],
  23: ['resizePolicy', many({ 1: ['resourceName', stringOrEmpty], 2: ['restartPolicy', stringOrEmpty] })],
  24: ['restartPolicy', stringOrEmpty],
  25: ['restartPolicyRules', many(restartRule)],
}

const containerState: Message = {
  1: ['waiting', one({ 1: ['reason', string], 2: ['message', string] })],
  2: ['running', one({ 1: ['startedAt', time] })],
  3: [
    'terminated',
    one({
      1: ['exitCode', intOrZero],
      2: ['signal', int],
      3: ['reason', string],
      4: ['message', string],
      5: ['startedAt', time],
      6: ['finishedAt', time],
      7: ['containerID', string],
    }),
  ],
}

const volumeMountStatus: Message = {
  1: ['name', stringOrEmpty],
  2: ['mountPath', stringOrEmpty],
  3: ['readOnly', bool],
  4: ['recursiveReadOnly', stringOrEmpty],
}

export const containerStatus: Message = {
  1: ['name', stringOrEmpty],
  2: ['state', one(containerState)],
  3: ['lastState', one(containerState)],
  4: ['ready', boolOrFalse],
  5: ['restartCount', intOrZero],
  6: ['image', stringOrEmpty],
  7: ['imageID', stringOrEmpty],
  8: ['containerID', string],
  9: ['started', boolOrFalse],
  10: ['allocatedResources', quantityMap],
  11: ['resources', one(resourceRequirements)],
  12: ['volumeMounts', many(volumeMountStatus)],
  13: [
    'user',
    one({ 1: ['linux', one({ 1: ['uid', intOrZero], 2: ['gid', intOrZero], 3: ['supplementalGroups', ints] })] }),
  ],
}
