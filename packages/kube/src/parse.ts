import { isRecord } from './object'

/**
 * Readers of data that others have written, such as annotations, config maps and results of tasks. Whatever does not have
 * the expected shape counts as absent.
 */

/** Returns `undefined` for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Text without leading and trailing space; `undefined` if nothing is left. */
export const asText = (value: unknown): string | undefined => (typeof value === 'string' && value.trim()) || undefined
