import { maskLimits, type FieldMask } from './mask'
import { maskedEventTypes, planFor, secretPlan, unmaskedPlan, type Field, type Layout, type Plan } from './plan'

/** Filters JSON as a stream, buffering no more than the name that it is reading. */
export interface Projector {
  /**
   * Processes the next bytes of the document, which may be split anywhere.
   * @returns the bytes that are kept
   * @throws MalformedJson
   */
  push(chunk: Uint8Array): Buffer
  /** Ends the document, so that another can start. @throws MalformedJson if it is incomplete */
  end(): void
}

/** The response cannot be filtered because it is not valid JSON. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson'
}

/** The API server reads JSON ten times as deep as this; real objects stay below a hundred. */
const maxDepth = 1_000
/** Initial depth that a projector allocates for: there is one for every open watch. */
const usualDepth = 31
const blockBytes = 64 * 1024
/** Longer than any name in a mask, even with each character escaped. */
const scratchBytes = 8 * maskLimits.characters

/**
 * Shared by all projectors: a block is filtered synchronously and its result is copied. The output is no longer than the
 * input, except for a name that was read in the previous block, a newline after an event of at least two bytes, and two
 * quotes in place of a blanked digit and its comma.
 */
const output = Buffer.allocUnsafeSlow(2 * blockBytes + scratchBytes)

// States of the parser: what may come next, or what is being read.
const value = 0
const valueOrEnd = 1
const keyOrEnd = 2
const key = 3
const colon = 4
const afterValue = 5
const text = 6
const escape = 7
const hex = 8
const number = 9
const literal = 10
const done = 11

// Modes: what to do with the bytes being read.
/** Drop them: the mask does not include the field. */
const skip = 0
/** Copy them: the value is included completely. */
const copy = 1
/** Look at the members of this container one by one and write those that are included. */
const filter = 2
/** Look at the members too, but copy them, except within fields of the plan. */
const scan = 3

const quote = 0x22
const comma = 0x2c
const colonByte = 0x3a
const backslash = 0x5c
const openArray = 0x5b
const closeArray = 0x5d
const openObject = 0x7b
const closeObject = 0x7d
const newline = 0x0a
const startOfNull = 0x6e

const tableOf = (isIn: (byte: number) => boolean): Uint8Array => Uint8Array.from({ length: 256 }, (_, b) => +isIn(b))
const among = (characters: string) => (byte: number) => characters.includes(String.fromCharCode(byte))
/** Any character within a string, except its end, an escape and characters that must be escaped. */
const isPlain = tableOf((byte) => byte >= 0x20 && byte !== quote && byte !== backslash)
const isSpace = tableOf(among(' \t\r\n'))
const isEscape = tableOf(among('"\\/bfnrt'))
const isHex = tableOf(among('0123456789abcdefABCDEF'))

/** State machine for numbers. Source: RFC 8259, section 6. */
const numberStates = {
  start: 0,
  minus: 1,
  zero: 2,
  integer: 3,
  point: 4,
  fraction: 5,
  exponent: 6,
  sign: 7,
  power: 8,
} as const
const isCompleteNumber = Uint8Array.of(0, 0, 1, 1, 0, 1, 0, 0, 1)
const invalidNumber = 255
const nextInNumber = new Uint8Array(9 * 256).fill(invalidNumber)
{
  const s = numberStates
  const go = (from: number, characters: string, to: number) => {
    for (const character of characters) nextInNumber[from * 256 + character.charCodeAt(0)] = to
  }
  const digits = '0123456789'
  go(s.start, '-', s.minus)
  for (const from of [s.start, s.minus]) {
    go(from, digits, s.integer)
    go(from, '0', s.zero)
  }
  go(s.integer, digits, s.integer)
  for (const from of [s.zero, s.integer]) go(from, '.', s.point)
  for (const from of [s.point, s.fraction]) go(from, digits, s.fraction)
  for (const from of [s.zero, s.integer, s.fraction]) go(from, 'eE', s.exponent)
  go(s.exponent, '+-', s.sign)
  for (const from of [s.exponent, s.sign, s.power]) go(from, digits, s.power)
}
const literals = ['true', 'false', 'null'].map((word) => Buffer.from(word))

/**
 * Masks do not apply to scalars: `spec.params` keeps `spec` if it is an object and drops it if it is a string. Array
 * elements that are not objects are dropped likewise. A name that occurs twice is handled twice.
 * @param layout where the objects that the mask applies to are in the document
 */
export function createProjector(mask: FieldMask, layout: Layout): Projector {
  return new ByteProjector(planFor(layout, mask), layout)
}

/**
 * Replaces the values of Secrets by empty strings and keeps their keys and everything else, in any document with Secrets.
 * @param layout `watch` for one event per line, `item` for a single document
 */
export function createSecretProjector(layout: 'item' | 'watch'): Projector {
  return new ByteProjector(secretPlan, layout)
}

class ByteProjector implements Projector {
  readonly #plan: Plan
  readonly #layout: Layout
  /** By depth: 1 for an object, 0 for an array. */
  #isObject = new Uint8Array(usualDepth + 1)
  /** By depth, in filtered containers: whether a member was written. `#plans` has the plan of each. */
  #hasMembers = new Uint8Array(usualDepth + 1)
  readonly #plans: Plan[] = []
  #state = value
  #mode = filter
  #depth = 0
  /** Depth of the value that is skipped or copied. */
  #modeDepth = 0
  /** Field of the plan for the member being read. */
  #field: Field | undefined
  #isKey = false
  #hexLeft = 0
  #numberState = 0
  #literal: Uint8Array = literals[0] ?? new Uint8Array()
  #literalAt = 0
  /** Whether the type of the event being read is one whose object is filtered. */
  #isMaskedEvent = false
  /** A name, or a value with a decision, is read from here on; `#scratch` has its part from previous blocks. */
  #isReading = false
  #readFrom = 0
  #hasEscape = false
  #scratch: Buffer | undefined
  #scratchLength = 0
  /** Offset in the current block from which bytes are copied; -1 for none. */
  #copyFrom = -1
  #written = 0

  constructor(plan: Plan, layout: Layout) {
    this.#plan = plan
    this.#layout = layout
  }

  push(chunk: Uint8Array): Buffer {
    if (chunk.length <= blockBytes) return this.#pushBlock(chunk)
    const kept: Buffer[] = []
    for (let at = 0; at < chunk.length; at += blockBytes) {
      kept.push(this.#pushBlock(chunk.subarray(at, at + blockBytes)))
    }
    return Buffer.concat(kept)
  }

  end(): void {
    const isBetweenEvents = this.#layout === 'watch' && this.#depth === 0 && this.#state === value
    if (this.#state !== done && !isBetweenEvents) throw new MalformedJson('the JSON ends too early')
    this.#state = value
  }

  /** The parser checks all bytes against the JSON grammar, kept or not. Most time is spent in its loops over strings. */
  #pushBlock(block: Uint8Array): Buffer {
    const end = block.length
    let isObject = this.#isObject
    let state = this.#state
    this.#written = 0
    this.#copyFrom = this.#depth > 0 && (this.#mode === copy || this.#mode === scan) ? 0 : -1
    this.#readFrom = 0
    let at = 0
    while (at < end) {
      // `at` is below the end, so there is a byte.
      let byte = block[at] ?? 0
      if (state === text) {
        while (isPlain[byte] === 1 && ++at < end) byte = block[at] ?? 0
        if (at === end) break
        at++
        if (byte === quote) {
          if (this.#isReading) this.#endReading(block, at - 1)
          if (this.#isKey) state = colon
          else state = this.#endValue(block, at)
        } else if (byte === backslash) {
          this.#hasEscape = true
          state = escape
        } else throw malformed('a control character in a string')
        continue
      }
      if (state === number) {
        const next = nextInNumber[this.#numberState * 256 + byte] ?? invalidNumber
        if (next !== invalidNumber) {
          this.#numberState = next
          at++
          continue
        }
        if (isCompleteNumber[this.#numberState] !== 1) throw malformed('a broken number')
        // The byte is the first one after the number.
        state = this.#endValue(block, at)
        continue
      }
      if (state === escape) {
        if (byte === 0x75) this.#hexLeft = 4
        else if (isEscape[byte] !== 1) throw malformed('an unknown escape')
        state = byte === 0x75 ? hex : text
        at++
        continue
      }
      if (state === hex) {
        if (isHex[byte] !== 1) throw malformed('a broken escape')
        if (--this.#hexLeft === 0) state = text
        at++
        continue
      }
      if (state === literal) {
        if (this.#literal[this.#literalAt] !== byte) throw malformed('an unknown literal')
        at++
        if (++this.#literalAt === this.#literal.length) state = this.#endValue(block, at)
        continue
      }
      if (isSpace[byte] === 1) {
        at++
        continue
      }
      switch (state) {
        case afterValue: {
          if (byte === comma) {
            at++
            state = isObject[this.#depth] === 1 ? key : value
          } else {
            if (byte !== (isObject[this.#depth] === 1 ? closeObject : closeArray)) throw malformed('a missing comma')
            at++
            state = this.#close(block, at, byte)
          }
          break
        }
        case key:
        case keyOrEnd: {
          at++
          if (byte === quote) {
            this.#isKey = true
            if (this.#mode >= filter) this.#beginReading(at)
            state = text
          } else if (byte === closeObject && state === keyOrEnd) state = this.#close(block, at, byte)
          else throw malformed('a missing field name')
          break
        }
        case colon: {
          if (byte !== colonByte) throw malformed('a missing colon')
          at++
          state = value
          break
        }
        case value:
        case valueOrEnd: {
          if (byte === closeArray && state === valueOrEnd) {
            at++
            state = this.#close(block, at, byte)
            break
          }
          const isOpening = byte === openObject || byte === openArray
          if (this.#mode >= filter) this.#decide(block, at, byte, isOpening)
          if (isOpening) {
            if (++this.#depth === isObject.length) isObject = this.#growStacks()
            isObject[this.#depth] = +(byte === openObject)
            state = byte === openObject ? keyOrEnd : valueOrEnd
            at++
          } else if (byte === quote) {
            at++
            this.#isKey = false
            if (this.#mode === copy && this.#depth === this.#modeDepth && this.#field?.decides) this.#beginReading(at)
            state = text
          } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
            this.#numberState = numberStates.start
            state = number
          } else {
            this.#literal = literals.find((word) => word[0] === byte) ?? invalidLiteral()
            this.#literalAt = 0
            state = literal
          }
          break
        }
        default:
          throw malformed('text after the end')
      }
    }
    this.#state = state
    if (this.#isReading) this.#saveFragment(block, end)
    this.#flush(block, end)
    return Buffer.from(output.subarray(0, this.#written))
  }

  /** Makes room for deeper nesting. */
  #growStacks(): Uint8Array<ArrayBuffer> {
    if (this.#depth > maxDepth) throw malformed('nested too deep')
    const length = Math.min(2 * this.#isObject.length, maxDepth + 1)
    const deeper = (by: Uint8Array) => {
      const longer = new Uint8Array(length)
      longer.set(by)
      return longer
    }
    this.#hasMembers = deeper(this.#hasMembers)
    return (this.#isObject = deeper(this.#isObject))
  }

  /** Decides at the start of a member whether to skip it, copy it or look into it. */
  #decide(block: Uint8Array, at: number, byte: number, isOpening: boolean): void {
    const depth = this.#depth
    if (depth === 0) {
      if (byte !== openObject) throw malformed('not an object')
      this.#isMaskedEvent = false
      return this.#enter(block, at, byte, this.#plan)
    }
    const isElement = this.#isObject[depth] === 0
    const field = isElement ? undefined : this.#field
    const plan = this.#plans[depth]
    const inner = isElement || plan?.blanks ? plan : field?.plan
    if (this.#mode === scan) {
      const isApplied = inner?.keepsOthers || this.#layout === 'list' || this.#isMaskedEvent
      if (inner && isApplied && isOpening) this.#enter(block, at, byte, inner)
      else if (inner?.blanks && byte !== startOfNull) this.#blank(block, at)
      else this.#skipOrCopy(copy, at)
      return
    }
    if (isElement ? !isOpening : !field || (inner && !isOpening)) return this.#skipOrCopy(skip, at)
    if (this.#hasMembers[depth] === 1) output[this.#written++] = comma
    this.#hasMembers[depth] = 1
    if (field) {
      output.set(field.key, this.#written)
      this.#written += field.key.length
    }
    if (inner) this.#enter(block, at, byte, inner)
    else this.#skipOrCopy(copy, at)
  }

  #skipOrCopy(mode: typeof skip | typeof copy, at: number) {
    // In a container that is copied, copying continues.
    if (mode === copy && this.#copyFrom < 0) this.#copyFrom = at
    this.#mode = mode
    this.#modeDepth = this.#depth
  }

  /** Writes an empty string in place of a scalar. */
  #blank(block: Uint8Array, at: number) {
    this.#flush(block, at)
    output[this.#written++] = quote
    output[this.#written++] = quote
    this.#skipOrCopy(skip, at)
  }

  /** Enters a container whose members are looked at one by one. */
  #enter(block: Uint8Array, at: number, byte: number, plan: Plan) {
    this.#plans[this.#depth + 1] = plan
    this.#hasMembers[this.#depth + 1] = 0
    if (plan.keepsOthers) {
      this.#mode = scan
      // Within a container that is scanned too, copying continues.
      if (this.#copyFrom < 0) this.#copyFrom = at
      return
    }
    this.#flush(block, at)
    this.#mode = filter
    output[this.#written++] = byte
  }

  /** @param at offset after the closing bracket */
  #close(block: Uint8Array, at: number, byte: number): number {
    if (this.#mode === filter) output[this.#written++] = byte
    else if (this.#mode === scan) this.#flush(block, at)
    this.#depth--
    return this.#endValue(block, at)
  }

  /** @param at offset after the value @returns the next state */
  #endValue(block: Uint8Array, at: number): number {
    const depth = this.#depth
    if (this.#mode >= filter || depth === this.#modeDepth) {
      this.#flush(block, at)
      this.#mode = this.#plans[depth]?.keepsOthers ? scan : filter
      if (depth === 0) return this.#endDocument()
      if (this.#mode === scan) this.#copyFrom = at
    }
    return afterValue
  }

  #endDocument(): number {
    this.#mode = filter
    if (this.#layout !== 'watch') return done
    output[this.#written++] = newline
    return value
  }

  #flush(block: Uint8Array, end: number) {
    const from = this.#copyFrom
    this.#copyFrom = -1
    if (from < 0 || from === end) return
    output.set(block.subarray(from, end), this.#written)
    this.#written += end - from
  }

  #beginReading(at: number) {
    this.#isReading = true
    this.#hasEscape = false
    this.#readFrom = at
    this.#scratchLength = 0
  }

  /** Saves the start of a name before its block is released, truncated if it is too long to be in any mask. */
  #saveFragment(block: Uint8Array, end: number) {
    this.#scratch ??= Buffer.allocUnsafe(scratchBytes)
    const fitting = Math.min(end, this.#readFrom + scratchBytes - this.#scratchLength)
    this.#scratch.set(block.subarray(this.#readFrom, fitting), this.#scratchLength)
    this.#scratchLength += fitting - this.#readFrom
  }

  #endReading(block: Uint8Array, end: number) {
    this.#isReading = false
    let bytes = block
    let from = this.#readFrom
    let to = end
    if (this.#scratchLength > 0) {
      this.#saveFragment(block, end)
      bytes = this.#scratch ?? block
      from = 0
      to = this.#scratchLength
    }
    if (this.#isKey) this.#field = this.#findField(bytes, from, to)
    else this.#applyDecision(this.#decode(bytes, from, to))
    this.#scratch = undefined
  }

  #findField(bytes: Uint8Array, from: number, to: number): Field | undefined {
    const plan = this.#plans[this.#depth] ?? unmaskedPlan
    if (this.#hasEscape) return plan.byName.get(this.#decode(bytes, from, to))
    const candidates = plan.byLength[to - from]
    if (candidates === undefined) return undefined
    return candidates.find(({ name }) => isAt(name, bytes, from))
  }

  #decode(bytes: Uint8Array, from: number, to: number): string {
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString()
    if (!this.#hasEscape) return raw
    try {
      return String(JSON.parse(`"${raw}"`))
    } catch {
      return '' // Truncated within an escape because it was longer than the scratch buffer: not a name in a mask.
    }
  }

  /** Applies the decision of a value to the fields that follow it. */
  #applyDecision(read: string) {
    if (this.#field?.decides === 'event') this.#isMaskedEvent = maskedEventTypes.has(read)
    if (this.#field?.decides === 'status' && read === 'Status') this.#plans[this.#depth] = unmaskedPlan
  }
}

function isAt(name: Uint8Array, bytes: Uint8Array, from: number): boolean {
  for (let index = 0; index < name.length; index++) if (name[index] !== bytes[from + index]) return false
  return true
}

const malformed = (what: string) => new MalformedJson(`invalid JSON: ${what}`)
function invalidLiteral(): never {
  throw malformed('an unknown literal')
}
