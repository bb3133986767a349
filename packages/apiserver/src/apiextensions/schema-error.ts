/** The schema cannot be applied to objects. `path` is relative to the schema: `properties[spec].pattern`. */
export class SchemaError extends Error {
  readonly path: string
  readonly value: unknown
  constructor(path: string, value: unknown, message: string) {
    super(message)
    this.name = 'SchemaError'
    this.path = path
    this.value = value
  }
}
