import { truncateLine, hasEscapes, lastState, plainText, styleAfter, styledText } from './log-escapes'
import { isErrorLine, logCommandOf } from './log-commands'
import { stampReader } from './log-time'

/** A collapsible part of a log, from its first line to its last. */
export interface LogGroup {
  /** Index of the title line. */
  first: number
  /** Index of its last line; `Infinity` for a group without an end. */
  last: number
  title: string
  depth: number
}

/**
 * The lines of one step as they arrive. There may be half a million of them, so text is stored once and only special
 * lines have further entries. Lines are numbered from 0 here and from 1 for users.
 */
export interface LogLines {
  /** Includes the line that is still being written. */
  readonly count: number
  /** Number of restarts. Each restart invalidates everything known about earlier lines. */
  readonly generation: number
  /** Number of complete lines, which no longer change. */
  readonly settled: number
  /** Adds complete lines, without their newlines. */
  append(lines: readonly string[]): void
  /** Sets the text of the incomplete last line and replaces its previous text. */
  open(text: string): void
  /**
   * Starts again with an empty log.
   * @param isStamped whether the source prefixes lines with timestamps; timestamps written by programs are text
   */
  reset(isStamped: boolean): void
  /** The text to show, search and copy. Empty for a line that does not exist. */
  text(line: number): string
  /**
   * The text with colours, as in `styledText`, including those that earlier lines leave in effect.
   * @param longest maximum length of the raw text to return
   */
  styled(line: number, longest?: number): string
  /** Milliseconds since 1970; `undefined` if the source gives no time. */
  timeMs(line: number): number | undefined
  /** Whether any line has a time. */
  readonly hasTimes: boolean
  /** Indexes of likely error lines, in order. */
  readonly errors: readonly number[]
  /** In the order of their first lines. */
  readonly groups: readonly LogGroup[]
}

/** Creates an empty log whose lines start with the timestamp of their source. */
export function createLogLines(): LogLines {
  let texts: string[] = []
  /** Raw text of lines with escapes. */
  let raw = new Map<number, string>()
  let times: number[] = []
  let errors: number[] = []
  let groups: LogGroup[] = []
  /** Open groups, the innermost last. */
  let begun: LogGroup[] = []
  /** Lines from which on different colours are in effect at the start of a line. */
  let carries: { line: number; style: string }[] = []
  let generation = 0
  let opened: string | undefined
  let openedTimeMs = NaN
  let hasTimes = false
  let stamped = stampReader()
  const unstamped = (text: string) => ({ timeMs: NaN, text })

  const style = (): string => carries.at(-1)?.style ?? ''

  function take(given: string): void {
    const { timeMs, text: written } = stamped(given)
    const line = texts.length
    if (!Number.isNaN(timeMs)) {
      hasTimes = true
      times[line] = timeMs
    } else if (hasTimes) times[line] = NaN
    const isPlain = !hasEscapes(written)
    const state = isPlain ? written : lastState(written)
    const text = isPlain ? state : plainText(state)
    texts.push(text)
    if (!isPlain) {
      if (state.includes('\u001b')) raw.set(line, state)
      const before = style()
      // What a terminal erases or overwrites still changes its colours.
      const after = styleAfter(written, before)
      if (after !== before) carries.push({ line: line + 1, style: after })
    }
    mark(line, text)
  }

  function mark(line: number, text: string): void {
    const command = logCommandOf(text)
    if (command?.kind === 'group') {
      const group: LogGroup = { first: line, last: Infinity, title: command.text, depth: begun.length }
      groups.push(group)
      begun.push(group)
    } else if (command?.kind === 'end') {
      const group = begun.pop()
      if (group) group.last = line
    }
    if (isErrorLine(text)) errors.push(line)
  }

  /** Finds the colours in effect at the start of a line by binary search. */
  function carriedTo(line: number): string {
    let low = 0
    let high = carries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((carries[middle]?.line ?? Infinity) <= line) low = middle + 1
      else high = middle
    }
    return carries[low - 1]?.style ?? ''
  }

  const isOpen = (line: number) => line === texts.length && opened !== undefined

  return {
    get count() {
      return texts.length + (opened === undefined ? 0 : 1)
    },
    get generation() {
      return generation
    },
    get settled() {
      return texts.length
    },
    append(lines) {
      opened = undefined
      for (const line of lines) take(line)
    },
    open(written) {
      const { timeMs, text } = stamped(written)
      opened = text === '' && Number.isNaN(timeMs) ? undefined : lastState(text)
      openedTimeMs = timeMs
    },
    reset(isStamped) {
      generation++
      texts = []
      raw = new Map()
      times = []
      errors = []
      groups = []
      begun = []
      carries = []
      opened = undefined
      hasTimes = false
      stamped = isStamped ? stampReader() : unstamped
    },
    text: (line) => (isOpen(line) ? plainText(opened ?? '') : (texts[line] ?? '')),
    styled(line, longest) {
      const written = isOpen(line) ? (opened ?? '') : (raw.get(line) ?? texts[line] ?? '')
      return carriedTo(line) + styledText(longest === undefined ? written : truncateLine(written, longest))
    },
    timeMs(line) {
      const timeMs = isOpen(line) ? openedTimeMs : times[line]
      return timeMs === undefined || Number.isNaN(timeMs) ? undefined : timeMs
    },
    get hasTimes() {
      return hasTimes
    },
    get errors() {
      return errors
    },
    get groups() {
      return groups
    },
  }
}

/** The lines of a complete log without timestamps. */
export function logLinesOf(text: string): LogLines {
  const lines = createLogLines()
  lines.reset(false)
  lines.append(text.replace(/\n$/, '').split('\n'))
  return lines
}
