import { Alert, Button, Content, List, ListItem } from '@patternfly/react-core'
import CalendarIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-calendar-icon'
import { datesAsCalendar, datesAsMarkdown, happeningText, remedyOf } from '@slipway/model/policy/policy-dates-text'
import { daysUntil, horizonDays, type PolicyDate } from '@slipway/model/policy/policy-horizon'
import { useParams } from 'react-router'
import { type RowKind, useFixed } from '../../api/source'
import { saveFile } from '../../lib/save-file'
import { paths } from '../../paths'
import { plural } from '../../parts/graph/node-text'
import { ComponentLink, ComponentLinks, PipelineRunLink } from '../../parts/links'
import { CopyButton } from '../../ui/actions/CopyButton'
import { Details } from '../../ui/page/Details'
import { route } from '../../ui/page/route'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { Copyable } from '../../ui/text/Copyable'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { UserText } from '../../ui/text/UserText'
import { HorizonStrip } from './HorizonStrip'
import { NoPolicyResults } from './NoPolicyResults'
import { ReportProgress } from '../../parts/security/ReportProgress'
import { usePolicyDates } from '../../parts/policy/use-policy-dates'
import './policy.css'

export const page = route(paths.policyDates)

export { PolicyDatesTab as Component }
/** When rules begin to fail and exceptions end, what this affects, and what to do about it. */
function PolicyDatesTab() {
  const { namespace } = page.useParams()
  const { application } = useParams()
  const { checks, policies, nowMs, dates } = usePolicyDates({ namespace, application })
  const fixed = useFixed(dates, dateRows)
  const { error, missing, freshness, isFetching, retry, more } = checks
  const isAllKnown = missing.length === 0 && policies.unknown.length === 0 && checks.unreadCount === 0
  const about = { scope: application ?? namespace, nowMs }
  return (
    <>
      <ReportProgress of={checks} older="older verification" />
      {policies.unknown.length > 0 && (
        <Alert
          isInline
          variant="warning"
          component="h2"
          title={`The exceptions of ${policies.unknown.length === 1 ? 'a policy' : `${policies.unknown.length} policies`} are not known`}
        >
          <List>
            {policies.unknown.map(({ name, reason }) => (
              <ListItem key={name}>
                {name}: {reason}
              </ListItem>
            ))}
          </List>
        </Alert>
      )}
      {dates && dates.length > 0 && <HorizonStrip dates={dates} nowMs={nowMs} />}
      <ListTable
        label="Policy dates"
        at={{ nowMs }}
        source={{ ...fixed, error, missing, freshness, isFetching, retry, more }}
        firstSort="date"
        columns={columns}
        filters={application === undefined ? filters : applicationFilters}
        details={detailsOf}
        toolbar={
          dates &&
          dates.length > 0 && (
            <>
              <Button
                variant="link"
                icon={<CalendarIcon />}
                onClick={() => saveFile(`${about.scope}-policy.ics`, [datesAsCalendar(dates, about)], 'text/calendar')}
              >
                Download calendar
              </Button>
              <CopyButton text={datesAsMarkdown(dates, about)} noun="dates as Markdown" />
            </>
          )
        }
        empty={
          checks.reportCount === 0 ? (
            <NoPolicyResults />
          ) : (
            <MessagePanel
              titleText={
                isAllKnown
                  ? `Nothing changes in the next ${horizonDays} days`
                  : `No change is known of the next ${horizonDays} days`
              }
              icon={CalendarIcon}
            >
              Rules that only warn and exceptions of policies are listed here if they have a date.
            </MessagePanel>
          )
        }
      />
    </>
  )
}

const keyOf = ({ kind, atMs, code, title, policy, components }: PolicyDate): string =>
  JSON.stringify([
    kind,
    atMs,
    code ?? title,
    policy,
    components.map(({ application, component }) => [application, component]),
  ])

const dateRows: RowKind<PolicyDate> = {
  idOf: keyOf,
  nameOf: ({ title }) => title,
  isBeingDeleted: () => false,
}

interface Place {
  nowMs: number
}

const distinct = (date: PolicyDate, of: (component: PolicyDate['components'][number]) => string): string[] => [
  ...new Set(date.components.map(of)),
]

/** The most components that a row names. */
const mostNamed = 3

const columns: Column<PolicyDate, Place>[] = [
  {
    id: 'date',
    label: 'Date',
    width: 25,
    wraps: true,
    sortBy: ({ atMs }) => atMs,
    cell: (date, { nowMs }) => (
      <>
        {happeningText(date)} {!date.isDue && <small>({countdown(daysUntil(nowMs, date.atMs))})</small>}
      </>
    ),
  },
  {
    id: 'rule',
    label: 'Rule',
    width: 25,
    isRowHeader: true,
    wraps: true,
    sortBy: ({ title }) => title,
    cell: ({ title }) => <UserText text={title} />,
  },
  {
    id: 'components',
    label: 'Components',
    width: 20,
    wraps: true,
    cell: (date) => {
      const names = distinct(date, ({ component }) => component)
      const [first] = date.components
      const isOneApplication = distinct(date, ({ application }) => application).length === 1
      if (!first || !isOneApplication || names.length > mostNamed) return plural(names.length, 'component')
      return <ComponentLinks at={first} components={names} />
    },
  },
  { id: 'todo', label: 'To do', visibleFrom: 'lg', wraps: true, cell: (date) => <UserText text={remedyOf(date)} /> },
]

const countdown = (days: number): string => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`)

const kindTexts: Record<PolicyDate['kind'], string> = {
  rule: 'Rule begins to fail',
  waiver: 'Exception ends',
  inclusion: 'Rule is added',
}

const applicationFilters: Filter<PolicyDate>[] = [
  { id: 'rule', label: 'rule', text: ({ title, code = '' }) => `${title} ${code}` },
  { id: 'kind', label: 'Kind', choices: ({ kind }) => kindTexts[kind] },
  { id: 'component', label: 'Component', choices: (date) => distinct(date, ({ component }) => component) },
]
const filters: Filter<PolicyDate>[] = [
  ...applicationFilters,
  { id: 'application', label: 'Application', choices: (date) => distinct(date, ({ application }) => application) },
]

/** The most components that the details list. */
const mostListed = 50

const detailsOf = (date: PolicyDate) => {
  const { title, code, policy, reference, atMs, components } = date
  return (
    <>
      <Details
        label={title}
        isNarrow
        items={[
          ['Exact time', <DateAndAge key="time" time={new Date(atMs).toISOString()} />],
          ['To do', <UserText key="todo" text={remedyOf(date)} />],
          ['Rule code', code && <Copyable text={code} noun="rule code" />],
          ['Policy', policy],
          ['Reference', reference && <UserText text={reference} />],
        ]}
      />
      <ul className="slipway-policy-findings" aria-label={`Components of ${title}`}>
        {components.slice(0, mostListed).map(({ namespace, application, component, message, run }, index) => (
          <li key={index}>
            <ComponentLink at={{ namespace, application }} component={component} />
            {message && (
              <>
                : <UserText text={message} />
              </>
            )}
            <Content component="small">
              In <PipelineRunLink at={{ namespace: run.namespace, application }} pipelineRun={run.name} />
            </Content>
          </li>
        ))}
      </ul>
      {components.length > mostListed && <Content component="small">{components.length - mostListed} more</Content>}
    </>
  )
}
