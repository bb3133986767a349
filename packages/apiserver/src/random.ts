/** A number in [0, 1), like `Math.random`; handed in so that a test knows the names and uids it will get. */
export type Random = () => number

/** Drawn in bulk: one by one, the numbers of a uid cost more than storing the object. */
const drawn = new Uint32Array(256)
let used = drawn.length

export const systemRandom: Random = () => {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn)
    used = 0
  }
  return (drawn[used++] ?? 0) / 2 ** 32
}

/** No vowels and no digits that look like letters, so that no word comes out. Source: k8s.io/apimachinery, util/rand. */
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789'

export const randomSuffix = (random: Random): string =>
  Array.from({ length: 5 }, () => nameAlphabet[Math.floor(random() * nameAlphabet.length)]).join('')

/** A version 4 UUID. */
export function randomUid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16))
  digits[12] = 4
  digits[16] = 8 + ((digits[16] ?? 0) % 4)
  const text = digits.map((digit) => digit.toString(16)).join('')
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}
