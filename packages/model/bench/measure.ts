import { availableParallelism, loadavg } from 'node:os'
import { cpuMsOf } from '../../../scripts/lib/cpu-time'

/** How often each figure is measured. */
const repeats = 20

export const print = (figure: string, measured: string, aim = '') =>
  console.log(`| ${figure.padEnd(56)} | ${measured.padStart(12)} | ${aim.padEnd(8)} |`)

export function printHead() {
  print('Figure', 'Measured', 'Aim')
  console.log(`| ${'-'.repeat(56)} | ${'-'.repeat(11)}: | ${'-'.repeat(8)} |`)
}

/** Prints the median of the CPU times of some work. */
export function measure(figure: string, run: () => unknown, aim?: string) {
  const times = Array.from({ length: repeats }, () => cpuMsOf(run)).sort((a, b) => a - b)
  print(figure, `${times[repeats / 2]?.toFixed(1)} ms`, aim)
}

export function printMachine() {
  const [load = 0] = loadavg()
  console.log(`\nMedians of ${repeats}, CPU times; ${availableParallelism()} cores, load ${load.toFixed(1)}`)
}
