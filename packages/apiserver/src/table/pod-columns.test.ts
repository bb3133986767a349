import { expect, it } from 'vitest'
import type { AnyObject } from '../resource'
import { podColumns, podConditions } from './pod-columns'

const now = Date.parse('2026-01-04T00:00:00Z')
const created = '2026-01-01T00:00:00Z'
const running = { ready: true, restartCount: 2, state: { running: {} } }
const spec = { containers: [{ name: 'c' }, { name: 'd' }] }
const pod = (status: object = {}, metadata: object = {}): AnyObject => ({
  metadata: { name: 'a', creationTimestamp: created, ...metadata },
  spec,
  status,
})
const cellsOf = (given: AnyObject): unknown[] => podColumns.map(({ cell }) => cell(given, now))

const waiting = (reason: string) => ({ state: { waiting: { reason } } })
const ended = (more: object = {}) => ({ state: { terminated: { exitCode: 0, ...more } } })
const conditions = (...types: string[]) => ({ conditions: types.map((type) => ({ type, status: 'True' })) })
const deletionTimestamp = created
it.each<[string, AnyObject]>([
  ['Pending', pod({ phase: 'Pending' })],
  ['Evicted', pod({ phase: 'Failed', reason: 'Evicted' })],
  [
    'SchedulingGated',
    pod({ phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }),
  ],
  ['Terminating', pod({ phase: 'Running' }, { deletionTimestamp })],
  [
    'Completed',
    pod({ phase: 'Succeeded', containerStatuses: [ended({ reason: 'Completed' })] }, { deletionTimestamp }),
  ],
  ['Unknown', pod({ phase: 'Running', reason: 'NodeLost' }, { deletionTimestamp })],
  ['CrashLoopBackOff', pod({ containerStatuses: [waiting('CrashLoopBackOff')] })],
  ['Completed', pod({ containerStatuses: [ended({ reason: 'Completed' })] })],
  ['ExitCode:3', pod({ containerStatuses: [ended({ exitCode: 3 })] })],
  ['Signal:9', pod({ containerStatuses: [ended({ exitCode: 137, signal: 9 })] })],
  ['Error', pod({ containerStatuses: [ended({ reason: 'Error' }), waiting('ImagePullBackOff')] })],
  ['Running', pod({ ...conditions('Ready'), containerStatuses: [ended({ reason: 'Completed' }), running] })],
  ['NotReady', pod({ containerStatuses: [ended({ reason: 'Completed' }), running] })],
  ['Init:0/0', pod({ initContainerStatuses: [waiting('PodInitializing')] })],
  ['Init:ImagePullBackOff', pod({ initContainerStatuses: [ended(), waiting('ImagePullBackOff')] })],
  ['Init:Error', pod({ initContainerStatuses: [ended({ reason: 'Error', exitCode: 1 })] })],
  ['Init:ExitCode:2', pod({ initContainerStatuses: [ended({ exitCode: 2 })] })],
  [
    'Running',
    pod({
      phase: 'Running',
      ...conditions('Initialized', 'Ready'),
      initContainerStatuses: [waiting('CrashLoopBackOff')],
      containerStatuses: [ended({ reason: 'Completed' }), running],
    }),
  ],
])('a pod has the status %s', (status, given) => {
  expect(cellsOf(given)[2]).toBe(status)
})

it('a pod with a sidecar counts its restarts', () => {
  const lastState = (finishedAt: string) => ({ lastState: { terminated: { finishedAt } } })
  const side = { name: 's', started: true, ready: true, restartCount: 1, state: { running: {} } }
  const given = {
    ...pod(),
    spec: { ...spec, initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }] },
    status: {
      phase: 'Running',
      initContainerStatuses: [
        { name: 'i', restartCount: 7, ...ended() },
        { ...side, ...lastState('2026-01-03T00:00:00Z') },
      ],
      containerStatuses: [{ ...running, ...lastState('2026-01-03T23:55:00Z') }],
    },
  }
  expect(cellsOf(given).slice(1, 4)).toEqual(['2/3', 'Running', '3 (5m ago)'])
  const starting = { ...given.status.initContainerStatuses[0], ...waiting('CrashLoopBackOff') }
  const held = { ...given, status: { phase: 'Pending', initContainerStatuses: [starting, side] } }
  expect(cellsOf(held).slice(1, 4)).toEqual(['0/3', 'Init:CrashLoopBackOff', '7'])
})

it('a pod shows its readiness gates', () => {
  const gated = {
    ...pod(conditions('a')),
    spec: { readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] },
  }
  expect(cellsOf(gated).at(-1)).toBe('1/2')
})

it('rows of completed pods have a Completed condition', () => {
  expect(podConditions(pod({ phase: 'Running' }))).toBeUndefined()
  for (const [phase, message] of [
    ['Succeeded', 'The pod has completed successfully.'],
    ['Failed', 'The pod failed.'],
  ] as const) {
    expect(podConditions(pod({ phase }))).toEqual([{ type: 'Completed', status: 'True', reason: phase, message }])
  }
})
