import { Content } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { commitShaOf } from '@slipway/model/git/git-facts'
import { outlooks } from '@slipway/model/releases/release-prospects'
import type { NewerSnapshot, ReleasePlanState } from '@slipway/model/releases/release-plan-state'
import { newComponentsOf } from '@slipway/model/snapshots/snapshot-origin'
import { useDisabledReason } from '../../api/access/use-access'
import type { RowKind, Source } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import { triggerReleasePermission } from '../../resources/release-plans'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { ageColumn, creationTimeOf, nameColumn, statusColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column } from '../../ui/table/rows'
import { CommitLink, ComponentLinks } from '../links'
import { SnapshotTitle } from '../snapshots/SnapshotTitle'
import { StatusLabel } from '../status/StatusLabel'
import { ProspectAction } from './ProspectAction'

const newerRows: RowKind<NewerSnapshot> = {
  idOf: ({ snapshot }) => nameOf(snapshot),
  nameOf: ({ snapshot }) => nameOf(snapshot),
  isBeingDeleted: () => false,
}

interface NewerSnapshotsProps {
  /** What the state comes from. */
  source: Source<ReleasePlanState>
  state: ReleasePlanState
  at: ApplicationParams
}

/** What is newer than what a plan has released, and why each is held back. */
export function NewerSnapshots({ source, state: { newer }, at }: NewerSnapshotsProps) {
  const disabledReason = useDisabledReason(triggerReleasePermission, at.namespace)
  return (
    <ListTable
      label="Newer snapshots"
      urlKey="newer"
      at={{ ...at, disabledReason }}
      source={{ ...source, rows: newer, kind: newerRows }}
      columns={columns}
      firstSort="-created"
      empty={<Content component="p">Nothing is newer: the newest merged snapshot has been released.</Content>}
    />
  )
}

type Place = ApplicationParams & { disabledReason: string | false | undefined }

const columns: Column<NewerSnapshot, Place>[] = [
  statusColumn('word', ({ prospect }) => <StatusLabel status={prospect.outlook} />, {
    sortBy: ({ prospect }) => outlooks.indexOf(prospect.outlook),
  }),
  nameColumn(newerRows.nameOf, {
    label: 'Snapshot',
    width: 25,
    cell: ({ snapshot }, at) => <SnapshotTitle snapshot={snapshot} at={at} />,
  }),
  {
    id: 'commit',
    label: 'Commit',
    widthRem: valueWidthsRem.sha,
    cell: ({ snapshot }, at) => {
      const sha = commitShaOf(snapshot)
      return sha ? <CommitLink at={at} sha={sha} /> : '-'
    },
  },
  {
    id: 'component',
    label: 'Component',
    width: 15,
    visibleFrom: 'xl',
    cell: ({ snapshot }, at) => <ComponentLinks at={at} components={newComponentsOf(snapshot)} />,
  },
  ageColumn('created', 'Created', ({ snapshot }) => creationTimeOf(snapshot), { visibleFrom: 'lg' }),
  {
    id: 'reason',
    label: 'Reason',
    wraps: true,
    cell: ({ prospect: { reasons, next } }) => [...reasons, next].join(' '),
  },
  {
    id: 'action',
    label: 'Action',
    width: 15,
    visibleFrom: 'lg',
    cell: ({ snapshot, prospect }, at) => (
      <ProspectAction row={prospect} at={{ ...at, snapshot: nameOf(snapshot) }} disabledReason={at.disabledReason} />
    ),
  },
]
