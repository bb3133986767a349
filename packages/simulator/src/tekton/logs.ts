import type { TaskRun } from '@slipway/model/runs/task-run'
import { integerBetween } from '../keyed-random'
import { taskDefinitionOf } from './catalog'
import { clockTime, type Facts, type TaskDefinition } from './catalog/definition'
import { factsOf } from './facts'
import type { World } from './facts'
import type { StepPlan, TaskPlan } from './plan'

/** `atMs` counts from when the pod started to run, as in the plan. */
export interface LogLine {
  atMs: number
  text: string
}

const longLogLength = 50_000
/** How long a step that hangs still writes output. */
const hangOutputMs = 60_000

/** The output of a step, generated lazily since it can be very long. */
export function* logLinesOf(taskRun: TaskRun, plan: TaskPlan, step: StepPlan, world: World): Iterable<LogLine> {
  if (step.isSkipped || plan.neverRuns) return
  const facts = factsOf(taskRun, plan.outcome, world)
  const definition = taskDefinitionOf(taskRun)
  const output = [...(definition.steps.find(({ name }) => name === step.name)?.log(facts) ?? [])].flatMap(textLines)
  const isCut = step.exitCode !== 0 || step.endMs === Infinity
  const isVerdict = definition.fails?.(facts)?.step === step.name
  // A step that fails during its work writes only part of its output.
  const lines = isCut && !isVerdict ? output.slice(0, Math.ceil(output.length * 0.7)) : output
  const errorLines = step.exitCode === 0 ? [] : [...errorLinesOf(definition, facts, step)].flatMap(textLines)
  const endMs = Math.min(step.endMs, step.startMs + (step.endMs === Infinity ? world.scale(hangOutputMs) : Infinity))
  const manyCount = plan.outcome === 'long-log' && isLongest(plan, step) ? longLogLength : 0
  const count = lines.length + manyCount
  const atMs = (index: number) => step.startMs + Math.floor(((endMs - step.startMs) * index) / Math.max(1, count))
  let index = 0
  for (const text of lines) yield { atMs: atMs(index++), text }
  for (const text of manyLines(facts, manyCount)) yield { atMs: atMs(index++), text }
  // A program that fails writes why just before it exits.
  for (const text of errorLines) yield { atMs: endMs, text }
}

const textLines = (text: string): string[] => text.split('\n')

const isLongest = ({ steps }: TaskPlan, { name }: StepPlan): boolean =>
  steps.reduce((longest, step) => (step.endMs - step.startMs > longest.endMs - longest.startMs ? step : longest))
    .name === name

function* errorLinesOf({ failure, fails }: TaskDefinition, facts: Facts, step: StepPlan): Iterable<string> {
  if (step.reason === 'OOMKilled') {
    yield '/tekton/scripts/script-0: line 41:    27 Killed                  "${command[@]}"'
    yield `Error: the process was killed: out of memory (exit status ${step.exitCode})`
    return
  }
  const cause = [fails?.(facts), failure].find((each) => each?.step === step.name)
  if (cause) yield* cause.log(facts)
  yield `\u001b[31mError: exit status ${step.exitCode}\u001b[0m`
}

/** Output of a very verbose program. */
function* manyLines(facts: Facts, count: number): Iterable<string> {
  const random = facts.random('many lines')
  for (let index = 0; index < count; index++) {
    const level = random() < 0.98 ? 'DEBUG' : '\u001b[33mWARN\u001b[0m'
    const time = clockTime(facts.startMs + index)
    yield `${time} ${level} worker-${index % 8} processed record ${index + 1} of ${count} in ${integerBetween(random, 1, 90)} ms`
  }
}
