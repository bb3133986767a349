import type { KubeObject } from '@slipway/kube/object'
import type { Stale } from './shelf-sink'
import type { Sort } from './view-kind'

/** What a client wants to see. */
export interface ViewQuery {
  /** `id` of a view kind. */
  kind: string
  namespaces: readonly string[]
  /** By choice field: rows with at least one of these values. Every field has to match. */
  where?: Readonly<Record<string, readonly string[]>>
  /** Rows whose text contains this, regardless of case. */
  text?: string
  /** Rows with an identifier that begins with this, regardless of case. */
  identifier?: string
  /** The order of the kind without it. */
  sort?: Sort
  /** A choice field: only the first row, in this order, of each of its values, such as the newest build of each component. */
  firstOf?: string
  /** Choice fields whose values to count, each among the rows that match everything but the filter of this field. */
  facets?: readonly string[]
  limit: number
  /** How many rows to skip; 0 by default. */
  offset?: number
  /** uid of a row to show with its neighbours, wherever it is. */
  around?: string
}

/** The version that each namespace must have reached, from `floors` of a frame or from the response to a write. */
export type AtLeast = Readonly<Record<string, string>>

/** What a client sends, as JSON. */
export type Message =
  | { type: 'open'; id: string; query: ViewQuery; atLeast?: AtLeast }
  /** Another query for an open view, or only a version that it has to reach. */
  | { type: 'change'; id: string; query?: ViewQuery; atLeast?: AtLeast }
  | { type: 'close'; id: string }

/** How many rows have each value, by choice field. */
export type Facets = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Everything about a window but its rows. */
export interface WindowFacts {
  /** Of all rows that match. */
  total: number
  /** Index of the first row of the window. */
  offset: number
  /** Index of the row `around`; absent if it does not match. */
  position?: number
  facets: Facets
  /** By namespace, the version at which the list has exactly these rows. */
  versions: Readonly<Record<string, string>>
  /** By namespace, the version of its last change: any replica that has seen it is no older. For `atLeast`. */
  floors: AtLeast
  /** Namespaces of which the user may see nothing. */
  denied: readonly string[]
  /** Namespaces of which nothing is shown, since it is not known whether the user may. */
  unknown: readonly string[]
  /** Namespaces whose first list is still being read: some of their rows are missing. */
  loading: readonly string[]
  /** Namespaces whose rows may be out of date, or are missing because they could not be read. */
  stale: Readonly<Record<string, Stale>>
}

/** What a session sends. A view is identified by the id that its client chose. */
export type Frame =
  | SetFrame
  | ChangeFrame
  /** The user lost a right: the view is empty until the next `set`, which follows once the client has read this. */
  | { type: 'denied'; id: string; denied: readonly string[]; unknown: readonly string[] }
  /** The message or its query is not valid. */
  | { type: 'rejected'; id: string; why: string }

/** The window as it is now; it replaces what was sent before. */
export interface SetFrame extends WindowFacts {
  type: 'set'
  id: string
  rows: readonly KubeObject[]
}

/** What differs from the frame before: facts that are absent are as before. */
export interface ChangeFrame extends Partial<Omit<WindowFacts, 'position'>> {
  type: 'change'
  id: string
  /** Rows that are new in the window, and those that have changed. */
  rows: readonly KubeObject[]
  /** uids of all rows of the window, if these or their order differ. */
  order?: readonly string[]
  /** `null` once the row `around` no longer matches. */
  position?: number | null
}
