import { customResourceDefinitionType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { asCrd, crdFinalizer, customResourceDefinitions } from '../builtin/customresourcedefinitions'
import { StatusError } from '../errors'
import { objectOf } from '../registry/objects'
import { collectionOf, type AnyObject } from '../registry/resource'
import { serverWriteOptions } from '../registry/writer'
import type { Controller, ControllerParts } from './controllers'

/** Deletes the objects of a definition that is being deleted, then lets it go. */
export function definitionCleanup({ storage, catalog, writer }: ControllerParts): Controller {
  const definitions = collectionOf(customResourceDefinitionType)
  const ending = () =>
    storage
      .list(definitions)
      .map((stored) => asCrd(objectOf(customResourceDefinitions, stored)))
      .filter(({ metadata }) => metadata.deletionTimestamp && metadata.finalizers?.includes(crdFinalizer))
  const collectionsOfEnding = new Set(ending().map(({ spec }) => `${spec.group}/${spec.names.plural}`))

  return {
    observe: (change) =>
      change.collection === definitions || (change.type === 'deleted' && collectionsOfEnding.has(change.collection)),
    async reconcile() {
      collectionsOfEnding.clear()
      for (const crd of ending()) {
        const collection = `${crd.spec.group}/${crd.spec.names.plural}`
        collectionsOfEnding.add(collection)
        const info = catalog.ofCollection(collection)
        for (const { key } of info ? storage.list(collection) : []) {
          const [namespace, name = ''] = key.split('/')
          if (info)
            await writer.delete({ info, namespace: namespace || undefined, name }, serverWriteOptions).catch(unlessGone)
        }
        if (storage.count(collection) > 0) continue
        const target = { info: customResourceDefinitions, namespace: undefined, name: nameOf(crd) }
        const finalizers = crd.metadata.finalizers?.filter((finalizer) => finalizer !== crdFinalizer)
        const withoutOurs = (current: AnyObject) => ({ ...current, metadata: { ...current.metadata, finalizers } })
        await writer.update(target, (current) => withoutOurs(current()), { ...serverWriteOptions, retries: 5 })
      }
    },
  }
}

/** Somebody else was faster. */
export function unlessGone(error: unknown) {
  if (!(error instanceof StatusError && error.status.code === 404)) throw error
}
