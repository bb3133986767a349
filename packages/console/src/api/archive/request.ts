import type { FieldPath } from '@slipway/kube/field-mask'
import type { KubeObject } from '@slipway/kube/object'
import type { LabelSelector } from '@slipway/kube/selector'

/** The requests and results that both archives share. */

export type ArchiveName = 'KubeArchive' | 'Tekton Results'

/** Selects the objects that meet all the given conditions. */
export interface ArchiveSelection {
  namespace: string
  labels?: LabelSelector
  /** A part of the name, case-insensitive. */
  name?: string
  /** Only objects created later; RFC 3339. An invalid time is ignored. */
  createdAfter?: string
  commit?: string
  /** Only runs of this snapshot: those that built, tested or released it. */
  snapshot?: string
  /** At most this many of the newest objects, without a further page. */
  limit?: number
}

export interface ArchiveRequest {
  token?: string | undefined
  signal?: AbortSignal | undefined
  /** An additional condition on the records of Tekton Results, in CEL. */
  where?: string | undefined
  pageSize?: number | undefined
  /** The fields to fetch of each object; by default all that any screen shows. */
  mask?: readonly FieldPath[] | undefined
}

export interface ArchivePage<T extends KubeObject = KubeObject> {
  items: T[]
  /** Token of the next page; `undefined` on the last one. */
  next?: string | undefined
}
