import { pino } from 'pino'

/** One line of JSON per event, for log collectors. */
export const jsonLog = (stream: NodeJS.WritableStream, level: string) =>
  pino(
    { level, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    stream,
  )
