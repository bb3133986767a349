import SecurityIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-secured-icon'
import { severityNames } from '@slipway/model/runs/task-results'
import { foundIn, severityRanks } from '@slipway/model/vulnerabilities/scans'
import { spreadOf, type SpreadVulnerability } from '@slipway/model/vulnerabilities/survey'
import { useMemo } from 'react'
import type { RowKind } from '../../api/source'
import { SeverityLabel } from '../../parts/vulnerabilities/SeverityLabel'
import { VulnerabilityLink } from '../../parts/vulnerabilities/vulnerability-columns'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { UserText } from '../../ui/text/UserText'
import type { Survey } from './use-survey'

/** Each vulnerability of the components that were looked at, what can be fixed first. */
export function SpreadTable({ survey: { scans, isReading, progress } }: { survey: Survey }) {
  const rows = useMemo(() => scans.rows && spreadOf(foundIn(scans.rows)), [scans.rows])
  return (
    <ListTable
      label="Vulnerabilities"
      source={{ ...scans, rows, kind: spreadRows }}
      firstSort="fixable"
      columns={columns}
      filters={filters}
      empty={
        !isReading && (
          <MessagePanel titleText="No vulnerabilities found" icon={SecurityIcon}>
            {progress.readCount === progress.componentCount
              ? `The scans of ${progress.componentCount} components were read, and found none.`
              : 'None was found in the components that were looked at. It is not known whether others have some.'}
          </MessagePanel>
        )
      }
    />
  )
}

const spreadRows: RowKind<SpreadVulnerability> = {
  idOf: ({ id }) => id,
  nameOf: ({ id }) => id,
  isBeingDeleted: () => false,
}

const columns: Column<SpreadVulnerability>[] = [
  {
    id: 'vulnerability',
    label: 'Vulnerability',
    isRowHeader: true,
    width: 20,
    sortBy: ({ id }) => id,
    cell: ({ id }) => <VulnerabilityLink name={id} />,
  },
  {
    id: 'severity',
    label: 'Severity',
    widthRem: 7,
    sortBy: ({ severity }) => severityRanks[severity],
    cell: ({ severity }) => <SeverityLabel severity={severity} />,
  },
  {
    id: 'package',
    label: 'Package',
    visibleFrom: 'lg',
    sortBy: ({ packages: [first] }) => first,
    cell: ({ packages }) => <UserText text={packages.join(', ')} />,
  },
  {
    id: 'components',
    label: 'Components',
    width: 15,
    firstDirection: 'desc',
    sortBy: ({ componentCount }) => componentCount,
    cell: ({ componentCount }) => componentCount,
  },
  {
    id: 'fixable',
    label: 'With a fix',
    width: 15,
    // The worst first, and of these what most components have.
    sortBy: ({ fixableCount, severity, componentCount }) =>
      (fixableCount > 0 ? 0 : 10) + severityRanks[severity] - componentCount / 1e6,
    cell: ({ fixableCount }) => fixableCount,
  },
  {
    id: 'namespaces',
    label: 'Namespaces',
    visibleFrom: 'lg',
    sortBy: ({ namespaces }) => namespaces.length,
    firstDirection: 'desc',
    cell: ({ namespaces }) => namespaces.join(', '),
  },
]

const filters: Filter<SpreadVulnerability>[] = [
  {
    id: 'vulnerability',
    label: 'identifier or package',
    text: ({ id, aliases, packages }) => [id, ...aliases, ...packages].join('\n'),
  },
  { id: 'severity', label: 'Severity', choices: ({ severity }) => severity, values: severityNames },
  {
    id: 'fix',
    label: 'Fix',
    choices: ({ fixableCount }) => (fixableCount > 0 ? 'Fix available' : 'No fix'),
    values: ['Fix available', 'No fix'],
  },
  { id: 'namespace', label: 'Namespace', choices: ({ namespaces }) => namespaces },
]
