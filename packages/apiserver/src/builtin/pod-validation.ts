import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import { labelErrors } from '@slipway/kube/label-syntax'
import type { AnyObject } from '../resource'
import { duplicate, invalid, notSupported, required } from '../field-error'
import { recordsIn } from './pod-defaults'

/** Validation of pods. Source: pkg/apis/core/validation of Kubernetes. */

const restartPolicies = ['Always', 'OnFailure', 'Never']

export function podCauses({ spec }: AnyObject): StatusCause[] {
  if (!isRecord(spec)) return [required('spec.containers')]
  const { containers, initContainers, volumes, restartPolicy } = spec
  const causes: StatusCause[] = []
  // The schema has already reported a missing list.
  if (Array.isArray(containers) && containers.length === 0) causes.push(required('spec.containers'))
  const usedNames = new Set<unknown>()
  causes.push(...nameCauses('spec.volumes', volumes, new Set()))
  causes.push(...nameCauses('spec.containers', containers, usedNames), ...imageCauses('spec.containers', containers))
  causes.push(...nameCauses('spec.initContainers', initContainers, usedNames))
  causes.push(...imageCauses('spec.initContainers', initContainers))
  if (!restartPolicies.includes(String(restartPolicy))) {
    causes.push(notSupported('spec.restartPolicy', restartPolicy, restartPolicies))
  }
  return causes
}

/** @param usedNames names already in use; names in the list are added */
function nameCauses(field: string, list: unknown, usedNames: Set<unknown>): StatusCause[] {
  return recordsIn(list).flatMap(({ name }, index) => {
    const at = `${field}[${index}].name`
    // The schema has already reported a missing name.
    if (name === undefined) return []
    if (name === '') return [required(at)]
    const causes = labelErrors(String(name)).map((detail) => invalid(at, name, detail))
    if (usedNames.has(name)) return [...causes, duplicate(at, name)]
    usedNames.add(name)
    return causes
  })
}

const imageCauses = (field: string, list: unknown): StatusCause[] =>
  recordsIn(list).flatMap(({ image }, index) => {
    const at = `${field}[${index}].image`
    if (!image) return [required(at)]
    return String(image).trim() === image ? [] : [invalid(at, image, 'must not have leading or trailing whitespace')]
  })
