import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { commitShaOf, commitTitleOf, gitFactsOf } from '@slipway/model/git/git-facts'
import { type Release, releaseDurationMs, releaseStatuses } from '@slipway/model/releases/release'
import { paths } from '../../paths'
import { applicationOf, pathIn, ReleasePlanLink } from '../links'
import { CommitByline } from '../commits/CommitByline'
import { factColumns } from '../commits/fact-columns'
import { displayReleaseStatus } from '../status/display-status'
import { OriginLabel } from '../../ui/status/OriginLabel'
import { ReleaseDuration } from './ReleaseDuration'
import { ReleaseStatusLabel } from './ReleaseStatusLabel'
import { valueWidthsRem } from '../../ui/table/column-widths'
import { nameColumn, statusColumn } from '../../ui/table/common-columns'
import type { Column } from '../../ui/table/rows'
import { TitledName } from '../../ui/text/TitledName'

/**
 * The columns that all tables of releases have, with links to pages in the namespace of each release.
 * @param releaseOf returns the release of a row
 */
export const releaseColumns = <T, A>(releaseOf: (row: T) => Release) =>
  ({
    status: statusColumn('longWord', (row) => <ReleaseStatusLabel release={releaseOf(row)} />, {
      sortBy: (row) => releaseStatuses.indexOf(displayReleaseStatus(releaseOf(row))),
    }),
    name: nameColumn((row) => nameOf(releaseOf(row)), {
      cell: (row) => <TitledName title={commitTitleOf(releaseOf(row))} name={nameOf(releaseOf(row))} />,
      linkTo: (row) => releasePath(releaseOf(row)),
      suffix: (row) => (
        <>
          <CommitByline object={releaseOf(row)} />
          <OriginLabel object={releaseOf(row)} />
        </>
      ),
    }),
    duration: {
      id: 'duration',
      label: 'Duration',
      widthRem: valueWidthsRem.duration,
      visibleFrom: 'lg',
      sortBy: (row) => releaseDurationMs(releaseOf(row)),
      firstDirection: 'desc',
      cell: (row) => <ReleaseDuration release={releaseOf(row)} />,
    },
    releasePlan: {
      id: 'releasePlan',
      label: 'Release plan',
      width: 15,
      sortBy: (row) => specOf(releaseOf(row)).releasePlan,
      cell: (row) => <PlanOf release={releaseOf(row)} />,
    },
    ...factColumns<T, A>((row) => gitFactsOf(commitShaOf(releaseOf(row)), [releaseOf(row)])),
  }) satisfies Record<string, Column<T, A>>

const releasePath = (release: Release): string | undefined =>
  pathIn(applicationOf(release), (at) => paths.release({ ...at, release: nameOf(release) }))

function PlanOf({ release }: { release: Release }) {
  const { releasePlan } = specOf(release)
  return releasePlan ? <ReleasePlanLink namespace={namespaceOf(release) ?? ''} releasePlan={releasePlan} /> : '-'
}
