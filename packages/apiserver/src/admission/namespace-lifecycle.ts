import { namespaceType } from '@slipway/kube/core-types'
import { namespaces } from '../builtin/namespaces'
import { notFound } from '../errors'
import { isBeingDeleted } from '../registry/objects'
import { keyOf, collectionOf } from '../resource'
import { forbiddenWrite, type DeleteValidation, type Validation } from '../registry/writer'
import type { Storage } from '../storage/storage'

/** Namespaces that must not be deleted. */
const undeletable = ['default', 'kube-system', 'kube-public']

export const namespaceDeletion: DeleteValidation = ({ resource, name }) => {
  if (resource === namespaces && undeletable.includes(name))
    throw forbiddenWrite(resource, name, 'this namespace may not be deleted')
}

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
