/** A place between the tokens of a JSON text, with the words of Go for a character that does not belong there. */
const places = {
  value: 'looking for beginning of value',
  firstElement: 'looking for beginning of value',
  key: 'looking for beginning of object key string',
  firstKey: 'looking for beginning of object key string',
  afterKey: 'after object key',
  afterMember: 'after object key:value pair',
  afterElement: 'after array element',
  end: 'after top-level value',
} as const
type Place = keyof typeof places

const cutOff = 'unexpected end of JSON input'

/** Why Go cannot parse a text as JSON; `undefined` if it can. Source: encoding/json, scanner.go. */
export function goJsonError(text: string): string | undefined {
  const open: ('{' | '[')[] = []
  let place: Place = 'value'
  let at = 0
  const afterValue = (): Place => {
    const container = open.at(-1)
    return container === undefined ? 'end' : container === '{' ? 'afterMember' : 'afterElement'
  }
  for (;;) {
    while (/[ \t\r\n]/.test(text[at] ?? '')) at++
    const character: string | undefined = text[at]
    if (character === undefined) return place === 'end' ? undefined : cutOff
    const isKey: boolean = place === 'key' || place === 'firstKey'
    const isValue: boolean = place === 'value' || place === 'firstElement'
    const readToken = isKey && character !== '"' ? undefined : tokenReaders.get(character)
    if ((isKey || isValue) && readToken) {
      const end = readToken(text, at)
      if (typeof end === 'string') return end
      at = end
      place = isKey ? 'afterKey' : afterValue()
      continue
    }
    at++
    if (isValue && (character === '{' || character === '[')) {
      open.push(character)
      place = character === '{' ? 'firstKey' : 'firstElement'
    } else if (character === '}' && (place === 'firstKey' || place === 'afterMember')) {
      open.pop()
      place = afterValue()
    } else if (character === ']' && (place === 'firstElement' || place === 'afterElement')) {
      open.pop()
      place = afterValue()
    } else if (character === ',' && place === 'afterMember') place = 'key'
    else if (character === ',' && place === 'afterElement') place = 'value'
    else if (character === ':' && place === 'afterKey') place = 'value'
    else return invalidCharacter(character, places[place])
  }
}

/** Reads a token that starts at a position. @returns the position after it, or the error in it */
type TokenReader = (text: string, at: number) => number | string

const stringContent = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y
const hexDigits = /[0-9a-fA-F]*/y
const numberPattern = /-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE][+-]?\d*)?)?|[eE][+-]?\d*)?)?/y

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

const readString: TokenReader = (text, at) => {
  const end = endOf(stringContent, text, at)
  if (text[end] === '"') return end + 1
  if (text[end] === undefined) return cutOff
  if (text[end] !== '\\') return invalidCharacter(text[end], 'in string literal')
  return text[end + 1] === 'u'
    ? invalidCharacter(text[endOf(hexDigits, text, end + 2)], 'in \\u hexadecimal character escape')
    : invalidCharacter(text[end + 1], 'in string escape code')
}

const readNumber: TokenReader = (text, at) => {
  const end = endOf(numberPattern, text, at)
  const token = text.slice(at, end)
  if (/\d$/.test(token)) return end
  const part = token.endsWith('.') ? 'after decimal point in' : token === '-' ? 'in' : 'in exponent of'
  return invalidCharacter(text[end], `${part} numeric literal`)
}

const literalReader =
  (word: string): TokenReader =>
  (text, at) => {
    const wrong = [...word].findIndex((character, index) => text[at + index] !== character)
    if (wrong < 0) return at + word.length
    return invalidCharacter(text[at + wrong], `in literal ${word} (expecting '${word[wrong]}')`)
  }

const tokenReaders = new Map<string, TokenReader>([
  ['"', readString],
  ...[...'-0123456789'].map((digit): [string, TokenReader] => [digit, readNumber]),
  ...['true', 'false', 'null'].map((word): [string, TokenReader] => [word.charAt(0), literalReader(word)]),
])

/** @param character at the end of the text, Go reads one more space */
function invalidCharacter(character = ' ', where: string): string {
  const quoted = character === "'" ? "\\'" : character === '"' ? '"' : JSON.stringify(character).slice(1, -1)
  return `invalid character '${quoted}' ${where}`
}
