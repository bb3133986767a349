import ListIcon from '@patternfly/react-icons/dist/esm/icons/rh-ui-list-icon'
import { nameOf } from '@slipway/kube/object'
import { isSha, shortSha } from '@slipway/model/git/git-facts'
import { runStatuses } from '@slipway/model/runs/run-status'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
} from '@slipway/model/snapshots/integration-test-scenario'
import { testSourceOf } from '@slipway/model/snapshots/integration-test-source'
import { isOptional } from '@slipway/model/snapshots/snapshot-tests'
import { viewAhead } from '../../api/views/use-view'
import { type ApplicationParams, paths } from '../../paths'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { actionChecks } from '../../ui/actions/defined-action'
import { DefinedButton } from '../../ui/actions/DefinedButton'
import { useActions } from '../../ui/actions/use-actions'
import { addIntegrationTest } from '../../parts/integration-tests/actions'
import { PipelineRunLink } from '../../parts/links'
import { displayStatus } from '../../parts/status/display-status'
import { MessagePanel } from '../../ui/status/MessagePanel'
import { tablePreferences } from '../../ui/table/columns'
import { byName, nameColumn, statusColumn } from '../../ui/table/common-columns'
import { ListTable } from '../../ui/table/ListTable'
import type { Column, Filter } from '../../ui/table/rows'
import { ExternalLink } from '../../ui/text/ExternalLink'
import { integrationTestActions } from './integration-test-actions'
import { TestMarks } from '../../parts/integration-tests/TestMarks'
import { route } from '../../ui/page/route'
import { LatestResult } from './LatestResult'
import { type TestWithRun, useTestsWithRuns } from './use-tests-with-runs'

export const page = route(paths.integrationTests, ({ namespace, application }) => ({
  require: [{ verb: 'list', type: integrationTestScenarioType, namespace }],
  check: actionChecks(namespace, addIntegrationTest, ...integrationTestActions),
  waitFor: [viewAhead(integrationTestScenarios.view(namespace, 'application', application))],
}))

export { IntegrationTestListTab as Component }
function IntegrationTestListTab() {
  const at = page.useParams()
  const { actionsOf, dialog } = useActions(integrationTestActions, at)
  return (
    <>
      <ListTable
        label="Integration tests"
        at={at}
        source={useTestsWithRuns(at)}
        columns={columns}
        filters={filters}
        actions={actionsOf}
        firstSort="name"
        preferences={preferences}
        toolbar={<DefinedButton action={addIntegrationTest} at={at} />}
        empty={<NoIntegrationTests at={at} />}
      />
      {dialog}
    </>
  )
}

const preferences = tablePreferences('slipway-integration-tests-columns')

const nameOfTest = ({ test }: TestWithRun): string => nameOf(test)

const columns: Column<TestWithRun, ApplicationParams>[] = [
  statusColumn('withVerdict', ({ test, ...run }) => <LatestResult name={nameOf(test)} {...run} />, {
    label: 'Latest result',
    sortBy: ({ latest }) => latest && runStatuses.indexOf(displayStatus(latest)),
  }),
  nameColumn(nameOfTest, {
    linkTo: ({ test }, at) => paths.integrationTest({ ...at, integrationTest: nameOf(test) }),
    suffix: ({ test }) => <TestMarks test={test} />,
  }),
  { id: 'url', label: 'Git URL', width: 25, visibleFrom: 'lg', cell: ({ test }) => <SourceCell test={test} /> },
  {
    id: 'optional',
    label: 'Optional for release',
    width: 15,
    sortBy: ({ test }) => String(isOptional(test)),
    cell: ({ test }) => (isOptional(test) ? 'Optional' : 'Required'),
  },
  {
    id: 'revision',
    label: 'Revision',
    width: 10,
    visibleFrom: 'lg',
    cell: ({ test }) => {
      const { revision, revisionUrl } = testSourceOf(test)
      return revision ? <ExternalLink href={revisionUrl}>{shortRevision(revision)}</ExternalLink> : '-'
    },
  },
  {
    id: 'run',
    label: 'Latest run',
    width: 15,
    visibleFrom: '2xl',
    cell: ({ test, latest }, at) =>
      latest ? <PipelineRunLink at={at} pipelineRun={nameOf(latest)} integrationTest={nameOf(test)} /> : '-',
  },
]

const shortRevision = (revision: string) => (isSha(revision) ? shortSha(revision) : revision)

const filters: Filter<TestWithRun>[] = [byName(nameOfTest)]

function SourceCell({ test }: { test: IntegrationTestScenario }) {
  const { shortUrl, repoUrl, bundle } = testSourceOf(test)
  if (shortUrl) return <ExternalLink href={repoUrl}>{shortUrl}</ExternalLink>
  return bundle ? `Bundle ${bundle}` : '-'
}

const NoIntegrationTests = ({ at }: { at: ApplicationParams }) => (
  <MessagePanel
    titleText="No integration tests yet"
    icon={ListIcon}
    action={<DefinedButton action={addIntegrationTest} at={at} />}
  >
    An integration test is a pipeline that runs for each new snapshot of this application. Its result decides whether
    the snapshot is released.
  </MessagePanel>
)
