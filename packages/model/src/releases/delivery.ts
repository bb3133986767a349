import { isRecord, nameOf, specOf, type KubeObject } from '@slipway/kube/object'
import { asText, parseJson } from '@slipway/kube/parse'
import { isPushBuild } from '../builds/build-pipeline-state'
import { latestMs, msOf } from '../duration'
import { groupBy } from '../grouping'
import { annotations, labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { pipelineRunStatus, type RunStatusOf } from '../runs/run-status'
import { isFinished } from '../runs/tekton'
import type { Snapshot } from '../snapshots/snapshot'
import { snapshotStatus } from '../snapshots/snapshot-status'
import { runVerdict } from '../snapshots/verdict'
import { type Release, type ReleaseStatus, releaseVerdict } from './release'
import { releaseRuns } from './release-runs'

/** How a pushed change gets from its build to its release, and what it waits for on its way. */

/** In the order in which a change passes them. */
export const deliveryStages = ['build', 'snapshot', 'tests', 'request', 'release'] as const
export type DeliveryStage = (typeof deliveryStages)[number]

/** A part of the time of a delivery. */
export interface DeliverySpan {
  stage: DeliveryStage
  /** `unknown`: what says how this time was spent is missing. */
  state: 'waiting' | 'working' | 'unknown'
  startMs: number
  endMs: number
}

export type DeliveryOutcome =
  | 'Released'
  | 'In Progress'
  | 'Failed'
  | 'Cancelled'
  /** A newer build of the component overtook it. */
  | 'Superseded'
  /** It passed its tests, and nothing has requested a release. */
  | 'Not released'
  /** What followed its build is not known. */
  | 'Unknown'

export interface Delivery {
  build: PipelineRun
  snapshot: Snapshot | undefined
  /** Runs of the tests that a release needs, the oldest first. */
  tests: readonly PipelineRun[]
  release: Release | undefined
  outcome: DeliveryOutcome
  /** The stage in which it is or has ended. */
  stage: DeliveryStage
  startMs: number
  /** Now, if it is in progress. */
  endMs: number
  /** They follow one another without a break from its start to its end. */
  spans: readonly DeliverySpan[]
}

export interface DeliveryParts {
  /** Of one application, in any order. */
  runs: readonly PipelineRun[]
  snapshots: readonly Snapshot[]
  releases: readonly Release[]
  /** Since when all releases that were created are among them; by default, none is missing. */
  releasesSinceMs?: number
  /** Computes the status of a run, before what its tests have found. */
  statusOf?: RunStatusOf
  releaseStatusOf?: (release: Release) => ReleaseStatus
}

/**
 * The deliveries of the builds of pushes, the newest first: one for each release of a build, and one for a build without.
 * A release belongs to the build of its snapshot. Where the snapshot is missing, the trace that the services of the
 * platform pass on shows what belongs together.
 * @param nowMs end of what is in progress
 */
export function deliveriesOf(parts: DeliveryParts, nowMs: number): Delivery[] {
  const { statusOf = pipelineRunStatus, releaseStatusOf = releaseVerdict, releasesSinceMs = 0 } = parts
  const deliveries = chainsOf(parts)
    .map((chain) => deliveryOf(chain, nowMs, { statusOf, releaseStatusOf }))
    .map((delivery) =>
      mayBeReleased(delivery, releasesSinceMs) ? { ...delivery, outcome: 'Unknown' as const } : delivery,
    )
  return withSuperseded(deliveries).sort((a, b) => b.startMs - a.startMs || b.endMs - a.endMs)
}

/** Whether its release may be one of those that are missing. */
const mayBeReleased = ({ outcome, startMs }: Delivery, releasesSinceMs: number): boolean =>
  outcome === 'Not released' && startMs < releasesSinceMs

/** What belongs to one delivery. */
type Chain = Pick<Delivery, 'build' | 'snapshot' | 'tests' | 'release'> & {
  /** Whether a snapshot is known to have been created. */
  hasSnapshot: boolean
}

function chainsOf({ runs, snapshots, releases }: DeliveryParts): Chain[] {
  const tests = runs.filter(({ metadata }) => metadata.labels?.[labels.scenario] && !isOptional(metadata))
  const snapshotsByName = groupBy(snapshots, nameOf)
  const snapshotsByBuild = groupBy(snapshots, ({ metadata }) => metadata.labels?.[labels.buildPipelineRun])
  const testsBySnapshot = groupBy(tests, snapshotNameOf)
  const testsByTrace = groupBy(tests, traceIdOf)
  const releasesBySnapshot = groupBy(releases, (release) => specOf(release).snapshot)
  const releasesByTrace = groupBy(releases, traceIdOf)
  return runs.filter(isPushBuild).flatMap((build) => {
    const [ofBuild] = byCreation(snapshotsByBuild.get(nameOf(build)))
    const name = (ofBuild ? nameOf(ofBuild) : snapshotNameOf(build)) ?? ''
    const trace = traceIdOf(build) ?? ''
    const snapshot = ofBuild ?? snapshotsByName.get(name)?.[0]
    const ownTests = byCreation(testsBySnapshot.get(name) ?? (snapshot ? undefined : testsByTrace.get(trace)))
    const ownReleases = byCreation(releasesBySnapshot.get(name) ?? (snapshot ? undefined : releasesByTrace.get(trace)))
    const hasSnapshot = name !== '' || ownTests.length + ownReleases.length > 0
    const isBefore = (release: Release | undefined) => (test: PipelineRun) =>
      release === undefined || (createdMsOf(test) ?? 0) <= (createdMsOf(release) ?? Infinity)
    return (ownReleases.length > 0 ? ownReleases : [undefined]).map((release) => ({
      build,
      snapshot,
      tests: ownTests.filter(isBefore(release)),
      release,
      hasSnapshot,
    }))
  })
}

const isOptional = ({ labels: own }: KubeObject['metadata']): boolean => own?.[labels.optional] === 'true'

const snapshotNameOf = ({ metadata }: PipelineRun): string | undefined =>
  metadata.annotations?.[labels.snapshot] ?? metadata.labels?.[labels.snapshot]

/** Id of the trace that a run, a snapshot or a release is part of, in the form of the W3C's `traceparent`. */
export function traceIdOf({ metadata }: KubeObject): string | undefined {
  const context = parseJson(metadata.annotations?.[annotations.spanContext] ?? '')
  const parent = isRecord(context) ? asText(context.traceparent) : undefined
  return /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(parent ?? '')?.[1]
}

/** How a delivery passes one stage. */
interface Passage {
  /** When something of it was seen first. */
  firstMs?: number | undefined
  endMs?: number | undefined
  /** When it was worked on, in any order; these times may overlap. */
  work: readonly Interval[]
}
type Interval = readonly [startMs: number, endMs: number]

type Statuses = Required<Pick<DeliveryParts, 'statusOf' | 'releaseStatusOf'>>

function deliveryOf(chain: Chain, nowMs: number, statuses: Statuses): Delivery {
  const { build, snapshot, tests, release } = chain
  const { stage, outcome } = endOf(chain, statuses)
  const goesOn = outcome === 'In Progress'
  const workOf = (run: PipelineRun) => intervalOf(run.status, isFinished(run) ? undefined : nowMs)
  const passages: Partial<Record<DeliveryStage, Passage>> = {
    build: { endMs: msOf(build.status?.completionTime), work: workOf(build) },
    snapshot: { endMs: createdMsOf(snapshot), work: [] },
    ...(tests.length > 0 && {
      tests: {
        firstMs: createdMsOf(tests[0]),
        endMs: testsLeftMs(tests, release),
        work: tests.flatMap(workOf),
      },
    }),
    request: { endMs: createdMsOf(release), work: [] },
    release: {
      endMs: msOf(release?.status?.completionTime),
      work: release ? releaseRuns(release).flatMap((run) => intervalOf(run, goesOn ? nowMs : undefined)) : [],
    },
  }
  const passed = deliveryStages
    .slice(0, deliveryStages.indexOf(stage) + 1)
    // Without tests to pass, a release is requested as soon as there is a snapshot.
    .flatMap((each) => (each === 'tests' && !passages.tests && each !== stage ? [] : [[each, passages[each]] as const]))
  const known = passed.flatMap(([, passage]) => [passage?.firstMs, passage?.endMs, ...(passage?.work.flat() ?? [])])
  const startMs =
    createdMsOf(build) ?? msOf(build.status?.startTime) ?? Math.min(nowMs, ...known.flatMap((ms) => ms ?? []))
  const lastMs = passages[stage]?.endMs ?? latestMs(known) ?? startMs
  const endMs = Math.max(startMs, goesOn ? nowMs : lastMs)
  return { build, snapshot, tests, release, outcome, stage, startMs, endMs, spans: spansOf(passed, startMs, endMs) }
}

/** Divides the time of a delivery: each moment belongs to one stage, whatever the clocks of several machines say. */
function spansOf(
  passed: readonly (readonly [DeliveryStage, Passage | undefined])[],
  startMs: number,
  endMs: number,
): DeliverySpan[] {
  let fromMs = startMs
  return passed.flatMap(([stage, passage], index) => {
    const isLast = index === passed.length - 1
    const later = passed.slice(index + 1).flatMap(([, next]) => next?.firstMs ?? next?.endMs ?? [])
    const leftMs = isLast ? endMs : (passage?.endMs ?? later[0] ?? endMs)
    const toMs = Math.min(endMs, Math.max(fromMs, leftMs))
    const isUnknown = !isLast && passage?.endMs === undefined
    const spans: DeliverySpan[] = isUnknown
      ? [{ stage, state: 'unknown', startMs: fromMs, endMs: toMs }]
      : splitByWork(passage?.work ?? [], fromMs, toMs).map((span) => ({ stage, ...span }))
    fromMs = toMs
    return spans.filter((span) => span.endMs > span.startMs)
  })
}

function splitByWork(work: readonly Interval[], fromMs: number, toMs: number): Omit<DeliverySpan, 'stage'>[] {
  const spans: Omit<DeliverySpan, 'stage'>[] = []
  let atMs = fromMs
  for (const [startMs, endMs] of [...work].sort(([a], [b]) => a - b)) {
    const [beginMs, stopMs] = [Math.min(toMs, Math.max(atMs, startMs)), Math.min(toMs, endMs)]
    if (stopMs <= beginMs) continue
    const last = spans.at(-1)
    if (last?.state === 'working' && last.endMs === beginMs) last.endMs = stopMs
    else
      spans.push(
        { state: 'waiting', startMs: atMs, endMs: beginMs },
        { state: 'working', startMs: beginMs, endMs: stopMs },
      )
    atMs = stopMs
  }
  return [...spans, { state: 'waiting', startMs: atMs, endMs: toMs }]
}

function endOf(chain: Chain, { statusOf, releaseStatusOf }: Statuses): Pick<Delivery, 'stage' | 'outcome'> {
  const { build, snapshot, tests, release, hasSnapshot } = chain
  if (release) {
    return { stage: 'release', outcome: outcomeOfRelease(releaseStatusOf(release)) }
  }
  if (hasSnapshot) {
    const outcome = outcomeOfTests(tests, statusOf) ?? outcomeOfSnapshot(snapshot)
    return { stage: 'tests', outcome }
  }
  const status = statusOf(build)
  if (!isFinished(build)) return { stage: 'build', outcome: status === 'Unknown' ? 'Unknown' : 'In Progress' }
  if (status !== 'Succeeded') return { stage: 'build', outcome: status === 'Cancelled' ? 'Cancelled' : 'Failed' }
  const report = parseJson(build.metadata.annotations?.[annotations.createSnapshotStatus] ?? '')
  const hasFailed = isRecord(report) && report.status === 'failed'
  return { stage: 'snapshot', outcome: hasFailed ? 'Failed' : 'In Progress' }
}

/**
 * The outcome of a delivery, once the results of the tasks of its tests are known: a test may have failed although its run
 * succeeded.
 * @param verdictOf computes the verdict about a run
 */
export const deliveryVerdict = ({ outcome, tests }: Delivery, verdictOf: RunStatusOf): DeliveryOutcome =>
  outcome === 'Not released' ? (outcomeOfTests(tests, pipelineRunStatus, verdictOf) ?? outcome) : outcome

function outcomeOfRelease(status: ReleaseStatus): DeliveryOutcome {
  if (status === 'Succeeded') return 'Released'
  return status === 'Pending' ? 'In Progress' : status
}

const passes = new Set(['Succeeded', 'Test Warnings', 'Skipped'])

/** `undefined` without runs. A test that was repeated counts as its newest run does. */
function outcomeOfTests(
  tests: readonly PipelineRun[],
  statusOf: RunStatusOf,
  verdictOf: RunStatusOf = (run) => runVerdict(run, statusOf(run)),
): DeliveryOutcome | undefined {
  const newest = new Map(tests.map((test) => [test.metadata.labels?.[labels.scenario], test]))
  const verdicts = [...newest.values()].map(verdictOf)
  if (verdicts.length === 0) return undefined
  const isOpen = (test: PipelineRun) => !isFinished(test) && statusOf(test) !== 'Unknown'
  if ([...newest.values()].some(isOpen)) return 'In Progress'
  if (verdicts.includes('Unknown')) return 'Unknown'
  if (verdicts.every((verdict) => passes.has(verdict))) return 'Not released'
  return verdicts.every((verdict) => passes.has(verdict) || verdict === 'Cancelled') ? 'Cancelled' : 'Failed'
}

/** The outcome of the tests of which no run is left, according to the snapshot. */
function outcomeOfSnapshot(snapshot: Snapshot | undefined): DeliveryOutcome {
  const status = snapshot ? snapshotStatus(snapshot) : 'Unknown'
  if (status === 'Succeeded') return 'Not released'
  if (status === 'Invalid') return 'Failed'
  return status === 'Pending' || status === 'In Progress' ? 'In Progress' : status
}

const componentOf = ({ build }: Delivery): string | undefined => build.metadata.labels?.[labels.component]

/** Marks what a newer delivery of the same component has overtaken. */
function withSuperseded(deliveries: readonly Delivery[]): Delivery[] {
  const byComponent = groupBy(deliveries, componentOf)
  return deliveries.map((delivery) => {
    const newer = (byComponent.get(componentOf(delivery) ?? '') ?? []).filter(
      ({ startMs }) => startMs > delivery.startMs,
    )
    const wasOvertaken = newer.some(({ outcome }) => outcome === 'Released')
    const wasReplaced = delivery.outcome === 'Cancelled' && newer.some(({ startMs }) => startMs <= delivery.endMs)
    const isOpen = ['Cancelled', 'Not released', 'Unknown'].includes(delivery.outcome)
    if (wasReplaced || (isOpen && wasOvertaken)) return { ...delivery, outcome: 'Superseded' }
    // Its snapshot would be there by now.
    const isLost = delivery.stage === 'snapshot' && delivery.outcome === 'In Progress' && newer.some(isBeyondBuild)
    return isLost ? { ...delivery, outcome: 'Unknown', ...endedWithBuild(delivery) } : delivery
  })
}

const isBeyondBuild = ({ stage }: Delivery): boolean => !['build', 'snapshot'].includes(stage)

/** The parts of a delivery that is known only until its build has ended. */
function endedWithBuild({ spans, startMs }: Delivery): Pick<Delivery, 'stage' | 'endMs' | 'spans'> {
  const ofBuild = spans.filter(({ stage }) => stage === 'build')
  return { stage: 'build', spans: ofBuild, endMs: ofBuild.at(-1)?.endMs ?? startMs }
}

/** How long deliveries took. */
export interface DeliveryTimes {
  /** Number of released deliveries, of which these are the times. */
  count: number
  total: Quantiles
  stages: { stage: DeliveryStage; waiting: Quantiles; working: Quantiles }[]
  /** How much of all their time was waiting, from 0 to 1. */
  waitingShare: number
  /** The stage with most of that. */
  longestWait: DeliveryStage | undefined
}

/** In milliseconds: half, and nine in ten, took at most this. */
export interface Quantiles {
  medianMs: number
  p90Ms: number
}

/** The times of the released deliveries that began in a period; `undefined` without any. */
export function deliveryTimes(deliveries: readonly Delivery[], sinceMs: number): DeliveryTimes | undefined {
  const released = deliveries.filter(({ outcome, startMs }) => outcome === 'Released' && startMs >= sinceMs)
  if (released.length === 0) return undefined
  const timesOf = (stage: DeliveryStage | undefined, state: DeliverySpan['state']): number[] =>
    released.map(({ spans }) => spentMs(spans, state, stage))
  const waits = deliveryStages.map((stage) => ({ stage, waitedMs: sumOf(timesOf(stage, 'waiting')) }))
  const longest = waits.reduce((most, each) => (each.waitedMs > most.waitedMs ? each : most))
  const totals = released.map(({ startMs, endMs }) => endMs - startMs)
  return {
    count: released.length,
    total: quantilesOf(totals),
    stages: deliveryStages.map((stage) => ({
      stage,
      waiting: quantilesOf(timesOf(stage, 'waiting')),
      working: quantilesOf(timesOf(stage, 'working')),
    })),
    waitingShare: sumOf(timesOf(undefined, 'waiting')) / Math.max(1, sumOf(totals)),
    longestWait: longest.waitedMs > 0 ? longest.stage : undefined,
  }
}

/** How much time was spent in a state, in one stage or in all. */
export const spentMs = (spans: readonly DeliverySpan[], state: DeliverySpan['state'], stage?: DeliveryStage): number =>
  sumOf(
    spans
      .filter((span) => span.state === state && (stage === undefined || span.stage === stage))
      .map(({ startMs, endMs }) => endMs - startMs),
  )

const quantilesOf = (times: readonly number[]): Quantiles => {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
  return { medianMs: at(0.5), p90Ms: at(0.9) }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

function intervalOf(
  { startTime, completionTime }: { startTime?: string | undefined; completionTime?: string | undefined } = {},
  nowMs?: number,
): Interval[] {
  const [startMs, endMs] = [msOf(startTime), msOf(completionTime) ?? nowMs]
  return startMs === undefined || endMs === undefined || endMs < startMs ? [] : [[startMs, endMs]]
}

const createdMsOf = (object: KubeObject | undefined): number | undefined => msOf(object?.metadata.creationTimestamp)

/** When a delivery left its tests: at their end, or before it, if somebody requested the release before. */
function testsLeftMs(tests: readonly PipelineRun[], release: Release | undefined): number | undefined {
  const endMs = latestMs(tests.map(({ status }) => msOf(status?.completionTime)))
  return endMs === undefined ? undefined : Math.min(createdMsOf(release) ?? Infinity, endMs)
}

const byCreation = <T extends KubeObject>(objects: readonly T[] = []): T[] =>
  [...objects].sort((a, b) => (createdMsOf(a) ?? 0) - (createdMsOf(b) ?? 0))
