import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { asArray, asRecord, asText, parseJson } from '@slipway/kube/parse'
import { commitShaOf, isForPullRequest } from '../git/git-facts'
import { labels } from '../labels'
import { isScanTask, resultsOf, scanResultNames, type Severity, vulnerabilitiesOf } from '../runs/task-results'
import type { TaskRun } from '../runs/task-run'
import { byStartTime, isFinished, startOf } from '../runs/tekton'
import type { ScanLog } from './scan-reports'
import { type Vulnerability, vulnerabilityKey } from './vulnerability'

/** The tasks that scan images for vulnerabilities, and what they found. */

/** The steps of these tasks that write the reports. */
const reportSteps: readonly string[] = ['get-vulnerabilities', 'rox-image-scan']

/** Whether a task scans for vulnerabilities. Pipelines may give it any name: then its result says so. */
export const isScan = (taskRun: TaskRun): boolean =>
  isScanTask(taskRun.metadata.labels?.[labels.pipelineTask]) ||
  resultsOf(taskRun).some(({ name }) => scanResultNames.some((known) => known === name))

/** The steps whose logs may have a report: all of them, if none has a name that is known. */
export function reportStepsOf({ status }: TaskRun): string[] {
  const names = asArray(status?.steps).flatMap((step) => asText(asRecord(step).name) ?? [])
  const known = names.filter((name) => reportSteps.includes(name))
  return known.length > 0 ? known : names
}

/** Where a scan was done, and of what. */
export interface ScanSource {
  namespace: string
  application: string
  component: string
  /** `undefined` if the task does not say. */
  image: string | undefined
  commit: string | undefined
  pipelineRun: string
  taskRun: string
  /** RFC 3339. */
  scannedAt: string
}

/** A scan whose log has been read. */
export interface Scan extends ScanSource {
  vulnerabilities: readonly Vulnerability[]
  /** Why there may be others; `undefined` if all that was found is known. */
  gap: string | undefined
}

export function scanOf(taskRun: TaskRun, log: ScanLog): Scan {
  const ownLabels = taskRun.metadata.labels
  return {
    namespace: namespaceOf(taskRun) ?? '',
    application: ownLabels?.[labels.application] ?? '',
    component: ownLabels?.[labels.component] ?? '',
    image: scannedImageOf(taskRun),
    commit: commitShaOf(taskRun),
    pipelineRun: pipelineRunOf(taskRun),
    taskRun: nameOf(taskRun),
    scannedAt: taskRun.status?.completionTime ?? startOf(taskRun),
    vulnerabilities: log.vulnerabilities,
    gap: gapOf(taskRun, log),
  }
}

/** What is missing in what was read. An unread report is never one without vulnerabilities. */
function gapOf(taskRun: TaskRun, log: ScanLog): string | undefined {
  const { vulnerabilities, reportCount, brokenReportCount, unreadableCount } = log
  if (reportCount === 0)
    return brokenReportCount > 0 ? 'The report in its log is cut off or invalid.' : 'Its log has no report.'
  if (brokenReportCount > 0)
    return `${brokenReportCount} of ${reportCount + brokenReportCount} reports in its log are cut off or invalid.`
  if (unreadableCount > 0) return `${unreadableCount} entries of its report could not be read.`
  const counted = Object.values(vulnerabilitiesOf(taskRun) ?? {}).reduce((sum, count) => sum + count, 0)
  return counted > 0 && vulnerabilities.length === 0
    ? `Its result counts ${counted} vulnerabilities, and its report has none.`
    : undefined
}

/** The image in the result, or else in the parameters of a task. */
function scannedImageOf(taskRun: TaskRun): string | undefined {
  const processed = resultsOf(taskRun).find(({ name }) => name === 'IMAGES_PROCESSED')?.value
  const { pullspec, digests } = asRecord(
    asRecord(typeof processed === 'string' ? parseJson(processed) : undefined).image,
  )
  const param = (name: string) =>
    asText(asRecord(asArray(specOf(taskRun).params).find((each) => asRecord(each).name === name)).value)
  const image = asText(pullspec) ?? param('image-url')
  const digest = asArray(digests).length === 1 ? asText(asArray(digests)[0]) : param('image-digest')
  return image && digest && !image.includes('@') ? `${image}@${digest}` : image
}

export const pipelineRunOf = ({ metadata }: TaskRun): string => metadata.labels?.[labels.pipelineRun] ?? ''

/** Finished scans of what was built from pushes: what those of pull requests scan is not what would be released. */
const countedScans = (taskRuns: readonly TaskRun[]): TaskRun[] =>
  taskRuns.filter((taskRun) => isScan(taskRun) && isFinished(taskRun) && !isForPullRequest(taskRun))

const componentKeyOf = ({ metadata }: TaskRun): string =>
  JSON.stringify([metadata.labels?.[labels.application], metadata.labels?.[labels.component]])

/** The scans of the newest builds of each component, by run, newest first. */
export function scansByBuild(taskRuns: readonly TaskRun[], mostBuilds: number): TaskRun[] {
  const runsOf = new Map<string, Set<string>>()
  return byStartTime(countedScans(taskRuns))
    .reverse()
    .filter((taskRun) => {
      const key = componentKeyOf(taskRun)
      const runs = runsOf.get(key) ?? new Set()
      runsOf.set(key, runs)
      if (runs.size < mostBuilds) runs.add(pipelineRunOf(taskRun))
      return runs.has(pipelineRunOf(taskRun))
    })
}

/** A vulnerability of a component, and the scan that found it. */
export interface FoundVulnerability extends Vulnerability {
  key: string
  from: ScanSource
  /** Whether the last release did not have it; `undefined` if that is not known. */
  isNew?: boolean | undefined
  /** The oldest scan in a row that found it. */
  firstSeen?: FirstSeen | undefined
}

export interface FirstSeen {
  from: ScanSource
  /** Set if no older scan without it is known, so that it may have been there before. */
  isAtLeast: boolean
}

/** What scans found in each component. Scans of several architectures, or by several tools, find the same. */
export function foundIn(scans: readonly Scan[]): FoundVulnerability[] {
  const byKey = new Map<string, FoundVulnerability>()
  for (const { vulnerabilities, gap: _gap, ...from } of scans) {
    for (const each of vulnerabilities) {
      const key = `${from.namespace}/${from.application}/${from.component}/${from.component ? '' : from.pipelineRun}${vulnerabilityKey(each)}`
      const known = byKey.get(key)
      if (!known || (!known.fixedIn && each.fixedIn)) byKey.set(key, { ...each, key, from })
    }
  }
  return [...byKey.values()]
}

export const severityRanks: Record<Severity, number> = { Critical: 0, High: 1, Medium: 2, Low: 3, Unknown: 4 }

/** Sorts what can be fixed before what cannot, the worst first. */
export const fixableFirst = ({ fixedIn, severity }: Pick<Vulnerability, 'fixedIn' | 'severity'>): number =>
  severityRanks[severity] + (fixedIn ? 0 : 10)
