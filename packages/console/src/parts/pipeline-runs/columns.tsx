import { Skeleton } from '@patternfly/react-core'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import {
  commitShaOf,
  commitTitleOf,
  gitFactsOf,
  pullRequestOf,
  pullRequestText,
  userOf,
} from '@slipway/model/git/git-facts'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotOf } from '@slipway/model/runs/run-actions'
import { runStatuses } from '@slipway/model/runs/run-status'
import { eventTypeText, pipelineTypeText } from '@slipway/model/runs/run-type'
import type { ReportedResult, Vulnerabilities } from '@slipway/model/runs/task-results'
import { durationMsOf, isFinished } from '@slipway/model/runs/tekton'
import { concludedResult } from '@slipway/model/snapshots/verdict'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { newestStart } from '../../api/archive/origin'
import { paths } from '../../paths'
import { scanResults } from '../../resources/scan-results'
import {
  applicationOf,
  ComponentLink,
  pathIn,
  pipelineRunPath,
  RunWithoutPage,
  servedApplication,
  SnapshotLink,
} from '../links'
import { CommitByline } from '../commits/CommitByline'
import { byUser, factColumns } from '../commits/fact-columns'
import { Reference } from '../commits/Reference'
import { VulnerabilityCounts } from '../security/VulnerabilityCounts'
import { RunDuration } from '../text/Duration'
import { displayStatus } from '../status/display-status'
import { OriginLabel } from '../../ui/status/OriginLabel'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { ageColumn, byName, byStatus, statusColumn } from '../../ui/table/common-columns'
import type { Column, Filter } from '../../ui/table/rows'
import { TitledName } from '../../ui/text/TitledName'
import { RunStatus } from './RunStatus'

/** What the cells of runs need besides the run. */
export interface PipelineRunCells {
  /** The integration test whose runs are listed. */
  integrationTest?: string | undefined
  /** All of the runs are of the same commit, which the page names. */
  isOfOneCommit?: boolean
}

const facts = factColumns<PipelineRun, PipelineRunCells>((run) => gitFactsOf(commitShaOf(run), [run]))

/** All columns of runs, in the order of most tables. */
export const runColumns = {
  status: statusColumn('withVerdict', (run) => <RunStatus run={run} />, { sortBy: displayStatus }),
  name: {
    id: 'name',
    label: 'Name',
    isRowHeader: true,
    linkTo: (run, { integrationTest }) =>
      pipelineRunPath({ at: applicationOf(run), pipelineRun: nameOf(run), integrationTest }),
    cell: (run, { isOfOneCommit }) =>
      applicationOf(run).application ? (
        <TitledName title={isOfOneCommit ? undefined : commitTitleOf(run)} name={nameOf(run)} />
      ) : (
        <RunWithoutPage pipelineRun={nameOf(run)} />
      ),
    suffix: (run, { isOfOneCommit }) => (
      <>
        {!isOfOneCommit && <CommitByline object={run} />}
        <OriginLabel object={run} />
      </>
    ),
  },
  started: ageColumn('started', 'Started', (run) => run.status?.startTime, { sortBy: newestStart }),
  vulnerabilities: {
    id: 'vulnerabilities',
    label: 'Fixable vulnerabilities',
    widthRem: valueWidthsRem.severities,
    visibleFrom: 'wide',
    cell: (run) => (
      <Found
        run={run}
        render={({ vulnerabilities }) =>
          vulnerabilities && (
            <VulnerabilityCounts
              counts={vulnerabilities}
              listedOn={pathIn(applicationOf(run), (at) =>
                paths.pipelineRunVulnerabilities({ ...at, pipelineRun: nameOf(run) }),
              )}
            />
          )
        }
      />
    ),
  },
  duration: {
    id: 'duration',
    label: 'Duration',
    widthRem: valueWidthsRem.duration,
    visibleFrom: 'lg',
    sortBy: durationMsOf,
    firstDirection: 'desc',
    cell: (run) => <RunDuration run={run} status={displayStatus(run)} />,
  },
  testResult: {
    id: 'testResult',
    label: 'Test result',
    widthRem: valueWidthsRem.type,
    hiddenByDefault: true,
    visibleFrom: 'lg',
    cell: (run) => <Found run={run} render={({ testResult }) => testResult && testResultText(run, testResult)} />,
  },
  type: {
    id: 'type',
    label: 'Type',
    widthRem: valueWidthsRem.type,
    visibleFrom: 'lg',
    cell: (run) => pipelineTypeText(run) ?? '-',
  },
  component: {
    id: 'component',
    label: 'Component',
    width: 15,
    hiddenByDefault: true,
    visibleFrom: 'lg',
    cell: (run) => {
      const component = run.metadata.labels?.[labels.component]
      return component ? <ComponentLink at={servedApplication(run)} component={component} /> : '-'
    },
  },
  snapshot: {
    id: 'snapshot',
    label: 'Snapshot',
    width: 15,
    hiddenByDefault: true,
    visibleFrom: 'xl',
    cell: (run) => {
      const snapshot = snapshotOf(run)
      return snapshot ? <SnapshotLink at={servedApplication(run)} snapshot={snapshot} /> : '-'
    },
  },
  namespace: {
    id: 'namespace',
    label: 'Namespace',
    width: 15,
    hiddenByDefault: true,
    visibleFrom: 'xl',
    cell: (run) => namespaceOf(run) ?? '-',
  },
  trigger: {
    id: 'trigger',
    label: 'Trigger',
    widthRem: valueWidthsRem.event,
    visibleFrom: '2xl',
    cell: (run) => eventTypeText(run) ?? '-',
  },
  reference: {
    id: 'reference',
    label: 'Reference',
    widthRem: valueWidthsRem.reference,
    visibleFrom: 'xl',
    cell: (run) => <RunReference run={run} />,
  },
  branch: { ...facts.branch, hiddenByDefault: true },
  byUser: { ...facts.byUser, hiddenByDefault: true },
} satisfies Record<string, Column<PipelineRun, PipelineRunCells>>

export const pipelineRunColumns: readonly Column<PipelineRun, PipelineRunCells>[] = Object.values(runColumns)

export const pipelineRunFilters: Filter<PipelineRun>[] = [
  byName(nameOf),
  byStatus(displayStatus, runStatuses),
  { id: 'type', label: 'Type', choices: pipelineTypeText },
  { id: 'pull request', label: 'Pull request', choices: pullRequestText },
  byUser(userOf),
]

interface FoundProps {
  run: PipelineRun
  render: (findings: { vulnerabilities: Vulnerabilities | null; testResult: ReportedResult | null }) => ReactNode
}

/** What the tasks of a run have reported; `-` while it is unfinished or for no report, 'N/A' if it cannot be read. */
function Found({ run, render }: FoundProps) {
  const { data, isError } = useQuery(scanResults.of(run))
  if (!isFinished(run)) return '-'
  if (data) return render(data) ?? '-'
  return isError ? 'N/A' : <Skeleton width="3rem" screenreaderText={`Loading scan results for ${nameOf(run)}`} />
}

function testResultText(run: PipelineRun, result: ReportedResult): string | undefined {
  const concluded = concludedResult(result, displayStatus(run))
  return concluded && testResultTexts[concluded]
}

const testResultTexts: Record<ReportedResult, string> = {
  INVALID: 'Invalid',
  SUCCESS: 'Success',
  FAILURE: 'Failure',
  WARNING: 'Warning',
  SKIPPED: 'Skipped',
  ERROR: 'Error',
}

function RunReference({ run }: { run: PipelineRun }) {
  const pullRequest = pullRequestOf(run)
  return (
    <Reference at={servedApplication(run)} pullRequests={pullRequest ? [pullRequest] : []} sha={commitShaOf(run)} />
  )
}
