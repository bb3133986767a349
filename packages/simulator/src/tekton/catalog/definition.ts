import type { TaskRun } from '@slipway/model/runs/task-run'
import type { ParamValue, TaskSpec } from '@slipway/model/runs/tekton'
import type { Random } from '../../keyed-random'
import { hexDigits } from '../../keyed-random'
import type { Outcome } from '../outcome'

export const imageRegistry = 'registry.slipway.test/catalog'

/** What a task has to decide its results and its logs by: the same whenever it is asked. */
export interface Facts {
  taskRun: TaskRun
  /** Of the task; lists in one line, nothing for what is not given. */
  param(name: string): string
  /** The same numbers for the same task of the same run and the same purpose. */
  random(purpose: string): Random
  /** The same numbers for every task of the world. */
  sharedRandom(key: string): Random
  outcome: Outcome | undefined
  /** When it began. */
  startMs: number
}

export interface StepDefinition {
  name: string
  image: string
  script: string
  /** How long it takes in the real world. */
  seconds: [min: number, max: number]
  /** Whatever it exits with, the task goes on. */
  onError?: 'continue'
  log(facts: Facts): Iterable<string>
}

export interface TaskDefinition {
  description: string
  params: Record<string, { description: string; default?: ParamValue }>
  /** Names and descriptions. */
  results: Record<string, string>
  steps: StepDefinition[]
  resultsOf?(facts: Facts): Record<string, string>
  /** What goes wrong by itself, and in what part of all runs. */
  failure?: Failure
  /** The step that exits with an error although the results are written: the verdict is bad. */
  fails?(facts: Facts): Failure | undefined
}

export interface Failure {
  step: string
  rate: number
  exitCode: number
  /** The end of the log. */
  log(facts: Facts): Iterable<string>
}

export const taskSpecFrom = ({ description, params, results, steps }: TaskDefinition): TaskSpec => ({
  description,
  params: Object.entries(params).map(([name, param]) => ({
    name,
    type: Array.isArray(param.default) ? 'array' : 'string',
    ...param,
  })),
  results: Object.entries(results).map(([name, text]) => ({ name, type: 'string', description: text })),
  steps: steps.map(({ name, image, script, onError }) => ({ name, image, script, ...(onError && { onError }) })),
})

export const sha256 = (random: Random): string => `sha256:${hexDigits(random, 64)}`

export const required = (description: string) => ({ description })
export const optional = (description: string, value: ParamValue = '') => ({ description, default: value })

/** Of a log that is always the same. */
export const says =
  (...lines: string[]) =>
  () =>
    lines

export const colour = {
  red: (text: string) => `\u001b[31m${text}\u001b[0m`,
  green: (text: string) => `\u001b[32m${text}\u001b[0m`,
  yellow: (text: string) => `\u001b[33m${text}\u001b[0m`,
  blue: (text: string) => `\u001b[34m${text}\u001b[0m`,
  bold: (text: string) => `\u001b[1m${text}\u001b[0m`,
  dim: (text: string) => `\u001b[2m${text}\u001b[0m`,
}

export const group = (title: string, lines: Iterable<string>): string[] => [
  `::group::${title}`,
  ...lines,
  '::endgroup::',
]

/** One line as a terminal would have seen it grow: every state of the bar, each written over the last. */
export function progressBar(title: string, totalMegabytes: number): string {
  const states = Array.from({ length: 11 }, (_, index) => {
    const bar = `${'#'.repeat(index * 3)}${'.'.repeat((10 - index) * 3)}`
    const megabytes = ((totalMegabytes * index) / 10).toFixed(1)
    return `${title} [${bar}] ${String(index * 10).padStart(3)}% ${megabytes}MiB / ${totalMegabytes.toFixed(1)}MiB`
  })
  return states.join('\r')
}

export const clockTime = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19)
