import type { KubeObject } from '@slipway/kube/object'
import type { ViewField } from './view-kind'

/**
 * The values of one field for all rows of a shelf, by slot. Slots are numbered without gaps: the last row moves into a
 * slot that becomes free.
 */
interface Column {
  /** Sets the value of a row, or adds that of the next slot. */
  set(slot: number, row: KubeObject): void
  /** Moves the value of the last slot into another one, whose value is dropped. */
  moveLast(last: number, slot: number): void
  /** Estimated memory. */
  readonly bytes: number
}

export type FieldColumn = NumberColumn | TextColumn | ChoiceColumn

export function createColumn(field: ViewField): FieldColumn {
  if (field.is === 'number') return new NumberColumn((row) => field.of(row))
  if (field.is === 'text') return new TextColumn((row) => field.of(row))
  return new ChoiceColumn((row) => field.of(row), field.order)
}

const leastCapacity = 16

/** The capacity for this many values: that of now, unless it is too small or four times too large. */
const capacityFor = (size: number, capacity: number): number =>
  size > capacity || size < capacity / 4 ? Math.max(leastCapacity, size * 2) : capacity

/** NaN stands for no value. */
export class NumberColumn implements Column {
  values = new Float64Array(leastCapacity)
  readonly #of: (row: KubeObject) => number | undefined

  constructor(of: (row: KubeObject) => number | undefined) {
    this.#of = of
  }

  set(slot: number, row: KubeObject) {
    if (slot >= this.values.length) this.#resize(slot + 1)
    const value: unknown = valueOrNone(() => this.#of(row))
    this.values[slot] = typeof value === 'number' ? value : NaN
  }

  moveLast(last: number, slot: number) {
    this.values[slot] = this.values[last] ?? NaN
    this.#resize(last)
  }

  get bytes() {
    return this.values.byteLength
  }

  #resize(size: number) {
    const capacity = capacityFor(size, this.values.length)
    if (capacity === this.values.length) return
    const before = this.values.subarray(0, capacity)
    this.values = new Float64Array(capacity)
    this.values.set(before)
  }
}

export class TextColumn implements Column {
  readonly values: (string | undefined)[] = []
  bytes = 0
  readonly #of: (row: KubeObject) => string | undefined

  constructor(of: (row: KubeObject) => string | undefined) {
    this.#of = of
  }

  set(slot: number, row: KubeObject) {
    const value: unknown = valueOrNone(() => this.#of(row))
    this.#replace(slot, typeof value === 'string' ? value : undefined)
  }

  moveLast(last: number, slot: number) {
    this.#replace(slot, this.values[last])
    this.#replace(last, undefined)
    this.values.length = last
  }

  #replace(slot: number, value: string | undefined) {
    this.bytes += bytesOfText(value) - bytesOfText(this.values[slot])
    this.values[slot] = value
  }
}

/** The values of a row: one, several or none. Most have one, for which an array would take more memory than its text. */
type Choice = string | readonly string[]

/** Each row has the code of its values, since many rows have the same: rows are filtered and counted by code. */
export class ChoiceColumn implements Column {
  codes = new Int32Array(leastCapacity)
  /** By code. Code 0 has no values, and codes without rows are used again. */
  readonly choices: Choice[] = [[]]
  /** The positions of values in the order of the field; `undefined` for the order of code units. */
  readonly ranks: ReadonlyMap<string, number> | undefined
  readonly #of: (row: KubeObject) => string | readonly string[] | undefined
  /** Codes of single values, and of several ones as JSON: a single one may look like a list. */
  readonly #singles = new Map<string, number>()
  readonly #lists = new Map<string, number>()
  readonly #rowCounts: number[] = [0]
  readonly #free: number[] = []
  #choiceBytes = 0

  constructor(of: (row: KubeObject) => string | readonly string[] | undefined, order: readonly string[] | undefined) {
    this.#of = of
    this.ranks = order && new Map(order.map((value, rank) => [value, rank]))
  }

  set(slot: number, row: KubeObject) {
    if (slot >= this.codes.length) this.#resize(slot + 1)
    this.#release(this.codes[slot] ?? 0)
    this.codes[slot] = this.#intern(choiceOf(valueOrNone(() => this.#of(row))))
  }

  moveLast(last: number, slot: number) {
    this.#release(this.codes[slot] ?? 0)
    this.codes[slot] = this.codes[last] ?? 0
    this.codes[last] = 0
    this.#resize(last)
  }

  get bytes() {
    return this.codes.byteLength + this.#choiceBytes
  }

  #entryOf(choice: Choice) {
    return typeof choice === 'string'
      ? { codeOf: this.#singles, key: choice }
      : { codeOf: this.#lists, key: JSON.stringify(choice) }
  }

  #intern(choice: Choice): number {
    if (choice.length === 0) return 0
    const { codeOf, key } = this.#entryOf(choice)
    const known = codeOf.get(key)
    if (known !== undefined) {
      this.#rowCounts[known] = (this.#rowCounts[known] ?? 0) + 1
      return known
    }
    const code = this.#free.pop() ?? this.choices.length
    this.choices[code] = choice
    this.#rowCounts[code] = 1
    codeOf.set(key, code)
    this.#choiceBytes += bytesOfChoice(key)
    return code
  }

  #release(code: number) {
    const rowCount = (this.#rowCounts[code] ?? 0) - 1
    if (code === 0) return
    this.#rowCounts[code] = rowCount
    if (rowCount > 0) return
    const { codeOf, key } = this.#entryOf(this.choices[code] ?? [])
    codeOf.delete(key)
    this.choices[code] = []
    this.#free.push(code)
    this.#choiceBytes -= bytesOfChoice(key)
  }

  #resize(size: number) {
    const capacity = capacityFor(size, this.codes.length)
    if (capacity === this.codes.length) return
    const before = this.codes.subarray(0, capacity)
    this.codes = new Int32Array(capacity)
    this.codes.set(before)
  }
}

function choiceOf(value: unknown): Choice {
  if (typeof value === 'string') return value
  const values: unknown[] = Array.isArray(value) ? [...new Set(value)] : []
  const texts = values.filter((each): each is string => typeof each === 'string' && each !== '')
  return texts.length === 1 ? (texts[0] ?? '') : texts
}

/** The values of a choice, as a list. */
export const valuesOf = (choice: Choice | undefined): readonly string[] =>
  typeof choice === 'string' ? [choice] : (choice ?? [])

/** A pointer, and the header and characters of a string, which have two bytes each unless all of them fit into one. */
export const bytesOfText = (text: string | undefined): number =>
  text === undefined ? 8 : 24 + text.length * (/[\u0100-\uffff]/.test(text) ? 2 : 1)

/** With its entries in the map and in the lists. */
const bytesOfChoice = (key: string) => 64 + bytesOfText(key)

/**
 * Clusters do not validate all that the rules of a kind read. An object with a value of the wrong shape has a row
 * without what follows from this value, rather than ending the lists of all users.
 */
export function valueOrNone<V>(read: () => V | undefined): V | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
