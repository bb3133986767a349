/** A number in [0, 1), like `Math.random`. */
export type Random = () => number

/**
 * Random numbers for one subject, such as a run. The same seed and key always give the same numbers, so a simulated
 * world does not depend on the order in which things happen.
 */
export function keyedRandom(seed: string, key: string): Random {
  let state = hash(`${seed}\u0000${key}`)
  // mulberry32 (public domain, Tommy Ettinger): small, and good enough for data that only has to look real.
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** FNV-1a, mixed once more so that keys with a common prefix differ in every bit. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return value ^ (value >>> 13)
}

export const pick = <T>(random: Random, choices: readonly [T, ...T[]]): T =>
  choices[Math.floor(random() * choices.length)] ?? choices[0]

/** From `min` to `max`, both included. */
export const integerBetween = (random: Random, min: number, max: number): number =>
  min + Math.floor(random() * (max - min + 1))

export function hexDigits(random: Random, count: number): string {
  let digits = ''
  for (let at = 0; at < count; at++) digits += '0123456789abcdef'.charAt(Math.floor(random() * 16))
  return digits
}

/** No vowels and no digits that look like letters, as in the generated names of Kubernetes. */
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789'

export const nameSuffix = (random: Random): string =>
  Array.from({ length: 5 }, () => nameAlphabet[Math.floor(random() * nameAlphabet.length)]).join('')
