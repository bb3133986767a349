import { namespaceType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { namespaces } from '../builtin/namespaces'
import { serviceAccounts } from '../builtin/serviceaccounts'
import { StatusError } from '../errors'
import { isBeingDeleted, deserialize } from '../registry/objects'
import { collectionOf, keyOf } from '../resource'
import { serverWriteOptions } from '../registry/writer'
import type { Controller, ControllerParts } from './controllers'

/** Creates the default service account of each namespace, and empties namespaces that are being deleted. */
export function namespaceController({ storage, catalog, writer }: ControllerParts): Controller {
  const collection = collectionOf(namespaceType)
  const accounts = collectionOf(serviceAccounts.type)
  const due = new Set<string>()
  for (const { key } of storage.list(collection)) due.add(key.slice(1))

  async function createDefaultAccount(namespace: string) {
    if (storage.get(accounts, keyOf(namespace, 'default'))) return
    await writer
      .write(
        { resource: serviceAccounts, namespace, name: 'default' },
        { type: 'create', body: { metadata: { name: 'default' } } },
        serverWriteOptions,
      )
      .catch(ignoreNotFound)
  }

  async function empty(namespace: string) {
    let isEmpty = true
    for (const other of storage.collections()) {
      const resource = catalog.ofCollection(other)
      if (!resource?.type.namespaced) continue
      for (const { key } of storage.list(other, { prefix: keyOf(namespace, '') })) {
        const name = key.slice(namespace.length + 1)
        const result = await writer.delete({ resource, namespace, name }, serverWriteOptions).catch(ignoreNotFound)
        if (result && !result.isDeleted) isEmpty = false
      }
    }
    if (isEmpty) await finish(namespace)
  }

  /** Removes the finalizers of the spec, which removes the namespace unless its metadata has finalizers. */
  async function finish(name: string) {
    const target = { resource: namespaces, namespace: undefined, name }
    await writer
      .write(
        target,
        { type: 'update', change: (current) => ({ ...current(), spec: {} }), subresource: 'finalize' },
        serverWriteOptions,
      )
      .catch(ignoreNotFound)
  }

  return {
    observe(change) {
      if (change.collection === collection) {
        if (change.type === 'deleted') return false
        due.add(change.key.slice(1))
        return true
      }
      // The deleted object may have been the last one in its namespace.
      const namespace = change.key.slice(0, change.key.indexOf('/'))
      if (change.type !== 'deleted' || !namespace) return false
      const isAccount = change.collection === accounts && change.key === keyOf(namespace, 'default')
      if (!isAccount && !isTerminating(namespace)) return false
      due.add(namespace)
      return true
    },
    async reconcile() {
      for (const name of due) {
        due.delete(name)
        const stored = storage.get(collection, keyOf(undefined, name))
        if (!stored) continue
        const namespace = deserialize(namespaces, stored)
        try {
          if (!namespace.metadata.deletionTimestamp) await createDefaultAccount(nameOf(namespace))
          else await empty(name)
        } catch (error) {
          due.add(name)
          throw error
        }
      }
    },
  }

  function isTerminating(name: string): boolean {
    const stored = storage.get(collection, keyOf(undefined, name))
    return stored !== undefined && isBeingDeleted(stored.value)
  }
}

/** Ignores that the object already exists, was deleted, or that its namespace is being deleted. */
function ignoreNotFound(error: unknown): undefined {
  if (error instanceof StatusError && [403, 404, 409].includes(error.status.code)) return undefined
  throw error
}
