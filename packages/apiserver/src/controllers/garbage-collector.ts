import type { ObjectMeta, OwnerReference } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { StatusError } from '../errors'
import { isSameJson } from '../registry/equality'
import { isBeingDeleted, metadataOf } from '../registry/objects'
import { serverWriteOptions, foregroundFinalizer, orphanFinalizer, type Target } from '../registry/writer'
import type { Storage, Stored } from '../storage/storage'
import type { Controller, ControllerParts } from './controllers'

/** As many as Kubernetes remembers. */
const rememberedOwners = 500

/** What is known of each object, by its uid: where it is, and what it belongs to. */
interface Node {
  collection: string
  key: string
  namespace: string
  owners: readonly OwnerReference[]
  /** Goes when its dependents are gone, or have been told that they are on their own. */
  ending: 'Foreground' | 'Orphan' | undefined
}

/**
 * Deletes what belongs to nobody any more. An owner counts when an object with its uid is there, in the same namespace
 * or in none. Source: pkg/controller/garbagecollector of Kubernetes.
 */
export function garbageCollector({ storage, catalog, writer }: ControllerParts): Controller {
  const nodes = new Map<string, Node>()
  const dependents = new Map<string, Set<string>>()
  /** Objects whose owners are to be looked at, and owners that wait for their dependents. */
  const due = new Set<string>()
  /** Owners that were seen to go, the latest ones. */
  const gone = new Set<string>()

  for (const collection of storage.collections()) {
    for (const { key, value } of everyObject(storage, collection)) note(collection, key, metadataOf(value))
  }

  function note(collection: string, key: string, metadata: ObjectMeta) {
    const { uid = '', ownerReferences: owners = [], finalizers, deletionTimestamp } = metadata
    const waits = deletionTimestamp !== undefined
    const ending =
      waits && finalizers?.includes(foregroundFinalizer)
        ? 'Foreground'
        : waits && finalizers?.includes(orphanFinalizer)
          ? 'Orphan'
          : undefined
    // Most changes leave alone what this controller looks at.
    const known = nodes.get(uid)
    if (known && known.ending === ending && isSameJson(known.owners, owners)) return
    forget(uid)
    nodes.set(uid, { collection, key, namespace: key.slice(0, key.indexOf('/')), owners, ending })
    for (const owner of owners) {
      const others = dependents.get(owner.uid)
      if (others) others.add(uid)
      else dependents.set(owner.uid, new Set([uid]))
    }
    if (owners.length > 0 || ending) due.add(uid)
  }

  function forget(uid: string) {
    for (const owner of nodes.get(uid)?.owners ?? []) {
      const known = dependents.get(owner.uid)
      known?.delete(uid)
      if (known?.size === 0) dependents.delete(owner.uid)
      // Perhaps the last one that this owner waited for.
      if (nodes.get(owner.uid)?.ending) due.add(owner.uid)
    }
    nodes.delete(uid)
  }

  function targetOf({ collection, key, namespace }: Node): Target | undefined {
    const info = catalog.ofCollection(collection)
    return info && { info, namespace: namespace || undefined, name: key.slice(namespace.length + 1) }
  }

  const isSolid = (owner: OwnerReference, { namespace }: Node): boolean => {
    const node = nodes.get(owner.uid)
    return node !== undefined && (node.namespace === '' || node.namespace === namespace)
  }

  /** An owner of a kind that is not served can neither be found nor be ruled out: Kubernetes then waits. */
  const isUnknowable = ({ uid, apiVersion, kind }: OwnerReference): boolean =>
    !nodes.has(uid) &&
    !gone.has(uid) &&
    !catalog.resources().some(({ type }) => type.kind === kind && apiVersionOf(type) === apiVersion)

  /** Deletes an object without owners; one that keeps some forgets those that are gone or only wait for it. */
  async function collect(uid: string, node: Node) {
    const target = targetOf(node)
    if (!target || node.owners.length === 0 || node.owners.some(isUnknowable)) return
    const kept = node.owners.filter((owner) => isSolid(owner, node) && nodes.get(owner.uid)?.ending !== 'Foreground')
    if (kept.length === node.owners.length) return
    if (kept.length > 0) return setOwners(target, uid, kept)
    const isWaitedFor = node.owners.some((owner) => isSolid(owner, node))
    // Foreground goes on downwards; an object that is being deleted already keeps its own way.
    const propagation = isWaitedFor && dependents.has(uid) ? ('Foreground' as const) : undefined
    if (!propagation && isGoing(node)) return
    if (propagation && node.ending) return
    await writer.delete(target, { ...serverWriteOptions, propagation, preconditions: { uid } }).catch(unlessGone)
  }

  const isGoing = ({ collection, key }: Node): boolean => {
    const stored = storage.get(collection, key)
    return stored === undefined || isBeingDeleted(stored.value)
  }

  async function setOwners(target: Target, uid: string, kept: readonly OwnerReference[]) {
    await writer
      .update(
        target,
        (copy) => {
          const current = copy()
          const isSameObject = current.metadata.uid === uid
          return isSameObject ? { ...current, metadata: { ...current.metadata, ownerReferences: [...kept] } } : current
        },
        { ...serverWriteOptions, retries: 5 },
      )
      .catch(unlessGone)
  }

  /** An owner that is being deleted: lets go of it when its dependents allow. */
  async function end(uid: string, { ending, ...node }: Node) {
    const target = targetOf({ ending, ...node })
    const known = [...(dependents.get(uid) ?? [])]
    if (!target) return
    if (ending === 'Orphan') {
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
      const isHeld = known.some((dependent) =>
        nodes.get(dependent)?.owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion),
      )
      if (isHeld) return
    }
    const done = ending === 'Orphan' ? orphanFinalizer : foregroundFinalizer
    await writer
      .update(
        target,
        (copy) => {
          const current = copy()
          const finalizers = current.metadata.finalizers?.filter((finalizer) => finalizer !== done)
          return { ...current, metadata: { ...current.metadata, finalizers } }
        },
        { ...serverWriteOptions, retries: 5 },
      )
      .catch(unlessGone)
  }

  return {
    observe(change, metadataNow) {
      const metadata = metadataNow()
      const { uid = '' } = metadata
      if (change.type === 'deleted') {
        for (const dependent of dependents.get(uid) ?? []) due.add(dependent)
        forget(uid)
        gone.add(uid)
        const [oldest] = gone
        if (oldest !== undefined && gone.size > rememberedOwners) gone.delete(oldest)
      } else note(change.collection, change.key, metadata)
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
          if (still?.ending) await end(uid, still)
        } catch (error) {
          due.add(uid)
          throw error
        }
      }
    },
  }
}

/** In pages, so that a large collection is not held in memory as a whole. */
function* everyObject(storage: Storage, collection: string): Generator<Stored> {
  for (let after: string | undefined; ;) {
    const page = storage.list(collection, { after, limit: 500 })
    yield* page
    after = page.at(-1)?.key
    if (after === undefined) return
  }
}

/** The object went, or became another one, in the meantime. */
function unlessGone(error: unknown) {
  if (!(error instanceof StatusError && [404, 409].includes(error.status.code))) throw error
}
