import type { TaskRun } from '@slipway/model/runs/task-run'
import type { Facts } from './catalog/definition'
import type { Random } from '../keyed-random'
import type { Outcome } from './outcome'
import { startMsOf } from './attempt'

/** What plans depend on; a `ControllerContext` implements it. */
export interface World {
  /** Returns the same numbers for the same key. */
  random(key: string): Random
  /** Converts a real duration to a simulated one. */
  scale(realMs: number): number
}

export function factsOf(taskRun: TaskRun, outcome: Outcome | undefined, { random }: Pick<World, 'random'>): Facts {
  const { namespace = '', name = '' } = taskRun.metadata
  return {
    taskRun,
    param(key) {
      const value = taskRun.spec.params?.find((param) => param.name === key)?.value ?? ''
      if (Array.isArray(value)) return value.join(' ')
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
    random: (purpose) => random(`task ${namespace}/${name} ${purpose}`),
    sharedRandom: random,
    outcome,
    startMs: startMsOf(taskRun),
  }
}
