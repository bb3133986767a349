import { namespaceType } from '@slipway/kube/core-types'
import { notFound } from '../errors'
import { isBeingDeleted } from '../registry/objects'
import { keyOf, collectionOf } from '../resource'
import { forbiddenWrite, type Validation } from '../registry/writer'
import type { Storage } from '../storage/storage'

/** Namespaces that must not be deleted. */
const undeletable = ['default', 'kube-system', 'kube-public']

export const isUndeletable = (name: string): boolean => undeletable.includes(name)

/** Rejects the creation of objects in a namespace that does not exist or is being deleted. */
export const namespaceLifecycle =
  (storage: Storage): Validation =>
  ({ resource, object, old }) => {
    const { namespace, name = '' } = object.metadata
    if (old || namespace === undefined) return
    const stored = storage.get(collectionOf(namespaceType), keyOf(undefined, namespace))
    if (!stored) throw notFound(namespaceType, namespace)
    if (!isBeingDeleted(stored.value)) return
    const text = `namespace ${namespace} is being terminated`
    throw forbiddenWrite(
      resource,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [{ reason: 'NamespaceTerminating', message: text, field: 'metadata.namespace' }],
    )
  }
