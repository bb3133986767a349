import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun } from '@slipway/model/testing'
import { expect, test } from 'vitest'
import { timeoutsOf } from './run-timeouts'

const startTime = '2026-01-31T09:00:00Z'
const minuteMs = 60_000
type Timeouts = PipelineRun['spec']['timeouts']

test.each<[string, Timeouts, minutes: number, finallyAfter: number | undefined, passed?: string, next?: number]>([
  ['an hour by default', undefined, 59, undefined, undefined, 60],
  ['an hour by default', undefined, 60, undefined, 'pipeline'],
  ['no limit', { pipeline: '0' }, 6_000, undefined],
  ['the pipeline', { pipeline: '10m' }, 10, undefined, 'pipeline'],
  ['the tasks', { pipeline: '10m', tasks: '4m' }, 4, undefined, 'tasks', 10],
  ['the pipeline before the tasks', { pipeline: '10m', tasks: '4m' }, 11, undefined, 'pipeline'],
  ['the tasks, with the time that finally leaves', { pipeline: '10m', finally: '3m' }, 6, undefined, undefined, 7],
  ['the tasks, with the time that finally leaves', { pipeline: '10m', finally: '3m' }, 7, undefined, 'tasks', 10],
  ['not the tasks once finally runs', { pipeline: '10m', tasks: '4m', finally: '3m' }, 5, 4, undefined, 7],
  ['finally', { pipeline: '10m', tasks: '4m', finally: '3m' }, 7, 4, 'finally', 10],
  ['finally, with the time that the tasks leave', { pipeline: '10m', tasks: '4m' }, 8, 2, 'finally', 10],
  ['finally without limit', { pipeline: '10m', finally: '0' }, 9, 2, undefined, 10],
])('timeouts: %s (%j after %i minutes)', (_, timeouts, minutes, finallyAfter, passed, next) => {
  const startMs = Date.parse(startTime)
  const finallyStartTime =
    finallyAfter === undefined ? undefined : new Date(startMs + finallyAfter * minuteMs).toISOString()
  const run = { ...aPipelineRun(), status: { startTime, ...(finallyStartTime && { finallyStartTime }) } }
  const time = { now: () => startMs + minutes * minuteMs, scale: (ms: number) => ms }
  expect(timeoutsOf({ ...run, spec: { timeouts } }, time)).toEqual({
    ...(passed && { passed }),
    ...(next !== undefined && { nextMs: startMs + next * minuteMs }),
  })
})

test.each<[string, Timeouts, seconds: number, passed?: string]>([
  ['ten minutes', { pipeline: '10m' }, 5],
  ['ten minutes', { pipeline: '10m' }, 6, 'pipeline'],
  // A busy machine would not get through a run in 36 seconds.
  ['the default', undefined, 599],
  ['the default', undefined, 600, 'pipeline'],
  ['a week', { pipeline: '168h' }, 6_047],
  ['a week', { pipeline: '168h' }, 6_048, 'pipeline'],
])('timeouts scale with the speed of the simulation: %s (%j after %i s)', (_, timeouts, seconds, passed) => {
  const run = { ...aPipelineRun(), spec: { timeouts }, status: { startTime } }
  const time = { now: () => Date.parse(startTime) + seconds * 1_000, scale: (ms: number) => ms / 100 }
  expect(timeoutsOf(run, time).passed).toBe(passed)
})
