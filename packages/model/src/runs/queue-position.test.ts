import { describe, expect, it } from 'vitest'
import { labels } from '../labels'
import { aPipelineRun, condition } from '../testing'
import { randomNumbers } from '../testing/random-numbers'
import type { PipelineRun } from './pipeline-run'
import { explainQueue } from './queue-explanation'
import { admissionQueueOf, queuePositionOf } from './queue-position'

const run = (name: string, uid: string): PipelineRun => aPipelineRun({ metadata: { name, uid } })
const item = (name: string, ahead: number, uid?: string) => ({
  metadata: { name, ...(uid && { ownerReferences: [{ kind: 'PipelineRun', name: 'any', uid }] }) },
  priority: 0,
  localQueueName: 'builds',
  positionInClusterQueue: ahead + 5,
  positionInLocalQueue: ahead,
})

describe('the position of a run', () => {
  const build = run('build-x4k2p', 'u1')

  it.each<[string, unknown[], number | undefined]>([
    ['is that of the workload that it owns, whatever its name', [item('a', 0, 'u0'), item('b', 1, 'u1')], 1],
    [
      'is not that of the workload of an earlier run of its name',
      [item('pipelinerun-build-x4k2p-0a1b2', 0, 'u0')],
      undefined,
    ],
    ['is that of the workload with its name if owners are not known', [item('pipelinerun-build-x4k2p-0a1b2', 3)], 3],
    [
      'is not that of a run whose name only begins like its own',
      [item('pipelinerun-build-x4k2p-2-0a1b2', 0)],
      undefined,
    ],
    ['is not that of a job of its name', [item('job-build-x4k2p-0a1b2', 0)], undefined],
    [
      'is not known if the response says nonsense',
      [{ ...item('b', 1, 'u1'), positionInLocalQueue: 'second' }],
      undefined,
    ],
  ])('%s', (_, items, ahead) => expect(queuePositionOf({ items }, build)?.aheadInQueue).toBe(ahead))

  it.each([undefined, 'nonsense', {}, { items: {} }, { items: [null, { metadata: 7 }] }])(
    'is not known from %j',
    (summary) => expect(queuePositionOf(summary, build)).toBeUndefined(),
  )
})

describe('the queue that has to admit a run', () => {
  const queued = {
    metadata: { labels: { [labels.queueName]: 'builds' } },
    spec: { status: 'PipelineRunPending' as const },
  }

  it('is that of its label while it is on hold', () => {
    expect(admissionQueueOf(aPipelineRun(queued))).toBe('builds')
    expect(admissionQueueOf(aPipelineRun({ ...queued, spec: { status: undefined } }))).toBeUndefined()
    const ended = aPipelineRun({ ...queued, status: { conditions: [condition('Succeeded', 'False', 'Cancelled')] } })
    expect(admissionQueueOf(ended)).toBeUndefined()
    expect(admissionQueueOf(aPipelineRun({ spec: { status: 'PipelineRunPending' } }))).toBeUndefined()
  })
})

interface Waiting {
  id: number
  queue: string
  priority: number
}

/** What Kueue responds for a local queue: its workloads in the order of the cluster queue. */
const summaryOf = (pending: readonly Waiting[], queue: string, hasOwners: boolean) => ({
  items: pending
    .map((each, positionInClusterQueue) => ({ each, positionInClusterQueue }))
    .filter(({ each }) => each.queue === queue)
    .map(({ each, positionInClusterQueue }, positionInLocalQueue) => ({
      metadata: {
        name: `pipelinerun-run-${each.id}-${(each.id * 7919 + 65_536).toString(16).slice(-5).padStart(5, '0')}`,
        ...(hasOwners && { ownerReferences: [{ kind: 'PipelineRun', name: `run-${each.id}`, uid: `uid-${each.id}` }] }),
      },
      priority: each.priority,
      localQueueName: queue,
      positionInClusterQueue,
      positionInLocalQueue,
    })),
})

it('the shown position is that in a simulated queue after each of 10,000 arrivals and admissions', () => {
  const random = randomNumbers(7)
  const below = (count: number) => Math.floor(random() * count)
  const pending: Waiting[] = []
  let longest = 0
  for (let step = 0; step < 10_000; step++) {
    // Stays around a hundred.
    if (below(200) >= pending.length) {
      const priority = below(3)
      const next = { id: step, queue: `queue-${below(4)}`, priority }
      const after = pending.findIndex((each) => each.priority < priority)
      pending.splice(after < 0 ? pending.length : after, 0, next)
    } else {
      // A small one is sometimes admitted first.
      pending.splice(random() < 0.8 ? 0 : below(pending.length), 1)
    }
    longest = Math.max(longest, pending.length)
    const own = pending[below(pending.length)]
    if (!own) continue
    const goesFirst = (each: Waiting) =>
      each.priority > own.priority || (each.priority === own.priority && each.id < own.id)
    const ahead = pending.filter(goesFirst)
    const position = queuePositionOf(
      summaryOf(pending, own.queue, step % 2 === 0),
      run(`run-${own.id}`, `uid-${own.id}`),
    )
    const aheadInQueue = ahead.filter(({ queue }) => queue === own.queue).length
    expect(position).toEqual({ aheadInCluster: ahead.length, aheadInQueue })
    if (!position) continue
    const observations = [{ ...position, atMs: step }]
    const { text } = explainQueue(own.queue, { createdMs: 0, observations, past: undefined }) ?? {}
    expect(text?.match(/\d+/g)?.map(Number)).toEqual([ahead.length + 1, aheadInQueue + 1])
  }
  expect(longest).toBeGreaterThan(100)
})
