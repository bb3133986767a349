import { isSameJson } from '@slipway/kube/json'
import type { ObjectMeta, OwnerReference } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { StatusError } from '../errors'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../resource'
import { isBeingDeleted, metadataOf } from '../registry/objects'
import type { Target } from '../registry/object-store'
import { serverWriteOptions, foregroundFinalizer, orphanFinalizer } from '../registry/writer'
import type { Storage, Stored } from '../storage/storage'
import type { Controller, ControllerParts } from './controllers'

/** Same limit as in Kubernetes. */
const rememberedOwners = 500

/** An object in the ownership graph: its location and its owners. */
interface Node {
  collection: string
  key: string
  namespace: string
  owners: readonly OwnerReference[]
  /** Removed once its dependents are deleted (Foreground) or orphaned (Orphan). */
  deletion: 'Foreground' | 'Orphan' | undefined
}

/**
 * Deletes objects without remaining owners. An owner counts if an object with its uid, kind and name exists in the same
 * namespace or at the cluster scope. Source: pkg/controller/garbagecollector of Kubernetes.
 */
export function garbageCollector({ storage, catalog, writer }: ControllerParts): Controller {
  const nodes = new Map<string, Node>()
  const dependents = new Map<string, Set<string>>()
  /** Objects whose owners must be checked, and owners that wait for their dependents. */
  const due = new Set<string>()
  /** Recently deleted owners. */
  const deletedOwners = new Set<string>()

  for (const collection of storage.collections()) {
    for (const { key, value } of everyObject(storage, collection)) record(collection, key, metadataOf(value))
  }

  function record(collection: string, key: string, metadata: ObjectMeta) {
    const { uid = '', ownerReferences: owners = [], finalizers, deletionTimestamp } = metadata
    const isTerminating = deletionTimestamp !== undefined
    const deletion =
      isTerminating && finalizers?.includes(foregroundFinalizer)
        ? 'Foreground'
        : isTerminating && finalizers?.includes(orphanFinalizer)
          ? 'Orphan'
          : undefined
    // Most changes do not affect ownership.
    const known = nodes.get(uid)
    if (known && known.deletion === deletion && isSameJson(known.owners, owners)) return
    forget(uid)
    nodes.set(uid, { collection, key, namespace: key.slice(0, key.indexOf('/')), owners, deletion })
    for (const owner of owners) {
      const others = dependents.get(owner.uid)
      if (others) others.add(uid)
      else dependents.set(owner.uid, new Set([uid]))
    }
    if (owners.length > 0 || deletion) due.add(uid)
  }

  function forget(uid: string) {
    for (const owner of nodes.get(uid)?.owners ?? []) {
      const known = dependents.get(owner.uid)
      known?.delete(uid)
      if (known?.size === 0) dependents.delete(owner.uid)
      // This may be the last dependent that the owner waited for.
      if (nodes.get(owner.uid)?.deletion) due.add(owner.uid)
    }
    nodes.delete(uid)
  }

  function targetOf({ collection, key, namespace }: Node): Target | undefined {
    const resource = catalog.ofCollection(collection)
    return resource && { resource, namespace: namespace || undefined, name: key.slice(namespace.length + 1) }
  }

  const servedAs = ({ apiVersion, kind }: OwnerReference): ResourceInfo | undefined =>
    catalog.resources().find(({ type }) => type.kind === kind && apiVersionOf(type) === apiVersion)

  /** An object with the uid of an owner counts only under its kind and name, in any served version of its kind. */
  const exists = (owner: OwnerReference, { namespace }: Node): boolean => {
    const node = nodes.get(owner.uid)
    const resource = servedAs(owner)
    return (
      node !== undefined &&
      resource !== undefined &&
      node.collection === collectionOf(resource.type) &&
      node.key === keyOf(node.namespace, owner.name) &&
      (node.namespace === '' || node.namespace === namespace)
    )
  }

  /** It is unknown whether an owner of a kind that is not served exists. Kubernetes waits in this case. */
  const isUnknown = (owner: OwnerReference): boolean => !deletedOwners.has(owner.uid) && !servedAs(owner)

  /** Deletes an object without remaining owners; otherwise drops owners that are deleted or only wait for it. */
  async function collect(uid: string, node: Node) {
    const target = targetOf(node)
    if (!target || node.owners.length === 0 || node.owners.some(isUnknown)) return
    const remaining = node.owners.filter(
      (owner) => exists(owner, node) && nodes.get(owner.uid)?.deletion !== 'Foreground',
    )
    if (remaining.length === node.owners.length) return
    if (remaining.length > 0) return setOwners(target, uid, remaining)
    const isWaitedFor = node.owners.some((owner) => exists(owner, node))
    // Foreground deletion propagates to dependents; an object that is already being deleted keeps its own policy.
    const propagation = isWaitedFor && dependents.has(uid) ? ('Foreground' as const) : undefined
    if (!propagation && isBeingRemoved(node)) return
    if (propagation && node.deletion) return
    await writer.delete(target, { ...serverWriteOptions, propagation, preconditions: { uid } }).catch(ignoreNotFound)
  }

  const isBeingRemoved = ({ collection, key }: Node): boolean => {
    const stored = storage.get(collection, key)
    return stored === undefined || isBeingDeleted(stored.value)
  }

  async function setOwners(target: Target, uid: string, owners: readonly OwnerReference[]) {
    const change = (copy: () => AnyObject) => {
      const current = copy()
      const isSameObject = current.metadata.uid === uid
      return isSameObject ? { ...current, metadata: { ...current.metadata, ownerReferences: [...owners] } } : current
    }
    await writer.write(target, { type: 'update', change }, serverWriteOptions).catch(ignoreNotFound)
  }

  /** Removes the finalizer of an owner that is being deleted, once its dependents allow it. */
  async function finish(uid: string, { deletion, ...node }: Node) {
    const target = targetOf({ deletion, ...node })
    const known = [...(dependents.get(uid) ?? [])]
    if (!target) return
    if (deletion === 'Orphan') {
      for (const dependent of known) {
        const other = nodes.get(dependent)
        const otherTarget = other && targetOf(other)
        if (!other || !otherTarget) continue
        await setOwners(
          otherTarget,
          dependent,
          other.owners.filter((owner) => owner.uid !== uid),
        )
      }
    } else {
      for (const dependent of known) due.add(dependent)
      const isBlocked = known.some((dependent) =>
        nodes.get(dependent)?.owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion),
      )
      if (isBlocked) return
    }
    const finalizer = deletion === 'Orphan' ? orphanFinalizer : foregroundFinalizer
    const change = (copy: () => AnyObject) => {
      const current = copy()
      const finalizers = current.metadata.finalizers?.filter((name) => name !== finalizer)
      return { ...current, metadata: { ...current.metadata, finalizers } }
    }
    await writer.write(target, { type: 'update', change }, serverWriteOptions).catch(ignoreNotFound)
  }

  return {
    observe(change, metadataNow) {
      const metadata = metadataNow()
      const { uid = '' } = metadata
      if (change.type === 'deleted') {
        for (const dependent of dependents.get(uid) ?? []) due.add(dependent)
        forget(uid)
        deletedOwners.add(uid)
        const [oldest] = deletedOwners
        if (oldest !== undefined && deletedOwners.size > rememberedOwners) deletedOwners.delete(oldest)
      } else record(change.collection, change.key, metadata)
      return due.size > 0
    },
    async reconcile() {
      for (const uid of due) {
        due.delete(uid)
        const node = nodes.get(uid)
        if (!node) continue
        try {
          await collect(uid, node)
          const still = nodes.get(uid)
          if (still?.deletion) await finish(uid, still)
        } catch (error) {
          due.add(uid)
          throw error
        }
      }
    },
  }
}

/** Reads in pages, so that a large collection is never entirely in memory. */
function* everyObject(storage: Storage, collection: string): Generator<Stored> {
  for (let after: string | undefined; ;) {
    const page = storage.list(collection, { after, limit: 500 })
    yield* page
    after = page.at(-1)?.key
    if (after === undefined) return
  }
}

/** Ignores that the object was deleted or replaced in the meantime. */
function ignoreNotFound(error: unknown) {
  if (!(error instanceof StatusError && [404, 409].includes(error.status.code))) throw error
}
