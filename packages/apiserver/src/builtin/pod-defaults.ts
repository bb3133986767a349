import { isRecord } from '@slipway/kube/object'
import type { AnyObject } from '../resource'
import { parseQuantity } from './quantity'

/** Defaults for pods. Source: pkg/apis/core/v1/defaults.go of Kubernetes. */

export const recordsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** All containers, init containers first, in the order of the real server. */
export const containersOf = (spec: Record<string, unknown>): Record<string, unknown>[] => [
  ...recordsIn(spec['initContainers']),
  ...recordsIn(spec['containers']),
]

const podDefaults = {
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  terminationGracePeriodSeconds: 30,
  enableServiceLinks: true,
}
const accountNames = ['serviceAccountName', 'serviceAccount']
const containerDefaults = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' }
const probeDefaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }
const probes = ['livenessProbe', 'readinessProbe', 'startupProbe']
/** Volume sources that are written as files and have a mode. */
const fileVolumes = ['secret', 'configMap', 'downwardAPI', 'projected']
const defaultMode = 0o644

const fill = (record: Record<string, unknown>, defaults: Record<string, unknown>) => {
  for (const [member, value] of Object.entries(defaults)) record[member] ??= value
}

/** Applies the defaults in place. */
export function applyPodDefaults(pod: AnyObject): void {
  const { spec } = pod
  if (!isRecord(spec)) return
  fill(spec, podDefaults)
  // `serviceAccount` is the deprecated name of the same field.
  spec['serviceAccountName'] ??= spec['serviceAccount']
  spec['serviceAccount'] = spec['serviceAccountName']
  for (const member of accountNames) if (spec[member] === undefined) delete spec[member]
  spec['securityContext'] ??= {}
  for (const volume of recordsIn(spec['volumes'])) applyVolumeDefaults(volume)
  for (const container of containersOf(spec)) applyContainerDefaults(container)
}

function applyVolumeDefaults(volume: Record<string, unknown>) {
  if (Object.keys(volume).every((member) => member === 'name')) volume['emptyDir'] = {}
  for (const source of fileVolumes) if (isRecord(volume[source])) volume[source]['defaultMode'] ??= defaultMode
}

function applyContainerDefaults(container: Record<string, unknown>) {
  fill(container, containerDefaults)
  container['imagePullPolicy'] ??= hasMovingTag(String(container['image'] ?? '')) ? 'Always' : 'IfNotPresent'
  container['resources'] ??= {}
  const { resources } = container
  if (isRecord(resources) && isRecord(resources['limits'])) {
    resources['requests'] = { ...resources['limits'], ...(isRecord(resources['requests']) && resources['requests']) }
  }
  for (const port of recordsIn(container['ports'])) port['protocol'] ??= 'TCP'
  for (const name of probes) {
    const probe = container[name]
    if (!isRecord(probe)) continue
    fill(probe, probeDefaults)
    if (isRecord(probe['httpGet'])) fill(probe['httpGet'], { path: '/', scheme: 'HTTP' })
  }
  for (const { valueFrom } of recordsIn(container['env'])) {
    if (isRecord(valueFrom) && isRecord(valueFrom['fieldRef'])) valueFrom['fieldRef']['apiVersion'] ??= 'v1'
  }
}

/** True for an image whose tag may move: `latest` or no tag. */
function hasMovingTag(image: string): boolean {
  if (image.includes('@')) return false
  const tag = /:([^:/]+)$/.exec(image)?.[1]
  return tag === undefined || tag === 'latest'
}

const computeResources = ['cpu', 'memory']

/** Source: pkg/apis/core/v1/helper/qos of Kubernetes. */
export function qosClassOf({ spec }: AnyObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const all = (isRecord(spec) ? containersOf(spec) : []).map(({ resources }) => (isRecord(resources) ? resources : {}))
  const amounts = ({ requests, limits }: Record<string, unknown>, resource: string) =>
    [requests, limits].map((list) => (isRecord(list) && parseQuantity(list[resource] ?? 0)) || 0)
  const sums = computeResources.map((resource) =>
    all
      .map((resources) => amounts(resources, resource))
      .reduce((sum, each) => sum.map((amount, index) => amount + (each[index] ?? 0)), [0, 0]),
  )
  if (sums.every(([requested, limited]) => requested === 0 && limited === 0)) return 'BestEffort'
  const areAllLimited = all.every((resources) =>
    computeResources.every((resource) => (amounts(resources, resource)[1] ?? 0) > 0),
  )
  return areAllLimited && sums.every(([requested, limited]) => requested === limited) ? 'Guaranteed' : 'Burstable'
}
