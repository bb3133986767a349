import { beginningOf, hasEscapes, lastState, plainText, styleAfter, styledText } from './log-escapes'
import { isErrorLine, logCommandOf } from './log-commands'
import { stampReader } from './log-time'

/** A part of a log that folds, from the line that begins it to the one that ends it. */
export interface LogGroup {
  /** Index of the line that says the title. */
  first: number
  /** Index of its last line; `Infinity` for a group that nobody has ended. */
  last: number
  title: string
  depth: number
}

/**
 * The lines of one step, as they come: text is kept once, and only what is out of the ordinary has an entry of its own,
 * since there may be half a million of them. Lines count from 0 here, from 1 for readers.
 */
export interface LogLines {
  /** The line that is being written included. */
  readonly count: number
  /** How often it was begun anew: what was known of its lines then counts no more. */
  readonly generation: number
  /** How many of them are whole, and will not change any more. */
  readonly settled: number
  /** Whole lines, without their newlines. */
  append(lines: readonly string[]): void
  /** What has been written of the next line; replaces what was said of it before. */
  open(text: string): void
  /**
   * As if nothing had been read.
   * @param isStamped whether lines will begin with the time of their source; what programs write for a time is text
   */
  begin(isStamped: boolean): void
  /** As it is read, searched and copied. Empty for a line that does not exist. */
  text(line: number): string
  /**
   * The same with its colours, as `styledText`; those of earlier lines that are in force are put before it.
   * @param longest no more than the beginning of what was written is wanted, of this length
   */
  styled(line: number, longest?: number): string
  /** Milliseconds since 1970; `undefined` where the source does not tell. */
  timeMs(line: number): number | undefined
  /** Does any line have a time? */
  readonly hasTimes: boolean
  /** Indexes of the lines that look like errors, in order. */
  readonly errors: readonly number[]
  /** In the order of their first lines. */
  readonly groups: readonly LogGroup[]
}

/** Empty, for lines that begin with the time of their source. */
export function createLogLines(): LogLines {
  let texts: string[] = []
  /** Only of lines with escapes. */
  let raw = new Map<number, string>()
  let times: number[] = []
  let errors: number[] = []
  let groups: LogGroup[] = []
  /** Groups that have begun, the innermost last. */
  let begun: LogGroup[] = []
  /** From which lines on other colours are in force at the beginning. */
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
    const state = lastState(written)
    const isPlain = !hasEscapes(state)
    const text = isPlain ? state : plainText(state)
    texts.push(text)
    if (!isPlain) {
      if (state.includes('\u001b')) raw.set(line, state)
      const before = style()
      const after = styleAfter(state, before)
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

  /** Colours in force at the beginning of a line, by halving. */
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
    begin(isStamped) {
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
      return carriedTo(line) + styledText(longest === undefined ? written : beginningOf(written, longest))
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
