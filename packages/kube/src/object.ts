/** The parts that every Kubernetes object shares. Source: k8s.io/apimachinery, meta/v1. */

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  manager?: string
  operation?: 'Apply' | 'Update'
  apiVersion?: string
  time?: string
  fieldsType?: string
  fieldsV1?: Record<string, unknown>
  subresource?: string
}

/** Times are RFC 3339 in UTC with whole seconds, such as `2026-01-31T09:00:00Z`. */
export interface ObjectMeta {
  name?: string
  generateName?: string
  namespace?: string
  uid?: string
  /** Opaque to clients: never compare or compute with it. */
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  managedFields?: ManagedFieldsEntry[]
}

export interface KubeObject {
  apiVersion?: string
  kind?: string
  metadata: ObjectMeta
}

export interface ListMeta {
  resourceVersion?: string
  /** Token of the next page; absent on the last one. */
  continue?: string
  remainingItemCount?: number
}

export interface KubeList<T extends KubeObject = KubeObject> {
  apiVersion?: string
  kind?: string
  metadata: ListMeta
  items: T[]
}

/** `status` is a string on the wire; other values than these three count as Unknown. */
export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  lastTransitionTime?: string
  observedGeneration?: number
}

/** Name of an object that came from a cluster, where every object has one. */
export const nameOf = (object: KubeObject): string => object.metadata.name ?? ''

/** Namespace of an object; `undefined` for cluster-scoped kinds. */
export const namespaceOf = (object: KubeObject): string | undefined => object.metadata.namespace

/** The identity of an object across its life; a new object of the same name has another one. */
export const uidOf = (object: KubeObject): string => object.metadata.uid ?? ''

/**
 * What came from a server, if it is an object; everything after this relies on its `metadata`, and on conditions, where
 * it has any, being a list of them. A cluster does not check the status of every kind, and an archive checks nothing.
 */
export function soundObject<T extends KubeObject>(value: unknown): T | undefined {
  if (!isRecord(value) || !isRecord(value.metadata)) return undefined
  const { status } = value
  const isSound =
    !isRecord(status) ||
    status.conditions === undefined ||
    (Array.isArray(status.conditions) && status.conditions.every(isRecord))
  // The rest of the shape is the server's word.
  return (isSound ? value : { ...value, status: { ...status, conditions: undefined } }) as unknown as T
}

/** Is it what JSON calls an object? */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is wanted of an object, as far as it says so: of many kinds an API server takes objects without a `spec`. */
export const specOf = <S>({ spec }: { spec?: S }): Partial<S> => spec ?? {}
