import { isRecord, type KubeObject } from '@slipway/kube/object'

/** Writes rows as text, and reads them again. Equal rows have equal texts. */
export interface RowCodec {
  encode(row: KubeObject): string
  decode(text: string): KubeObject
}

/** Rows of other shapes are written with the names of their fields. */
const mostShapes = 10_000

/**
 * Rows without the names of their fields, which most rows of a kind have in common, and which are more than half of a
 * run: the number of a shape, then the values as a JSON array. A shape is the row as JSON with 0 for each value.
 */
export function createRowCodec(): RowCodec {
  const numbers = new Map<string, number>()
  const shapes: string[] = []

  return {
    encode(row) {
      const values: unknown[] = []
      const shape = shapeOf(row, values)
      const known = numbers.get(shape)
      if (known === undefined && shapes.length >= mostShapes) return JSON.stringify(row)
      const number = known ?? shapes.push(shape) - 1
      numbers.set(shape, number)
      return `${number}${JSON.stringify(values)}`
    },
    decode(text) {
      // `encode` wrote it.
      if (text.startsWith('{')) return JSON.parse(text) as KubeObject
      const at = text.indexOf('[')
      const values = (JSON.parse(text.slice(at)) as unknown[]).values()
      return fill(JSON.parse(shapes[Number(text.slice(0, at))] ?? '{}'), values) as KubeObject
    },
  }
}

/** @param values gets the values of fields, in the order of the shape */
function shapeOf(value: unknown, values: unknown[]): string {
  if (Array.isArray(value)) return `[${value.map((item) => shapeOf(item, values)).join()}]`
  if (isRecord(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${shapeOf(field, values)}`).join()}}`
  }
  values.push(value)
  return '0'
}

/** Puts values into a shape that has just been parsed. */
function fill(shape: unknown, values: Iterator<unknown>): unknown {
  if (Array.isArray(shape)) return shape.map((item) => fill(item, values))
  if (!isRecord(shape)) return values.next().value
  for (const name of Object.keys(shape)) shape[name] = fill(shape[name], values)
  return shape
}
