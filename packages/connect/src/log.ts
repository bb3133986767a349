type Write = (fields: object, message: string) => void

/** Where a connection reports what an operator has to know, such as a logger of pino. */
export interface Log {
  info: Write
  warn: Write
  error: Write
}
