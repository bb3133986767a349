import SecurityIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-secured-icon'
import { lastReleasedOf } from '@slipway/model/releases/snapshot-baseline'
import { scannedBuilds, withFirstSeen } from '@slipway/model/vulnerabilities/scan-trend'
import { foundIn } from '@slipway/model/vulnerabilities/scans'
import { isNamed } from '@slipway/model/vulnerabilities/survey'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths'
import { ComponentLink, SnapshotLink } from '../../parts/links'
import { vulnerabilitiesWith } from '../../parts/security/vulnerability-links'
import { type JudgedVulnerability, usePolicyStandings } from '../../parts/vulnerabilities/use-policy-standings'
import { useComponentScans } from '../../parts/vulnerabilities/use-scans'
import {
  commonFilters,
  componentFilter,
  FirstSeenText,
  StandingText,
  type VulnerabilityColumn,
  vulnerabilityColumn,
} from '../../parts/vulnerabilities/vulnerability-columns'
import { exemptionsDetail, vulnerabilityDetails } from '../../parts/vulnerabilities/vulnerability-details'
import { vulnerabilityRows } from '../../parts/vulnerabilities/VulnerabilityTable'
import { releases } from '../../resources/releases'
import { Details } from '../../ui/page/Details'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ListTable } from '../../ui/table/ListTable'
import type { Filter } from '../../ui/table/rows'
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
  const isAllRead = progress.readCount === progress.componentCount
  return (
    <ListTable
      label="Components"
      source={{ ...scans, rows, kind: affectedRows }}
      firstSort="fixedIn"
      columns={columns}
      filters={filters}
      details={(row) => <AffectedDetails row={row} />}
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

interface RowProps {
  row: JudgedVulnerability
}

/** Columns that need requests of their own are read for the rows in view only, and are not sorted by. */
const columns: VulnerabilityColumn[] = [
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
  { id: 'policy', label: 'Policy', visibleFrom: 'xl', cell: (row) => <Policy row={row} /> },
  { id: 'released', label: 'In last release', visibleFrom: 'lg', cell: (row) => <InLastRelease row={row} /> },
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
function InLastRelease({ row }: RowProps) {
  const { from } = row
  const { data, error } = useQuery(releases.progress(from.namespace))
  const found = useMemo(() => [row], [row])
  const name = data && lastReleasedOf(from.application, data.items)
  const { found: marked, released } = useMarkedNew(from.namespace, found, name, from.component)
  if (error) return 'Not known'
  if (!data || released?.isLoading) return 'Reading'
  if (!released) return 'No release is known'
  const isNew = marked?.[0]?.isNew
  return (
    <>
      {isNew === undefined ? 'Not known for' : isNew ? 'No, not in' : 'Yes, in'}{' '}
      <SnapshotLink at={from} snapshot={released.snapshot} />
    </>
  )
}

function AffectedDetails({ row }: RowProps) {
  const { standing, unknown } = useStanding(row)
  return (
    <Details
      label={`${row.id} in ${row.from.component}`}
      isNarrow
      items={[
        ['Application', row.from.application],
        ['First seen', <FirstSeen row={row} />],
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
