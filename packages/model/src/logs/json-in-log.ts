import { isRecord } from '@slipway/kube/object'
import { parseJson } from '@slipway/kube/parse'

/** JSON documents among the lines of a log. */

/** The index after the brace that closes the one at `start`. Braces in strings do not count. `undefined` if it stays open. */
export function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let isString = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (isString) {
      if (char === '\\') at++
      else if (char === '"') isString = false
    } else if (char === '"') isString = true
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return at + 1
  }
  return undefined
}

/** An object in a log, or the beginning of one that could not be read. */
export type LoggedObject = { value: Record<string, unknown> } | { unreadable: string }

/** How much of an unreadable object is returned: enough to recognise what it was. */
const recognisableLength = 400

/** So many objects that are not JSON are looked through to their end, so that a hostile log costs no more than that. */
const mostUnreadable = 50

/** The JSON objects of a log that begin at the start of a line, on one line or on several. */
export function* objectsInLog(log: string): Generator<LoggedObject> {
  let unreadableCount = 0
  for (let at = 0; at < log.length && unreadableCount < mostUnreadable;) {
    const start = skipSpaces(log, at)
    at = endOfLine(log, at) + 1
    if (log[start] !== '{') continue
    const end = endOfObject(log, start)
    const value = end === undefined ? undefined : parseJson(log.slice(start, end))
    if (end !== undefined && isRecord(value)) {
      yield { value }
      at = endOfLine(log, end) + 1
    } else {
      unreadableCount++
      yield { unreadable: log.slice(start, start + recognisableLength) }
    }
  }
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
