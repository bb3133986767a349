import { namespaceType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { namespaces } from '../builtin/namespaces'
import { serviceAccounts } from '../builtin/serviceaccounts'
import { StatusError } from '../errors'
import { isBeingDeleted, objectOf } from '../registry/objects'
import { collectionOf, keyOf, type AnyObject } from '../registry/resource'
import { serverWriteOptions } from '../registry/writer'
import { WriteConflict } from '../storage/storage'
import type { Controller, ControllerParts } from './controllers'

/** Gives each namespace its default service account, and empties those that are being deleted. */
export function namespaceLife({ storage, catalog, writer }: ControllerParts): Controller {
  const collection = collectionOf(namespaceType)
  const accounts = collectionOf(serviceAccounts.type)
  const due = new Set<string>()
  for (const { key } of storage.list(collection)) due.add(key.slice(1))

  async function giveAccount(namespace: string) {
    if (storage.get(accounts, keyOf(namespace, 'default'))) return
    await writer
      .create(serviceAccounts, namespace, { metadata: { name: 'default' } }, serverWriteOptions)
      .catch(unlessGone)
  }

  async function empty(namespace: string) {
    let isEmpty = true
    for (const other of storage.collections()) {
      const info = catalog.ofCollection(other)
      if (!info?.type.namespaced) continue
      for (const { key } of storage.list(other, { prefix: keyOf(namespace, '') })) {
        const name = key.slice(namespace.length + 1)
        const result = await writer.delete({ info, namespace, name }, serverWriteOptions).catch(unlessGone)
        if (result && !result.isGone) isEmpty = false
      }
    }
    if (isEmpty) await finish(namespace)
  }

  /** Takes the last finalizer, with which the namespace goes, unless it carries others of its own. */
  async function finish(name: string) {
    const stored = storage.get(collection, keyOf(undefined, name))
    if (!stored) return
    const { apiVersion, kind, metadata, ...rest } = objectOf(namespaces, stored)
    const object: AnyObject = {
      apiVersion,
      kind,
      metadata: { ...metadata, resourceVersion: undefined },
      ...rest,
      spec: {},
    }
    const write = { collection, key: stored.key, expected: stored.revision, value: JSON.stringify(object) }
    await storage.write({ ...write, type: metadata.finalizers?.length ? 'put' : 'delete' }).catch((error: unknown) => {
      if (!(error instanceof WriteConflict)) throw error
      due.add(name)
    })
  }

  return {
    observe(change) {
      if (change.collection === collection) {
        if (change.type === 'deleted') return false
        due.add(change.key.slice(1))
        return true
      }
      // What goes may be the last thing in its namespace.
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
        const namespace = objectOf(namespaces, stored)
        try {
          if (!namespace.metadata.deletionTimestamp) await giveAccount(nameOf(namespace))
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

/** Somebody else was faster. */
function unlessGone(error: unknown): undefined {
  if (error instanceof StatusError && [403, 404, 409].includes(error.status.code)) return undefined
  throw error
}
