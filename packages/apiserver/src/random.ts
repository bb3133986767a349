/** A number in [0, 1), like `Math.random`; injected so that tests can predict names and uids. */
export type Random = () => number

/** Generated in bulk: generated one by one, the numbers of a uid would cost more than storing the object. */
const pool = new Uint32Array(256)
let used = pool.length

export const systemRandom: Random = () => {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  return (pool[used++] ?? 0) / 2 ** 32
}

/** No vowels and no digits that look like letters, so that no words appear. Source: k8s.io/apimachinery, util/rand. */
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789'

export const randomSuffix = (random: Random): string =>
  Array.from({ length: 5 }, () => nameAlphabet[Math.floor(random() * nameAlphabet.length)]).join('')

const hexDigits = '0123456789abcdef'

/** A version 4 UUID. */
export function randomUid(random: Random): string {
  let text = ''
  for (let at = 0; at < 32; at++) {
    const digit = Math.floor(random() * 16)
    if (at === 8 || at === 12 || at === 16 || at === 20) text += '-'
    text += hexDigits[at === 12 ? 4 : at === 16 ? 8 + (digit % 4) : digit]
  }
  return text
}
