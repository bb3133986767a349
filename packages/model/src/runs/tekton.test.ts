import { expect, it } from 'vitest'
import { aTaskRun } from '../testing'
import type { TaskRun } from './task-run'
import { byStartTime, durationMsOf, startTimeOf } from './tekton'

it('LOG-20 takes tasks in the order in which they began', () => {
  const at = (name: string, startTime?: string) =>
    aTaskRun({ metadata: { name }, status: startTime ? { startTime } : {} })
  const order = byStartTime([at('never'), at('second', '2026-01-31T09:02:00Z'), at('first', '2026-01-31T09:01:00Z')])
  expect(order.map(({ metadata }) => metadata.name)).toEqual(['first', 'second', 'never'])
})

it('a task that was retried started with its first attempt', () => {
  const first = { startTime: '2026-01-31T09:00:00Z', completionTime: '2026-01-31T09:00:10Z' }
  const last = { startTime: '2026-01-31T09:00:30Z', completionTime: '2026-01-31T09:00:43Z' }
  expect(durationMsOf(aTaskRun({ status: { ...last, retriesStatus: [first, first] } }))).toBe(43_000)
  expect(startTimeOf(aTaskRun({ status: { retriesStatus: [first] } }))).toBe(first.startTime)
})

it.each([['text'], [[]], [[null]], [[{ startTime: 7 }]]])(
  'reads the start of a run past attempts that are %j',
  (value) => {
    const status = { startTime: '2026-01-31T09:00:30Z', retriesStatus: value } as unknown as TaskRun['status']
    expect(startTimeOf(aTaskRun({ status }))).toBe('2026-01-31T09:00:30Z')
  },
)
