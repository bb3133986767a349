import { Content } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { comparePolicy, type PolicyChange } from '@slipway/model/policy/policy-changes'
import { latestFindings, type PolicyCheck } from '@slipway/model/policy/policy-checks'
import { type ChangedVulnerability, vulnerabilityChanges } from '@slipway/model/releases/released-vulnerabilities'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { useMemo } from 'react'
import { type RowKind, useJoined } from '../../api/source'
import type { ApplicationParams } from '../../paths'
import { Details } from '../../ui/page/Details'
import { Section } from '../../ui/page/Section'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { Copyable } from '../../ui/text/Copyable'
import { UserText } from '../../ui/text/UserText'
import { ComponentLink, PipelineRunLink } from '../links'
import { usePolicyChecks } from '../policy/use-policy-checks'
import { ReportProgress } from '../security/ReportProgress'
import type { Reports } from '../security/use-reports'
import { useSnapshotScans } from '../vulnerabilities/use-snapshot-scans'
import { commonFilters, componentFilter, vulnerabilityColumn } from '../vulnerabilities/vulnerability-columns'
import { isRead, partsOf, progressOf } from './compared-reports'

interface ReportChangesProps {
  from: Snapshot
  to: Snapshot
  /** The application of both. */
  at: ApplicationParams
}

/** What scans and the policy say of a snapshot that they do not say of another: each of their reports is a log. */
export const ReportChanges = (props: ReportChangesProps) => (
  <>
    <Section title="Changed vulnerabilities">
      <VulnerabilityChanges {...props} />
    </Section>
    <Section title="Changed policy results">
      <PolicyChanges {...props} />
    </Section>
  </>
)

function VulnerabilityChanges({ from, to }: ReportChangesProps) {
  const before = partsOf(useSnapshotScans(from), from)
  const after = partsOf(useSnapshotScans(to), to)
  // A scan that has yet to be read would make vulnerabilities of the other look new or fixed.
  const areKnown = isRead(before) && isRead(after)
  const changes = useMemo(
    () => (areKnown && before.rows && after.rows ? vulnerabilityChanges(before.rows, after.rows) : undefined),
    [areKnown, before.rows, after.rows],
  )
  const source = useJoined([before, after], () => changes, changedVulnerabilities)
  return (
    <>
      <ReportProgress of={progressOf(before, after)} older="older scan" />
      <ListTable
        label="Changed vulnerabilities"
        urlKey="vulnerabilities"
        source={source}
        firstSort="change"
        columns={vulnerabilityColumns}
        filters={vulnerabilityFilters}
        empty={
          source.missing.length === 0 && (
            <MessagePanel variant="sm" headingLevel="h3" titleText="No vulnerability arrived or was fixed">
              The scans of the components that are in both snapshots found the same.
            </MessagePanel>
          )
        }
      />
    </>
  )
}

const changedVulnerabilities: RowKind<ChangedVulnerability> = {
  idOf: ({ key, change }) => `${change} ${key}`,
  nameOf: ({ id }) => id,
  isBeingDeleted: () => false,
}

const vulnerabilityColumns: Column<ChangedVulnerability>[] = [
  {
    id: 'change',
    label: 'Change',
    widthRem: 7,
    sortBy: ({ change }) => (change === 'New' ? 0 : 1),
    cell: ({ change }) => change,
  },
  vulnerabilityColumn.id,
  vulnerabilityColumn.severity,
  vulnerabilityColumn.package,
  vulnerabilityColumn.installed,
  vulnerabilityColumn.fixedIn,
  vulnerabilityColumn.component,
]

const vulnerabilityFilters: Filter<ChangedVulnerability>[] = [
  ...commonFilters,
  componentFilter,
  { id: 'change', label: 'Change', choices: ({ change }) => change, values: ['New', 'Fixed'] },
]

function PolicyChanges({ from, to, at }: ReportChangesProps) {
  const before = partsOf(namingAbsence(usePolicyChecks({ ...at, snapshot: nameOf(from) })), from)
  const after = partsOf(namingAbsence(usePolicyChecks({ ...at, snapshot: nameOf(to) })), to)
  const areKnown = isRead(before) && isRead(after)
  const compared = useMemo(
    () =>
      areKnown && before.rows && after.rows
        ? comparePolicy(latestFindings(before.rows), latestFindings(after.rows))
        : undefined,
    [areKnown, before.rows, after.rows],
  )
  const source = useJoined([before, after], () => compared?.changes, policyChanges)
  return (
    <>
      <ReportProgress of={progressOf(before, after)} older="older verification" />
      {compared && compared.components.length > 0 && (
        <Content component="small">Verified in both: {compared.components.join(', ')}.</Content>
      )}
      <ListTable
        label="Changed policy results"
        urlKey="policy"
        at={{ namespace: at.namespace, application: at.application }}
        source={source}
        firstSort="change"
        columns={policyColumns}
        filters={policyFilters}
        details={policyDetails}
        empty={
          source.missing.length === 0 && (
            <MessagePanel
              variant="sm"
              headingLevel="h3"
              titleText={
                compared?.components.length === 0
                  ? 'No component was verified in both'
                  : 'The same rules fail as before'
              }
            />
          )
        }
      />
    </>
  )
}

/** A snapshot that was not verified is not one without violations. */
const namingAbsence = (checks: Reports<PolicyCheck>): Reports<PolicyCheck> =>
  checks.rows && isRead(checks) && checks.reportCount === 0
    ? { ...checks, missing: [...checks.missing, { name: 'a verification', error: new Error('None is known.') }] }
    : checks

const policyChanges: RowKind<PolicyChange> = {
  idOf: ({ key, change }) => `${change} ${key}`,
  nameOf: ({ finding }) => finding.rule,
  isBeingDeleted: () => false,
}

const policyColumns: Column<PolicyChange, ApplicationParams>[] = [
  {
    id: 'change',
    label: 'Change',
    width: 15,
    sortBy: ({ change }) => (change === 'Fails now' ? 0 : 1),
    cell: ({ change }) => change,
  },
  {
    id: 'rule',
    label: 'Rule',
    isRowHeader: true,
    sortBy: ({ finding }) => finding.rule,
    cell: ({ finding }) => <UserText text={finding.rule} />,
  },
  {
    id: 'component',
    label: 'Component',
    width: 20,
    sortBy: ({ finding }) => finding.component,
    cell: ({ finding }, at) => <ComponentLink at={at} component={finding.component} />,
  },
  {
    id: 'message',
    label: 'Message',
    visibleFrom: 'lg',
    cell: ({ finding: { message } }) => (message ? <UserText text={message} /> : '-'),
  },
]

const policyFilters: Filter<PolicyChange>[] = [
  { id: 'rule', label: 'rule', text: ({ finding: { rule, code = '' } }) => `${rule} ${code}` },
  { id: 'component', label: 'Component', choices: ({ finding }) => finding.component },
]

const policyDetails = ({ finding: { rule, code, message, remedy, from } }: PolicyChange) => (
  <Details
    label={rule}
    isNarrow
    items={[
      ['Message', message && <UserText text={message} />],
      ['Solution', remedy && <UserText text={remedy} />],
      ['Rule code', code && <Copyable text={code} noun="rule code" />],
      ['Found in', <PipelineRunLink at={from} pipelineRun={from.pipelineRun} />],
    ]}
  />
)
