import { Alert } from '@patternfly/react-core'
import { specOf } from '@slipway/kube/object'
import type { Release } from '@slipway/model/releases/release'
import {
  type ReleaseRun,
  type ReleaseRunStatus,
  releaseRuns,
  releaseRunStatus,
  releaseRunTypes,
} from '@slipway/model/releases/release-runs'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useAccess } from '../../api/access/use-access'
import { originOf } from '../../api/archive/origin'
import { type RowKind, useFixed } from '../../api/source'
import { type ReleaseParams, paths } from '../../paths'
import { openRunChecks } from '../../resources/pipeline-runs'
import { releases } from '../../resources/releases'
import { SnapshotLink } from '../../parts/links'
import { route } from '../../ui/page/route'
import { ReleaseRunLink } from '../../parts/releases/ReleaseRunLink'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { tablePreferences } from '../../ui/table/columns'
import { ageColumn, byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { Duration } from '../../parts/text/Duration'

const preferences = tablePreferences('release-pipeline-visible-columns')

export const page = route(paths.releasePipelineRuns)

export { ReleasePipelineRunsTab as Component }
function ReleasePipelineRunsTab() {
  const at = page.useParams()
  const { data: release } = useSuspenseQuery(releases.get(at.namespace, at.release))
  const rows = runsOf(release)
  const namespaces = new Set(rows.flatMap(({ namespace }) => namespace ?? []))
  return (
    <>
      {[...namespaces].map((namespace) => (
        <AccessNote key={namespace} namespace={namespace} />
      ))}
      <ListTable
        label="Pipeline runs"
        at={{ ...at, snapshot: specOf(release).snapshot }}
        source={useFixed(rows, runRows)}
        columns={columns}
        filters={filters}
        firstSort="type"
        preferences={preferences}
        empty={
          <MessagePanel titleText="No pipeline runs found">
            This release has not started a pipeline. Its runs appear here, in whatever namespace they are.
          </MessagePanel>
        }
      />
    </>
  )
}

/** The pipelines of a release run in the namespaces of its plan and of its admission. */
function AccessNote({ namespace }: { namespace: string }) {
  const { isAllowed, isPending, hasFailed } = useAccess(openRunChecks(namespace))
  if (isAllowed || isPending) return null
  const reason = hasFailed
    ? `Your access to ${namespace} could not be checked`
    : `You don't have access to ${namespace}`
  return (
    <Alert isInline variant="info" component="p" title={reason}>
      Its pipeline runs are named here as the release knows them, but they cannot be opened.
    </Alert>
  )
}

interface RunRow extends ReleaseRun {
  status: ReleaseRunStatus | 'Unknown'
}

/** A release that is no longer in the cluster does not say how runs ended that were running. */
const runsOf = (release: Release): RunRow[] =>
  releaseRuns(release).map((run) => {
    const status = releaseRunStatus(run)
    return { ...run, status: originOf(release) && status !== 'Completed' ? 'Unknown' : status }
  })

const runRows: RowKind<RunRow> = {
  idOf: ({ type, namespace, name }) => `${type} ${namespace}/${name}`,
  nameOf: ({ name }) => name,
  isBeingDeleted: () => false,
}

interface Cells extends ReleaseParams {
  snapshot: string | undefined
}

const columns: Column<RunRow, Cells>[] = [
  {
    id: 'status',
    label: 'Status',
    width: 15,
    hiddenByDefault: true,
    sortBy: ({ status }) => status,
    cell: ({ status, failureReason }) => (
      <>
        <StatusLabel status={status} />
        {failureReason && ` (${failureReason})`}
      </>
    ),
  },
  nameColumn(runRows.nameOf, {
    cell: (run, { application, release }) => <ReleaseRunLink run={run} application={application} release={release} />,
  }),
  ageColumn('startTime', 'Started', ({ startTime }) => startTime),
  {
    id: 'duration',
    label: 'Duration',
    widthRem: valueWidthsRem.duration,
    cell: ({ startTime, completionTime, status }) => (
      <Duration from={startTime} to={completionTime} isOver={status === 'Unknown'} />
    ),
  },
  {
    id: 'type',
    label: 'Type',
    width: 15,
    sortBy: ({ type, attempt = 0 }) => releaseRunTypes.indexOf(type) + attempt / 1_000,
    cell: ({ type, attempt }) => (attempt ? `${type}, attempt ${attempt}` : type),
  },
  {
    id: 'snapshot',
    label: 'Snapshot',
    width: 20,
    visibleFrom: 'lg',
    cell: (_, { snapshot, ...at }) => (snapshot ? <SnapshotLink at={at} snapshot={snapshot} /> : '-'),
  },
  {
    id: 'namespace',
    label: 'Namespace',
    width: 15,
    sortBy: ({ namespace }) => namespace,
    cell: ({ namespace }) => namespace ?? '-',
  },
  ageColumn('completionTime', 'Completed', ({ completionTime }) => completionTime, {
    hiddenByDefault: true,
  }),
]

const filters: Filter<RunRow>[] = [byName(runRows.nameOf)]
