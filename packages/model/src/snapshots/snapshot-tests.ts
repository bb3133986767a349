import { nameOf, specOf } from '@slipway/kube/object'
import { asArray, asRecord, asText, parseJson } from '@slipway/kube/parse'
import { annotations, copiedPacKey, labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { pipelineRunStatus, type RunStatusOf, type RunStatusWord } from '../runs/run-status'
import { isFinished, startKey, startOf } from '../runs/tekton'
import type { IntegrationTestScenario } from './integration-test-scenario'
import { invalidReasonOf } from './integration-test-source'
import type { ScenarioStatus, Snapshot } from './snapshot'
import { conditionOf } from './snapshot-status'
import { hasPassed, runVerdict } from './verdict'

/** The integration tests of a snapshot: which apply to it, their outcomes, and what its release waits for. */

const pushEvents = ['push', 'Push', 'incoming']

/** Whether a snapshot is of the branch itself, or was created manually, rather than of a pull request. */
export function isOfPush({ metadata }: Snapshot): boolean {
  const { [copiedPacKey(labels.eventType)]: event, [copiedPacKey(labels.pullRequestNumber)]: pullRequest } =
    metadata.labels ?? {}
  return event === undefined || pullRequest === undefined || pushEvents.includes(event)
}

/** Whether a release does not need a test to pass. */
export const isOptional = ({ metadata }: IntegrationTestScenario): boolean =>
  metadata.labels?.[labels.optional] === 'true'

/** Whether a test is run for a snapshot. Source: integration-service, gitops/snapshot.go. */
export function appliesTo(test: IntegrationTestScenario, snapshot: Snapshot): boolean {
  const known = snapshot.metadata.labels ?? {}
  const type = known[labels.snapshotType]
  const contexts = specOf(test).contexts ?? []
  if (contexts.length === 0) return true
  return contexts.some(({ name }) => {
    if (name === 'application' || name === 'all') return true
    if (name === 'component' || name === 'group' || name === 'override') return type === name
    if (name.startsWith('component_')) return known[labels.component] === name.slice('component_'.length)
    if (name === 'push') return isOfPush(snapshot)
    return name === 'pull_request' && !isOfPush(snapshot)
  })
}

/** What the integration service reports about the tests of a snapshot; empty if that is invalid. */
export const testStatusesOf = ({ metadata }: Snapshot): ScenarioStatus[] =>
  asArray(parseJson(metadata.annotations?.[annotations.testStatus] ?? '[]')).filter(isScenarioStatus)

function isScenarioStatus(entry: unknown): entry is ScenarioStatus {
  const { scenario, status } = asRecord(entry)
  return asText(scenario) !== undefined && asText(status) !== undefined
}

/** An integration test on one snapshot. */
export interface SnapshotTest {
  name: string
  /** `undefined` if it has been deleted, or if it could not be read. */
  test: IntegrationTestScenario | undefined
  isOptional: boolean
  /**
   * How it ended, or what it is doing. Without a run `PipelineNotStarted`, or `Skipped` if it was added after the tests of
   * the snapshot had ended.
   */
  status: RunStatusWord
  /** The status and the verdict to show: those of its run, unless the integration service knows of something worse. */
  shown: { status: RunStatusWord; verdict: RunStatusWord }
  /** Name of its newest run; `undefined` without one. */
  runName: string | undefined
  /** That run, if the cluster has it. */
  run: PipelineRun | undefined
  startTime: string | undefined
  completionTime: string | undefined
  /** What the integration service says. */
  details: string | undefined
}

/** Source: integration-service, pkg/integrationteststatus. The statuses of an open test say less than its run. */
const outcomes: Partial<Record<string, RunStatusWord>> = {
  TestPassed: 'Succeeded',
  TestFail: 'Failed',
  TestInvalid: 'Failed',
  EnvironmentProvisionError: 'Failed',
  EnvironmentProvisionError_Deprecated: 'Failed',
  DeploymentError_Deprecated: 'Failed',
  BuildPLRFailed: 'Failed',
  SnapshotCreationFailed: 'Failed',
  GroupSnapshotCreationFailed: 'Failed',
  Deleted: 'Unknown',
}
const openStatuses: Partial<Record<string, RunStatusWord>> = {
  Pending: 'PipelineNotStarted',
  BuildPLRInProgress: 'PipelineNotStarted',
  InProgress: 'Running',
}
const lookUp = (words: Partial<Record<string, RunStatusWord>>, status: string | undefined) =>
  status !== undefined && Object.hasOwn(words, status) ? words[status] : undefined

interface RunWords {
  statusOf?: RunStatusOf
  verdictOf?: RunStatusOf
}

/**
 * The tests that apply to a snapshot or have been run for it, by name.
 * @param tests those of its application; without them, only tests that have been reported or run are known
 * @param runs test runs in the cluster, of any snapshot
 * @param verdictOf computes the verdict about a run
 */
export function testsOfSnapshot(
  snapshot: Snapshot,
  tests: readonly IntegrationTestScenario[],
  runs: readonly PipelineRun[],
  { statusOf = pipelineRunStatus, verdictOf = (run) => runVerdict(run, statusOf(run)) }: RunWords = {},
): SnapshotTest[] {
  const reports = new Map(testStatusesOf(snapshot).map((report) => [report.scenario, report]))
  const newest = newestRuns(snapshot, runs)
  const defined = new Map(tests.map((test) => [nameOf(test), test]))
  const applicable = tests.filter((test) => appliesTo(test, snapshot)).map(nameOf)
  const unreported = unreportedStatus(snapshot, reports.size)
  return [...new Set([...applicable, ...reports.keys(), ...newest.keys()])]
    .sort((a, b) => a.localeCompare(b, 'en'))
    .map((name) => {
      const [test, report] = [defined.get(name), reports.get(name)]
      const run = currentRun(newest.get(name), report)
      const isOfReport = !run || nameOf(run) === report?.testPipelineRunName
      const verdict = run && verdictOf(run)
      const status = statusOfTest(run, verdict, isOfReport ? report : undefined) ?? unreported
      return {
        name,
        test,
        isOptional: test ? isOptional(test) : isKnownAsOptional(run, report),
        status,
        shown:
          run && verdict && explains(verdict, status)
            ? { status: statusOf(run), verdict }
            : { status, verdict: status },
        runName: run ? nameOf(run) : asText(report?.testPipelineRunName),
        run,
        startTime: run ? run.status?.startTime : asText(report?.startTime),
        completionTime: run ? run.status?.completionTime : asText(report?.completionTime),
        details: isOfReport ? asText(report?.details) : undefined,
      }
    })
}

/** The newest run of each test of a snapshot. */
export const newestTestRuns = (snapshot: Snapshot, runs: readonly PipelineRun[]): PipelineRun[] => [
  ...newestRuns(snapshot, runs).values(),
]

function newestRuns(snapshot: Snapshot, runs: readonly PipelineRun[]): Map<string, PipelineRun> {
  const newest = new Map<string, PipelineRun>()
  for (const run of runs) {
    const { [labels.scenario]: name, [labels.snapshot]: tested } = run.metadata.labels ?? {}
    if (!name || (run.metadata.annotations?.[labels.snapshot] ?? tested) !== nameOf(snapshot)) continue
    const known = newest.get(name)
    if (!known || startKey(run) > startKey(known)) newest.set(name, run)
  }
  return newest
}

/** The run in the cluster, unless the report is about a newer one that the cluster no longer has. */
function currentRun(run: PipelineRun | undefined, report: ScenarioStatus | undefined): PipelineRun | undefined {
  if (!run || !report?.testPipelineRunName || nameOf(run) === report.testPipelineRunName) return run
  return startOf(run) >= (asText(report.startTime) ?? '') ? run : undefined
}

/** A run may succeed although its test has failed: the outcome is in its results, which the service has read. */
function statusOfTest(
  run: PipelineRun | undefined,
  verdict: RunStatusWord | undefined,
  report: ScenarioStatus | undefined,
): RunStatusWord | undefined {
  const outcome = lookUp(outcomes, report?.status)
  // The run says more precisely how its tests ended.
  if (verdict && outcome && moreExactly[verdict] === outcome) return verdict
  if (run && verdict && (!outcome || !isFinished(run) || outcome === 'Unknown')) return verdict
  return outcome ?? lookUp(openStatuses, report?.status) ?? (report && 'Unknown')
}

const moreExactly: Partial<Record<RunStatusWord, RunStatusWord>> = {
  'Test Failures': 'Failed',
  'Test Warnings': 'Succeeded',
  Skipped: 'Succeeded',
}

/** Whether the verdict about the run of a test is the status of the test, or worse. */
const explains = (verdict: RunStatusWord, status: RunStatusWord): boolean =>
  verdict === status || (verdict === 'Test Failures' && status === 'Succeeded')

/** The service starts and reports all tests of a snapshot together. */
function unreportedStatus(snapshot: Snapshot, reportCount: number): RunStatusWord {
  if (conditionOf(snapshot, 'integrationStatus')?.reason !== 'Finished') return 'PipelineNotStarted'
  return reportCount > 0 ? 'Skipped' : 'Unknown'
}

const isKnownAsOptional = (run: PipelineRun | undefined, report: ScenarioStatus | undefined): boolean =>
  report?.isOptionalScenario === true || run?.metadata.labels?.[labels.optional] === 'true'

/** What the tests of a snapshot mean for its release. */
export interface Readiness {
  state: 'ready' | 'waiting' | 'failed'
  /** In a sentence: `2 of 3 required tests passed; e2e has not started.` */
  text: string
  /** The first required test that waits for something, whose reason can be explained further. */
  waiting?: SnapshotTest
}

/** The most tests that the sentence names. */
const mostNamed = 3

/** @param reasonOf why a test that has not started is waiting, if that is known */
export function readinessOf(
  tests: readonly SnapshotTest[],
  reasonOf: (test: SnapshotTest) => string | undefined = waitingReasonOf,
): Readiness {
  const required = tests.filter((test) => !test.isOptional && (test.run !== undefined || test.status !== 'Skipped'))
  if (required.length === 0) return { state: 'ready', text: 'No test is required for a release of this snapshot.' }
  const open = required.filter(({ status }) => !hasPassed(status)).sort(byUrgency)
  if (open.length === 0)
    return {
      state: 'ready',
      text: required.length === 1 ? 'The required test passed.' : `All ${required.length} required tests passed.`,
    }
  const named = open.slice(0, mostNamed).map((test) => `${test.name} ${clauseOf(test, reasonOf)}`)
  const others = open.length > mostNamed ? [otherTests(open.length - mostNamed)] : []
  const passedText = `${required.length - open.length} of ${required.length} required ${required.length === 1 ? 'test' : 'tests'} passed`
  const waiting = open.find(isWaiting)
  return {
    state: open.some(hasEnded) ? 'failed' : 'waiting',
    text: `${[passedText, ...named, ...others].join('; ').replace(/\.$/, '')}.`,
    ...(waiting && { waiting }),
  }
}

const otherTests = (count: number): string =>
  count === 1 ? 'another one has not passed' : `${count} others have not passed`

const isWaiting = ({ status }: SnapshotTest): boolean => status === 'PipelineNotStarted' || status === 'Pending'
const isRunning = ({ status }: SnapshotTest): boolean => status === 'Running' || status === 'Cancelling'
const hasEnded = (test: SnapshotTest): boolean => !isWaiting(test) && !isRunning(test)

/** Failed tests first, since they need someone to act, and running ones last. */
const byUrgency = (a: SnapshotTest, b: SnapshotTest): number => urgency(a) - urgency(b)
const urgency = (test: SnapshotTest): number => [hasEnded(test), isWaiting(test), true].indexOf(true)

function clauseOf(test: SnapshotTest, reasonOf: (test: SnapshotTest) => string | undefined): string {
  if (isRunning(test)) return test.status === 'Cancelling' ? 'is being cancelled' : 'is running'
  if (test.status === 'Cancelled') return 'was cancelled'
  if (test.status === 'Unknown') return 'has an unknown outcome'
  if (!isWaiting(test)) return 'failed'
  const reason = reasonOf(test)
  return reason ? `has not started: ${decapitalized(reason)}` : 'has not started'
}

/** Why a test has no run, as far as its definition and the integration service say. */
export const waitingReasonOf = ({ test, run, details }: SnapshotTest): string | undefined => {
  if (run) return undefined
  const invalid = test && invalidReasonOf(test)
  if (invalid) return `its definition is invalid: ${invalid}`
  return details && details !== 'Pending' ? details : 'its pipeline run has not been created yet'
}

const decapitalized = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
