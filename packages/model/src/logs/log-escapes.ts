/**
 * Handles terminal escapes in log text: keeps colours and removes everything else. Sources:
 * ECMA-48 (control sequences), ISO 8613-6 (colours with colons).
 */

const escape = '\u001b'

// A control sequence with parameters and a final byte; then a string that starts with `]`, `P`, `X`, `^` or `_` and ends
// with a terminator; then any other escape, and single control characters except the tab.
const sequences =
  /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~])|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
const control = /[\u0000-\u0008\u000b-\u001f\u007f]/

/** Whether a line contains anything other than text. */
export const hasEscapes = (line: string): boolean => control.test(line)

/** Cuts a line to a maximum length, but not within a control sequence. */
export const truncateLine = (line: string, longest: number): string =>
  line.length <= longest ? line : line.slice(0, longest).replace(/\u001b(?:\[[0-?]*[ -/]*)?$/, '')

/** The visible text. */
export const plainText = (line: string): string => (hasEscapes(line) ? line.replace(sequences, '') : line)

/** The text with its colours, all in the form `ESC [ numbers m`, so that parsers need no other form. */
export const styledText = (line: string): string =>
  hasEscapes(line)
    ? line.replace(sequences, (_, parameters: string | undefined, last: string | undefined) =>
        last === 'm' ? styleSequence(sinceReset(codesOf(parameters ?? ''))) : '',
      )
    : line

/**
 * A terminal overwrites a line after a carriage return: returns the last state, for example of a progress bar.
 */
export function lastState(line: string): string {
  if (!line.includes('\r')) return line
  const states = line.split('\r')
  return states.findLast((state) => plainText(state) !== '') ?? ''
}

/**
 * The colours still in effect at the end of a line, as one sequence; empty if there are none.
 * @param before the colours at its beginning
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

/** Splits parameters into codes with their own parameters: `38;5;196` is one code. No number is a reset. */
function codesOf(parameters: string): (readonly string[])[] {
  // `38:2::1:2:3` has a field for a colour space, which is always empty in practice.
  const numbers = parameters
    .replace(/([34]8):2:[0-9]*:(\d+:\d+:\d+)/g, '$1:2:$2')
    .split(/[;:]/)
    .map((number) => number.replace(/^0+(?=\d)/, '') || '0')
  const codes: (readonly string[])[] = []
  for (let at = 0; at < numbers.length;) {
    const code = numbers[at] ?? '0'
    const isColour = code === '38' || code === '48'
    const length = isColour ? { '2': 5, '5': 3 }[numbers[at + 1] ?? ''] : 1
    // An incomplete colour: the rest cannot be interpreted.
    if (length === undefined || at + length > numbers.length) break
    codes.push(numbers.slice(at, at + length))
    at += length
  }
  return codes
}

const isReset = ([code]: readonly string[]) => code === '0'

/** Drops the codes before a reset. The reset itself stays, since it ends the effect of earlier sequences. */
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

/** The attribute that a code sets: of two codes for the same attribute, the later one wins. */
function kindOf(code: number): string {
  if ((code >= 30 && code <= 39) || (code >= 90 && code <= 97)) return 'text'
  if ((code >= 40 && code <= 49) || (code >= 100 && code <= 107)) return 'background'
  return String(code)
}
