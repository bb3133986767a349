/**
 * What a body may consist of, whatever its media type. Checked before it is read into objects: what is beyond would
 * overflow the stack, or keep the one thread that serves every client busy.
 */

/** Levels of objects and lists. Walks over objects recurse; the schemas of the largest definitions have about 60. */
export const maxDepth = 250

/** Members of objects and items of lists. */
export const maxValues = 25_000

/** Error texts about members that a body has twice, or that its kind does not have. Source: sigs.k8s.io/json. */
const maxTexts = 100

/** Characters of all these texts together. */
const maxTextLength = 64 * 1024

/** A body beyond a limit. */
export class BodyLimitError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message)
    this.name = 'BodyLimitError'
  }
}

export const tooDeep = () => new BodyLimitError(`exceeded max depth of ${maxDepth}`)
export const tooManyValues = () => new BodyLimitError(`exceeded max number of ${maxValues} values`)

/** Collects texts up to the limits, each once. */
export class TextCollector {
  /** @type {Set<string>} */
  #texts = new Set()
  #length = 0

  get isFull() {
    return this.#texts.size >= maxTexts || this.#length >= maxTextLength
  }

  get texts() {
    return [...this.#texts]
  }

  /** @param {() => string} text called only while there is room */
  add(text) {
    if (this.isFull) return
    const found = text()
    this.#length += found.length
    this.#texts.add(found.length > maxTextLength ? `${found.slice(0, maxTextLength)}…` : found)
  }
}
