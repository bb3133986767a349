import { Content, Label, type LabelProps } from '@patternfly/react-core'
import CheckIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-check-circle-fill-icon'
import { nameOf, uidOf } from '@slipway/kube/object'
import { type FailureClass, failureClasses } from '@slipway/model/failures/failure-class'
import { type FailurePattern, type FlakeScore, patternDays, shareOf } from '@slipway/model/failures/failure-patterns'
import { labels } from '@slipway/model/labels'
import { mainLineOf } from '@slipway/model/logs/log-snippet'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { startOf } from '@slipway/model/runs/tekton'
import { Link } from 'react-router'
import { type RowKind, useFixed } from '../../api/source'
import { paths } from '../../paths'
import { passedText, progressText } from '../../parts/failures/pattern-text'
import { patternRows, useFailurePatterns } from '../../parts/failures/use-failure-patterns'
import { plural } from '../../parts/graph/node-text'
import { applicationOf, ComponentLink, pathIn, PipelineRunLink } from '../../parts/links'
import { logLink } from '../../parts/logs/log-link'
import { LogSnippetLines } from '../../parts/pipeline-runs/LogSnippetLines'
import { openRunChecks } from '../../resources/pipeline-runs'
import type { ReadFailure } from '../../resources/run-failures'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { Section } from '../../ui/page/Section'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { ageColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { UserText } from '../../ui/text/UserText'

export const page = route(paths.failurePatterns, ({ namespace }) => ({ require: openRunChecks(namespace) }))

export { FailurePatternListPage as Component }
/** The same failures in several runs of a namespace, and the tasks whose outcome flips without another commit. */
function FailurePatternListPage() {
  const { namespace } = page.useParams()
  const { source, flakes, progress, readOf } = useFailurePatterns(namespace)
  return (
    <Page
      title="Failure patterns"
      description={`The same failures in the runs of the last ${patternDays} days, by the lines of their logs. The logs are compared in your browser.`}
      breadcrumbs={[{ label: 'Pipeline runs', to: paths.pipelineRuns({ namespace }) }, { label: 'Failure patterns' }]}
    >
      <Content component="small" role="status">
        {!source.error && progressText(progress)}
      </Content>
      <ListTable
        label="Failure patterns"
        source={source}
        at={{ readOf }}
        firstSort="-seen"
        columns={columns}
        filters={filters}
        details={detailsOf}
        empty={
          <MessagePanel titleText="No failures found" icon={CheckIcon}>
            {progress.failedCount === 0
              ? `No run has failed in the last ${patternDays} days, as far as its runs are known.`
              : 'None of the logs of the failed runs could be read.'}
          </MessagePanel>
        }
      />
      {flakes && flakes.length > 0 && <FlakyTasks flakes={flakes} />}
    </Page>
  )
}

interface Place {
  readOf: (run: PipelineRun) => ReadFailure | undefined
}

const colors: Record<FailureClass, LabelProps['color']> = {
  Policy: 'purple',
  Registry: 'teal',
  Infrastructure: 'orange',
  Test: 'blue',
  Code: 'grey',
}

const columns: Column<FailurePattern, Place>[] = [
  {
    id: 'class',
    label: 'Class',
    widthRem: 9,
    sortBy: (pattern) => pattern.class,
    cell: (pattern) => (
      <Label isCompact color={colors[pattern.class]}>
        {pattern.class}
      </Label>
    ),
  },
  {
    id: 'title',
    label: 'Failure',
    width: 30,
    isRowHeader: true,
    sortBy: patternRows.nameOf,
    cell: ({ title }) => <UserText text={title} />,
  },
  { id: 'task', label: 'Task', visibleFrom: 'lg', sortBy: tasksText, cell: tasksText },
  {
    id: 'seen',
    label: 'Seen',
    widthRem: 6,
    firstDirection: 'desc',
    sortBy: ({ failures }) => failures.length,
    cell: ({ failures }) => failures.length,
  },
  {
    id: 'components',
    label: 'Components',
    width: 15,
    visibleFrom: 'lg',
    sortBy: ({ components }) => components.length,
    firstDirection: 'desc',
    cell: componentsText,
  },
  ageColumn('first', 'First seen', ({ firstSeen }) => firstSeen, { visibleFrom: 'xl' }),
  ageColumn('last', 'Last seen', ({ lastSeen }) => lastSeen),
  {
    id: 'retry',
    label: 'Passes on retry',
    width: 15,
    visibleFrom: 'xl',
    firstDirection: 'desc',
    sortBy: ({ retries: { retried, passed } }) => (retried === 0 ? undefined : passed / retried),
    cell: ({ retries }) => passedText(retries) ?? 'Not retried',
  },
]

function tasksText({ tasks }: FailurePattern): string {
  return tasks.join(', ') || '-'
}

function componentsText({ components }: FailurePattern): string {
  const [first, ...others] = components
  return first === undefined ? '-' : others.length === 0 ? first : plural(components.length, 'component')
}

const filters: Filter<FailurePattern>[] = [
  // The chip on the page of a run leads here with the id.
  {
    id: 'failure',
    label: 'failure',
    text: ({ id, failures }) => [id, ...failures.map(({ fingerprint }) => fingerprint.title)].join('\n'),
  },
  { id: 'class', label: 'Class', choices: (pattern) => pattern.class, values: failureClasses },
  { id: 'task', label: 'Task', choices: ({ tasks }) => tasks },
  { id: 'component', label: 'Component', choices: ({ components }) => components },
]

/** The most runs that a row lists. */
const mostListed = 20

/** The lines of the newest failure, and the runs that failed in this way. */
function detailsOf({ title, failures }: FailurePattern, { readOf }: Place) {
  const [newest] = failures
  const snippet = newest && readOf(newest.run)?.snippet
  const logs = newest && snippet && logOf(newest.run, newest.evidence.task, snippet)
  return (
    <>
      {snippet && <LogSnippetLines snippet={snippet} label={`Log of ${title}`} />}
      {logs && <Link to={logs}>See logs</Link>}
      <ul aria-label={`Runs with ${title}`}>
        {failures.slice(0, mostListed).map(({ run }) => {
          const component = run.metadata.labels?.[labels.component]
          return (
            <li key={uidOf(run)}>
              <PipelineRunLink at={applicationOf(run)} pipelineRun={nameOf(run)} />
              {component && (
                <>
                  {' '}
                  of <ComponentLink at={applicationOf(run)} component={component} />
                </>
              )}
              , <RelativeTime time={startOf(run)} />
            </li>
          )
        })}
      </ul>
      {failures.length > mostListed && <Content component="small">{failures.length - mostListed} more</Content>}
    </>
  )
}

const logOf = (
  run: PipelineRun,
  task: string | undefined,
  snippet: NonNullable<ReadFailure['snippet']>,
): string | undefined =>
  pathIn(
    applicationOf(run),
    (at) =>
      paths.pipelineRunLogs({ ...at, pipelineRun: nameOf(run) }) +
      logLink({ ...(task && { task }), step: snippet.step, line: mainLineOf(snippet) }),
  )

const flakeRows: RowKind<FlakeScore> = {
  idOf: ({ task }) => task,
  nameOf: ({ task }) => task,
  isBeingDeleted: () => false,
}

const FlakyTasks = ({ flakes }: { flakes: readonly FlakeScore[] }) => (
  <Section title="Tasks that ran again for the same commit">
    <ListTable
      label="Flake scores"
      urlKey="flakes"
      source={useFixed(flakes, flakeRows)}
      firstSort="-score"
      columns={flakeColumns}
      empty={<MessagePanel titleText="No tasks found" />}
    />
  </Section>
)

const flakeColumns: Column<FlakeScore>[] = [
  { id: 'task', label: 'Task', isRowHeader: true, sortBy: ({ task }) => task, cell: ({ task }) => task },
  {
    id: 'score',
    label: 'Flake score',
    width: 20,
    firstDirection: 'desc',
    sortBy: shareOf,
    cell: (score) => `${Math.round(shareOf(score) * 100)} %`,
  },
  {
    id: 'flips',
    label: 'Outcome flipped',
    width: 25,
    cell: ({ flips, pairs }) => `In ${flips} of ${plural(pairs, 'retry', 'retries')}`,
  },
  { id: 'components', label: 'Components', width: 33, cell: ({ components }) => components.join(', ') || '-' },
]
