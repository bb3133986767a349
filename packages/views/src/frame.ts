import { isRecord, type KubeObject } from '@slipway/kube/object'
import { asRecord } from '@slipway/kube/parse'
import type { Stale } from './shelf-sink'
import { isVersion } from './version'
import type { Sort, ViewKind } from './view-kind'

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
  /**
   * A choice field: of the rows of a namespace with the same value, only the first in the order of the kind is listed, if
   * it matches. Filters and facets see no others. Rows without a value are all listed.
   */
  latestOf?: string
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
  /** Namespaces whose first list, or first review of rights, is still under way: some of their rows are missing. */
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

/** Most rows that a window may have. */
export const mostRows = 500
/** Most namespaces that one view may show. */
export const mostNamespaces = 5_000
const longestText = 1_000

/** Parses what a client sent. Returns why it is not valid, for the client, with the id if there is one. */
export function parseMessage(
  message: unknown,
  kinds: ReadonlyMap<string, ViewKind>,
): Message | { type: 'invalid'; id: string; why: string } {
  const { type, id, query, atLeast } = asRecord(message)
  if (typeof id !== 'string' || id.length > longestText) return { type: 'invalid', id: '', why: 'It has no id.' }
  const invalid = (why: string) => ({ type: 'invalid' as const, id, why })
  if (type === 'close') return { type, id }
  if (type !== 'open' && type !== 'change') return invalid('Its type must be open, change or close.')
  if (atLeast !== undefined && !isAtLeastMap(atLeast)) return invalid('atLeast must have a version for each namespace.')
  if (type === 'change' && query === undefined) return { type, id, atLeast }
  const why = whyInvalid(asRecord(query), kinds)
  return why
    ? invalid(why)
    : { type, id, query: knownProperties(query as ViewQuery & Record<string, unknown>), atLeast }
}

/** Names all properties of a query: one that is added does not compile until it is here. */
const properties: Record<keyof ViewQuery, true> = {
  kind: true,
  namespaces: true,
  where: true,
  text: true,
  identifier: true,
  sort: true,
  firstOf: true,
  latestOf: true,
  facets: true,
  limit: true,
  offset: true,
  around: true,
}

/** A query that has been checked, without anything else that its client sent. Equal queries have the same JSON. */
const knownProperties = (query: ViewQuery & Record<string, unknown>): ViewQuery =>
  // All of its properties, with their own values.
  Object.fromEntries(Object.keys(properties).map((name) => [name, query[name]])) as unknown as ViewQuery

const isAtLeastMap = (value: unknown): value is AtLeast => isRecord(value) && Object.values(value).every(isVersion)

function whyInvalid(query: Record<string, unknown>, kinds: ReadonlyMap<string, ViewKind>): string | undefined {
  const {
    kind: id,
    namespaces,
    where = {},
    text,
    identifier,
    sort,
    firstOf,
    latestOf,
    facets = [],
    limit,
    offset,
    around,
  } = query
  const kind = typeof id === 'string' ? kinds.get(id) : undefined
  if (!kind) return 'Its kind is not known.'
  if (!isTexts(namespaces) || namespaces.length > mostNamespaces) return 'namespaces must be a list of names.'
  const isChoice = (field: unknown) =>
    typeof field === 'string' && Object.hasOwn(kind.fields, field) && kind.fields[field]?.is === 'choice'
  const isField = (field: string) => Object.hasOwn(kind.fields, field)
  if (!isRecord(where) || !Object.entries(where).every(([field, values]) => isChoice(field) && isTexts(values))) {
    return 'where must have lists of values, by choice field.'
  }
  if (!isTexts(facets) || !facets.every(isChoice)) return 'facets must be choice fields.'
  if (firstOf !== undefined && !isChoice(firstOf)) return 'firstOf must be a choice field.'
  if (latestOf !== undefined && !isChoice(latestOf)) return 'latestOf must be a choice field.'
  if (![text, identifier, around].every(isOptionalText)) return 'text, identifier and around must be texts.'
  if (sort !== undefined && !(typeof sort === 'string' && isField(sort.replace(/^-/, '')))) {
    return 'sort must be a field, with a minus before it when descending.'
  }
  if (!isCount(limit) || limit < 1 || limit > mostRows) return `limit must be a number from 1 to ${mostRows}.`
  return offset === undefined || isCount(offset) ? undefined : 'offset must be a number of rows.'
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string' && text.length <= longestText)
const isOptionalText = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.length <= longestText)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
