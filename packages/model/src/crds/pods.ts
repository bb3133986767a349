import {
  anything,
  boolean,
  booleans,
  integer,
  integers,
  listOf,
  mapOf,
  object,
  quantity,
  string,
  strings,
  type Schema,
} from './define-crd'

/** Parts of pods that the kinds of Tekton contain. Source: Kubernetes, core/v1. */

const localName: Schema = { type: 'string', default: '' }
const selected = { name: localName, optional: boolean }
const keyOf = object({ key: string, ...selected }, ['key'])
const resourceField = object({ ...strings('containerName', 'resource'), divisor: quantity }, ['resource'])
const fieldRef = object(strings('apiVersion', 'fieldPath'), ['fieldPath'])

export const computeResources = object({
  claims: listOf(object(strings('name', 'request'), ['name'])),
  limits: mapOf(quantity),
  requests: mapOf(quantity),
})

const fileKey = object({ ...strings('key', 'path', 'volumeName'), optional: { type: 'boolean', default: false } }, [
  'key',
  'path',
  'volumeName',
])
const valueFrom = {
  configMapKeyRef: keyOf,
  fieldRef,
  fileKeyRef: fileKey,
  resourceFieldRef: resourceField,
  secretKeyRef: keyOf,
}
const env = listOf(object({ ...strings('name', 'value'), valueFrom: object(valueFrom) }, ['name']))

const labelSelector = object({
  matchExpressions: listOf(object({ ...strings('key', 'operator'), values: listOf(string) }, ['key', 'operator'])),
  matchLabels: mapOf(string),
})

export const podTemplate = object({
  affinity: anything,
  ...booleans('automountServiceAccountToken', 'enableServiceLinks', 'hostNetwork', 'hostUsers'),
  dnsConfig: object({
    nameservers: listOf(string),
    options: listOf(object(strings('name', 'value'))),
    searches: listOf(string),
  }),
  ...strings('dnsPolicy', 'priorityClassName', 'runtimeClassName', 'schedulerName'),
  env,
  hostAliases: listOf(object({ hostnames: listOf(string), ip: string }, ['ip'])),
  imagePullSecrets: listOf(object({ name: localName })),
  nodeSelector: mapOf(string),
  securityContext: anything,
  tolerations: listOf(object({ ...strings('effect', 'key', 'operator', 'value'), tolerationSeconds: integer })),
  topologySpreadConstraints: listOf(
    object(
      {
        labelSelector,
        matchLabelKeys: listOf(string),
        ...integers('maxSkew', 'minDomains'),
        ...strings('nodeAffinityPolicy', 'nodeTaintsPolicy', 'topologyKey', 'whenUnsatisfiable'),
      },
      ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
    ),
  ),
  volumes: anything,
})

const items = listOf(object({ ...strings('key', 'path'), mode: integer }, ['key', 'path']))
const downwardItem = object({ fieldRef, mode: integer, path: string, resourceFieldRef: resourceField }, ['path'])
const certificate = object(
  {
    ...strings('certificateChainPath', 'credentialBundlePath', 'keyPath', 'keyType', 'signerName'),
    maxExpirationSeconds: integer,
    userAnnotations: mapOf(string),
  },
  ['keyType', 'signerName'],
)
const projectedSource = object({
  clusterTrustBundle: object({ labelSelector, ...strings('name', 'path', 'signerName'), optional: boolean }, ['path']),
  configMap: object({ items, ...selected }),
  downwardAPI: object({ items: listOf(downwardItem) }),
  podCertificate: certificate,
  secret: object({ items, ...selected }),
  serviceAccountToken: object({ ...strings('audience', 'path'), expirationSeconds: integer }, ['path']),
})

/** What a run binds to the workspaces of its pipeline or task. */
export const workspaceBindings = listOf(
  object(
    {
      ...strings('name', 'subPath'),
      configMap: object({ defaultMode: integer, items, ...selected }),
      csi: object(
        {
          ...strings('driver', 'fsType'),
          nodePublishSecretRef: object({ name: localName }),
          readOnly: boolean,
          volumeAttributes: mapOf(string),
        },
        ['driver'],
      ),
      emptyDir: object({ medium: string, sizeLimit: quantity }),
      persistentVolumeClaim: object({ claimName: string, readOnly: boolean }, ['claimName']),
      projected: object({ defaultMode: integer, sources: listOf(projectedSource) }),
      secret: object({ defaultMode: integer, items, optional: boolean, secretName: string }),
      volumeClaimTemplate: anything,
    },
    ['name'],
  ),
)

const command = object({ command: listOf(string) })
const httpGet = object(
  {
    ...strings('host', 'path', 'scheme'),
    httpHeaders: listOf(object(strings('name', 'value'), ['name', 'value'])),
    port: quantity,
  },
  ['port'],
)
const tcpSocket = object({ host: string, port: quantity }, ['port'])
const hook = object({ exec: command, httpGet, sleep: object({ seconds: integer }, ['seconds']), tcpSocket })
const probe = object({
  exec: command,
  httpGet,
  tcpSocket,
  grpc: object({ port: integer, service: { type: 'string', default: '' } }, ['port']),
  ...integers('failureThreshold', 'initialDelaySeconds', 'periodSeconds', 'successThreshold'),
  ...integers('terminationGracePeriodSeconds', 'timeoutSeconds'),
})
const profile = object(strings('localhostProfile', 'type'), ['type'])
const securityContext = object({
  ...booleans('allowPrivilegeEscalation', 'privileged', 'readOnlyRootFilesystem', 'runAsNonRoot'),
  ...integers('runAsGroup', 'runAsUser'),
  appArmorProfile: profile,
  capabilities: object({ add: listOf(string), drop: listOf(string) }),
  procMount: string,
  seLinuxOptions: object(strings('level', 'role', 'type', 'user')),
  seccompProfile: profile,
  windowsOptions: object({
    ...strings('gmsaCredentialSpec', 'gmsaCredentialSpecName', 'runAsUserName'),
    hostProcess: boolean,
  }),
})
const source = object(selected)
const mount = object(
  {
    ...strings('mountPath', 'mountPropagation', 'name', 'recursiveReadOnly', 'subPath', 'subPathExpr'),
    readOnly: boolean,
  },
  ['mountPath', 'name'],
)

/** What a step, a sidecar and a template of steps have in common. */
export const container = {
  args: listOf(string),
  command: listOf(string),
  computeResources,
  env,
  envFrom: listOf(object({ configMapRef: source, prefix: string, secretRef: source })),
  ...strings('image', 'imagePullPolicy', 'workingDir'),
  securityContext,
  volumeDevices: listOf(object(strings('devicePath', 'name'), ['devicePath', 'name'])),
  volumeMounts: listOf(mount),
}

/** What only a sidecar has. */
export const sidecarOnly = {
  lifecycle: object({ postStart: hook, preStop: hook, stopSignal: string }),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  ports: listOf(
    object(
      {
        ...integers('containerPort', 'hostPort'),
        ...strings('hostIP', 'name'),
        protocol: { type: 'string', default: 'TCP' },
      },
      ['containerPort'],
    ),
  ),
  ...strings('restartPolicy', 'terminationMessagePath', 'terminationMessagePolicy'),
  ...booleans('stdin', 'stdinOnce', 'tty'),
}

export const stateOfContainer = {
  running: object({ startedAt: { type: 'string', format: 'date-time' } }),
  terminated: object(
    {
      ...strings('containerID', 'message', 'reason'),
      ...integers('exitCode', 'signal'),
      startedAt: { type: 'string', format: 'date-time' },
      finishedAt: { type: 'string', format: 'date-time' },
    },
    ['exitCode'],
  ),
  waiting: object(strings('message', 'reason')),
}
