import { customResourceDefinitionType } from '@slipway/kube/core-types'
import type { Clock } from '@slipway/kube/clock'
import { isRecord, type Condition } from '@slipway/kube/object'
import { timestamp } from '../timestamp'
import type { AnyObject } from '../resource'
import { validateCrd, type CustomResourceDefinition } from '../apiextensions/crd'
import { defineBuiltin } from './define-builtin'

/** Removed by the controller once it has deleted all objects of the kind. */
export const crdFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

export const customResourceDefinitions = defineBuiltin({
  type: customResourceDefinitionType,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  // As published by the real server; here objects are stored as v1.
  storageVersion: 'v1beta1',
  hasStatus: true,
  hasGeneration: true,
  prepare(object, { old }) {
    const { spec } = object
    if (!isRecord(spec) || !isRecord(spec['names'])) return
    const { names } = spec
    names['singular'] ||= String(names['kind'] ?? '').toLowerCase()
    names['listKind'] ||= `${String(names['kind'] ?? '')}List`
    spec['conversion'] ??= { strategy: 'None' }
    // The status that a client sends on creation is ignored.
    if (!old) delete object['status']
    object['status'] = withStoredVersion(asCrd(object))
  },
  terminate(object, clock) {
    const { metadata } = object
    metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), crdFinalizer])]
    const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon'
    const { status } = asCrd(object)
    const conditions = withConditions(status?.conditions, [
      crdCondition('Terminating', 'InstanceDeletionPending', message, clock),
    ])
    object['status'] = { ...status, conditions }
  },
  validate: (object, old) => validateCrd(asCrd(object), old && asCrd(old)),
})

/** The object has been validated, or is about to be. */
export const asCrd = (object: AnyObject): CustomResourceDefinition => object as unknown as CustomResourceDefinition

/** The status before the controller has accepted the names. */
const notYetAccepted = { conditions: null, acceptedNames: { plural: '', kind: '' } }

/** Adds the current storage version to those stored before. */
function withStoredVersion({ spec: { versions }, status }: CustomResourceDefinition) {
  const storage = Array.isArray(versions) ? versions.find((version) => version.storage)?.name : undefined
  const storedVersions = [...new Set([...(status?.storedVersions ?? []), ...(storage ? [storage] : [])])]
  return { ...notYetAccepted, ...status, storedVersions }
}

export const crdCondition = (type: string, reason: string, message: string, clock: Clock): Condition => ({
  type,
  status: 'True',
  lastTransitionTime: timestamp(clock),
  reason,
  message,
})

/** Merges conditions: an added one replaces the known one of the same type. */
export const withConditions = (
  known: readonly Condition[] | null | undefined,
  added: readonly Condition[],
): Condition[] => [...(known ?? []).filter(({ type }) => added.every((condition) => condition.type !== type)), ...added]
