/**
 * Limits on the content of a body, for every media type. Checked before it is parsed into objects: larger content could
 * overflow the stack or block the one thread that serves all clients.
 */

/** Nesting depth of objects and lists. Walks over objects recurse; the schemas of the largest definitions reach 60. */
export const maxDepth = 250

/** Members of objects and items of lists. */
export const maxValues = 25_000

/** Number of error texts for duplicate or unknown members. Source: sigs.k8s.io/json. */
const maxTexts = 100

/** Total length of these texts in characters. */
const maxTextLength = 64 * 1024

/** A body exceeds a limit. */
export class BodyLimitError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message)
    this.name = 'BodyLimitError'
  }
}

export const tooDeep = () => new BodyLimitError(`exceeded max depth of ${maxDepth}`)
export const tooManyValues = () => new BodyLimitError(`exceeded max number of ${maxValues} values`)

/** Collects distinct texts up to the limits. */
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

  /** @param {() => string} text called only below the limits */
  add(text) {
    if (this.isFull) return
    const found = text()
    this.#length += found.length
    this.#texts.add(found.length > maxTextLength ? `${found.slice(0, maxTextLength)}…` : found)
  }
}
