import type { KubeClient } from '@slipway/kube/client'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { Informer } from './informer'
import type { Random } from './keyed-random'
import type { PodLogs } from './pod-logs'

/** What a controller can use during a reconcile. */
export interface ControllerContext {
  /** The next reconcile starts only after the informers have seen all writes made through this client. */
  readonly client: KubeClient
  readonly logs: PodLogs
  /** Milliseconds since 1970. */
  now(): number
  /** A time in the cluster's format: UTC, whole seconds. */
  timestamp(atMs?: number): string
  /** Converts a real duration to a simulated one (`--speed`). */
  scale(realMs: number): number
  /** Returns the same numbers for the same key whenever the same world is run. */
  random(key: string): Random
  informer<T extends KubeObject>(type: ResourceType<T>): Informer<T>
}

/** `afterMs`: when to reconcile an object again even if nothing changes; absent for never. */
export interface ReconcileResult {
  afterMs?: number
}

/** Namespace and name of an object to reconcile. */
export interface ObjectKey {
  namespace?: string
  name: string
}

export const objectKeyOf = (object: KubeObject): ObjectKey => ({ namespace: namespaceOf(object), name: nameOf(object) })

/** A second kind whose changes affect the controller's objects. */
export interface Source {
  type: ResourceType
  /** @param object its current state, or its last one if it was deleted */
  requests(object: KubeObject, context: ControllerContext): ObjectKey[]
}

export interface Controller {
  name: string
  type: ResourceType
  sources: Source[]
  reconcile(object: KubeObject, context: ControllerContext): Promise<ReconcileResult | void>
}

interface Definition<T extends KubeObject> {
  /** Name in messages. */
  name: string
  /** The kind that it reconciles. */
  type: ResourceType<T>
  /** Kinds that it creates with an owner reference. Their changes trigger a reconcile of the owner. */
  owns?: ResourceType[]
  sources?: Source[]
  /** Selects the objects to reconcile; default: all of the kind. */
  filter?(object: T): boolean
  /**
   * Brings the cluster one step closer to what the object specifies. Called whenever the object, or anything it owns,
   * may have changed: it must read the current state and do nothing if nothing is left to do. Retried after an error.
   */
  reconcile(object: T, context: ControllerContext): Promise<ReconcileResult | void>
}

/** A source whose objects refer to the controller's objects. */
export const watching = <S extends KubeObject>(
  type: ResourceType<S>,
  requests: (object: S, context: ControllerContext) => ObjectKey[],
): Source => ({ type, requests: requests as Source['requests'] })

export function defineController<T extends KubeObject>(definition: Definition<T>): Controller {
  const { name, type, owns = [], sources = [], filter: isOurs = () => true, reconcile } = definition
  const owned = owns.map((child) =>
    watching(child, ({ metadata }) =>
      (metadata.ownerReferences ?? [])
        .filter(({ kind, controller }) => kind === type.kind && controller)
        .map((owner) => ({ namespace: type.namespaced ? metadata.namespace : undefined, name: owner.name })),
    ),
  )
  return {
    name,
    type,
    sources: [...owned, ...sources],
    // The queue only contains objects of `type`.
    reconcile: async (object, context) => (isOurs(object as T) ? reconcile(object as T, context) : undefined),
  }
}

/** The owner reference that a controller puts on the objects it creates. */
export const ownerReference = (type: ResourceType, owner: KubeObject) => ({
  apiVersion: type.group ? `${type.group}/${type.version}` : type.version,
  kind: type.kind,
  // The owner was read from the cluster, so it has both.
  name: owner.metadata.name ?? '',
  uid: owner.metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
})
