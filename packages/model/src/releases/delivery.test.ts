import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { annotations, labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { aPipelineRun, aRelease, condition, type Overrides } from '../testing'
import { aSnapshot } from '../testing/tests-and-releases'
import type { Snapshot } from '../snapshots/snapshot'
import {
  type Delivery,
  deliveriesOf,
  type DeliveryParts,
  deliveryStages,
  deliveryVerdict,
  deliveryTimes,
  spentMs,
  traceIdOf,
} from './delivery'
import type { Release } from './release'

const originMs = Date.parse('2026-11-02T09:00:00Z')
const minute = 60_000
/** The time some minutes after nine. */
const at = (minutes: number) => new Date(originMs + minutes * minute).toISOString().replace('.000', '')
const nowMs = originMs + 120 * minute
const traced = (trace: string) => ({
  [annotations.spanContext]: JSON.stringify({ traceparent: `00-${trace.padEnd(32, '0')}-00f067aa0ba902b7-01` }),
})

interface RunTimes {
  created: number
  start?: number
  end?: number
  status?: 'True' | 'False'
  reason?: string
}
const timesOf = ({ start, end, status = 'True', reason }: RunTimes): PipelineRun['status'] => ({
  ...(start !== undefined && { startTime: at(start) }),
  ...(end !== undefined && { completionTime: at(end) }),
  conditions: [condition('Succeeded', end === undefined ? 'Unknown' : status, reason)],
})

const build = (name: string, times: RunTimes, overrides: Overrides<PipelineRun> = {}) =>
  aPipelineRun({
    ...overrides,
    metadata: { name, creationTimestamp: at(times.created), ...overrides.metadata },
    status: timesOf(times),
  })
const snapshot = (name: string, ofBuild: string, created: number, overrides: Overrides<Snapshot> = {}) =>
  aSnapshot({
    ...overrides,
    metadata: { name, creationTimestamp: at(created), labels: { [labels.buildPipelineRun]: ofBuild } },
  })
const testRun = (scenario: string, ofSnapshot: string, times: RunTimes, overrides: Overrides<PipelineRun> = {}) =>
  aPipelineRun({
    metadata: {
      name: `${ofSnapshot}-${scenario}-${times.created}`,
      creationTimestamp: at(times.created),
      labels: { [labels.pipelineType]: 'test', [labels.scenario]: scenario, [labels.snapshot]: ofSnapshot },
      ...overrides.metadata,
    },
    status: timesOf(times),
  })
const release = (name: string, ofSnapshot: string, created: number, status: Release['status'] = {}) =>
  aRelease({
    metadata: { name, creationTimestamp: at(created) },
    spec: { snapshot: ofSnapshot },
    status,
  })
const released = (end: number, isSuccess = true): Release['status'] => ({
  completionTime: at(end),
  conditions: [condition('Released', isSuccess ? 'True' : 'False', isSuccess ? 'Succeeded' : 'Failed')],
})

/** A change that is built within ten minutes, tested and released. */
const whole: DeliveryParts = {
  runs: [
    build('build-a', { created: 0, start: 2, end: 10 }),
    testRun('unit', 'snapshot-a', { created: 12, start: 13, end: 20 }),
    testRun('e2e', 'snapshot-a', { created: 12, start: 15, end: 30 }),
  ],
  snapshots: [snapshot('snapshot-a', 'build-a', 11)],
  releases: [
    release('release-a', 'snapshot-a', 31, {
      ...released(60),
      tenantProcessing: { pipelineRun: 'team/tenant', startTime: at(33), completionTime: at(40) },
      managedProcessing: { pipelineRun: 'managed/run', startTime: at(45), completionTime: at(58) },
    }),
  ],
}

const firstOf = (parts: DeliveryParts): Delivery => {
  const [delivery] = deliveriesOf(parts, nowMs)
  if (!delivery) throw new Error('no delivery')
  return delivery
}
/** `build: waits 2, works 8`, and so on. */
const textOf = ({ spans }: Pick<Delivery, 'spans'>) =>
  spans.map(({ stage, state, startMs, endMs }) => `${stage} ${state} ${(endMs - startMs) / minute}`)

describe('a delivery', () => {
  it('divides its time into stages that wait and work', () => {
    const delivery = firstOf(whole)
    expect(textOf(delivery)).toEqual([
      'build waiting 2',
      'build working 8',
      'snapshot waiting 1',
      'tests waiting 2',
      'tests working 17',
      'request waiting 1',
      'release waiting 2',
      'release working 7',
      'release waiting 5',
      'release working 13',
      'release waiting 2',
    ])
    expect(delivery).toMatchObject({ outcome: 'Released', stage: 'release', startMs: originMs })
    expect(spentMs(delivery.spans, 'waiting')).toBe(15 * minute)
    expect(spentMs(delivery.spans, 'working', 'release')).toBe(20 * minute)
  })

  const [ofBuild, unit, e2e] = whole.runs as [PipelineRun, PipelineRun, PipelineRun]
  test.each<[why: string, parts: Partial<DeliveryParts>, outcome: Delivery['outcome'], spans: string[]]>([
    ['without a snapshot', { snapshots: [], releases: [], runs: [ofBuild] }, 'In Progress', ['snapshot waiting 110']],
    [
      'whose build is running',
      { runs: [build('build-a', { created: 0, start: 2 })], snapshots: [], releases: [] },
      'In Progress',
      ['build waiting 2', 'build working 118'],
    ],
    [
      'whose build failed',
      { runs: [build('build-a', { created: 0, start: 2, end: 9, status: 'False' })], snapshots: [], releases: [] },
      'Failed',
      ['build waiting 2', 'build working 7'],
    ],
    [
      'whose snapshot could not be created',
      {
        runs: [
          build(
            'build-a',
            { created: 0, start: 2, end: 9 },
            { metadata: { annotations: { [annotations.createSnapshotStatus]: '{"status":"failed"}' } } },
          ),
        ],
        snapshots: [],
        releases: [],
      },
      'Failed',
      ['build waiting 2', 'build working 7'],
    ],
    [
      'whose test is running',
      { runs: [ofBuild, testRun('unit', 'snapshot-a', { created: 12, start: 13 })], releases: [] },
      'In Progress',
      ['snapshot waiting 1', 'tests waiting 2', 'tests working 107'],
    ],
    [
      'whose test failed',
      {
        runs: [ofBuild, unit, testRun('e2e', 'snapshot-a', { created: 12, start: 15, end: 30, status: 'False' })],
        releases: [],
      },
      'Failed',
      ['tests waiting 2', 'tests working 17'],
    ],
    ['that nothing has released', { releases: [] }, 'Not released', ['tests waiting 2', 'tests working 17']],
    [
      'that may have a release older than those that are known',
      { releases: [], releasesSinceMs: originMs + 1 },
      'Unknown',
      ['tests waiting 2', 'tests working 17'],
    ],
    [
      'as old as the releases that are known',
      { releases: [], releasesSinceMs: originMs },
      'Not released',
      ['tests waiting 2', 'tests working 17'],
    ],
    [
      'without tests',
      { runs: [ofBuild] },
      'Released',
      ['snapshot waiting 1', 'request waiting 20', 'release waiting 2'],
    ],
    [
      'released before its tests ended',
      { releases: [release('release-a', 'snapshot-a', 16, released(18))] },
      'Released',
      ['tests waiting 2', 'tests working 3', 'release waiting 2'],
    ],
    [
      'whose release failed',
      { releases: [release('release-a', 'snapshot-a', 31, released(40, false))] },
      'Failed',
      ['request waiting 1', 'release waiting 9'],
    ],
    [
      'whose release has begun',
      {
        releases: [
          release('release-a', 'snapshot-a', 31, { tenantProcessing: { pipelineRun: 't/r', startTime: at(33) } }),
        ],
      },
      'In Progress',
      ['release waiting 2', 'release working 87'],
    ],
    [
      'whose build does not say when it ended',
      { runs: [build('build-a', { created: 0, start: 2 }), unit, e2e] },
      'Released',
      ['build unknown 11', 'tests waiting 2', 'tests working 17', 'request waiting 1'],
    ],
  ])('%s', (_, parts, outcome, spans) => {
    const delivery = firstOf({ ...whole, ...parts })
    expect(delivery.outcome).toBe(outcome)
    const texts = textOf(delivery)
    const begin = texts.indexOf(spans[0] ?? '')
    expect(texts.slice(begin, begin + spans.length)).toEqual(spans)
  })

  it('takes the time of a missing snapshot for unknown, not for a wait', () => {
    const named = build(
      'build-a',
      { created: 0, start: 2, end: 10 },
      { metadata: { annotations: { [labels.snapshot]: 'snapshot-a' } } },
    )
    expect(textOf(firstOf({ ...whole, runs: [named, unit, e2e], snapshots: [] })).slice(2, 5)).toEqual([
      'snapshot unknown 2',
      'tests waiting 1',
      'tests working 17',
    ])
  })

  it('follows the trace where the snapshot is missing', () => {
    const parts = {
      runs: [
        build('build-a', { created: 0, start: 2, end: 10 }, { metadata: { annotations: traced('a') } }),
        build('build-b', { created: 1, start: 3, end: 11 }, { metadata: { annotations: traced('b') } }),
      ],
      snapshots: [],
      releases: [{ ...release('release-a', 'gone', 31, released(60)) }].map((each) => ({
        ...each,
        metadata: { ...each.metadata, annotations: traced('a') },
      })),
    }
    const byBuild = Object.fromEntries(
      deliveriesOf(parts, nowMs).map(({ build: { metadata }, outcome }) => [metadata.name, outcome]),
    )
    expect(byBuild).toEqual({ 'build-a': 'Released', 'build-b': 'In Progress' })
  })

  it('does not take an optional test for a stage of its release', () => {
    const optional = testRun('slow', 'snapshot-a', { created: 12, start: 13, end: 100 })
    optional.metadata.labels = { ...optional.metadata.labels, [labels.optional]: 'true' }
    expect(textOf(firstOf({ ...whole, runs: [...whole.runs, optional] }))).toEqual(textOf(firstOf(whole)))
  })

  it('counts a repeated test as its newest run does', () => {
    const failed = testRun('unit', 'snapshot-a', { created: 12, start: 13, end: 14, status: 'False' })
    const again = testRun('unit', 'snapshot-a', { created: 15, start: 15, end: 16 })
    expect(firstOf({ ...whole, runs: [ofBuild, again, failed], releases: [] }).outcome).toBe('Not released')
  })

  it('failed if the tasks of a test say so, unless it was released all the same', () => {
    const tested = firstOf({ ...whole, releases: [] })
    expect(deliveryVerdict(tested, () => 'Succeeded')).toBe('Not released')
    expect(deliveryVerdict(tested, () => 'Test Warnings')).toBe('Not released')
    expect(deliveryVerdict(tested, () => 'Test Failures')).toBe('Failed')
    expect(deliveryVerdict(firstOf(whole), () => 'Test Failures')).toBe('Released')
  })

  it('has one for each release of a build, and none for a pull request', () => {
    const releases = [...whole.releases, release('release-b', 'snapshot-a', 32, released(50))]
    expect(deliveriesOf({ ...whole, releases }, nowMs).map((each) => each.release?.metadata.name)).toEqual([
      'release-a',
      'release-b',
    ])
    const ofPullRequest = build(
      'build-a',
      { created: 0 },
      { metadata: { labels: { [labels.eventType]: 'pull_request' } } },
    )
    expect(deliveriesOf({ ...whole, runs: [ofPullRequest] }, nowMs)).toEqual([])
  })

  const cancelled = build('build-0', { created: -30, start: -29, end: 1, status: 'False', reason: 'Cancelled' })
  test.each<[why: string, older: Partial<DeliveryParts>, outcome: Delivery['outcome'], stage: Delivery['stage']]>([
    ['is superseded if a newer push cancelled it', { runs: [cancelled] }, 'Superseded', 'build'],
    [
      'is superseded if a newer one was released instead',
      {
        runs: [build('build-0', { created: -30, start: -29, end: -20 })],
        snapshots: [
          snapshot('s-0', 'build-0', -19, {
            status: { conditions: [condition('AppStudioTestSucceeded', 'True', 'Passed')] },
          }),
        ],
      },
      'Superseded',
      'tests',
    ],
    [
      'is lost if newer ones have a snapshot and it has none',
      { runs: [build('build-0', { created: -30, start: -29, end: -20 })] },
      'Unknown',
      'build',
    ],
  ])('%s', (_, older, outcome, stage) => {
    const parts = {
      runs: [...whole.runs, ...(older.runs ?? [])],
      snapshots: [...whole.snapshots, ...(older.snapshots ?? [])],
      releases: whole.releases,
    }
    const found = deliveriesOf(parts, nowMs).find((each) => each.build.metadata.name === 'build-0')
    expect(found).toMatchObject({ outcome, stage })
  })
})

describe('any history', () => {
  const minutes = fc.integer({ min: -5, max: 90 })
  const maybe = fc.option(minutes, { nil: undefined })
  const times = fc.record({
    created: minutes,
    start: maybe,
    end: maybe,
    status: fc.constantFrom('True' as const, 'False' as const),
    reason: fc.constantFrom('Cancelled', 'Failed', 'Succeeded'),
  })
  /** Some objects of a chain are missing, and clocks disagree. */
  const chain = fc.record({
    build: times,
    tests: fc.array(times, { maxLength: 3 }),
    snapshot: maybe,
    releases: fc.array(fc.record({ created: minutes, end: maybe, stages: fc.array(times, { maxLength: 2 }) }), {
      maxLength: 2,
    }),
  })
  const defined = ({
    created,
    start,
    end,
    ...rest
  }: { created: number; start: number | undefined; end: number | undefined } & Pick<
    RunTimes,
    'status' | 'reason'
  >): RunTimes => ({
    created,
    ...rest,
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  })
  const historyOf = (chains: readonly (typeof chain extends fc.Arbitrary<infer C> ? C : never)[]): DeliveryParts => ({
    runs: chains.flatMap((one, index) => [
      build(`build-${index}`, defined(one.build)),
      ...one.tests.map((each, number) => testRun(`test-${number}`, `snapshot-${index}`, defined(each))),
    ]),
    snapshots: chains.flatMap(({ snapshot: created }, index) =>
      created === undefined ? [] : [snapshot(`snapshot-${index}`, `build-${index}`, created)],
    ),
    releases: chains.flatMap((one, index) =>
      one.releases.map(({ created, end, stages: [tenant, managed] }, number) => {
        const processing = (run: typeof tenant) =>
          run && {
            pipelineRun: 'team/run',
            ...(timesOf(defined(run)) as { startTime?: string; completionTime?: string }),
          }
        return release(`release-${index}-${number}`, `snapshot-${index}`, created, {
          ...(end !== undefined && released(end)),
          ...(tenant && { tenantProcessing: processing(tenant) ?? {} }),
          ...(managed && { managedProcessing: processing(managed) ?? {} }),
        })
      }),
    ),
  })

  it('is divided so that the parts of each delivery follow one another and sum to its time', () => {
    fc.assert(
      fc.property(fc.array(chain, { minLength: 1, maxLength: 4 }), (chains) => {
        for (const { spans, startMs, endMs } of deliveriesOf(historyOf(chains), nowMs)) {
          const edges = [startMs, ...spans.map((span) => span.endMs)]
          expect(spans.map((span) => span.startMs)).toEqual(edges.slice(0, -1))
          expect(edges.at(-1)).toBe(endMs)
          expect(spans.every((span) => span.endMs > span.startMs)).toBe(true)
          const order = spans.map(({ stage }) => deliveryStages.indexOf(stage))
          expect(order).toEqual([...order].sort((a, b) => a - b))
          const neighbours = spans.slice(1).map((span, index) => [spans[index], span] as const)
          expect(neighbours.some(([a, b]) => a?.stage === b.stage && a.state === b.state)).toBe(false)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('has a delivery for each release, and for each build without', () => {
    fc.assert(
      fc.property(fc.array(chain, { minLength: 1, maxLength: 4 }), (chains) => {
        const deliveries = deliveriesOf(historyOf(chains), nowMs)
        const found = deliveries.map((each) => `${each.build.metadata.name} ${each.release?.metadata.name}`)
        const expected = chains.flatMap(({ snapshot: created, releases }, index) =>
          created === undefined || releases.length === 0
            ? [`build-${index} undefined`]
            : releases.map((_, number) => `build-${index} release-${index}-${number}`),
        )
        expect(found.sort()).toEqual(expected.sort())
      }),
    )
  })
})

describe('the times of deliveries', () => {
  it('are those of the published ones of the period', () => {
    const later = (parts: DeliveryParts, byMinutes: number): DeliveryParts =>
      JSON.parse(
        JSON.stringify(parts)
          .replaceAll(/2026-11-02T[\d:]+Z/g, (time) => new Date(Date.parse(time) + byMinutes * minute).toISOString())
          .replaceAll(/(build|snapshot|release)-a/g, `$1-${byMinutes}`),
      ) as DeliveryParts
    const histories = [whole, later(whole, 5), later(whole, -500)]
    const parts = {
      runs: [...histories.flatMap(({ runs }) => runs), build('failed', { created: 1, end: 2, status: 'False' })],
      snapshots: histories.flatMap(({ snapshots }) => snapshots),
      releases: histories.flatMap(({ releases }) => releases),
    }
    expect(deliveryTimes(deliveriesOf(parts, nowMs), originMs)).toEqual({
      count: 2,
      total: { medianMs: 60 * minute, p90Ms: 60 * minute },
      stages: [
        { stage: 'build', waiting: same(2), working: same(8) },
        { stage: 'snapshot', waiting: same(1), working: same(0) },
        { stage: 'tests', waiting: same(2), working: same(17) },
        { stage: 'request', waiting: same(1), working: same(0) },
        { stage: 'release', waiting: same(9), working: same(20) },
      ],
      waitingShare: 0.25,
      longestWait: 'release',
    })
    expect(deliveryTimes(deliveriesOf(parts, nowMs), nowMs)).toBeUndefined()
  })

  const same = (minutes: number) => ({ medianMs: minutes * minute, p90Ms: minutes * minute })

  it('have half, and nine in ten, below their quantiles', () => {
    const spans: Delivery['spans'] = []
    const ofMinutes = (minutes: number) =>
      ({ ...firstOf(whole), spans, endMs: originMs + minutes * minute }) satisfies Delivery
    const times = deliveryTimes([50, 10, 20, 30, 40, 60, 70, 80, 90, 100].map(ofMinutes), 0)
    expect(times?.total).toEqual({ medianMs: 50 * minute, p90Ms: 90 * minute })
    expect(times).toMatchObject({ waitingShare: 0, longestWait: undefined })
  })
})

test.each<[annotation: string | undefined, trace: string | undefined]>([
  [JSON.stringify({ traceparent: `00-${'4b'.repeat(16)}-00f067aa0ba902b7-01` }), '4b'.repeat(16)],
  [JSON.stringify({ traceparent: 'not a trace' }), undefined],
  ['{', undefined],
  ['[]', undefined],
  [undefined, undefined],
])('the trace of %s is %s', (annotation, trace) => {
  const own = annotation === undefined ? {} : { [annotations.spanContext]: annotation }
  expect(traceIdOf(aPipelineRun({ metadata: { annotations: own } }))).toBe(trace)
})
