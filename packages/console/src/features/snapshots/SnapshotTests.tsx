import { Alert, Content } from '@patternfly/react-core'
import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { runStatuses } from '@slipway/model/runs/run-status'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { isUnmerged } from '@slipway/model/snapshots/snapshot-origin'
import {
  newestTestRuns,
  type Readiness,
  readinessOf,
  type SnapshotTest,
  testsOfSnapshot,
  waitingReasonOf,
} from '@slipway/model/snapshots/snapshot-tests'
import { useQuery } from '@tanstack/react-query'
import { type RowKind, useJoined, useList } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useActions } from '../../ui/actions/use-actions'
import { addIntegrationTest } from '../../parts/integration-tests/actions'
import { TestMarks } from '../../parts/integration-tests/TestMarks'
import { IntegrationTestLink, PipelineRunLink } from '../../parts/links'
import { FailingLineLink } from '../../parts/pipeline-runs/FailingLineLink'
import { useTaskRuns } from '../../parts/pipeline-runs/use-task-runs'
import { WaitingText } from '../../parts/pipeline-runs/RunWaitingNote'
import { useWaiting } from '../../parts/pipeline-runs/use-waiting'
import { useRunVerdicts } from '../../parts/pipeline-runs/run-verdicts'
import { displayStatus } from '../../parts/status/display-status'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { nameColumn, statusColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column } from '../../ui/table/rows'
import { Duration } from '../../parts/text/Duration'
import { snapshotTestActions } from './snapshot-actions'

const testRows: RowKind<SnapshotTest> = {
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  isBeingDeleted: () => false,
}

interface SnapshotTestsProps {
  snapshot: Snapshot
  at: ApplicationParams
}

/** Each integration test on a snapshot, and what they mean for its release. */
export function SnapshotTests({ snapshot, at }: SnapshotTestsProps) {
  const { actionsOf } = useActions(snapshotTestActions, { namespace: at.namespace, snapshot })
  const scenarios = useList(integrationTestScenarios.listed(at.namespace), 'integration tests')
  const runs = useList(pipelineRuns.ofTests(at.namespace, at.application), 'pipeline runs')
  const verdictOf = useRunVerdicts(newestTestRuns(snapshot, runs.rows ?? []))
  const source = useJoined(
    [scenarios, runs],
    // What a snapshot reports can be shown without the definitions of its tests or their runs.
    ([tests, testRuns]) =>
      (tests || scenarios.error) && (testRuns || runs.error)
        ? testsOfSnapshot(
            snapshot,
            (tests ?? []).filter((test) => specOf(test).application === at.application),
            testRuns ?? [],
            { statusOf: displayStatus, verdictOf },
          )
        : undefined,
    testRows,
  )
  // Without all of them it cannot be said what is missing.
  const known = source.missing.length === 0 && !source.error ? (source.rows ?? []) : []
  return (
    <>
      {known.length > 0 && <ReadinessNote snapshot={snapshot} tests={known} />}
      <ListTable
        label="Integration tests"
        urlKey="tests"
        at={at}
        source={source}
        columns={columns}
        actions={actionsOf}
        firstSort="name"
        empty={
          <Content>
            No integration test applies to this snapshot. <DefinedButton action={addIntegrationTest} at={at} />
          </Content>
        }
      />
    </>
  )
}

interface ReadinessProps {
  snapshot: Snapshot
  tests: readonly SnapshotTest[]
}

function ReadinessNote({ snapshot, tests }: ReadinessProps) {
  const readiness = readinessOf(tests)
  const { waiting } = readiness
  // The list lacks much of what explains a run.
  const { data: run } = useQuery({
    ...pipelineRuns.get(namespaceOf(snapshot) ?? '', waiting?.runName ?? ''),
    enabled: waiting?.run !== undefined,
  })
  return waiting && run ? (
    <ExplainedReadiness snapshot={snapshot} tests={tests} waiting={waiting} run={run} />
  ) : (
    <ReadinessAlert snapshot={snapshot} readiness={readiness} />
  )
}

/** With the reason why a run has not started. */
function ExplainedReadiness({ waiting, run, ...props }: ReadinessProps & { waiting: SnapshotTest; run: PipelineRun }) {
  const reason = useWaiting(run, useTaskRuns(run).rows ?? [])?.text
  const reasonOf = (test: SnapshotTest) => (test.name === waiting.name ? reason : waitingReasonOf(test))
  return <ReadinessAlert {...props} readiness={readinessOf(props.tests, reasonOf)} />
}

const variants = { ready: 'success', waiting: 'info', failed: 'danger' } as const

const ReadinessAlert = ({ snapshot, readiness }: { snapshot: Snapshot; readiness: Readiness }) => (
  <Alert
    isInline
    isPlain
    component="p"
    variant={variants[readiness.state]}
    title={
      isUnmerged(snapshot)
        ? `${readiness.text} Its changes have not been merged, so it is not released automatically.`
        : readiness.text
    }
  />
)

const columns: Column<SnapshotTest, ApplicationParams>[] = [
  statusColumn('withVerdict', ({ shown }) => <StatusLabel {...shown} />, {
    sortBy: ({ status }) => runStatuses.indexOf(status),
  }),
  nameColumn(testRows.nameOf, {
    width: 30,
    cell: ({ name, test }, at) => (
      <>
        <IntegrationTestLink at={at} integrationTest={name} />
        {test && <TestMarks test={test} />}
      </>
    ),
  }),
  {
    id: 'optional',
    label: 'Optional for release',
    width: 10,
    visibleFrom: 'lg',
    sortBy: ({ isOptional }) => String(isOptional),
    cell: ({ isOptional }) => (isOptional ? 'Optional' : 'Required'),
  },
  {
    id: 'duration',
    label: 'Duration',
    widthRem: valueWidthsRem.duration,
    visibleFrom: 'lg',
    cell: ({ status, startTime, completionTime }) => (
      <Duration
        from={startTime}
        to={completionTime}
        isOver={status !== 'Running' && status !== 'Cancelling'}
        isPending={status === 'Pending' || status === 'PipelineNotStarted'}
      />
    ),
  },
  {
    id: 'run',
    label: 'Pipeline run',
    width: 15,
    visibleFrom: 'lg',
    cell: ({ runName }, at) => (runName ? <PipelineRunLink at={at} pipelineRun={runName} /> : '-'),
  },
  { id: 'result', label: 'Result', wraps: true, cell: (row, at) => <Result row={row} at={at} /> },
]

/** What to know or to do about a test that has not passed. */
function Result({ row, at }: { row: SnapshotTest; at: ApplicationParams }) {
  const { status, runName, run, details } = row
  if (status === 'Skipped' && !run) return 'Added after this snapshot was tested'
  if ((status === 'Failed' || status === 'Test Failures') && runName)
    return <FailingLineLink at={{ ...at, pipelineRun: runName }} otherwise={details ?? '-'} />
  if (status === 'Pending' && run) return <WaitingRun namespace={at.namespace} name={nameOf(run)} />
  if (status === 'PipelineNotStarted') return waitingReasonOf(row) ?? '-'
  return details ?? '-'
}

function WaitingRun({ namespace, name }: { namespace: string; name: string }) {
  const { data: run } = useQuery(pipelineRuns.get(namespace, name))
  return run ? <WaitingTextOf run={run} /> : '-'
}

const WaitingTextOf = ({ run }: { run: PipelineRun }) => (
  <WaitingText run={run} taskRuns={useTaskRuns(run).rows ?? []} />
)
