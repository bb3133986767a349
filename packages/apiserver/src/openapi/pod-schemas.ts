import type { JsonSchema } from '../schema/json-schema'
import {
  anyObject,
  flag,
  int32,
  int64,
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

/** Pods and the volumes they claim: nothing runs here, so only what is read and merged is described. */

const resources = openObjectOf({ limits: mapOf(intOrText), requests: mapOf(intOrText) })
const protocol: JsonSchema = { ...text, default: 'TCP' }
const container = openObjectOf(
  {
    name: text,
    image: text,
    imagePullPolicy: text,
    command: texts,
    args: texts,
    workingDir: text,
    env: listBy('name', openObjectOf({ name: text, value: text, valueFrom: anyObject }, 'name')),
    ports: {
      ...listBy('containerPort', openObjectOf({ name: text, containerPort: int32, protocol }, 'containerPort')),
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
    },
    resources,
    volumeMounts: listBy(
      'mountPath',
      openObjectOf({ name: text, mountPath: text, readOnly: flag }, 'name', 'mountPath'),
    ),
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

export const podSchema: JsonSchema = objectOf({
  spec: openObjectOf(
    {
      containers: listBy('name', container),
      initContainers: listBy('name', container),
      volumes: listBy('name', openObjectOf({ name: text }, 'name')),
      imagePullSecrets: listBy('name', whole(objectOf({ name: text }))),
      serviceAccountName: text,
      restartPolicy: text,
      nodeName: text,
      nodeSelector: whole(mapOf(text)),
      terminationGracePeriodSeconds: int64,
    },
    'containers',
  ),
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
