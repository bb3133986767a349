import type { KubeClient } from '@slipway/kube/client'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import type { Informer } from './informer'
import type { Random } from './keyed-random'
import type { PodLogs } from './pod-logs'

/** The calls that controllers make. They read from informers. */
export type ControllerClient = Pick<KubeClient, 'get' | 'create' | 'replace' | 'replaceStatus' | 'patch' | 'delete'>

/** What a controller can use during a reconcile, which is only what it has declared. */
export interface ControllerContext {
  /**
   * The next reconcile starts only after the informers have seen all writes made through this client. Rejects with an
   * UndeclaredError.
   */
  readonly client: ControllerClient
  readonly logs: PodLogs
  /** Milliseconds since 1970. */
  now(): number
  /** A time in the cluster's format: UTC, whole seconds. */
  timestamp(atMs?: number): string
  /** Converts a real duration to a simulated one (`--speed`). */
  scale(realMs: number): number
  /** Returns the same numbers for the same key whenever the same world is run. */
  random(key: string): Random
  /** @throws UndeclaredError for a kind that the controller has not declared: its cache might still be empty */
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

/** A kind whose changes affect the controller's objects. */
export interface Wake {
  type: ResourceType
  /** @param object its current state, or its last one if it was deleted */
  requests(object: KubeObject, context: ControllerContext): ObjectKey[]
}

export type WriteVerb = 'create' | 'update' | 'updateStatus' | 'patch' | 'delete'

/** The verbs by which kinds are written. */
export type Writes = readonly (readonly [type: ResourceType, ...verbs: WriteVerb[]])[]

export interface Controller {
  name: string
  /** The kind that it reconciles. */
  type: ResourceType
  /** All kinds that it reads from informers, each once. */
  reads: readonly ResourceType[]
  wakes: readonly Wake[]
  writes: Writes
  gets: readonly ResourceType[]
  reconcile(object: KubeObject, context: ControllerContext): Promise<ReconcileResult | void>
}

interface Definition<T extends KubeObject> {
  /** Name in messages. */
  name: string
  /** The kind that it reconciles. */
  type: ResourceType<T>
  /** Kinds that it creates with an owner reference. Their changes trigger a reconcile of the owner. */
  owns?: ResourceType[]
  /** Other kinds that it reads, whose changes do not trigger a reconcile. */
  reads?: ResourceType[]
  /** Other kinds, or relations between objects of its own, whose changes trigger a reconcile. */
  wakes?: Wake[]
  writes: Writes
  /** Kinds that it gets from the server, one object at a time, rather than from an informer. */
  gets?: ResourceType[]
  /** Selects the objects to reconcile; default: all of the kind. */
  filter?(object: T): boolean
  /**
   * Brings the cluster one step closer to what the object specifies. Called whenever the object, or anything it owns,
   * may have changed: it must read the current state and do nothing if nothing is left to do. Retried after an error.
   */
  reconcile(object: T, context: ControllerContext): Promise<ReconcileResult | void>
}

/** A change of an object of this kind reconciles the objects that `requests` returns. */
export const on = <S extends KubeObject>(
  type: ResourceType<S>,
  requests: (object: S, context: ControllerContext) => ObjectKey[],
): Wake => ({ type, requests: requests as Wake['requests'] })

/** A controller used what it has not declared: a mistake in its definition. */
export class UndeclaredError extends Error {
  constructor({ name }: Controller, use: string, type: ResourceType) {
    super(`The controller ${name} does not declare that it ${use} ${qualifiedPlural(type)}.`)
    this.name = 'UndeclaredError'
  }
}

export function defineController<T extends KubeObject>(definition: Definition<T>): Controller {
  const { name, type, owns = [], reads = [], wakes = [], writes, gets = [] } = definition
  const { filter: isOurs = () => true, reconcile } = definition
  const owned = owns.map((child) =>
    on(child, ({ metadata }) =>
      (metadata.ownerReferences ?? [])
        .filter(({ kind, controller }) => kind === type.kind && controller)
        .map((owner) => ({ namespace: type.namespaced ? metadata.namespace : undefined, name: owner.name })),
    ),
  )
  return {
    name,
    type,
    reads: [...new Set([type, ...owns, ...reads, ...wakes.map((wake) => wake.type)])],
    wakes: [...owned, ...wakes],
    writes,
    gets,
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
