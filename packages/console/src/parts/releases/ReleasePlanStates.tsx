import { Content } from '@patternfly/react-core'
import { nameOf, specOf } from '@slipway/kube/object'
import { outlooks } from '@slipway/model/releases/release-prospects'
import { isHeldBack, type ReleasePlanState } from '@slipway/model/releases/release-plan-state'
import { referenceOf } from '@slipway/model/snapshots/snapshot-origin'
import { Link } from 'react-router'
import { type ApplicationParams, paths } from '../../paths'
import { Section } from '../../ui/page/Section'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { nameColumn, statusColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column } from '../../ui/table/rows'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { CommitLink, SnapshotLink } from '../links'
import { SnapshotTitle } from '../snapshots/SnapshotTitle'
import { StatusLabel } from '../status/StatusLabel'
import { useReleasePlanStates } from './use-release-plan-states'

/** What each release plan of an application has released, and why what is newer is held back: a line for each plan. */
export function ReleasePlanStates({ at: { namespace, application } }: { at: ApplicationParams }) {
  const at = { namespace, application }
  return (
    <ListTable
      label="Released now"
      urlKey="released"
      at={at}
      source={useReleasePlanStates(at)}
      columns={columns}
      firstSort="name"
      empty={<Content component="p">No release plan releases {application}.</Content>}
    />
  )
}

/** Those release plans of an application whose newest snapshot is held back, and why; nothing if there is none. */
export function HeldBackPlans({ at: { namespace, application } }: { at: ApplicationParams }) {
  const at = { namespace, application }
  const source = useReleasePlanStates(at)
  const rows = source.rows?.filter(isHeldBack) ?? []
  if (rows.length === 0) return null
  return (
    <Section title="Held back">
      <ListTable
        label="Held back"
        urlKey="held"
        at={at}
        source={{ ...source, rows }}
        columns={columns}
        firstSort="name"
        empty={null}
      />
    </Section>
  )
}

const columns: Column<ReleasePlanState, ApplicationParams>[] = [
  nameColumn(({ plan }) => nameOf(plan), {
    label: 'Release plan',
    width: 25,
    cell: ({ plan }, { namespace }) => (
      <Link to={paths.releasePlan({ namespace, releasePlan: nameOf(plan) })}>{nameOf(plan)}</Link>
    ),
  }),
  {
    id: 'released',
    label: 'Released now',
    width: 15,
    cell: (state, at) => <Released state={state} at={at} />,
  },
  {
    id: 'since',
    label: 'Since',
    widthRem: valueWidthsRem.age,
    sortBy: ({ current }) => current?.status?.completionTime,
    firstDirection: 'desc',
    cell: ({ current }) => <RelativeTime time={current?.status?.completionTime} />,
  },
  {
    id: 'newest',
    label: 'Newest',
    width: 15,
    visibleFrom: 'lg',
    cell: ({ newer: [newest] }, at) => (newest ? <SnapshotTitle snapshot={newest.snapshot} at={at} /> : '-'),
  },
  statusColumn(
    'word',
    ({ newer: [newest] }) => (newest ? <StatusLabel status={newest.prospect.outlook} /> : 'Up to date'),
    {
      sortBy: ({ newer: [newest] }) => (newest ? outlooks.indexOf(newest.prospect.outlook) : outlooks.length),
    },
  ),
  {
    id: 'reason',
    label: 'Reason',
    visibleFrom: 'lg',
    cell: ({ newer: [newest] }) => newest?.prospect.reasons.join(' ') ?? '-',
  },
]

/** The commit of the released snapshot, or its name if the cluster no longer has it. */
function Released({ state: { current, snapshot }, at }: { state: ReleasePlanState; at: ApplicationParams }) {
  if (!current) return 'No successful release in the cluster'
  if (!snapshot) return <SnapshotLink at={at} snapshot={specOf(current).snapshot ?? ''} />
  const { sha, shaTitle } = referenceOf(snapshot)
  return (
    <>
      {sha && <CommitLink at={at} sha={sha} />} {(shaTitle ?? !sha) && <SnapshotTitle snapshot={snapshot} at={at} />}
    </>
  )
}
