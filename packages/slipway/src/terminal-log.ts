import { pino, type Logger } from 'pino'

const words: Record<string, string> = { warn: 'Warning', error: 'Error', fatal: 'Error' }
/** Of every line; a person who reads along knows them. */
const ownFields = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'reqId'])

/** A log for whoever sits at the terminal: a sentence for each event, with what is known about it in brackets. */
export function terminalLog(stream: NodeJS.WritableStream, level: string): Logger {
  const write = (line: string) => void stream.write(`${sentenceOf(line)}\n`)
  return pino({ level, base: null, formatters: { level: (label) => ({ level: label }) } }, { write })
}

/** Writes a line for each message of a part of the product, such as `18:11:13 simulator: connected again after 2 s`. */
export const partLog =
  (part: string, write = (line: string) => console.warn(line), now = () => new Date()) =>
  (message: string): void =>
    write(`${now().toTimeString().slice(0, 8)} ${part}: ${message}`)

function sentenceOf(line: string): string {
  // pino has just written it.
  const event = JSON.parse(line) as Record<string, unknown>
  const details = Object.entries(event)
    .filter(([name, value]) => !ownFields.has(name) && value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const word = words[String(event.level)]
  return `${word ? `${word}: ` : ''}${String(event.msg)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`
}
