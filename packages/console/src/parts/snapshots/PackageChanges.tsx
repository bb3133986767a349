import { nameOf } from '@slipway/kube/object'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { type PackageChange, packageChanges } from '@slipway/model/sboms/sbom'
import { useMemo } from 'react'
import { type RowKind, useJoined } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import { Section } from '../../ui/page/Section'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { UserText } from '../../ui/text/UserText'
import { ComponentLink } from '../links'
import { useSnapshotSboms } from '../sboms/use-snapshot-sboms'
import { ReportProgress } from '../security/ReportProgress'
import { isRead, partsOf, progressOf } from './compared-reports'

interface PackageChangesProps {
  from: Snapshot
  to: Snapshot
  /** The application of both. */
  at: ApplicationParams
}

/** Which packages of the images of a snapshot another one does not have, or in other versions. */
export function PackageChanges({ from, to, at }: PackageChangesProps) {
  const before = partsOf(useSnapshotSboms(from), from)
  const after = partsOf(useSnapshotSboms(to), to)
  // Packages of an SBOM that has yet to be read would look added or removed.
  const areKnown = isRead(before) && isRead(after)
  const changes = useMemo(
    () => (areKnown && before.rows && after.rows ? packageChanges(before.rows, after.rows) : undefined),
    [areKnown, before.rows, after.rows],
  )
  const source = useJoined([before, after], () => changes, changedPackages)
  return (
    <Section title="Changed packages">
      <ReportProgress of={progressOf(before, after)} older="older SBOM" />
      <ListTable
        label="Changed packages"
        urlKey="packages"
        at={{ namespace: at.namespace, application: at.application }}
        source={source}
        firstSort="change"
        columns={columns}
        filters={filters}
        empty={
          source.missing.length === 0 && (
            <MessagePanel variant="sm" headingLevel="h3" titleText="No package changed">
              The images of the components that are in both snapshots, {nameOf(from)} and {nameOf(to)}, have the same
              packages.
            </MessagePanel>
          )
        }
      />
    </Section>
  )
}

const changedPackages: RowKind<PackageChange> = {
  idOf: ({ key }) => key,
  nameOf: ({ name }) => name,
  isBeingDeleted: () => false,
}

const changeOrder: PackageChange['change'][] = ['Added', 'Changed', 'Removed']

const columns: Column<PackageChange, ApplicationParams>[] = [
  {
    id: 'change',
    label: 'Change',
    widthRem: 8,
    sortBy: ({ change }) => changeOrder.indexOf(change),
    cell: ({ change }) => change,
  },
  {
    id: 'package',
    label: 'Package',
    isRowHeader: true,
    width: 25,
    sortBy: ({ name }) => name,
    cell: ({ name }) => <UserText text={name} />,
  },
  {
    id: 'kind',
    label: 'Type',
    width: 10,
    visibleFrom: 'lg',
    sortBy: ({ kind }) => kind || undefined,
    cell: ({ kind }) => kind || '-',
  },
  { id: 'before', label: 'Before', cell: ({ before }) => (before ? <UserText text={before} /> : '-') },
  { id: 'after', label: 'After', cell: ({ after }) => (after ? <UserText text={after} /> : '-') },
  {
    id: 'component',
    label: 'Component',
    width: 20,
    sortBy: ({ component }) => component,
    cell: ({ component }, at) => <ComponentLink at={at} component={component} />,
  },
]

const filters: Filter<PackageChange>[] = [
  { id: 'package', label: 'package', text: ({ name }) => name },
  { id: 'change', label: 'Change', choices: ({ change }) => change, values: changeOrder },
  { id: 'type', label: 'Type', choices: ({ kind }) => kind || undefined },
  { id: 'component', label: 'Component', choices: ({ component }) => component },
]
