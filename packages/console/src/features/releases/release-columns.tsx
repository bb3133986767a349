import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { type Release, releaseStatuses } from '@slipway/model/supply-chain/release'
import { paths } from '../../paths'
import { applicationOf, pathIn, ReleasePlanLink } from '../../ui/links'
import { displayReleaseStatus } from '../../ui/status/display-status'
import { OriginLabel } from '../../ui/status/OriginLabel'
import { ReleaseStatusLabel } from '../../ui/releases/ReleaseStatusLabel'
import type { Column } from '../../ui/table/rows'
import { statusWidthsRem } from '../../ui/status/status-widths'

/** The columns that all tables of releases have, with links to pages in the namespace of each release. */
export const releaseColumns = {
  status: {
    id: 'status',
    label: 'Status',
    widthRem: statusWidthsRem.longWord,
    sortBy: (release) => releaseStatuses.indexOf(displayReleaseStatus(release)),
    cell: (release) => <ReleaseStatusLabel release={release} />,
  },
  name: {
    id: 'name',
    label: 'Name',
    isRowHeader: true,
    width: 25,
    sortBy: nameOf,
    linkTo: (release) => pathIn(applicationOf(release), (at) => paths.release({ ...at, release: nameOf(release) })),
    cell: nameOf,
    suffix: (release) => <OriginLabel object={release} />,
  },
  releasePlan: {
    id: 'releasePlan',
    label: 'Release plan',
    sortBy: (release) => specOf(release).releasePlan,
    cell: (release) => {
      const { releasePlan } = specOf(release)
      return releasePlan ? <ReleasePlanLink namespace={namespaceOf(release) ?? ''} releasePlan={releasePlan} /> : '-'
    },
  },
} satisfies Record<string, Column<Release, unknown>>
