import { customResourceDefinitionType } from '@slipway/kube/core-types'
import type { Clock } from '@slipway/kube/clock'
import { isRecord } from '@slipway/kube/object'
import { timestamp } from '../timestamp'
import type { AnyObject } from '../registry/resource'
import { validateCrd, type CustomResourceDefinition } from '../schema/crd'
import { defineBuiltin } from './define-builtin'

/** Kept until the controller has deleted the objects of the kind. */
export const crdFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

export const customResourceDefinitions = defineBuiltin({
  type: customResourceDefinitionType,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  hasStatus: true,
  hasGeneration: true,
  isEmptiedFirst: true,
  prepare(object, { old, clock }) {
    const { metadata } = object
    if (!old) metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), crdFinalizer])]
    const { spec } = object
    if (!isRecord(spec) || !isRecord(spec['names'])) return
    const { names } = spec
    names['singular'] ||= String(names['kind'] ?? '').toLowerCase()
    names['listKind'] ||= `${String(names['kind'] ?? '')}List`
    spec['conversion'] ??= { strategy: 'None' }
    object['status'] = statusOf(object, old, clock)
  },
  validate: (object, old) => validateCrd(asCrd(object), old && asCrd(old)),
})

/** Validation has seen to the shape, or is about to. */
export const asCrd = (object: AnyObject): CustomResourceDefinition => object as unknown as CustomResourceDefinition

/** A definition is served as soon as it is written: there is nobody else to accept its names. */
function statusOf(object: AnyObject, old: AnyObject | undefined, clock: Clock) {
  const { names, versions } = asCrd(object).spec
  const before = old && asCrd(old).status
  const storage = Array.isArray(versions) ? versions.find((version) => version.storage)?.name : undefined
  return {
    conditions: before?.conditions ?? [
      accepted('NamesAccepted', 'NoConflicts', 'no conflicts found', clock),
      accepted('Established', 'InitialNamesAccepted', 'the initial names have been accepted', clock),
    ],
    acceptedNames: names,
    storedVersions: [...new Set([...(before?.storedVersions ?? []), ...(storage ? [storage] : [])])],
  }
}

const accepted = (type: string, reason: string, message: string, clock: Clock) => ({
  type,
  status: 'True' as const,
  lastTransitionTime: timestamp(clock),
  reason,
  message,
})
