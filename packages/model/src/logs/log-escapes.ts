/**
 * What programs write for a terminal, among the text of a log: colours are kept, everything else goes. Sources:
 * ECMA-48 (control sequences), ISO 8613-6 (colours with colons).
 */

const escape = '\u001b'

// A control sequence with parameters and a last byte; then what begins with `]`, `P`, `X`, `^`, `_` and ends with a
// terminator; then any other escape, and control characters by themselves, but for the tabulator.
const sequences =
  /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~])|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
const control = /[\u0000-\u0008\u000b-\u001f\u007f]/

/** Is there anything in it that is no text? */
export const hasEscapes = (line: string): boolean => control.test(line)

/** No more of a line than a length, and no half of a control sequence at its end. */
export const beginningOf = (line: string, longest: number): string =>
  line.length <= longest ? line : line.slice(0, longest).replace(/\u001b(?:\[[0-?]*[ -/]*)?$/, '')

/** The text that a reader sees. */
export const plainText = (line: string): string => (hasEscapes(line) ? line.replace(sequences, '') : line)

/** The text with its colours, each as `ESC [ numbers m`, so that whoever parses them has to know no other form. */
export const styledText = (line: string): string =>
  hasEscapes(line)
    ? line.replace(sequences, (_, parameters: string | undefined, last: string | undefined) =>
        last === 'm' ? styleSequence(sinceReset(codesOf(parameters ?? ''))) : '',
      )
    : line

/**
 * A terminal draws over a line after a carriage return: what is left is what came last, as of a progress bar.
 */
export function lastState(line: string): string {
  if (!line.includes('\r')) return line
  const states = line.split('\r')
  return states.findLast((state) => plainText(state) !== '') ?? ''
}

/**
 * The colours that are still in force at the end of a line, as one sequence; empty for none.
 * @param before those at its beginning
 */
export function styleAfter(line: string, before: string): string {
  let state: readonly (readonly string[])[] | undefined
  for (const [, parameters, last] of line.matchAll(sequences)) {
    if (last !== 'm') continue
    state = merged(state ?? codesOf(before.slice(2, -1)), codesOf(parameters ?? ''))
  }
  return state ? (state.length > 0 ? styleSequence(state) : '') : before
}

const styleSequence = (codes: readonly (readonly string[])[]): string => `${escape}[${codes.flat().join(';') || '0'}m`

/** A code with its own parameters: `38;5;196` is one. No number at all is a reset. */
function codesOf(parameters: string): (readonly string[])[] {
  // `38:2::1:2:3` has a place for a colour space, which nobody fills.
  const numbers = parameters
    .replace(/([34]8):2:[0-9]*:(\d+:\d+:\d+)/g, '$1:2:$2')
    .split(/[;:]/)
    .map((number) => number.replace(/^0+(?=\d)/, '') || '0')
  const codes: (readonly string[])[] = []
  for (let at = 0; at < numbers.length;) {
    const code = numbers[at] ?? '0'
    const isColour = code === '38' || code === '48'
    const length = isColour ? { '2': 5, '5': 3 }[numbers[at + 1] ?? ''] : 1
    // Half a colour: whatever follows cannot be told from it.
    if (length === undefined || at + length > numbers.length) break
    codes.push(numbers.slice(at, at + length))
    at += length
  }
  return codes
}

const isReset = ([code]: readonly string[]) => code === '0'

/** Nothing before a reset counts; the reset itself stays, for it ends what came with earlier sequences. */
function sinceReset(codes: readonly (readonly string[])[]) {
  const at = codes.findLastIndex(isReset)
  return at < 0 ? codes : codes.slice(at)
}

function merged(state: readonly (readonly string[])[], codes: readonly (readonly string[])[]) {
  const all = [...state, ...codes]
  const known = new Map<string, readonly string[]>()
  for (const code of all.slice(all.findLastIndex(isReset) + 1)) {
    const kind = kindOf(Number(code[0]))
    known.delete(kind)
    known.set(kind, code)
  }
  return [...known.values()]
}

/** Of two codes of one kind the later counts. */
function kindOf(code: number): string {
  if ((code >= 30 && code <= 39) || (code >= 90 && code <= 97)) return 'text'
  if ((code >= 40 && code <= 49) || (code >= 100 && code <= 107)) return 'background'
  return String(code)
}
