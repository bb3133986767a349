/** The fields that all Kubernetes objects share. Source: k8s.io/apimachinery, meta/v1. */

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
  /** In place of `resourceVersion` for a list of objects from several groups: that of each, by apiVersion. */
  resourceVersions?: Record<string, string | undefined>
  /** Token of the next page; absent on the last page. */
  continue?: string
  remainingItemCount?: number
}

export interface KubeList<T extends KubeObject = KubeObject> {
  apiVersion?: string
  kind?: string
  metadata: ListMeta
  items: T[]
}

/** `status` is a string on the wire; values other than these three count as Unknown. */
export interface Condition {
  type: string
  status: 'True' | 'False' | 'Unknown'
  reason?: string
  message?: string
  lastTransitionTime?: string
  observedGeneration?: number
}

/** Name of an object from a cluster, where every object has one. */
export const nameOf = (object: KubeObject): string => object.metadata.name ?? ''

/** Namespace of an object; `undefined` for cluster-scoped kinds. */
export const namespaceOf = (object: KubeObject): string | undefined => object.metadata.namespace

/** Identity of an object throughout its lifetime; a new object of the same name has a different one. */
export const uidOf = (object: KubeObject): string => object.metadata.uid ?? ''

/**
 * Returns a value from a server if it is an object. All later code relies on `metadata` being an object and on
 * conditions, if any, being a list of objects: a cluster does not validate the status of every kind, and an archive
 * validates nothing.
 */
export function asKubeObject<T extends KubeObject>(value: unknown): T | undefined {
  if (!isRecord(value) || !isRecord(value.metadata)) return undefined
  const { status } = value
  const hasValidConditions =
    !isRecord(status) ||
    status.conditions === undefined ||
    (Array.isArray(status.conditions) && status.conditions.every(isRecord))
  // The rest of the shape is up to the server.
  return (hasValidConditions ? value : { ...value, status: { ...status, conditions: undefined } }) as unknown as T
}

/** Whether this is a JSON object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The spec of an object, or an empty one: for many kinds an API server accepts objects without a `spec`. */
export const specOf = <S>({ spec }: { spec?: S }): Partial<S> => spec ?? {}
