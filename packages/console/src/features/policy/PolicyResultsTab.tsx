import { Content, ToggleGroup, ToggleGroupItem } from '@patternfly/react-core'
import {
  byComponent,
  byRule,
  type Finding,
  type FindingGroup,
  latestFindings,
  type PolicyCheck,
} from '@slipway/model/policy/policy-checks'
import { type RuleOutcome, ruleOutcomes } from '@slipway/model/snapshots/enterprise-contract'
import { useParams, useSearchParams } from 'react-router'
import { type RowKind, useDerived } from '../../api/source'
import { paths } from '../../paths'
import { ComponentLink, PipelineRunLink } from '../../parts/links'
import { OutcomeLabel } from '../../parts/security/OutcomeLabel'
import { Details } from '../../ui/page/Details'
import { route } from '../../ui/page/route'
import { ageColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { Copyable } from '../../ui/text/Copyable'
import { DateAndAge, RelativeTime } from '../../ui/text/RelativeTime'
import { UserText } from '../../ui/text/UserText'
import { NoPolicyResults } from './NoPolicyResults'
import { ReportProgress } from '../../parts/security/ReportProgress'
import { usePolicyChecks } from '../../parts/policy/use-policy-checks'
import './policy.css'

export const page = route(paths.policy)

type Grouping = 'rule' | 'component'
const groupParameter = 'by'

export { PolicyResultsTab as Component }
function PolicyResultsTab() {
  const { namespace } = page.useParams()
  const { application } = useParams()
  const [query, setQuery] = useSearchParams()
  const grouping: Grouping = query.get(groupParameter) === 'component' ? 'component' : 'rule'
  const checks = usePolicyChecks({ namespace, application })
  const source = useDerived(checks, grouping === 'rule' ? deriveRules : deriveComponents, groupRows)
  const choose = (chosen: Grouping) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        if (chosen === 'rule') next.delete(groupParameter)
        else next.set(groupParameter, chosen)
        return next
      },
      { replace: true },
    )
  return (
    <>
      <ReportProgress of={checks} older="older verification" />
      <ListTable
        // The order and the opened rows of one grouping mean nothing in the other.
        key={grouping}
        label={grouping === 'rule' ? 'Rules' : 'Components'}
        at={{ grouping }}
        source={source}
        firstSort="status"
        columns={grouping === 'rule' ? ruleColumns : componentColumns}
        filters={application === undefined ? filters : applicationFilters}
        details={detailsOf}
        toolbar={
          <ToggleGroup isCompact aria-label="Group by">
            {groupings.map(([id, text]) => (
              <ToggleGroupItem
                key={id}
                text={text}
                buttonId={`policy-by-${id}`}
                isSelected={id === grouping}
                onChange={() => choose(id)}
              />
            ))}
          </ToggleGroup>
        }
        empty={<NoPolicyResults />}
      />
    </>
  )
}

const groupings: [Grouping, string][] = [
  ['rule', 'By rule'],
  ['component', 'By component'],
]

interface Derived {
  checks: readonly PolicyCheck[]
  rows: readonly FindingGroup[]
}

/** The reports of a namespace may have thousands of results, which are grouped again only if there are others. */
const derive =
  (group: (findings: readonly Finding[]) => FindingGroup[]) =>
  (checks: readonly PolicyCheck[], before?: Derived): Derived =>
    before?.checks === checks ? before : { checks, rows: group(latestFindings(checks)) }
const deriveRules = derive(byRule)
const deriveComponents = derive(byComponent)

const groupRows: RowKind<FindingGroup> = {
  idOf: ({ key }) => key,
  nameOf: ({ title }) => title,
  isBeingDeleted: () => false,
}

interface Place {
  grouping: Grouping
}

const severityOf: Record<RuleOutcome, number> = { Failed: 0, Warning: 1, Success: 2 }

const statusColumn: Column<FindingGroup, Place> = {
  id: 'status',
  label: 'Status',
  width: 10,
  // Among equals, those with the most findings come first.
  sortBy: ({ outcome, counts }) => severityOf[outcome] - Math.min(counts[outcome], 99_999) / 100_000,
  cell: ({ outcome }) => <OutcomeLabel outcome={outcome} />,
}

const countColumn = (outcome: RuleOutcome, label: string): Column<FindingGroup, Place> => ({
  id: outcome,
  label,
  width: 10,
  visibleFrom: 'lg',
  sortBy: ({ counts }) => counts[outcome],
  firstDirection: 'desc',
  cell: ({ counts }) => counts[outcome] || '-',
})
const countColumns = [
  countColumn('Failed', 'Failed'),
  countColumn('Warning', 'Warnings'),
  countColumn('Success', 'Successes'),
]

const checkedColumn = ageColumn<FindingGroup, Place>('checked', 'Verified', ({ checkedAt }) => checkedAt)

const titleColumn = (label: string): Column<FindingGroup, Place> => ({
  id: 'title',
  label,
  isRowHeader: true,
  sortBy: ({ title }) => title,
  cell: ({ title }) => <UserText text={title} />,
})

const ruleColumns: Column<FindingGroup, Place>[] = [
  statusColumn,
  titleColumn('Rule'),
  {
    id: 'code',
    label: 'Code',
    width: 25,
    visibleFrom: 'xl',
    sortBy: ({ subtitle }) => subtitle,
    cell: ({ subtitle }) => (subtitle ? <code>{subtitle}</code> : '-'),
  },
  ...countColumns,
  checkedColumn,
]

const componentColumns: Column<FindingGroup, Place>[] = [
  statusColumn,
  {
    ...titleColumn('Component'),
    cell: ({ title, findings }) => <ComponentLink at={servedIn(findings[0])} component={title} />,
  },
  {
    id: 'application',
    label: 'Application',
    width: 20,
    visibleFrom: 'xl',
    sortBy: ({ subtitle }) => subtitle,
    cell: ({ subtitle }) => subtitle || '-',
  },
  ...countColumns,
  checkedColumn,
]

const distinct = (findings: readonly Finding[], of: (finding: Finding) => string): string[] => [
  ...new Set(findings.map(of)),
]

const applicationFilters: Filter<FindingGroup>[] = [
  {
    id: 'rule',
    label: 'rule',
    text: ({ findings }) => distinct(findings, ({ rule, code = '' }) => `${rule} ${code}`).join('\n'),
  },
  { id: 'component', label: 'Component', choices: ({ findings }) => distinct(findings, ({ component }) => component) },
  { id: 'status', label: 'Status', choices: ({ outcome }) => outcome, values: ruleOutcomes },
]
const filters: Filter<FindingGroup>[] = [
  ...applicationFilters,
  {
    id: 'application',
    label: 'Application',
    choices: ({ findings }) => distinct(findings, ({ from }) => from.application),
  },
]

/** The most findings that a row lists: the report of each run has them all. */
const mostListed = 50

/** Where the component of a finding is. */
const servedIn = (finding: Finding | undefined) => ({
  namespace: finding?.from.servedNamespace,
  application: finding?.from.application,
})

/** What a rule says of each component, or each rule of a component. Successes say nothing, and are only counted. */
function detailsOf({ title, findings, counts }: FindingGroup, { grouping }: Place) {
  const [first] = findings
  const shown = findings.filter(({ outcome }) => outcome !== 'Success')
  return (
    <>
      {grouping === 'rule' && first && <RuleDetails finding={first} />}
      {shown.length > 0 && (
        <ul className="slipway-policy-findings" aria-label={`Results of ${title}`}>
          {shown.slice(0, mostListed).map((finding, index) => (
            <li key={index}>
              <FindingLine finding={finding} grouping={grouping} />
            </li>
          ))}
        </ul>
      )}
      {shown.length > mostListed && (
        <Content component="small">{shown.length - mostListed} more, in the reports of the runs.</Content>
      )}
      {counts.Success > 0 && (
        <Content component="small">
          {counts.Success} {counts.Success === 1 ? 'success' : 'successes'}
        </Content>
      )}
    </>
  )
}

const RuleDetails = ({ finding: { rule, code, description, remedy, effectiveOn } }: { finding: Finding }) => (
  <Details
    label={rule}
    isNarrow
    items={[
      ['Rule Description', description],
      ['Solution', remedy],
      ['Effective from', effectiveOn && <DateAndAge time={effectiveOn} />],
      ['Rule code', code && <Copyable text={code} noun="rule code" />],
    ]}
  />
)

function FindingLine({ finding, grouping }: { finding: Finding; grouping: Grouping }) {
  const { outcome, rule, code, component, architectures, message, remedy, from } = finding
  return (
    <>
      <OutcomeLabel outcome={outcome} />{' '}
      {grouping === 'rule' ? <ComponentLink at={servedIn(finding)} component={component} /> : <UserText text={rule} />}
      {grouping === 'component' && code && code !== rule && (
        <>
          {' '}
          <code>{code}</code>
        </>
      )}
      {architectures.length > 0 && ` (${architectures.join(', ')})`}
      {message && (
        <>
          : <UserText text={message} />
        </>
      )}
      {grouping === 'component' && remedy && (
        <>
          {' '}
          To do: <UserText text={remedy} />
        </>
      )}
      <Content component="small">
        In <PipelineRunLink at={from} pipelineRun={from.pipelineRun} />, <RelativeTime time={from.checkedAt} />
      </Content>
    </>
  )
}
