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
        last === 'm' ? styleSequence(lastOfEachKind(sinceReset(codesOf(parameters ?? '')))) : '',
      )
    : line

/**
 * A terminal overwrites a line after a carriage return: returns the last state, for example of a progress bar, in the
 * colours that earlier states leave in effect.
 */
export function lastState(line: string): string {
  if (!line.includes('\r')) return line
  const states = line.split('\r')
  const last = states.findLastIndex((state) => plainText(state) !== '')
  if (last < 0) return ''
  const before = states.slice(0, last).join('')
  const codes = [...before.matchAll(sequences)].flatMap(([, parameters, final]) =>
    final === 'm' ? codesOf(parameters ?? '') : [],
  )
  return styleSequence(lastOfEachKind(sinceReset(codes))) + (states[last] ?? '')
}

/**
 * The colours still in effect at the end of a line, as one sequence; empty if there are none.
 * @param before the colours at its beginning
 */
export function styleAfter(line: string, before: string): string {
  let state: readonly Code[] | undefined
  for (const [, parameters, last] of line.matchAll(sequences)) {
    if (last !== 'm') continue
    state = merged(state ?? codesOf(before.slice(2, -1)), codesOf(parameters ?? ''))
  }
  return state ? styleSequence(state) : before
}

const styleSequence = (codes: readonly Code[]): string =>
  codes.length > 0 ? `${escape}[${codes.flat().join(';')}m` : ''

type Code = readonly string[]

/** Codes that have parameters of their own: the colours of the text, its background and its underline. */
const colourCodes = new Set(['38', '48', '58'])

/**
 * Splits parameters into codes with their own parameters: `38;5;196` is one code, and so is `4:3`, a curly underline. No
 * number is a reset. A double underline (21) becomes a single one, since some parsers take it for the end of bold text.
 */
function codesOf(parameters: string): Code[] {
  const fields = parameters.split(';').map((field) => field.split(':').map(withoutZeros))
  const codes: Code[] = []
  for (let at = 0; at < fields.length; at++) {
    const [code = '0', ...own] = fields[at] ?? []
    if (!colourCodes.has(code)) {
      codes.push([code === '21' ? '4' : code === '4' && own[0] === '0' ? '24' : code])
      continue
    }
    // `38:2::1:2:3` has a field for a colour space, which is always empty in practice.
    const isSeparate = own.length === 0
    const rest = isSeparate ? fields.slice(at + 1).map(([number = '0']) => number) : own
    const length = { '2': 4, '5': 2 }[rest[0] ?? '']
    const colour = rest[0] === '2' && !isSeparate && rest.length > 4 ? ['2', ...rest.slice(-3)] : rest.slice(0, length)
    // An incomplete colour: the rest cannot be interpreted.
    if (length === undefined || colour.length < length) break
    codes.push([code, ...colour])
    if (isSeparate) at += length
  }
  return codes
}

const withoutZeros = (number: string): string => number.replace(/^0+(?=\d)/, '') || '0'

const isReset = ([code]: Code) => code === '0'

/** Drops the codes before a reset. The reset itself stays, since it ends the effect of earlier sequences. */
function sinceReset(codes: readonly Code[]): readonly Code[] {
  const at = codes.findLastIndex(isReset)
  return at < 0 ? codes : codes.slice(at)
}

/** The codes of a sequence without those that later ones replace or end, since parsers apply those that end first. */
function lastOfEachKind(codes: readonly Code[]): Code[] {
  const byKind = new Map<string, Code>()
  for (const code of codes) {
    for (const kind of kindsOf(code)) {
      byKind.delete(kind)
      byKind.set(kind, code)
    }
  }
  return [...new Set(byKind.values())]
}

/** The codes in effect after a state and further codes. */
const merged = (state: readonly Code[], codes: readonly Code[]): Code[] =>
  lastOfEachKind(sinceReset([...state, ...codes])).filter(([code = '']) => code !== '0' && !endsOf.has(code))

/** Codes that end the effect of others, by the attributes that they end. */
const endsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['22', ['bold', 'dim']],
  ['23', ['italic']],
  ['24', ['underline']],
  ['25', ['blink']],
  ['27', ['reverse']],
  ['28', ['hidden']],
  ['29', ['strikethrough']],
  ['39', ['text']],
  ['49', ['background']],
  ['50', ['spacing']],
  ['54', ['frame']],
  ['55', ['overline']],
  ['59', ['underline colour']],
  ['65', ['ideogram']],
  ['75', ['script']],
])

/** Codes that set an attribute, besides those of colours. */
const attributes: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  20: 'italic',
  4: 'underline',
  5: 'blink',
  6: 'blink',
  7: 'reverse',
  8: 'hidden',
  9: 'strikethrough',
  26: 'spacing',
  51: 'frame',
  52: 'frame',
  53: 'overline',
  58: 'underline colour',
  73: 'script',
  74: 'script',
}

/** The attributes that a code sets or ends: of two codes for the same attribute, the later one wins. */
function kindsOf([code = '']: Code): readonly string[] {
  const ended = endsOf.get(code)
  if (ended) return ended
  const number = Number(code)
  if ((number >= 30 && number <= 38) || (number >= 90 && number <= 97)) return ['text']
  if ((number >= 40 && number <= 48) || (number >= 100 && number <= 107)) return ['background']
  if (number >= 10 && number <= 19) return ['font']
  if (number >= 60 && number <= 64) return ['ideogram']
  return [attributes[code] ?? code]
}
