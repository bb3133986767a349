import { Content } from '@patternfly/react-core'
import { outlooks, type ReleaseProspect, releaseProspects } from '@slipway/model/releases/release-prospects'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { useDisabledReason } from '../../api/access/use-access'
import { originOf } from '../../api/archive/origin'
import { type RowKind, useJoined, useList } from '../../api/source'
import type { SnapshotParams } from '../../paths'
import { releasePlans, triggerReleasePermission } from '../../resources/release-plans'
import { releases } from '../../resources/releases'
import { ReleasePlanLink } from '../../parts/links'
import { ProspectAction } from '../../parts/releases/ProspectAction'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { ListTable } from '../../ui/table/ListTable'
import type { Column } from '../../ui/table/rows'

const prospectRows: RowKind<ReleaseProspect> = {
  idOf: ({ plan }) => plan,
  nameOf: ({ plan }) => plan,
  isBeingDeleted: () => false,
}

/** Why a snapshot has not been released: each plan that would take it, what is missing, and what to do. */
export function SnapshotProspects({ snapshot, at }: { snapshot: Snapshot; at: SnapshotParams }) {
  const denial = useDisabledReason(triggerReleasePermission, at.namespace)
  const plans = useList(releasePlans.prospects(at.namespace), 'release plans')
  const known = useList(releases.progress(at.namespace), 'releases')
  const source = useJoined(
    [plans, known],
    ([all, ofNamespace]) =>
      all && (ofNamespace || known.error) ? releaseProspects(snapshot, all, ofNamespace) : undefined,
    prospectRows,
  )
  return (
    <ListTable
      label="Release plans"
      urlKey="plans"
      at={{ ...at, disabledReason: denial || (originOf(snapshot) && 'Deleted from the cluster') }}
      source={source}
      columns={columns}
      firstSort="plan"
      empty={<Content>No release plan releases {at.application}.</Content>}
    />
  )
}

type Place = SnapshotParams & { disabledReason: string | false | undefined }

const columns: Column<ReleaseProspect, Place>[] = [
  {
    id: 'plan',
    label: 'Release plan',
    isRowHeader: true,
    width: 25,
    sortBy: ({ plan }) => plan,
    cell: ({ plan }, { namespace }) => <ReleasePlanLink namespace={namespace} releasePlan={plan} />,
  },
  {
    id: 'outlook',
    label: 'Status',
    width: 15,
    sortBy: ({ outlook }) => outlooks.indexOf(outlook),
    cell: ({ outlook }) => <StatusLabel status={outlook} />,
  },
  {
    id: 'automatic',
    label: 'Auto release',
    width: 10,
    visibleFrom: 'lg',
    cell: ({ isAutomatic, isAttributed }) => (isAutomatic ? (isAttributed ? 'Yes' : 'Yes, not attributed') : 'No'),
  },
  {
    id: 'admission',
    label: 'Admission',
    width: 10,
    visibleFrom: 'lg',
    cell: ({ admission }) => admissionText(admission),
  },
  { id: 'reason', label: 'Reason', wraps: true, cell: ({ reasons, next }) => [...reasons, next].join(' ') },
  {
    id: 'action',
    label: 'Action',
    width: 15,
    cell: (row, at) => <ProspectAction row={row} at={at} disabledReason={at.disabledReason} />,
  },
]

function admissionText(admission: ReleaseProspect['admission']): string {
  if (!admission) return 'Not needed'
  if (admission === 'Not Matched') return admission
  return admission.isBlocked ? 'Blocked' : 'Matched'
}
