import { pino, type Logger } from 'pino'

const labels: Record<string, string> = { warn: 'Warning', error: 'Error', fatal: 'Error' }
/** Fields of every line, which are of no interest at a terminal. */
const ownFields = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'reqId'])

/** A log for the terminal: one sentence per event, with its details in parentheses. */
export function terminalLog(stream: NodeJS.WritableStream, level: string): Logger {
  const write = (line: string) => void stream.write(`${formatLine(line)}\n`)
  return pino({ level, base: null, formatters: { level: (label) => ({ level: label }) } }, { write })
}

/** Logs messages of one part of the product, such as `18:11:13 simulator: connected again after 2 s`. */
export const partLog =
  (part: string, write = (line: string) => console.warn(line), now = () => new Date()) =>
  (message: string): void =>
    write(`${now().toTimeString().slice(0, 8)} ${part}: ${message}`)

function formatLine(line: string): string {
  // This is pino's own output.
  const event = JSON.parse(line) as Record<string, unknown>
  const details = Object.entries(event)
    .filter(([name, value]) => !ownFields.has(name) && value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const label = labels[String(event.level)]
  return `${label ? `${label}: ` : ''}${String(event.msg)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`
}
