import type { LogLines } from './log-lines'
import { logCommandOf } from './log-commands'

/** The few lines of a log that tell what went wrong. */
export interface LogSnippet {
  lines: SnippetLine[]
  /** The first that looks like an error; `undefined` when none does, and the lines are the last of the log. */
  errorLine: number | undefined
}

export interface SnippetLine {
  /** As readers count, from 1. */
  number: number
  text: string
  /** How many lines between the line before and this one are not part of the snippet; absent for none. */
  omittedBefore?: number
}

const around = 8
/** Enough of the end of a log to say how the program exited. */
const lastLines = 6
/** Nobody reads more of a line without opening the log. */
const longestLine = 500

/** @returns `undefined` for a log without any text */
export function snippetOf(log: LogLines): LogSnippet | undefined {
  const [first] = log.errors
  let last = log.count
  // What is blank at the end tells nothing.
  while (last > 0 && log.text(last - 1).trim() === '') last--
  if (last === 0) return undefined
  const error = first === undefined ? undefined : raisedBy(log, first)
  const from = error === undefined ? Math.max(0, last - 2 * around) : Math.max(0, error - around)
  const to = error === undefined ? last : Math.min(last, error + around + 1)
  // To omit a line or two takes as much room as to show them.
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
/** Longer traces and messages are those of a program that has written something else since. */
const longestTrace = 500

/** Of a Python traceback the line of its exception, the last of several that follow from each other; else the line itself. */
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

/** As the log viewer shows it: without the marks of commands; `undefined` for the end of a group. */
function readable(text: string): string | undefined {
  const command = logCommandOf(text)
  if (!command) return text
  if (command.kind === 'end') return undefined
  if (command.kind === 'group') return command.text || 'Group'
  return `${command.kind === 'error' ? 'Error' : 'Warning'}: ${command.text}`
}
