import type { FieldPath } from '@slipway/kube/field-mask'
import type { KubeObject } from '@slipway/kube/object'
import type { LabelSelector } from '@slipway/kube/selector'

/** What an archive is asked for and returns, whichever it is. */

/** Which objects: all that is given must be true of one. */
export interface ArchiveSelection {
  namespace: string
  labels?: LabelSelector
  /** A part of the name, in whatever case. */
  name?: string
  /** Only those created later; RFC 3339. A time that cannot be read is left out. */
  createdAfter?: string
  commit?: string
  /** So many of the newest ones, and no further page. */
  limit?: number
}

export interface ArchiveRequest {
  token?: string | undefined
  signal?: AbortSignal | undefined
  /** One more condition on the records of the results database, in CEL. */
  where?: string | undefined
  pageSize?: number | undefined
  /** The fields that are wanted of each object; all that any screen shows without it. */
  mask?: readonly FieldPath[] | undefined
}

export interface ArchivePage<T extends KubeObject = KubeObject> {
  items: T[]
  /** Leads to the next page; `undefined` on the last one. */
  next?: string | undefined
}
