import type { TaskRun } from './task-run'
import type { Run, RunResult } from './tekton'

/** What tasks report of tests and scans: JSON written by others into results, so that anything may be there. */

/** Names of the results that hold a test report; the second is of old catalogs. */
const testOutputNames = new Set(['TEST_OUTPUT', 'HACBS_TEST_OUTPUT'])

export const scanResultNames = [
  'CLAIR_SCAN_RESULT',
  'CLAIR_SCAN_RESULTS',
  'CVE_SCAN_RESULT',
  'TEKTON_SCAN_RESULTS',
  'SCAN_OUTPUT',
] as const

/** Results that hold a report of either kind. */
export const reportNames: readonly string[] = [...testOutputNames, ...scanResultNames]

/** The worst first. */
const testResults = ['ERROR', 'FAILURE', 'WARNING', 'SUCCESS', 'SKIPPED'] as const
export type TestResult = (typeof testResults)[number]
export interface TestOutput {
  result: TestResult
  note?: string
  successes: number
  failures: number
  warnings: number
}

export type Vulnerabilities = Record<'critical' | 'high' | 'medium' | 'low' | 'unknown', number>

/** Of an object of today's API, or of an older one, as archives keep them. */
export function resultsOf({ status }: Run): RunResult[] {
  // Members of v1beta1, which has other names for the same.
  const old = status as { taskResults?: RunResult[]; pipelineResults?: RunResult[] } | undefined
  return status?.results ?? old?.taskResults ?? old?.pipelineResults ?? []
}

/** The report of the tests that a task has run; `undefined` without one that can be read. */
export function testOutputOf(run: TaskRun): TestOutput | undefined {
  const result = resultsOf(run).find(({ name }) => testOutputNames.has(name))
  return result && read(result, parseTestOutput)
}

/** What the scans of a task have found, all of them together; `undefined` without one that can be read. */
export function vulnerabilitiesOf(run: TaskRun): Vulnerabilities | undefined {
  const names: readonly string[] = scanResultNames
  return sum(resultsOf(run).flatMap((result) => (names.includes(result.name) && read(result, parseScan)) || []))
}

/** What the scans of all tasks of a run have found; `undefined` without any. */
export const totalVulnerabilities = (taskRuns: readonly TaskRun[]): Vulnerabilities | undefined =>
  sum(taskRuns.flatMap((run) => vulnerabilitiesOf(run) ?? []))

/** The worst result of the tests of all tasks of a run; `undefined` without any. */
export function worstTestResult(taskRuns: readonly TaskRun[]): TestResult | undefined {
  const found = new Set(taskRuns.map((run) => testOutputOf(run)?.result))
  return testResults.find((result) => found.has(result))
}

/** What its results make of a task that has succeeded; `undefined` when nothing is amiss. */
export function testFindingOf(run: TaskRun): 'Test Failures' | 'Test Warnings' | 'Skipped' | undefined {
  const result = testOutputOf(run)?.result
  const found = vulnerabilitiesOf(run)
  if (result === 'FAILURE' || result === 'ERROR' || found?.critical || found?.high) return 'Test Failures'
  if (result === 'WARNING' || found?.medium || found?.low) return 'Test Warnings'
  return result === 'SKIPPED' ? 'Skipped' : undefined
}

/** @returns `undefined` for nonsense */
export function parseTestOutput(text: string): TestOutput | undefined {
  const value = json(text)
  const result = testResults.find((known) => known === value?.result)
  if (!value || !result) return undefined
  return {
    result,
    ...(typeof value.note === 'string' && { note: value.note }),
    successes: count(value.successes),
    failures: count(value.failures),
    warnings: count(value.warnings),
  }
}

/** @returns `undefined` for nonsense; a count that is missing is 0 */
export function parseScan(text: string): Vulnerabilities | undefined {
  const found = json(text)?.vulnerabilities
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined
  const counts = found as Record<string, unknown>
  return {
    critical: count(counts.critical),
    high: count(counts.high),
    medium: count(counts.medium),
    low: count(counts.low),
    unknown: count(counts.unknown),
  }
}

/** Results that were told of already: a table asks for the same ones again with every drawing. */
const unreadable = new WeakSet<RunResult>()

function read<T>(result: RunResult, parse: (text: string) => T | undefined): T | undefined {
  const value = typeof result.value === 'string' ? parse(result.value) : undefined
  if (value === undefined && !unreadable.has(result)) {
    unreadable.add(result)
    console.warn(`The result ${result.name} could not be read: ${String(JSON.stringify(result.value)).slice(0, 200)}`)
  }
  return value
}

/** A count as tasks write it: a number, or its digits in a string. */
function count(value: unknown): number {
  const number = typeof value === 'string' && /^\s*\+?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number > 0 && Number.isFinite(number) ? Math.floor(number) : 0
}

function json(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const sum = (all: Vulnerabilities[]): Vulnerabilities | undefined =>
  all.length === 0
    ? undefined
    : all.reduce((total, each) => ({
        critical: total.critical + each.critical,
        high: total.high + each.high,
        medium: total.medium + each.medium,
        low: total.low + each.low,
        unknown: total.unknown + each.unknown,
      }))
