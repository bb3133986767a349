import { customResourceDefinitionType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { asCrd, crdFinalizer, customResourceDefinitions } from '../builtin/customresourcedefinitions'
import { StatusError } from '../errors'
import { deserialize } from '../registry/objects'
import { collectionOf, type AnyObject } from '../resource'
import { serverWriteOptions } from '../registry/writer'
import type { Controller, ControllerParts } from './controllers'

/** Deletes the objects of a definition that is being deleted, then removes its finalizer. */
export function definitionCleanup({ storage, catalog, writer }: ControllerParts): Controller {
  const definitions = collectionOf(customResourceDefinitionType)
  const terminating = () =>
    storage
      .list(definitions)
      .map((stored) => asCrd(deserialize(customResourceDefinitions, stored)))
      .filter(({ metadata }) => metadata.deletionTimestamp && metadata.finalizers?.includes(crdFinalizer))
  const terminatingCollections = new Set(terminating().map(({ spec }) => `${spec.group}/${spec.names.plural}`))

  return {
    observe: (change) =>
      change.collection === definitions || (change.type === 'deleted' && terminatingCollections.has(change.collection)),
    async reconcile() {
      terminatingCollections.clear()
      for (const crd of terminating()) {
        const collection = `${crd.spec.group}/${crd.spec.names.plural}`
        terminatingCollections.add(collection)
        const resource = catalog.ofCollection(collection)
        for (const { key } of resource ? storage.list(collection) : []) {
          const [namespace, name = ''] = key.split('/')
          if (resource)
            await writer
              .delete({ resource, namespace: namespace || undefined, name }, serverWriteOptions)
              .catch(ignoreNotFound)
        }
        if (storage.count(collection) > 0) continue
        const target = { resource: customResourceDefinitions, namespace: undefined, name: nameOf(crd) }
        const finalizers = crd.metadata.finalizers?.filter((finalizer) => finalizer !== crdFinalizer)
        const withoutFinalizer = (current: AnyObject) => ({ ...current, metadata: { ...current.metadata, finalizers } })
        const change = (current: () => AnyObject) => withoutFinalizer(current())
        await writer.write(target, { type: 'update', change }, serverWriteOptions)
      }
    },
  }
}

/** Ignores that the object was already deleted. */
export function ignoreNotFound(error: unknown) {
  if (!(error instanceof StatusError && error.status.code === 404)) throw error
}
