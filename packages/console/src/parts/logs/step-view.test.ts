import { createLogLines } from '@slipway/model/logs/log-lines'
import { aTaskRun, condition } from '@slipway/model/testing'
import { expect, it } from 'vitest'
import type { StepLog } from '../../api/logs/task-log'
import { footOf } from './LogRowView'
import { stepViews } from './step-view'

const stepLog = (name: string): StepLog => ({
  container: `step-${name}`,
  name,
  lines: createLogLines(),
  state: { phase: 'waiting' },
})

it('a step that has ended is loading until its log has been read, and one that has not waits for its start', () => {
  const finishedAt = '2026-01-31T09:00:05Z'
  const terminated = { exitCode: 0, reason: 'Completed', startedAt: '2026-01-31T09:00:00Z', finishedAt }
  const taskRun = aTaskRun({
    status: { steps: [{ name: 'build', terminated }, { name: 'push' }] },
  })
  const views = stepViews([stepLog('build'), stepLog('push')], taskRun)
  expect(views.map(({ state }) => state.phase)).toEqual(['loading', 'waiting'])
})

it('a step that runs according to the task does not wait for its start, even if the pod was read before', () => {
  const steps = [{ name: 'build', running: { startedAt: '2026-01-31T09:00:00Z' } }]
  const taskRun = aTaskRun({ status: { conditions: [condition('Succeeded', 'Unknown', 'Running')], steps } })
  expect(stepViews([stepLog('build')], taskRun)).toMatchObject([{ status: 'Running', state: { phase: 'loading' } }])
})

it('a step that waits for its image says so below its name', () => {
  const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "q/tools"' }
  const taskRun = aTaskRun({
    status: { conditions: [condition('Succeeded', 'Unknown', 'Pending')], steps: [{ name: 'build', waiting }] },
  })
  const [view] = stepViews([stepLog('build')], taskRun)
  if (!view) throw new Error('There is one step.')
  expect(footOf(view)).toBe('Waiting for this step to start. ImagePullBackOff: Back-off pulling image "q/tools"')
})

it('a step and a sidecar that the kubelet ended say why', () => {
  const times = { startedAt: '2026-01-31T09:00:00Z', finishedAt: '2026-01-31T09:00:05Z' }
  const terminated = (reason: string) => ({ exitCode: 137, reason, ...times })
  const taskRun = aTaskRun({
    status: {
      conditions: [condition('Succeeded', 'False', 'Failed')],
      steps: [{ name: 'build', terminated: terminated('Error') }],
      sidecars: [{ name: 'docker', container: 'sidecar-docker', terminated: terminated('OOMKilled') }],
    },
  })
  const logs = [stepLog('build'), { ...stepLog('sidecar-docker'), container: 'sidecar-docker' }]
  expect(stepViews(logs, taskRun)).toMatchObject([
    { exitReason: undefined, exitCode: 137 },
    { exitReason: 'OOMKilled', exitCode: 137 },
  ])
})

it('a step that Tekton passed over is skipped, and has neither an exit code nor a time', () => {
  const times = { startedAt: '2026-01-31T09:00:00Z', finishedAt: '2026-01-31T09:00:05Z' }
  const terminated = (exitCode: number) => ({ exitCode, reason: 'Error', ...times })
  const taskRun = aTaskRun({
    status: {
      conditions: [condition('Succeeded', 'False', 'Failed')],
      steps: [
        { name: 'build', terminated: terminated(2) },
        { name: 'push', terminated: terminated(1), terminationReason: 'Skipped' },
      ],
    },
  })
  const logs = ['build', 'push'].map((name) => stepLog(name))
  expect(
    stepViews(logs, taskRun).map(({ name, status, exitCode, endTime }) => [name, status, exitCode, endTime]),
  ).toEqual([
    ['build', 'Failed', 2, times.finishedAt],
    ['push', 'Skipped', undefined, undefined],
  ])
})

it('a step that was cancelled with its task has no exit code', () => {
  const times = { startedAt: '2026-01-31T09:00:00Z', finishedAt: '2026-01-31T09:00:05Z' }
  const taskRun = aTaskRun({
    status: {
      conditions: [condition('Succeeded', 'False', 'TaskRunCancelled')],
      steps: [{ name: 'build', terminated: { exitCode: 1, reason: 'TaskRunCancelled', ...times } }],
    },
  })
  expect(stepViews([stepLog('build')], taskRun)).toMatchObject([
    { status: 'Cancelled', exitCode: undefined, endTime: times.finishedAt },
  ])
})
