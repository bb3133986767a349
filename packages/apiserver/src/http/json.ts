import { maxDepth, maxValues, TextCollector, tooDeep, tooManyValues } from '../body-limits.js'

/**
 * Parses JSON and reports duplicate members: `duplicate field "spec.x"`. The last one takes effect.
 * @param maxCount maximum number of values
 * @throws BodyLimitError
 * @throws SyntaxError
 */
export function readJson(text: string, maxCount = maxValues): { value: unknown; duplicates: string[] } {
  checkLimits(text, maxCount)
  const value: unknown = JSON.parse(text)
  return { value, duplicates: duplicateMembers(text, value) }
}

const quote = 0x22
const backslash = 0x5c

/** Index after the closing quote of a string, or the end of the text if there is none. @param at its opening quote */
function endOfString(text: string, at: number): number {
  for (;;) {
    const end = text.indexOf('"', at + 1)
    if (end < 0) return text.length
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end + 1
    at = end
  }
}

/** Checks the limits in one pass over the text, before parsing it. @throws BodyLimitError */
function checkLimits(text: string, maxCount: number): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at) - 1
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) throw tooDeep()
        values++
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        values++
    }
    if (values > maxCount) throw tooManyValues()
  }
}

interface Frame {
  /** Keys of an object seen so far; `undefined` for a list. */
  keys: Set<string> | undefined
  step: string | number
}

/**
 * Error texts for the duplicate members of all objects in the text.
 * @param text valid JSON
 * @param value the parsed text
 */
export function duplicateMembers(text: string, value: unknown): string[] {
  // A text that survives a round trip has no duplicates. This is nearly always so, and cheap to check.
  if (JSON.stringify(value) === text.trimEnd()) return []
  const found = new TextCollector()
  const frames: Frame[] = []
  let awaitsKey = false
  for (let at = 0; at < text.length && !found.isFull; at++) {
    const frame = frames.at(-1)
    switch (text[at]) {
      case '{':
      case '[':
        awaitsKey = text[at] === '{'
        frames.push(awaitsKey ? { keys: new Set(), step: '' } : { keys: undefined, step: 0 })
        break
      case '}':
      case ']':
        frames.pop()
        awaitsKey = false
        break
      case ',':
        awaitsKey = frame?.keys !== undefined
        if (typeof frame?.step === 'number') frame.step++
        break
      case '"': {
        const end = endOfString(text, at)
        if (awaitsKey && frame?.keys) {
          const key = keyIn(text.slice(at, end))
          frame.step = key
          if (frame.keys.has(key)) found.add(() => `duplicate field ${JSON.stringify(pathOf(frames))}`)
          frame.keys.add(key)
          awaitsKey = false
        }
        at = end - 1
      }
    }
  }
  return found.texts
}

const keyIn = (token: string): string => (token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1))

const pathOf = (frames: readonly Frame[]): string =>
  frames
    .map(({ step }) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')
