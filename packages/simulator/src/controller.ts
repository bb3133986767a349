import type { KubeClient } from '@slipway/kube/client'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { Informer } from './informer'
import type { Random } from './keyed-random'
import type { PodLogs } from './pod-logs'

/** What a controller has to work with. */
export interface ControllerContext {
  /** Writes made through it are waited for: the next reconcile sees them in the informers. */
  readonly client: KubeClient
  readonly logs: PodLogs
  /** Milliseconds since 1970. */
  now(): number
  /** As the cluster writes times: UTC, whole seconds. */
  timestamp(atMs?: number): string
  /** How long something that takes so long in the real world takes here (`--speed`). */
  scale(realMs: number): number
  /** The same numbers for the same key in every run of the same world. */
  random(key: string): Random
  informer<T extends KubeObject>(type: ResourceType<T>): Informer<T>
}

/** When to look again at an object that nothing happens to; absent for never. */
export interface Outcome {
  afterMs?: number
}

/** Of which object the controller should look at, by namespace and name. */
export interface ObjectKey {
  namespace?: string
  name: string
}

/** Changes of another kind that concern a controller's objects. */
export interface Source {
  type: ResourceType
  /** @param object as it is now, or as it last was */
  requests(object: KubeObject, context: ControllerContext): ObjectKey[]
}

export interface Controller {
  name: string
  type: ResourceType
  sources: Source[]
  reconcile(object: KubeObject, context: ControllerContext): Promise<Outcome | void>
}

interface Definition<T extends KubeObject> {
  /** As it stands in messages. */
  name: string
  /** The kind that it looks after. */
  type: ResourceType<T>
  /** Kinds that it creates with an owner reference: their changes are its business. */
  owns?: ResourceType[]
  sources?: Source[]
  /** Only these objects; all of the kind by default. */
  isOurs?(object: T): boolean
  /**
   * Brings the cluster one step nearer to what the object asks for. Called whenever the object, or what it owns, may
   * have changed: it must read what is there, and do nothing when nothing is left to do. Errors are tried again.
   */
  reconcile(object: T, context: ControllerContext): Promise<Outcome | void>
}

/** A source whose objects name the controller's object. */
export const watching = <S extends KubeObject>(
  type: ResourceType<S>,
  requests: (object: S, context: ControllerContext) => ObjectKey[],
): Source => ({ type, requests: requests as Source['requests'] })

export function defineController<T extends KubeObject>(definition: Definition<T>): Controller {
  const { name, type, owns = [], sources = [], isOurs = () => true, reconcile } = definition
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
    // The queue hands over objects of `type` only.
    reconcile: async (object, context) => (isOurs(object as T) ? reconcile(object as T, context) : undefined),
  }
}

/** The reference by which a controller owns what it creates. */
export const ownerReference = (type: ResourceType, owner: KubeObject) => ({
  apiVersion: type.group ? `${type.group}/${type.version}` : type.version,
  kind: type.kind,
  // What is owned was made for an object of the cluster, which has both.
  name: owner.metadata.name ?? '',
  uid: owner.metadata.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
})
