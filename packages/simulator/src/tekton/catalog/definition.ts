import type { TaskRun } from '@slipway/model/runs/task-run'
import type { ParamValue, TaskSpec } from '@slipway/model/runs/tekton'
import type { Random } from '../../keyed-random'
import { hexDigits } from '../../keyed-random'
import type { Outcome } from '../outcome'

export const imageRegistry = 'registry.slipway.test/catalog'

/** Inputs that determine the results and logs of a task. */
export interface Facts {
  taskRun: TaskRun
  /** Value of a param: lists joined by spaces, empty if it is not set. */
  param(name: string): string
  /** Returns the same numbers for the same task of the same run and the same purpose. */
  random(purpose: string): Random
  /** Returns the same numbers for every task of the world. */
  sharedRandom(key: string): Random
  outcome: Outcome | undefined
  /** When it started. */
  startMs: number
}

export interface StepDefinition {
  name: string
  image: string
  script: string
  /** Its real duration. */
  seconds: [min: number, max: number]
  /** Whether the task continues after it fails. */
  onError?: 'continue'
  log(facts: Facts): Iterable<string>
}

export interface TaskDefinition {
  description: string
  params: Record<string, { description: string; default?: ParamValue }>
  /** Names and descriptions. */
  results: Record<string, string>
  steps: StepDefinition[]
  resultsOf?(facts: Facts): Record<string, ParamValue>
  /** A random failure, and how often it happens. */
  failure?: Failure
  /** The step that fails because of the verdict, after the results are written. */
  fails?(facts: Facts): Failure | undefined
}

export interface Failure {
  step: string
  rate: number
  exitCode: number
  /** Last lines of the log. */
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

/** A log that is always the same. */
export const constantLog =
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

/** One line with all states of a progress bar, each overwriting the previous one. */
export function progressBar(title: string, totalMegabytes: number): string {
  const states = Array.from({ length: 11 }, (_, index) => {
    const bar = `${'#'.repeat(index * 3)}${'.'.repeat((10 - index) * 3)}`
    const megabytes = ((totalMegabytes * index) / 10).toFixed(1)
    return `${title} [${bar}] ${String(index * 10).padStart(3)}% ${megabytes}MiB / ${totalMegabytes.toFixed(1)}MiB`
  })
  return states.join('\r')
}

export const clockTime = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19)
