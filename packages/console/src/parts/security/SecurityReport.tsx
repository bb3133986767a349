import { Content, Flex, FlexItem, LabelGroup, Label, Title } from '@patternfly/react-core'
import SecurityIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-secured-icon'
import { type RuleOutcome, ruleOutcomes, type RuleResult } from '@slipway/model/snapshots/enterprise-contract'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { useQuery } from '@tanstack/react-query'
import { type RowKind, useFixed } from '../../api/source'
import { securityReports } from '../../resources/security-reports'
import { Details } from '../../ui/page/Details'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { Copyable } from '../../ui/text/Copyable'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { OutcomeLabel } from './OutcomeLabel'
import './security.css'

/** @param taskRun that writes the report; `undefined` for a run that has none (yet) */
export function SecurityReport({ taskRun }: { taskRun: TaskRun | undefined }) {
  return (
    <section aria-labelledby="security-report">
      <div className="slipway-security__intro">
        <Title headingLevel="h2" size="md" id="security-report">
          Testing apps against Enterprise Contract
        </Title>
        <Content component="small">
          Enterprise Contract is a set of tools for verifying the provenance of application snapshots and validating
          them against a clearly defined policy.
        </Content>
      </div>
      {taskRun ? <Rules taskRun={taskRun} /> : <NoReport />}
    </section>
  )
}

function Rules({ taskRun }: { taskRun: TaskRun }) {
  const { data: rows, error, isFetching, isPending, refetch } = useQuery(securityReports.of(taskRun))
  const fixed = useFixed(rows, ruleRows)
  if (isPending && !isFetching) return <NoReport />
  return (
    <ListTable
      label="Results"
      firstSort="status"
      columns={columns}
      details={detailsOf}
      filters={filters}
      toolbar={rows && rows.length > 0 && <Summary rows={rows} />}
      source={{ ...fixed, error, isFetching, retry: () => void refetch() }}
      empty={<NoReport />}
    />
  )
}

const NoReport = () => (
  <MessagePanel headingLevel="h3" titleText="Security information unavailable" icon={SecurityIcon}>
    No task has written a report. A verification task writes one when it ends.
  </MessagePanel>
)

const Summary = ({ rows }: { rows: RuleResult[] }) => (
  <Flex role="group" aria-label="Summary">
    {ruleOutcomes.map((outcome) => (
      <FlexItem key={outcome}>
        <OutcomeLabel outcome={outcome} /> <strong>{rows.filter((row) => row.outcome === outcome).length}</strong>
      </FlexItem>
    ))}
  </Flex>
)

/** Ids by object, since two components may have equal results. The results of one log never change. */
const ids = new WeakMap<RuleResult, string>()
let count = 0
const ruleRows: RowKind<RuleResult> = {
  idOf(row) {
    const known = ids.get(row) ?? `rule-${++count}`
    ids.set(row, known)
    return known
  },
  nameOf: ({ rule }) => rule,
  isBeingDeleted: () => false,
}

/** Sorts failures first. */
const severityOf: Record<RuleOutcome, number> = { Failed: 0, Warning: 1, Success: 2 }

const columns: Column<RuleResult>[] = [
  {
    id: 'status',
    label: 'Status',
    width: 10,
    sortBy: ({ outcome }) => severityOf[outcome],
    cell: ({ outcome }) => <OutcomeLabel outcome={outcome} />,
  },
  {
    id: 'rule',
    label: 'Rules',
    isRowHeader: true,
    width: 40,
    sortBy: ({ rule }) => rule,
    cell: ({ rule }) => rule,
  },
  { id: 'message', label: 'Message', sortBy: ({ message }) => message, cell: ({ message }) => message ?? '-' },
  {
    id: 'component',
    label: 'Component',
    width: 15,
    sortBy: ({ component }) => component,
    cell: ({ component }) => component,
  },
]

const filters: Filter<RuleResult>[] = [
  { id: 'rule', label: 'rule', text: ({ rule, code = '', message = '' }) => `${rule} ${code} ${message}` },
  { id: 'component', label: 'Component', choices: ({ component }) => component },
  { id: 'status', label: 'Status', choices: ({ outcome }) => outcome, values: ruleOutcomes },
]

/** What a rule is about. */
const detailsOf = ({ rule, code, message, description, collections, solution, effectiveOn }: RuleResult) => (
  <Details
    label={rule}
    isNarrow
    items={[
      ['Rule Description', description ?? null],
      [
        'Collection',
        collections.length > 0 ? (
          <LabelGroup aria-label="Collections" numLabels={5}>
            {collections.map((collection) => (
              <Label key={collection} isCompact>
                {collection}
              </Label>
            ))}
          </LabelGroup>
        ) : null,
      ],
      ['Solution', solution ?? null],
      ['Effective from', effectiveOn ? <DateAndAge time={effectiveOn} /> : null],
      // The row cuts off a long one.
      ['Message', message ?? null],
      ['Rule code', code ? <Copyable text={code} noun="rule code" /> : null],
    ]}
  />
)
