import { podSpec } from '../protobuf/messages/pods'
import type { JsonSchema } from '../schema/json-schema'
import { detailed, messageSchema } from './message-schema'
import {
  flag,
  int32,
  intOrText,
  listBy,
  listOf,
  mapOf,
  objectOf,
  openObjectOf,
  text,
  texts,
  time,
  whole,
} from './schema-parts'

/** Pods and the volumes they claim: nothing runs here, so of what is reported only what is read is described. */

const resources = openObjectOf({ limits: mapOf(intOrText), requests: mapOf(intOrText) })
const protocol: JsonSchema = { ...text, default: 'TCP' }
const container = objectOf(
  {
    env: listBy('name', objectOf({}, 'name')),
    ports: {
      ...listBy('containerPort', objectOf({ protocol }, 'containerPort')),
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
    },
    volumeDevices: listBy('devicePath', objectOf({}, 'name', 'devicePath')),
    volumeMounts: listBy('mountPath', objectOf({}, 'name', 'mountPath')),
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

/** How its lists are merged, and what has to be there. */
const spec = objectOf(
  {
    containers: listBy('name', container),
    initContainers: listBy('name', container),
    ephemeralContainers: listBy('name', container),
    volumes: listBy('name', objectOf({}, 'name')),
    imagePullSecrets: listBy('name', whole(objectOf({}))),
    hostAliases: listBy('ip', objectOf({}, 'ip')),
    nodeSelector: whole(mapOf(text)),
    resourceClaims: listBy('name', objectOf({}, 'name')),
    schedulingGates: listBy('name', objectOf({}, 'name')),
    topologySpreadConstraints: {
      ...listBy('topologyKey', objectOf({}, 'topologyKey', 'whenUnsatisfiable', 'maxSkew')),
      'x-kubernetes-list-map-keys': ['topologyKey', 'whenUnsatisfiable'],
    },
  },
  'containers',
)

export const podSchema: JsonSchema = objectOf({
  spec: detailed(messageSchema(podSpec), spec),
  status: openObjectOf({
    phase: text,
    reason: text,
    message: text,
    podIP: text,
    hostIP: text,
    startTime: time,
    conditions: listBy('type', openObjectOf({ type: text, status: text, reason: text, message: text })),
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
