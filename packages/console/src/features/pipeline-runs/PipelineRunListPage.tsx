import { labels } from '@slipway/model/labels'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { eventTypeText } from '@slipway/model/runs/run-type'
import { connectViews } from '../../api/views/open-view'
import { paths } from '../../paths'
import { ButtonLink } from '../../ui/actions/ButtonLink'
import { actionChecks } from '../../ui/actions/defined-action'
import { runActions } from '../../parts/pipeline-runs/run-actions'
import { ApplicationLink, servedApplication } from '../../parts/links'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { firstRuns } from '../../parts/pipeline-runs/first-runs'
import { type PipelineRunCells, pipelineRunFilters, runColumns } from '../../parts/pipeline-runs/columns'
import { PipelineRunTable } from '../../parts/pipeline-runs/PipelineRunTable'
import { tablePreferences } from '../../ui/table/columns'
import type { Column, Filter } from '../../ui/table/rows'
import { savedViews } from '../../ui/table/saved-views'

export const page = route(paths.pipelineRuns, ({ namespace }) => ({
  require: [{ verb: 'list', type: pipelineRunType, namespace }],
  check: actionChecks(namespace, ...runActions.list),
  waitFor: [firstRuns({ namespace }, preferences, filters)],
  parts: [connectViews],
}))

const preferences = tablePreferences('slipway-namespace-runs-columns')

export { PipelineRunListPage as Component }
/** The runs of every application of a namespace. */
function PipelineRunListPage() {
  const { namespace } = page.useParams()
  return (
    <Page
      title="Pipeline runs"
      breadcrumbs={[{ label: 'Pipeline runs' }]}
      actions={
        <ButtonLink variant="link" to={paths.failurePatterns({ namespace })}>
          View failure patterns
        </ButtonLink>
      }
    >
      <PipelineRunTable
        key={namespace}
        runs={{ namespace }}
        preferences={preferences}
        columns={columns}
        filters={filters}
        views={savedViews('pipeline-runs')}
      />
    </Page>
  )
}

const nameOfApplication = (run: PipelineRun): string | undefined => run.metadata.labels?.[labels.application]
const componentOf = (run: PipelineRun): string | undefined => run.metadata.labels?.[labels.component]

// Not all that a list of one application shows: names are long, and say what a run does.
const columns: Column<PipelineRun, PipelineRunCells>[] = [
  runColumns.status,
  runColumns.name,
  {
    id: 'application',
    label: 'Application',
    width: 15,
    visibleFrom: 'lg',
    sortBy: nameOfApplication,
    cell: (run) => (nameOfApplication(run) ? <ApplicationLink at={servedApplication(run)} /> : '-'),
  },
  { ...runColumns.component, hiddenByDefault: false, visibleFrom: 'xl' },
  runColumns.started,
  runColumns.duration,
  { ...runColumns.reference, visibleFrom: '2xl' },
  ...[runColumns.type, runColumns.trigger, runColumns.vulnerabilities].map((column) => ({
    ...column,
    hiddenByDefault: true,
  })),
  runColumns.testResult,
  runColumns.snapshot,
  runColumns.branch,
  runColumns.byUser,
]

const filters: Filter<PipelineRun>[] = [
  ...pipelineRunFilters,
  { id: 'trigger', label: 'Trigger', choices: eventTypeText },
  { id: 'application', label: 'Application', choices: nameOfApplication },
  { id: 'component', label: 'Component', choices: componentOf },
]
