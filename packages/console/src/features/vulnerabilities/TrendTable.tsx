import { severityNames } from '@slipway/model/runs/task-results'
import type { ScannedBuild } from '@slipway/model/vulnerabilities/scan-trend'
import type { FoundVulnerability } from '@slipway/model/vulnerabilities/scans'
import { type RowKind, useFixed } from '../../api/source'
import { CommitLink, PipelineRunLink } from '../../parts/links'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { ageColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column } from '../../ui/table/rows'
import { Details } from '../../ui/page/Details'
import { UserText } from '../../ui/text/UserText'

/** How the vulnerabilities of a component changed, and with which commit. */
export const TrendTable = ({ builds }: { builds: readonly ScannedBuild[] }) => (
  <ListTable
    label="Builds"
    urlKey="builds"
    source={useFixed(builds, buildRows)}
    at={{ most: Math.max(1, ...builds.map(({ found }) => found.length)) }}
    columns={columns}
    firstSort="-scanned"
    details={detailsOf}
    empty={null}
  />
)

const buildRows: RowKind<ScannedBuild> = {
  idOf: ({ pipelineRun }) => pipelineRun,
  nameOf: ({ pipelineRun }) => pipelineRun,
  isBeingDeleted: () => false,
}

interface Scale {
  /** The most vulnerabilities that a build has. */
  most: number
}

const columns: Column<ScannedBuild, Scale>[] = [
  {
    id: 'build',
    label: 'Build',
    isRowHeader: true,
    cell: ({ from, pipelineRun }) => <PipelineRunLink at={from} pipelineRun={pipelineRun} />,
  },
  {
    id: 'commit',
    label: 'Commit',
    widthRem: valueWidthsRem.sha,
    cell: ({ from }) => (from.commit ? <CommitLink at={from} sha={from.commit} /> : '-'),
  },
  {
    id: 'total',
    label: 'Found',
    width: 20,
    sortBy: ({ gap, found }) => (gap ? undefined : found.length),
    firstDirection: 'desc',
    cell: ({ gap, found }, { most }) =>
      gap ? (
        'Not fully known'
      ) : (
        <>
          <Bar share={found.length / most} />
          {found.length}
        </>
      ),
  },
  {
    id: 'severities',
    label: 'Critical, high, medium, low',
    visibleFrom: 'lg',
    cell: ({ counts }) =>
      severityNames
        .filter((severity) => severity !== 'Unknown')
        .map((severity) => counts[severity])
        .join(', '),
  },
  {
    id: 'change',
    label: 'Change',
    sortBy: ({ change }) => change && change.arrived.length - change.fixed.length,
    firstDirection: 'desc',
    cell: ({ change }) => changeText(change),
  },
  ageColumn('scanned', 'Scanned', ({ from }) => from.scannedAt),
]

/** Repeats the number beside it. */
const Bar = ({ share }: { share: number }) => (
  <span
    aria-hidden="true"
    style={{
      display: 'inline-block',
      blockSize: '0.6em',
      inlineSize: `${share * 60}%`,
      marginInlineEnd: 'var(--pf-t--global--spacer--xs)',
      background: 'var(--pf-t--global--icon--color--subtle)',
    }}
  />
)

function changeText(change: ScannedBuild['change']): string {
  if (!change) return 'Not known'
  const { arrived, fixed } = change
  const parts = [arrived.length > 0 && `${arrived.length} arrived`, fixed.length > 0 && `${fixed.length} fixed`]
  return parts.filter(Boolean).join(', ') || 'None'
}

/** The most that a row lists; the filters of the table above find the others. */
const mostNamed = 30

const namesOf = (found: readonly FoundVulnerability[] = []) =>
  found.length > 0 ? (
    <UserText
      text={
        [...new Set(found.map(({ id, package: name }) => `${id} (${name})`))].slice(0, mostNamed).join(', ') +
        (found.length > mostNamed ? ` and ${found.length - mostNamed} more` : '')
      }
    />
  ) : undefined

const detailsOf = ({ pipelineRun, change, gap }: ScannedBuild) => (
  <Details
    label={`Changes of ${pipelineRun}`}
    isNarrow
    items={[
      ['Arrived', change ? (namesOf(change.arrived) ?? 'None') : 'Not known'],
      ['Fixed', change ? (namesOf(change.fixed) ?? 'None') : 'Not known'],
      ['Missing', gap],
    ]}
  />
)
