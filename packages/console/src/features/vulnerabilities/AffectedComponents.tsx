import SecurityIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-secured-icon'
import { namespaceOf, specOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { scannedBuilds, withFirstSeen } from '@slipway/model/vulnerabilities/scan-trend'
import { foundIn } from '@slipway/model/vulnerabilities/scans'
import { isNamed } from '@slipway/model/vulnerabilities/survey'
import { mostRows } from '@slipway/views/frame'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useView } from '../../api/views/use-view'
import { type ApplicationParams, paths } from '../../paths'
import { ComponentLink, SnapshotLink } from '../../parts/links'
import { vulnerabilitiesWith } from '../../parts/security/vulnerability-links'
import { type JudgedVulnerability, usePolicyStandings } from '../../parts/vulnerabilities/use-policy-standings'
import { useComponentScans } from '../../parts/vulnerabilities/use-scans'
import {
  commonFilters,
  componentFilter,
  FirstSeenText,
  StandingText,
  vulnerabilityColumn,
} from '../../parts/vulnerabilities/vulnerability-columns'
import { exemptionsDetail, vulnerabilityDetails } from '../../parts/vulnerabilities/vulnerability-details'
import { vulnerabilityRows } from '../../parts/vulnerabilities/VulnerabilityTable'
import { Details } from '../../ui/page/Details'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { useMarkedNew } from './use-marked-new'
import type { Survey } from './use-survey'
import { mostBuilds } from './VulnerabilitiesOfComponent'

/** The components of all namespaces that have a vulnerability. @param name a CVE or an advisory */
export function AffectedComponents({ survey, name }: { survey: Survey; name: string }) {
  const { scans, isReading, progress } = survey
  const rows = useMemo(
    () => scans.rows && foundIn(scans.rows).filter((found) => isNamed(found, name)),
    [scans.rows, name],
  )
  const place = usePlace(rows)
  const isAllRead = progress.readCount === progress.componentCount
  return (
    <ListTable
      label="Components"
      source={{ ...scans, rows, kind: affectedRows }}
      at={place}
      firstSort="fixedIn"
      columns={columns}
      filters={filters}
      details={(row, at) => <AffectedDetails row={row} at={at} />}
      empty={
        !isReading && (
          <MessagePanel titleText="No affected component found" icon={SecurityIcon}>
            {isAllRead
              ? `The scans of ${progress.componentCount} components were read, and none found ${name}.`
              : `${name} was not found in the components that were looked at. It is not known whether others have it.`}
          </MessagePanel>
        )
      }
    />
  )
}

const affectedRows = { ...vulnerabilityRows, nameOf: ({ from }: JudgedVulnerability) => from.component }

/** So many applications are asked for what their policies and their last releases say, and others on request. */
const mostApplications = 10

interface Place {
  /** Snapshots that were released last, by namespace and application; `undefined` while they are not known. */
  released: ReadonlyMap<string, string> | undefined
  isReading: boolean
  /** Whether rows show what takes requests for each application. */
  isFew: boolean
}

/** What the cells of all rows need. */
function usePlace(rows: readonly JudgedVulnerability[] = none): Place {
  const applications = useMemo(() => new Set(rows.map(({ from }) => applicationKey(from))), [rows])
  const namespaces = useMemo(() => [...new Set(rows.map(({ from }) => from.namespace))].sort(), [rows])
  const view = useView<Release>(
    {
      kind: releaseType.plural,
      namespaces,
      where: { status: ['Succeeded'] },
      sort: '-completed',
      firstOf: 'application',
    },
    'releases',
    mostRows,
  )
  const isKnown = view.rows !== undefined && !view.isFetching && view.missing.length === 0
  const released = useMemo(() => (isKnown ? snapshotsOf(view.rows ?? none) : undefined), [isKnown, view.rows])
  return { released, isReading: view.isFetching, isFew: applications.size <= mostApplications }
}

const snapshotsOf = (releases: readonly Release[]): Map<string, string> =>
  new Map(
    releases.flatMap((release) => {
      const { snapshot } = specOf(release)
      const [namespace, application] = [namespaceOf(release), release.metadata.labels?.[labels.application]]
      return namespace && application && snapshot
        ? [[applicationKey({ namespace, application }), snapshot] as const]
        : []
    }),
  )

const applicationKey = ({ namespace, application }: ApplicationParams): string => `${namespace}/${application}`

const none: never[] = []

interface RowProps {
  row: JudgedVulnerability
}

interface PlacedRowProps extends RowProps {
  at: Place
}

/** Columns that need requests of their own are read for the rows in view only, and are not sorted by. */
const columns: Column<JudgedVulnerability, Place>[] = [
  {
    id: 'component',
    label: 'Component',
    isRowHeader: true,
    sortBy: ({ from }) => from.component,
    cell: ({ from }) => <ComponentLink at={from} component={from.component} />,
  },
  {
    id: 'namespace',
    label: 'Namespace',
    sortBy: ({ from }) => from.namespace,
    cell: ({ id, from: { namespace } }) => (
      <Link to={vulnerabilitiesWith(paths.vulnerabilities({ namespace }), { vulnerability: id })}>{namespace}</Link>
    ),
  },
  vulnerabilityColumn.severity,
  vulnerabilityColumn.package,
  vulnerabilityColumn.installed,
  vulnerabilityColumn.fixedIn,
  {
    id: 'policy',
    label: 'Policy',
    visibleFrom: 'xl',
    cell: (row, { isFew }) => (isFew ? <Policy row={row} /> : 'See details'),
  },
  {
    id: 'released',
    label: 'In last release',
    visibleFrom: 'lg',
    cell: (row, at) => (at.isFew ? <InLastRelease row={row} at={at} /> : 'See details'),
  },
  vulnerabilityColumn.scanned,
]

const filters: Filter<JudgedVulnerability>[] = [
  componentFilter,
  { id: 'namespace', label: 'Namespace', choices: ({ from }) => from.namespace },
  ...commonFilters,
]

/** What the policies of its own application say. */
function useStanding(row: JudgedVulnerability) {
  const { namespace, application } = row.from
  const found = useMemo(() => [row], [row])
  const { judged, unknown, error } = usePolicyStandings({ namespace, application }, found)
  return { standing: judged?.[0]?.standing, isUnknown: error !== null, unknown }
}

function Policy({ row }: RowProps) {
  const { standing, isUnknown } = useStanding(row)
  if (isUnknown) return 'Not known'
  return standing ? <StandingText standing={standing} /> : '-'
}

/** Whether the image that was released last has it: it may be an older one. */
function InLastRelease({ row, at }: PlacedRowProps) {
  const { from } = row
  const found = useMemo(() => [row], [row])
  const name = at.released?.get(applicationKey(from))
  const { found: marked, released } = useMarkedNew(from.namespace, found, name, from.component)
  if (!at.released) return at.isReading ? 'Reading' : 'Not known'
  if (!released) return 'No release is known'
  if (released.isLoading) return 'Reading'
  const isNew = marked?.[0]?.isNew
  return (
    <>
      {isNew === undefined ? 'Not known for' : isNew ? 'No, not in' : 'Yes, in'}{' '}
      <SnapshotLink at={from} snapshot={released.snapshot} />
    </>
  )
}

function AffectedDetails({ row, at }: PlacedRowProps) {
  const { standing, unknown } = useStanding(row)
  return (
    <Details
      label={`${row.id} in ${row.from.component}`}
      isNarrow
      items={[
        ['Application', row.from.application],
        ['First seen', <FirstSeen row={row} />],
        ['In last release', <InLastRelease row={row} at={at} />],
        ...vulnerabilityDetails(row),
        exemptionsDetail(standing),
        [
          'Policies that are not known',
          unknown.length > 0 ? unknown.map(({ name, reason }) => `${name}: ${reason}`).join('; ') : undefined,
        ],
      ]}
    />
  )
}

/** Since which of its newest builds the component has it. */
function FirstSeen({ row: { id, package: name, from } }: RowProps) {
  const { namespace, application, component } = from
  const { scans } = useComponentScans(namespace, { application, component }, mostBuilds)
  const isReading = scans.isFetching || scans.settledCount < scans.reportCount
  const builds = useMemo(() => (isReading ? [] : scannedBuilds(scans.rows ?? [])), [isReading, scans.rows])
  const own = withFirstSeen(builds).find((each) => each.id === id && each.package === name)
  if (isReading) return 'Reading the scans of older builds'
  return own?.firstSeen ? <FirstSeenText firstSeen={own.firstSeen} /> : 'Not known'
}
