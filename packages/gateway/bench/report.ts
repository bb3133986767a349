import { availableParallelism, loadavg } from 'node:os'

export function printHeader(): void {
  console.log(`| ${'figure'.padEnd(66)} | ${'measured'.padStart(14)} | ${'aim'.padStart(12)} |        |`)
  console.log(`| ${'-'.repeat(66)} | ${'-'.repeat(13)}: | ${'-'.repeat(11)}: | ------ |`)
}

/** Prints a row of the table. */
export function report(figure: string, value: number, unit: string, aim?: { atMost?: number; atLeast?: number }): void {
  const { atMost, atLeast } = aim ?? {}
  const digits = Number.isInteger(value) ? 0 : Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0
  const measured = `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`
  const target = atMost !== undefined ? `≤ ${atMost} ${unit}` : atLeast !== undefined ? `≥ ${atLeast} ${unit}` : ''
  const isMet = aim && value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity)
  const mark = isMet === undefined ? '' : isMet ? 'met' : 'MISSED'
  console.log(`| ${figure.padEnd(66)} | ${measured.padStart(14)} | ${target.padStart(12)} | ${mark.padEnd(6)} |`)
}

/** The load of the machine, including the bench's own processes, for judging the figures. */
export function machineState(): string {
  const [minute = 0, , quarter = 0] = loadavg()
  return `${availableParallelism()} cores, load ${minute.toFixed(1)} (${quarter.toFixed(1)} over 15 minutes)`
}
