import { Label, type LabelProps, Skeleton } from '@patternfly/react-core'
import type { Vulnerabilities } from '@slipway/model/runs/task-results'
import { imageIdOf, shortImage, type SnapshotComponent } from '@slipway/model/snapshots/snapshot'
import {
  type ComponentChange,
  type ComponentChangeKind,
  componentChangeKinds,
} from '@slipway/model/snapshots/snapshot-changes'
import type { ReactNode } from 'react'
import { type RowKind, useFixed } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import { CopyButton } from '../../ui/actions/CopyButton'
import { ComponentLink } from '../links'
import { VulnerabilityCounts } from '../security/VulnerabilityCounts'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { byName, nameColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { Revision } from './Revision'
import type { KnownVulnerabilities } from './use-snapshot-vulnerabilities'

/** `undefined` if they are not known. */
type Found = Vulnerabilities | 'loading' | undefined

interface ChangeRow extends ComponentChange {
  foundBefore: Found
  foundAfter: Found
}

const changeRows: RowKind<ChangeRow> = {
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  isBeingDeleted: () => false,
}

interface SnapshotChangeTableProps {
  changes: readonly ComponentChange[]
  before: KnownVulnerabilities
  after: KnownVulnerabilities
  at: ApplicationParams
  toolbar: ReactNode
}

/** Each component of two snapshots, changed ones first. */
export function SnapshotChangeTable({ changes, before, after, at, toolbar }: SnapshotChangeTableProps) {
  const rows = changes.map((change) => ({
    ...change,
    foundBefore: foundIn(before, change.from),
    foundAfter: foundIn(after, change.to),
  }))
  return (
    <ListTable
      label="Changes"
      urlKey="changes"
      at={{ namespace: at.namespace, application: at.application }}
      source={useFixed(rows, changeRows)}
      columns={columns}
      filters={filters}
      toolbar={toolbar}
      firstSort="change"
      empty={<MessagePanel titleText="No components">Neither snapshot records an image.</MessagePanel>}
    />
  )
}

const foundIn = ({ byComponent, isLoading }: KnownVulnerabilities, component: SnapshotComponent | undefined): Found =>
  component && (byComponent.get(component) ?? (isLoading ? 'loading' : undefined))

const colors: Record<ComponentChangeKind, LabelProps['color']> = {
  Changed: 'blue',
  Added: 'green',
  Removed: 'orange',
  Unchanged: 'grey',
}

const columns: Column<ChangeRow, ApplicationParams>[] = [
  {
    id: 'change',
    label: 'Change',
    width: 10,
    sortBy: ({ kind }) => componentChangeKinds.indexOf(kind),
    cell: ({ kind }) => (
      <Label isCompact color={colors[kind]} variant={kind === 'Unchanged' ? 'outline' : 'filled'}>
        {kind}
      </Label>
    ),
  },
  nameColumn(changeRows.nameOf, {
    label: 'Component',
    width: 25,
    cell: ({ name, from, to }, at) => {
      const component = (to ?? from)?.name ?? name
      return (
        <>
          <ComponentLink at={at} component={component} />
          {name.slice(component.length)}
        </>
      )
    },
  }),
  { id: 'commits', label: 'Commits', width: 20, wraps: true, cell: (row, at) => <Commits row={row} at={at} /> },
  {
    id: 'image',
    label: 'Image',
    width: 20,
    visibleFrom: 'lg',
    wraps: true,
    cell: ({ from, to, hasNewImage }) =>
      hasNewImage || !to || !imageIdOf(to) ? (
        <BeforeAndAfter before={from && <Image component={from} />} after={to && <Image component={to} />} />
      ) : (
        'Same image'
      ),
  },
  {
    id: 'vulnerabilities',
    label: 'Vulnerabilities',
    visibleFrom: 'lg',
    wraps: true,
    cell: ({ from, to, foundBefore, foundAfter }) => (
      <BeforeAndAfter before={from && <Counts found={foundBefore} />} after={to && <Counts found={foundAfter} />} />
    ),
  },
]

const filters: Filter<ChangeRow>[] = [
  byName(changeRows.nameOf),
  { id: 'change', label: 'Change', choices: ({ kind }) => kind, values: componentChangeKinds },
]

/** Only one of them for a component that is in one snapshot. */
function BeforeAndAfter({ before, after }: { before: ReactNode; after: ReactNode }) {
  if (!before || !after) return before ?? after ?? '-'
  return (
    <>
      {before} <span aria-hidden>→</span>
      <span className="pf-v6-screen-reader">to</span> {after}
    </>
  )
}

function Commits({ row: { from, to, commits }, at }: { row: ChangeRow; at: ApplicationParams }) {
  const after = to && <Revision component={to} at={at} />
  if (!commits) return after ?? '-'
  return (
    <>
      <BeforeAndAfter before={from && <Revision component={from} at={at} />} after={after} />
      {commits.url && (
        <>
          {' '}
          <ExternalLink href={commits.url}>Compare</ExternalLink>
        </>
      )}
      {commits.isOtherRepository && ' (other repository)'}
    </>
  )
}

function Image({ component }: { component: SnapshotComponent }) {
  const image = imageIdOf(component)
  if (!image) return 'Unknown'
  return (
    <>
      <CopyButton text={component.containerImage} noun={`image of ${component.name}`} /> {shortImage(image)}
    </>
  )
}

function Counts({ found }: { found: Found }) {
  if (found === 'loading') return <Skeleton width="4rem" screenreaderText="Loading vulnerabilities" />
  return found ? <VulnerabilityCounts counts={found} /> : 'Unknown'
}
