import { messageNamed } from '../protobuf/messages'
import type { JsonSchema } from '../apiextensions/json-schema'
import { withDetails, messageSchema } from './message-schema'
import {
  boolean,
  int32,
  intOrString,
  listMap,
  listOf,
  mapOf,
  objectOf,
  openObjectOf,
  string,
  strings,
  time,
  atomic,
} from './schema-parts'

/** Pods and volume claims. Nothing runs here, so only the status fields that we read are described. */

const resources = openObjectOf({ limits: mapOf(intOrString), requests: mapOf(intOrString) })
const protocol: JsonSchema = { ...string, default: 'TCP' }
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
  waiting: openObjectOf({ reason: string, message: string }),
  running: openObjectOf({ startedAt: time }),
  terminated: openObjectOf({ exitCode: int32, reason: string, message: string, startedAt: time, finishedAt: time }),
})
const containerStatus = openObjectOf({
  name: string,
  ready: boolean,
  restartCount: int32,
  image: string,
  imageID: string,
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
    nodeSelector: atomic(mapOf(string)),
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
  spec: withDetails(messageSchema(messageNamed('core/v1.PodSpec')), spec),
  status: openObjectOf({
    phase: string,
    reason: string,
    message: string,
    podIP: string,
    hostIP: string,
    startTime: time,
    conditions: listMap('type', openObjectOf({ type: string, status: string, reason: string, message: string })),
    containerStatuses: listOf(containerStatus),
    initContainerStatuses: listOf(containerStatus),
  }),
})

export const volumeClaimSchema: JsonSchema = objectOf({
  spec: openObjectOf({
    accessModes: strings,
    resources,
    storageClassName: string,
    volumeMode: string,
    volumeName: string,
  }),
  status: openObjectOf({ phase: string, accessModes: strings, capacity: mapOf(intOrString) }),
})
