import { beforeAll, describe, expect, it, test } from 'vitest'
import { aPipelineRun } from '../testing'
import { randomNumbers } from '../testing/random-numbers'
import {
  estimateStart,
  observe,
  type PastWait,
  pastWaitsOf,
  type QueueFacts,
  type QueueObservation,
} from './queue-estimate'
import { explainQueue } from './queue-explanation'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const at = (minutes: number, aheadInCluster: number, aheadInQueue = 1): QueueObservation => ({
  atMs: minutes * minuteMs,
  aheadInCluster,
  aheadInQueue,
})
/** Runs of which one starts every few minutes, each created when it was the next one but nine. */
const past = (count: number, everyMinutes: number, untilMinutes: number): QueueFacts['past'] => ({
  readAtMs: untilMinutes * minuteMs,
  waits: Array.from({ length: count }, (_, i) => {
    const startedMs = (untilMinutes - i * everyMinutes) * minuteMs
    return { createdMs: startedMs - 9 * everyMinutes * minuteMs, startedMs }
  }),
})

describe('the start of a run', () => {
  const created = { createdMs: -60 * minuteMs }

  it('is as far away as what is left takes at the pace seen', () => {
    const observations = [at(0, 40), at(5, 30), at(10, 19)]
    expect(estimateStart({ ...created, observations, past: undefined })).toMatchObject({
      from: 'movement',
      inMs: (10 / 21) * 20 * minuteMs,
    })
  })

  it('is as far away as earlier runs of its queue take at their pace, from the first moment on', () => {
    expect(estimateStart({ ...created, observations: [at(0, 40, 4)], past: past(11, 3, 0) })).toMatchObject({
      from: 'past waits',
      inMs: 15 * minuteMs,
    })
  })

  it('ignores the time in which no run of its queue waited', () => {
    const waits: PastWait[] = [9, 8, 7, 6, 5].map((hour) => ({
      createdMs: hour * hourMs - 4 * minuteMs,
      startedMs: hour * hourMs,
    }))
    const facts = { createdMs: 10 * hourMs, observations: [{ ...at(0, 0, 0), atMs: 10 * hourMs }] }
    expect(estimateStart({ ...facts, past: { waits, readAtMs: 10 * hourMs } })?.inMs).toBe(4 * minuteMs)
  })

  it('is not known without movement and without enough earlier runs', () => {
    for (const observations of [[at(0, 7)], [at(0, 7), at(9, 7)], [at(0, 7), at(9, 8)]])
      expect(estimateStart({ ...created, observations, past: past(3, 3, 0) })).toBeUndefined()
    expect(estimateStart({ ...created, observations: [], past: past(11, 3, 0) })).toBeUndefined()
  })

  it('is derived from what says it more certainly, and is more certain the more is known', () => {
    const little = [at(0, 21, 4), at(1, 20, 4)]
    const much = [at(0, 60), at(10, 30, 8)]
    const best = (observations: QueueObservation[]) => estimateStart({ ...created, observations, past: past(11, 3, 0) })
    expect(best(little)).toMatchObject({ from: 'past waits', certainty: 'Uncertain' })
    expect(best(much)).toMatchObject({ from: 'movement', certainty: 'Fairly certain' })
    expect(best([at(0, 0, 0)])).toMatchObject({ from: 'past waits', certainty: 'A guess' })
  })
})

it('observations count for 20 minutes, in their order', () => {
  const seen = [0, 5, 15, 30, 30].reduce<QueueObservation[]>((all, minutes) => observe(all, at(minutes, 9)), [])
  expect(seen.map(({ atMs }) => atMs / minuteMs)).toEqual([15, 30])
})

it('past waits are those of runs that have started, the last one first', () => {
  const created = '2026-01-31T09:00:00Z'
  const started = (startTime: string | undefined, creationTimestamp: string | undefined = created) =>
    aPipelineRun({ metadata: { creationTimestamp }, status: { startTime } })
  const runs = [
    started('2026-01-31T09:04:00Z'),
    started(undefined),
    started('2026-01-31T09:20:00Z'),
    started('2026-01-31T08:00:00Z'),
    started('nonsense'),
  ]
  expect(pastWaitsOf(runs).map(({ createdMs, startedMs }) => (startedMs - createdMs) / minuteMs)).toEqual([20, 4])
  expect(pastWaitsOf(Array.from({ length: 50 }, () => runs).flat())).toHaveLength(11)
})

describe('what a user reads', () => {
  const read = (observations: QueueObservation[], pastWaits?: QueueFacts['past']) =>
    explainQueue('builds', { createdMs: 0, observations, past: pastWaits })

  test.each<[string, QueueObservation[], QueueFacts['past'], string]>([
    ['the position alone', [at(0, 6, 1)], undefined, '7th in the cluster, 2nd of ours'],
    ['the next one', [at(0, 0, 0)], undefined, '1st in the cluster, 1st of ours'],
    ['ordinals', [at(0, 112, 20)], undefined, '113th in the cluster, 21st of ours'],
    ['an estimate', [at(0, 6, 3)], past(11, 3, 0), '7th in the cluster, 4th of ours, starts in about 12 min'],
    ['a long wait', [at(0, 6, 40)], past(11, 3, 0), '7th in the cluster, 41st of ours, starts in about 2 h 3 min'],
    [
      'a short wait',
      [at(0, 20, 9), at(10, 0, 0)],
      undefined,
      '1st in the cluster, 1st of ours, starts within a minute',
    ],
  ])('%s', (_, observations, pastWaits, text) => expect(read(observations, pastWaits)?.text).toBe(text))

  it('has the evidence, and how certain it is', () => {
    expect(read([at(0, 9, 3), at(4, 6, 3)], past(11, 3, 4))?.evidence).toEqual([
      'Uncertain: judging by how long earlier runs waited, it starts in 3 to 50 min in 9 of 10 cases.',
      'It went from 10th to 7th in the cluster in 4 min.',
      'The last 11 runs of the queue builds waited 27 min.',
    ])
    expect(read([at(0, 6), at(1, 6)])?.evidence).toEqual([
      'Too little is known yet to estimate when it starts.',
      'It has been 7th in the cluster for 1 min.',
    ])
    const soon = { waits: [{ createdMs: 0, startedMs: 90_000 }], readAtMs: 0 }
    expect(read([at(0, 6)], soon)?.evidence.at(-1)).toBe('The last run of the queue builds waited 2 min.')
    expect(read([])).toBeUndefined()
  })
})

interface Run extends PastWait {
  id: number
  isOurs: boolean
  priority: number
}
interface Scene {
  seed: number
  /** How much of the cluster's time arrives as work, on average; it varies over three hours. */
  load: number
  /** How many runs the cluster runs at once. */
  slots: number
}

/** A day of a cluster queue that several namespaces share: its runs, and its order every ten seconds. */
function aDay({ load, slots }: Scene, random: () => number) {
  const exponential = (mean: number) => -Math.log(1 - random()) * mean
  const durationMs = () => Math.exp(Math.log(6) + 1.2 * (random() + random() + random() - 1.5)) * minuteMs
  const runs: Run[] = []
  const pending: Run[] = []
  const ends: number[] = []
  const ranks: { atMs: number; order: number[] }[] = []
  let [nowMs, arrivalMs, lookMs] = [0, 0, 0]
  while (nowMs < 24 * hourMs) {
    const endMs = Math.min(...ends)
    nowMs = Math.min(arrivalMs, endMs, lookMs)
    if (nowMs === lookMs) {
      ranks.push({ atMs: nowMs, order: pending.map(({ id }) => id) })
      lookMs += 10 * secondMs
      continue
    }
    if (nowMs === endMs) ends.splice(ends.indexOf(endMs), 1)
    if (nowMs === arrivalMs) {
      // A push to a repository of several components starts several builds.
      const count = random() < 0.1 ? 5 : 1
      for (let i = 0; i < count; i++) {
        const priority = random() < 0.7 ? 0 : random() < 0.7 ? 1 : 2
        const run = { id: runs.length, isOurs: random() < 0.3, priority, createdMs: nowMs, startedMs: Infinity }
        runs.push(run)
        pending.push(run)
      }
      const wave = 1 + 0.6 * Math.sin((nowMs / (3 * hourMs)) * 2 * Math.PI)
      arrivalMs += exponential((1.4 * 7 * minuteMs) / slots / load / wave)
    }
    pending.sort((a, b) => b.priority - a.priority || a.id - b.id)
    while (ends.length < slots) {
      const next = pending.shift()
      if (!next) break
      next.startedMs = nowMs
      ends.push(nowMs + durationMs())
    }
  }
  return { runs, ranks }
}

interface Outcome {
  from: string
  isInRange: boolean
  /** Width of the range in relation to the true time to start. */
  width: number
}

/** Looks at a few waiting runs of a simulated day, each for a while, and compares the estimate with what happened. */
function outcomesOf(scene: Scene): Outcome[] {
  const random = randomNumbers(scene.seed)
  const { runs, ranks } = aDay(scene, random)
  const below = (count: number) => Math.floor(random() * count)
  return Array.from({ length: 150 }).flatMap(() => {
    const look = 3 * 360 + below(18 * 360)
    const now = ranks[look]
    const waiting = now?.order.flatMap((id) => runs[id] ?? []).filter((run) => run.isOurs && run.startedMs < Infinity)
    const run = waiting?.[below(waiting.length)]
    if (!now || !run) return []
    const looks = [0, 3, 12, 60, 120][below(5)] ?? 0
    const positionAt = ({ atMs, order }: { atMs: number; order: number[] }): QueueObservation[] => {
      const aheadInCluster = order.indexOf(run.id)
      if (aheadInCluster < 0) return []
      const aheadInQueue = order.slice(0, aheadInCluster).filter((id) => runs[id]?.isOurs).length
      return [{ atMs, aheadInCluster, aheadInQueue }]
    }
    const observations = ranks.slice(look - looks, look + 1).flatMap(positionAt)
    const time = (ms: number) => new Date(ms).toISOString()
    const earlier = runs
      .filter(({ isOurs, startedMs }) => isOurs && startedMs <= now.atMs)
      .map(({ createdMs, startedMs }) =>
        aPipelineRun({ metadata: { creationTimestamp: time(createdMs) }, status: { startTime: time(startedMs) } }),
      )
    // In one case of five, no run of the queue is left in the cluster.
    const past = random() < 0.2 ? undefined : { waits: pastWaitsOf(earlier), readAtMs: now.atMs }
    const estimate = estimateStart({ createdMs: run.createdMs, observations, past })
    if (!estimate) return []
    const { from, earliestMs, latestMs } = estimate
    const trueMs = run.startedMs - now.atMs
    const isInRange = earliestMs <= trueMs && trueMs <= latestMs
    return [{ from, isInRange, width: (latestMs - earliestMs) / Math.max(trueMs, 10 * secondMs) }]
  })
}

describe('in simulated queues, from quiet to overloaded ones', () => {
  let outcomes: Outcome[] = []
  beforeAll(() => {
    outcomes = [0.5, 0.8, 0.9, 1, 1.1].flatMap((load) =>
      [3, 6, 12, 24].flatMap((slots) => outcomesOf({ seed: 1_000 * load + slots, load, slots })),
    )
  })
  const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

  it.each(['movement', 'past waits'])('nine of ten runs start in the range that is estimated from %s', (from) => {
    const those = outcomes.filter((each) => each.from === from)
    expect(those.length).toBeGreaterThan(200)
    expect(those.filter(({ isInRange }) => isInRange).length / those.length).toBeGreaterThanOrEqual(0.9)
  })

  it('half of the ranges are no wider than three times the time that it took', () => {
    expect(median(outcomes.map(({ width }) => width))).toBeLessThanOrEqual(3)
  })
})
