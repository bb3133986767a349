import { isRecord } from '@slipway/kube/object'
import { asRecord, parseJson } from '@slipway/kube/parse'
import type { TaskRun } from './task-run'
import type { Run, RunResult } from './tekton'

/** Test and scan reports of tasks: untrusted JSON in task results. */

/** Names of results with a test report; the second is from old catalogs. */
const testOutputNames = new Set(['TEST_OUTPUT', 'HACBS_TEST_OUTPUT'])

export const scanResultNames = [
  'CLAIR_SCAN_RESULT',
  'CLAIR_SCAN_RESULTS',
  'CVE_SCAN_RESULT',
  'TEKTON_SCAN_RESULTS',
  'SCAN_OUTPUT',
] as const

/** Names of the tasks in pipelines whose scans are on the pages of a namespace. */
export const scanTasks = ['clair-scan', 'roxctl-scan'] as const

export const isScanTask = (name: unknown): boolean => scanTasks.some((known) => known === name)

/** Names of results with either kind of report. */
export const reportNames: readonly string[] = [...testOutputNames, ...scanResultNames]

/** Worst first. */
const testResults = ['ERROR', 'FAILURE', 'WARNING', 'SUCCESS', 'SKIPPED'] as const
export type TestResult = (typeof testResults)[number]

/** Worst first. A report that is not valid is INVALID: then nothing is known of the tests, which may have failed. */
const reportedResults = ['ERROR', 'FAILURE', 'INVALID', 'WARNING', 'SUCCESS', 'SKIPPED'] as const
export type ReportedResult = (typeof reportedResults)[number]

export interface TestOutput {
  result: TestResult
  note?: string
  successes: number
  failures: number
  warnings: number
}

/** Worst first. */
const severities = [
  ['critical', 'Critical'],
  ['high', 'High'],
  ['medium', 'Medium'],
  ['low', 'Low'],
  ['unknown', 'Unknown'],
] as const
export type Severity = (typeof severities)[number][1]

/** Worst first. */
export const severityNames: readonly Severity[] = severities.map(([, name]) => name)

export type Vulnerabilities = Record<(typeof severities)[number][0], number>

/** The counts above 0, worst first. */
export const foundVulnerabilities = (counts: Vulnerabilities): { severity: Severity; count: number }[] =>
  severities.map(([key, severity]) => ({ severity, count: counts[key] })).filter(({ count }) => count > 0)

/** Results of an object of the current API, or of an older one as in archives. */
export function resultsOf({ status }: Run): RunResult[] {
  // The v1beta1 names of the same fields.
  const old = status as { taskResults?: RunResult[]; pipelineResults?: RunResult[] } | undefined
  return status?.results ?? old?.taskResults ?? old?.pipelineResults ?? []
}

/** The test reports of a task, or those that a pipeline run returns; `undefined` for each that is not valid. */
const testOutputsOf = (run: Run): (TestOutput | undefined)[] =>
  resultsOf(run)
    .filter(({ name }) => testOutputNames.has(name))
    .map((result) => read(result, parseTestOutput))

/** The worst of its test reports; `undefined` without a valid one. */
export function testOutputOf(run: Run): TestOutput | undefined {
  const outputs = testOutputsOf(run)
  const worst = worstResult(outputs.map((output) => output?.result))
  return outputs.find((output) => output && output.result === worst)
}

/** The worst result of all its test reports; `undefined` without any. */
export const reportedResultOf = (run: Run): ReportedResult | undefined =>
  worstResult(testOutputsOf(run).map((output) => output?.result ?? 'INVALID'))

/** Combined findings of a task's scans; `undefined` if it has no valid report. */
export function vulnerabilitiesOf(run: TaskRun): Vulnerabilities | undefined {
  const names: readonly string[] = scanResultNames
  return sumOfVulnerabilities(
    resultsOf(run).flatMap((result) => (names.includes(result.name) && read(result, parseScan)) || []),
  )
}

/** Combined findings of the scans of all tasks of a run; `undefined` if there are none. */
export const totalVulnerabilities = (taskRuns: readonly TaskRun[]): Vulnerabilities | undefined =>
  sumOfVulnerabilities(taskRuns.flatMap((run) => vulnerabilitiesOf(run) ?? []))

/** The worst test result of all tasks of a run; `undefined` if there are none. */
export const worstTestResult = (taskRuns: readonly TaskRun[]): ReportedResult | undefined =>
  worstResult(taskRuns.map(reportedResultOf))

/** The worst of these results; `undefined` if there are none. */
export const worstResult = (results: readonly (ReportedResult | null | undefined)[]): ReportedResult | undefined =>
  reportedResults.find((result) => results.includes(result))

type TestFinding = 'Test Failures' | 'Test Warnings' | 'Skipped'

/** What a valid test result means for a task, or a run of an integration test, that has succeeded. */
export const testFindings: Record<TestResult, TestFinding | undefined> = {
  ERROR: 'Test Failures',
  FAILURE: 'Test Failures',
  WARNING: 'Test Warnings',
  SUCCESS: undefined,
  SKIPPED: 'Skipped',
}

/** Status of a successful task according to its results; `undefined` if they found nothing wrong. */
export function testFindingOf(run: TaskRun): TestFinding | undefined {
  const result = testOutputOf(run)?.result
  const finding = result && testFindings[result]
  const found = vulnerabilitiesOf(run)
  if (finding === 'Test Failures' || found?.critical || found?.high) return 'Test Failures'
  if (finding === 'Test Warnings' || found?.medium || found?.low) return 'Test Warnings'
  return finding
}

/** @returns `undefined` for an invalid report */
export function parseTestOutput(text: string): TestOutput | undefined {
  const value = asRecord(parseJson(text))
  const result = testResults.find((known) => known === value.result)
  if (!result) return undefined
  return {
    result,
    ...(typeof value.note === 'string' && { note: value.note }),
    successes: count(value.successes),
    failures: count(value.failures),
    warnings: count(value.warnings),
  }
}

/** @returns `undefined` for an invalid report; missing counts are 0 */
export function parseScan(text: string): Vulnerabilities | undefined {
  const { vulnerabilities: counts } = asRecord(parseJson(text))
  if (!isRecord(counts)) return undefined
  return {
    critical: count(counts.critical),
    high: count(counts.high),
    medium: count(counts.medium),
    low: count(counts.low),
    unknown: count(counts.unknown),
  }
}

/** Results already logged as invalid: a table reads the same ones on every render. */
const unreadable = new WeakSet<RunResult>()

function read<T>(result: RunResult, parse: (text: string) => T | undefined): T | undefined {
  const value = typeof result.value === 'string' ? parse(result.value) : undefined
  if (value === undefined && !unreadable.has(result)) {
    unreadable.add(result)
    console.warn(`The result ${result.name} could not be read: ${String(JSON.stringify(result.value)).slice(0, 200)}`)
  }
  return value
}

/** A count written by a task: a number or a string of digits. */
function count(value: unknown): number {
  const number = typeof value === 'string' && /^\s*\+?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number > 0 && Number.isFinite(number) ? Math.floor(number) : 0
}

/** `undefined` for an empty list, since nothing is known then. */
export const sumOfVulnerabilities = (all: readonly Vulnerabilities[]): Vulnerabilities | undefined =>
  all.length === 0
    ? undefined
    : all.reduce((total, each) => ({
        critical: total.critical + each.critical,
        high: total.high + each.high,
        medium: total.medium + each.medium,
        low: total.low + each.low,
        unknown: total.unknown + each.unknown,
      }))
