import type { LogLines } from '@slipway/model/logs/log-lines'
import { firstHitFrom } from '@slipway/model/logs/log-search'

/** A line of one of the steps. */
export interface LogPosition {
  step: number
  line: number
}

/**
 * The position after another one (or before it, for -1) in lists of lines, one for each step; wraps around at the end.
 * @param from `undefined` for the start of the log
 */
export function nextPosition(
  lists: readonly (readonly number[])[],
  from: LogPosition | undefined,
  direction: 1 | -1,
): LogPosition | undefined {
  const total = lists.reduce((sum, list) => sum + list.length, 0)
  if (total === 0) return undefined
  const before = lists.slice(0, from?.step ?? 0).reduce((sum, list) => sum + list.length, 0)
  const list = lists[from?.step ?? 0] ?? []
  const at = before + firstHitFrom({ lines: list }, from ? from.line + (direction === 1 ? 1 : 0) : 0)
  return positionAt(lists, (at + (direction === 1 ? 0 : -1) + total) % total)
}

/** The position at an index that counts over all lists. */
export function positionAt(lists: readonly (readonly number[])[], index: number): LogPosition | undefined {
  let rest = index
  for (const [step, list] of lists.entries()) {
    const line = list[rest]
    if (line !== undefined) return { step, line }
    rest -= list.length
  }
  return undefined
}

export const errorsOf = (steps: readonly { lines: LogLines }[]): (readonly number[])[] =>
  steps.map(({ lines }) => lines.errors)
