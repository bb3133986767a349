import { podSpec } from '../protobuf/messages/pods'
import type { JsonSchema } from '../schema/json-schema'
import { withDetails, messageSchema } from './message-schema'
import {
  flag,
  int32,
  intOrText,
  listMap,
  listOf,
  mapOf,
  objectOf,
  openObjectOf,
  text,
  texts,
  time,
  atomic,
} from './schema-parts'

/** Pods and volume claims. Nothing runs here, so only the status fields that we read are described. */

const resources = openObjectOf({ limits: mapOf(intOrText), requests: mapOf(intOrText) })
const protocol: JsonSchema = { ...text, default: 'TCP' }
const container = objectOf(
  {
    env: listMap('name', objectOf({}, 'name')),
    ports: {
      ...listMap('containerPort', objectOf({ protocol }, 'containerPort')),
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
    },
    volumeDevices: listMap('devicePath', objectOf({}, 'name', 'devicePath')),
    volumeMounts: listMap('mountPath', objectOf({}, 'name', 'mountPath')),
  },
  'name',
)
const containerState = openObjectOf({
  waiting: openObjectOf({ reason: text, message: text }),
  running: openObjectOf({ startedAt: time }),
  terminated: openObjectOf({ exitCode: int32, reason: text, message: text, startedAt: time, finishedAt: time }),
})
const containerStatus = openObjectOf({
  name: text,
  ready: flag,
  restartCount: int32,
  image: text,
  imageID: text,
  state: containerState,
  lastState: containerState,
})

/** List merge keys and required fields of a pod spec. */
const spec = objectOf(
  {
    containers: listMap('name', container),
    initContainers: listMap('name', container),
    ephemeralContainers: listMap('name', container),
    volumes: listMap('name', objectOf({}, 'name')),
    imagePullSecrets: listMap('name', atomic(objectOf({}))),
    hostAliases: listMap('ip', objectOf({}, 'ip')),
    nodeSelector: atomic(mapOf(text)),
    resourceClaims: listMap('name', objectOf({}, 'name')),
    schedulingGates: listMap('name', objectOf({}, 'name')),
    topologySpreadConstraints: {
      ...listMap('topologyKey', objectOf({}, 'topologyKey', 'whenUnsatisfiable', 'maxSkew')),
      'x-kubernetes-list-map-keys': ['topologyKey', 'whenUnsatisfiable'],
    },
  },
  'containers',
)

export const podSchema: JsonSchema = objectOf({
  spec: withDetails(messageSchema(podSpec), spec),
  status: openObjectOf({
    phase: text,
    reason: text,
    message: text,
    podIP: text,
    hostIP: text,
    startTime: time,
    conditions: listMap('type', openObjectOf({ type: text, status: text, reason: text, message: text })),
    containerStatuses: listOf(containerStatus),
    initContainerStatuses: listOf(containerStatus),
  }),
})

export const volumeClaimSchema: JsonSchema = objectOf({
  spec: openObjectOf({
    accessModes: texts,
    resources,
    storageClassName: text,
    volumeMode: text,
    volumeName: text,
  }),
  status: openObjectOf({ phase: text, accessModes: texts, capacity: mapOf(intOrText) }),
})
