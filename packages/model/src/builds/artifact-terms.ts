import { isRecord } from '@slipway/kube/object'

/** A fact from data without a known shape. */
export interface Term {
  /** Path of the field, such as `spec.url`; empty for a value that is not part of an object. */
  term: string
  values: string[]
}

/** The facts of one object, or of one entry of a list. */
export interface TermList {
  /** With its number for one of several entries, such as `catalog_urls 2`. */
  name: string
  terms: Term[]
}

/** Everything in a value of any shape, as lists of terms: nothing is left out. */
export function termLists(name: string, value: unknown): TermList[] {
  const entries = Array.isArray(value) && value.some(isRecord) ? value : [value]
  return entries.map((entry, index) => ({
    name: entries.length > 1 ? `${name} ${index + 1}` : name,
    terms: termsOf(entry),
  }))
}

export function termsOf(value: unknown, path = ''): Term[] {
  if (isRecord(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, each]) => termsOf(each, path ? `${path}.${key}` : key))
  const isFlatList = Array.isArray(value) && value.length > 0 && value.every((each) => !isNested(each))
  return [{ term: path, values: (isFlatList ? value : [value]).map(textOf) }]
}

const isNested = (value: unknown) => typeof value === 'object' && value !== null

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
