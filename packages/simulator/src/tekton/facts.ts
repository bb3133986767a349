import type { TaskRun } from '@slipway/model/runs/task-run'
import type { Facts } from './catalog/definition'
import type { Outcome } from './outcome'
import type { World } from './plan'
import { startMsOf } from './attempt'

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
