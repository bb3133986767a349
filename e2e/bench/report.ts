import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))
const [begin, end] = ['<!-- last run -->', '<!-- end of last run -->']

export interface Aim {
  figure: string
  unit: 'ms' | 'MB' | 'kB' | 'KiB' | 'frames/s' | 'frames' | 'requests' | 'sockets' | 'watches' | 'times'
  /** The maximum; for frames per second, the minimum. */
  aim?: number
  digits?: number
}

export interface Measured extends Aim {
  measured: number
  /** What the figure would be without any work of the product, and how many times that it may take. */
  floor?: { measured: number; aim: number }
}

const isMet = (unit: Aim['unit'], measured: number, aim: number): boolean =>
  // The display has sixty frames per second, and the count may miss the last one.
  unit === 'frames/s' ? measured >= aim - 1 : measured <= aim

/** `met`, or by how much the aim was missed. */
function verdictOf(row: Measured): string {
  const { unit, measured, aim } = row
  if (Number.isNaN(measured)) return 'not measured'
  if (aim === undefined) return ''
  if (isMet(unit, measured, aim)) return 'met'
  return `missed by ${numberOf(Math.abs(measured - aim), row)} ${unit}`
}

const aimOf = (row: Measured): string =>
  row.aim === undefined
    ? ''
    : `${row.unit === 'frames/s' ? 'at least' : 'at most'} ${numberOf(row.aim, row)} ${row.unit}`

const numberOf = (value: number, { digits = 0 }: Aim): string =>
  Number.isNaN(value)
    ? '-'
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

const columnsOf = (row: Measured) => ({
  Figure: row.figure,
  Measured: `${numberOf(row.measured, row)} ${row.unit}`,
  Aim: aimOf(row),
  Verdict: verdictOf(row),
  ...(row.floor && {
    Floor: `${numberOf(row.floor.measured, row)} ${row.unit}`,
    'In floors': `${(row.measured / row.floor.measured).toFixed(2)}, at most ${row.floor.aim}`,
  }),
})

/** Load of the machine, which shows how reliable the figures are. */
export const loadNow = (): number => loadavg()[0] ?? NaN

/** Prints the figures next to their aims. */
export function printTable(rows: Measured[]): void {
  console.table(Object.fromEntries(rows.map(columnsOf).map(({ Figure, ...row }) => [Figure, row])))
}

/** Prints the figures next to their aims, and writes them to the documentation if all of them were measured. */
export async function report(rows: Measured[], loads: number[]): Promise<void> {
  printTable(rows)
  if (rows.some(({ measured }) => Number.isNaN(measured))) return
  const table = rows.map(columnsOf)
  const names = ['Figure', 'Measured', 'Aim', 'Verdict'] as const
  // Minimal column widths, as in Prettier's formatting.
  const widths = names.map((name) => Math.max(name.length, ...table.map((row) => row[name].length)))
  const line = (cells: string[]) => `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`
  const range = [Math.min(...loads), Math.max(...loads)].map((load) => load.toFixed(1))
  const text = [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), load average ${range.join(' to ')}:`,
    '',
    line([...names]),
    line(widths.map((width) => '-'.repeat(width))),
    ...table.map((row) => line(names.map((name) => row[name]))),
  ].join('\n')
  const before = await readFile(page, 'utf8')
  const [head, tail] = [before.indexOf(begin) + begin.length, before.indexOf(end)]
  await writeFile(page, `${before.slice(0, head)}\n\n${text}\n\n${before.slice(tail)}`)
}

/** The median of an odd number of values. */
export function median(values: number[]): number {
  const ascending = [...values].sort((a, b) => a - b)
  return ascending[Math.floor(ascending.length / 2)] ?? NaN
}

export const percentile = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil((percent / 100) * values.length) - 1)] ?? NaN
