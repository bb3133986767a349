import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import { labelFaults } from '../registry/metadata'
import type { AnyObject } from '../registry/resource'
import { duplicate, invalid, notSupported, required } from '../schema/field-error'

/** What pods get that do not say otherwise, and what they may not say. Source: pkg/apis/core of Kubernetes. */

const recordsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const podDefaults = {
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  terminationGracePeriodSeconds: 30,
  enableServiceLinks: true,
  serviceAccountName: 'default',
}
const containerDefaults = { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' }

/** In place. */
export function applyPodDefaults(pod: AnyObject): void {
  const { spec } = pod
  if (!isRecord(spec)) return
  for (const [member, value] of Object.entries(podDefaults)) spec[member] ??= value
  spec['serviceAccount'] ??= spec['serviceAccountName']
  spec['securityContext'] ??= {}
  for (const container of [...recordsIn(spec['containers']), ...recordsIn(spec['initContainers'])]) {
    for (const [member, value] of Object.entries(containerDefaults)) container[member] ??= value
    container['imagePullPolicy'] ??= isMoving(String(container['image'] ?? '')) ? 'Always' : 'IfNotPresent'
    container['resources'] ??= {}
    for (const port of recordsIn(container['ports'])) port['protocol'] ??= 'TCP'
  }
}

/** An image that may be another one tomorrow: of the tag `latest`, or of none. */
function isMoving(image: string): boolean {
  if (image.includes('@')) return false
  const tag = /:([^:/]+)$/.exec(image)?.[1]
  return tag === undefined || tag === 'latest'
}

const restartPolicies = ['Always', 'OnFailure', 'Never']

export function podCauses({ spec }: AnyObject): StatusCause[] {
  if (!isRecord(spec)) return [required('spec.containers')]
  const { containers, initContainers, volumes, restartPolicy } = spec
  const causes: StatusCause[] = []
  // That there are none at all, the schema has told.
  if (Array.isArray(containers) && containers.length === 0) causes.push(required('spec.containers'))
  const taken = new Set<unknown>()
  causes.push(...nameCauses('spec.volumes', volumes, new Set()))
  causes.push(...nameCauses('spec.containers', containers, taken), ...imageCauses('spec.containers', containers))
  causes.push(...nameCauses('spec.initContainers', initContainers, taken))
  causes.push(...imageCauses('spec.initContainers', initContainers))
  if (!restartPolicies.includes(String(restartPolicy))) {
    causes.push(notSupported('spec.restartPolicy', restartPolicy, restartPolicies))
  }
  return causes
}

/** @param taken names that are no longer to be had; filled */
function nameCauses(field: string, list: unknown, taken: Set<unknown>): StatusCause[] {
  return recordsIn(list).flatMap(({ name }, index) => {
    const at = `${field}[${index}].name`
    // A name that is left out, the schema has told.
    if (name === undefined) return []
    if (name === '') return [required(at)]
    const faults = labelFaults(String(name)).map((fault) => invalid(at, name, fault))
    if (taken.has(name)) return [...faults, duplicate(at, name)]
    taken.add(name)
    return faults
  })
}

const imageCauses = (field: string, list: unknown): StatusCause[] =>
  recordsIn(list).flatMap(({ image }, index) => {
    const at = `${field}[${index}].image`
    if (!image) return [required(at)]
    return String(image).trim() === image ? [] : [invalid(at, image, 'must not have leading or trailing whitespace')]
  })
