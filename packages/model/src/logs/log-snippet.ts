import type { LogLines } from './log-lines'
import { logCommandOf } from './log-commands'

/** The few lines of a log that show what went wrong. */
export interface LogSnippet {
  lines: SnippetLine[]
  /** The first likely error; `undefined` if there is none and the snippet is the end of the log. */
  errorLine: number | undefined
}

export interface SnippetLine {
  /** Line number for users, starting at 1. */
  number: number
  text: string
  /** Number of lines omitted before this one; absent if none were. */
  omittedBefore?: number
}

const around = 8
/** Enough of the end of a log to show how the program exited. */
const lastLines = 6
/** To read more of a line, a user opens the log. */
const longestLine = 500

/** The line to look at first: that of the error, or else the last one. */
export const mainLineOf = ({ errorLine, lines }: LogSnippet): number | undefined => errorLine ?? lines.at(-1)?.number

/** @returns `undefined` for a log without any text */
export function snippetOf(log: LogLines): LogSnippet | undefined {
  const [first] = log.errors
  let last = log.count
  // Ignore blank lines at the end.
  while (last > 0 && log.text(last - 1).trim() === '') last--
  if (last === 0) return undefined
  const error = first === undefined ? undefined : raisedBy(log, first)
  const from = error === undefined ? Math.max(0, last - 2 * around) : Math.max(0, error - around)
  const to = error === undefined ? last : Math.min(last, error + around + 1)
  // Omitting one or two lines saves no space.
  const tail = last - lastLines > to + 2 ? last - lastLines : to
  const lines: SnippetLine[] = []
  for (let line = from; line < last; line++) {
    const isAfterGap = line === to && tail > to
    if (isAfterGap) line = tail
    const text = readable(log.text(line))
    if (text === undefined) continue
    lines.push({ number: line + 1, text: text.slice(0, longestLine), ...(isAfterGap && { omittedBefore: tail - to }) })
  }
  return { lines, errorLine: error === undefined ? undefined : error + 1 }
}

const tracebackHead = /^Traceback \(most recent call last\)/
const nextTraceback = /^(?:During handling of the above exception|The above exception was the direct cause)/
/** Beyond this, the program has written other output since. */
const longestTrace = 500

/** For a Python traceback, the line of its exception (the last one of a chain); otherwise the line itself. */
function raisedBy(log: LogLines, error: number): number {
  if (!tracebackHead.test(log.text(error))) return error
  const end = Math.min(log.count, error + longestTrace)
  let raised = error
  for (let line = error + 1; line < end; line++) {
    const text = log.text(line)
    if (text === '' || /^\s/.test(text)) continue
    raised = line
    break
  }
  for (let line = raised + 1; raised > error && line < end; line++) {
    const text = log.text(line)
    if (tracebackHead.test(text)) return raised
    if (!nextTraceback.test(text)) continue
    const next = [1, 2].map((after) => line + after).find((after) => tracebackHead.test(log.text(after)))
    return next === undefined ? raised : raisedBy(log, next)
  }
  return raised
}

/** The line as in the log viewer, without command markers; `undefined` for the end of a group. */
function readable(text: string): string | undefined {
  const command = logCommandOf(text)
  if (!command) return text
  if (command.kind === 'end') return undefined
  if (command.kind === 'group') return command.text || 'Group'
  return `${command.kind === 'error' ? 'Error' : 'Warning'}: ${command.text}`
}
