import type { LogLines } from './log-lines'

/** The few lines of a log that tell what went wrong. */
export interface LogSnippet {
  /** As readers count, from 1. */
  lines: { number: number; text: string }[]
  /** The first that looks like an error; `undefined` when none does, and the lines are the last of the log. */
  errorLine: number | undefined
}

const around = 8
/** Nobody reads more of a line without opening the log. */
const longestLine = 500

/** @returns `undefined` for a log without any text */
export function snippetOf(log: LogLines): LogSnippet | undefined {
  const [error] = log.errors
  let last = log.count
  // What is blank at the end tells nothing.
  while (last > 0 && log.text(last - 1).trim() === '') last--
  if (last === 0) return undefined
  const from = error === undefined ? Math.max(0, last - 2 * around) : Math.max(0, error - around)
  const to = error === undefined ? last : Math.min(last, error + around + 1)
  const lines = Array.from({ length: to - from }, (_, index) => ({
    number: from + index + 1,
    text: log.text(from + index).slice(0, longestLine),
  }))
  return { lines, errorLine: error === undefined ? undefined : error + 1 }
}
