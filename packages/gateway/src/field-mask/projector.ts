import { maskLimits, type FieldMask } from './mask'
import { cutEvents, planFor, wholePlan, type Field, type Layout, type Plan } from './plan'

/** Cuts JSON down to a mask while it passes: holds no more of it than the name it is reading. */
export interface Projector {
  /**
   * The next bytes of the document, split anywhere.
   * @returns what is kept of them
   * @throws MalformedJson
   */
  push(chunk: Uint8Array): Buffer
  /** The document is over: another may begin. @throws MalformedJson when it is not complete */
  end(): void
}

/** The answer cannot be cut down, since it is no JSON. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson'
}

/** As deep as the API server reads JSON is ten times this; real objects stay below a hundred. */
const maxDepth = 1_000
/** What a projector is ready for at first: there is one for every open watch. */
const usualDepth = 31
const blockBytes = 64 * 1024
/** A name of a mask, each of its characters escaped, is shorter. */
const scratchBytes = 8 * maskLimits.characters

/**
 * Shared by all: a block is cut down without a pause, and its result copied out. Nothing is written that was not read,
 * except a name that was read in the block before, and a newline behind an event of at least two bytes.
 */
const output = Buffer.allocUnsafeSlow(2 * blockBytes + scratchBytes)

// What may come next, or what is being read.
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

// What becomes of the bytes being read.
/** Nothing: the field is not wanted. */
const skip = 0
/** They are copied: the value is wanted whole. */
const copy = 1
/** The members of this container are looked at one by one; what is kept of them is put together anew. */
const cut = 2
/** The members are looked at too, but copied, except within fields of the plan. */
const through = 3

const quote = 0x22
const comma = 0x2c
const colonByte = 0x3a
const backslash = 0x5c
const openArray = 0x5b
const closeArray = 0x5d
const openObject = 0x7b
const closeObject = 0x7d
const newline = 0x0a

const tableOf = (isIn: (byte: number) => boolean): Uint8Array => Uint8Array.from({ length: 256 }, (_, b) => +isIn(b))
const among = (characters: string) => (byte: number) => characters.includes(String.fromCharCode(byte))
/** Within a string, all but its end, an escape and what must be escaped. */
const isPlain = tableOf((byte) => byte >= 0x20 && byte !== quote && byte !== backslash)
const isSpace = tableOf(among(' \t\r\n'))
const isEscape = tableOf(among('"\\/bfnrt'))
const isHex = tableOf(among('0123456789abcdefABCDEF'))

/** Numbers: which state follows on which character. Source: RFC 8259, section 6. */
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
const noNumber = 255
const nextInNumber = new Uint8Array(9 * 256).fill(noNumber)
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
 * @param layout where in the document the objects are that the mask is about
 * Scalars are not looked into: `spec.params` keeps an object `spec`, and drops one that is a string. Elements of an
 * array that are no objects are dropped likewise. A name that occurs twice is treated so twice.
 */
export function createProjector(mask: FieldMask, layout: Layout): Projector {
  return new ByteProjector(planFor(layout, mask), layout)
}

class ByteProjector implements Projector {
  readonly #plan: Plan
  readonly #layout: Layout
  /** By depth: 1 for an object. */
  #isObject = new Uint8Array(usualDepth + 1)
  /** By depth, in what is cut: whether a member was written, and by which plan. */
  #hasMembers = new Uint8Array(usualDepth + 1)
  readonly #plans: Plan[] = []
  #state = value
  #mode = cut
  #depth = 0
  /** Where the value began that is skipped or copied whole. */
  #modeDepth = 0
  /** Of the member being read. */
  #field: Field | undefined
  #isKey = false
  #hexLeft = 0
  #numberState = 0
  #literal: Uint8Array = literals[0] ?? new Uint8Array()
  #literalAt = 0
  /** Whether the event being read is of a type whose object is cut. */
  #isCutEvent = false
  /** A name, or a value that decides something: read from here on, and what of it came with blocks before. */
  #isReading = false
  #readFrom = 0
  #hasEscape = false
  #scratch: Buffer | undefined
  #scratchLength = 0
  /** Of the block at hand: bytes from here on are copied; -1 for none. */
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

  /** The reader: holds everything to the grammar of JSON, kept or not. Its loops over strings are where time goes. */
  #pushBlock(block: Uint8Array): Buffer {
    const end = block.length
    let isObject = this.#isObject
    let state = this.#state
    this.#written = 0
    this.#copyFrom = this.#depth > 0 && (this.#mode === copy || this.#mode === through) ? 0 : -1
    this.#readFrom = 0
    let at = 0
    while (at < end) {
      // Never beyond the end, so that there is a byte.
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
        const next = nextInNumber[this.#numberState * 256 + byte] ?? noNumber
        if (next !== noNumber) {
          this.#numberState = next
          at++
          continue
        }
        if (isCompleteNumber[this.#numberState] !== 1) throw malformed('a broken number')
        // The byte itself comes after the number.
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
        if (this.#literal[this.#literalAt] !== byte) throw malformed('a word that JSON does not have')
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
            if (this.#mode >= cut) this.#beginReading(at)
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
          if (this.#mode >= cut) this.#decide(block, at, byte, isOpening)
          if (isOpening) {
            if (++this.#depth === isObject.length) isObject = this.#deepen()
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
            this.#literal = literals.find((word) => word[0] === byte) ?? noLiteral()
            this.#literalAt = 0
            state = literal
          }
          break
        }
        default:
          throw malformed('more after the end')
      }
    }
    this.#state = state
    if (this.#isReading) this.#hold(block, end)
    this.#flush(block, end)
    return Buffer.from(output.subarray(0, this.#written))
  }

  /** Makes room for what is nested deeper. */
  #deepen(): Uint8Array<ArrayBuffer> {
    if (this.#depth > maxDepth) throw malformed('JSON nested too deep')
    const length = Math.min(2 * this.#isObject.length, maxDepth + 1)
    const deeper = (by: Uint8Array) => {
      const longer = new Uint8Array(length)
      longer.set(by)
      return longer
    }
    this.#hasMembers = deeper(this.#hasMembers)
    return (this.#isObject = deeper(this.#isObject))
  }

  /** A value begins where members are looked at: is it skipped, copied, or looked into itself? */
  #decide(block: Uint8Array, at: number, byte: number, isOpening: boolean): void {
    const depth = this.#depth
    if (depth === 0) {
      if (byte !== openObject) throw malformed('something that is no object')
      this.#isCutEvent = false
      return this.#enter(block, at, byte, this.#plan)
    }
    const isElement = this.#isObject[depth] === 0
    const field = isElement ? undefined : this.#field
    const inner = isElement ? this.#plans[depth] : field?.plan
    if (this.#mode === through) {
      const isCut = inner && isOpening && (this.#layout === 'list' || this.#isCutEvent)
      if (isCut) this.#enter(block, at, byte, inner)
      else this.#whole(copy, at)
      return
    }
    if (isElement ? !isOpening : !field || (inner && !isOpening)) return this.#whole(skip, at)
    if (this.#hasMembers[depth] === 1) output[this.#written++] = comma
    this.#hasMembers[depth] = 1
    if (field) {
      output.set(field.key, this.#written)
      this.#written += field.key.length
    }
    if (inner) this.#enter(block, at, byte, inner)
    else this.#whole(copy, at)
  }

  #whole(mode: typeof skip | typeof copy, at: number) {
    // In a container that is copied, the copying goes on.
    if (mode === copy && this.#copyFrom < 0) this.#copyFrom = at
    this.#mode = mode
    this.#modeDepth = this.#depth
  }

  /** A container whose members are looked at opens. */
  #enter(block: Uint8Array, at: number, byte: number, plan: Plan) {
    this.#plans[this.#depth + 1] = plan
    this.#hasMembers[this.#depth + 1] = 0
    if (plan.keepsOthers) {
      this.#mode = through
      this.#copyFrom = at
      return
    }
    this.#flush(block, at)
    this.#mode = cut
    output[this.#written++] = byte
  }

  /** @param at behind the closing bracket */
  #close(block: Uint8Array, at: number, byte: number): number {
    if (this.#mode === cut) output[this.#written++] = byte
    else if (this.#mode === through) this.#flush(block, at)
    this.#depth--
    return this.#endValue(block, at)
  }

  /** @param at behind the value @returns the state */
  #endValue(block: Uint8Array, at: number): number {
    const depth = this.#depth
    if (this.#mode >= cut || depth === this.#modeDepth) {
      this.#flush(block, at)
      this.#mode = this.#plans[depth]?.keepsOthers ? through : cut
      if (depth === 0) return this.#endDocument()
      if (this.#mode === through) this.#copyFrom = at
    }
    return afterValue
  }

  #endDocument(): number {
    this.#mode = cut
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

  /** Takes over what was read of a name, since its block goes. Of one too long for any mask the end is left out. */
  #hold(block: Uint8Array, end: number) {
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
      this.#hold(block, end)
      bytes = this.#scratch ?? block
      from = 0
      to = this.#scratchLength
    }
    if (this.#isKey) this.#field = this.#fieldNamed(bytes, from, to)
    else this.#learn(this.#textOf(bytes, from, to))
    this.#scratch = undefined
  }

  #fieldNamed(bytes: Uint8Array, from: number, to: number): Field | undefined {
    const plan = this.#plans[this.#depth] ?? wholePlan
    if (this.#hasEscape) return plan.byName.get(this.#textOf(bytes, from, to))
    const candidates = plan.byLength[to - from]
    if (candidates === undefined) return undefined
    return candidates.find(({ name }) => isAt(name, bytes, from))
  }

  #textOf(bytes: Uint8Array, from: number, to: number): string {
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString()
    if (!this.#hasEscape) return raw
    try {
      return String(JSON.parse(`"${raw}"`))
    } catch {
      return '' // Longer than the scratch, and so cut within an escape: no name of a mask.
    }
  }

  /** A value that decides about what follows it. */
  #learn(read: string) {
    if (this.#field?.decides === 'event') this.#isCutEvent = cutEvents.has(read)
    if (this.#field?.decides === 'status' && read === 'Status') this.#plans[this.#depth] = wholePlan
  }
}

function isAt(name: Uint8Array, bytes: Uint8Array, from: number): boolean {
  for (let index = 0; index < name.length; index++) if (name[index] !== bytes[from + index]) return false
  return true
}

const malformed = (what: string) => new MalformedJson(`${what}, in what should be JSON`)
function noLiteral(): never {
  throw malformed('a word that JSON does not have')
}
