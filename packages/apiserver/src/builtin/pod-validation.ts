import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import { labelErrors } from '../registry/metadata'
import type { AnyObject } from '../registry/resource'
import { duplicate, invalid, notSupported, required } from '../schema/field-error'
import { recordsIn } from './pod-defaults'

/** What pods may not say. Source: pkg/apis/core/validation of Kubernetes. */

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
    const faults = labelErrors(String(name)).map((fault) => invalid(at, name, fault))
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
