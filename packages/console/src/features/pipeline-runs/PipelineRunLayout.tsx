import { nameOf } from '@slipway/kube/object'
import { isComparable } from '@slipway/model/comparison/last-green'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { hasScan, hasSecurityReport } from '@slipway/model/runs/run-outputs'
import { pipelineRunStatus } from '@slipway/model/runs/run-status'
import { useMatch, useSearchParams } from 'react-router'
import { useObject } from '../../api/source'
import { paths, pattern, type PipelineRunParams } from '../../paths'
import { openRunChecks, pipelineRuns } from '../../resources/pipeline-runs'
import { taskRuns } from '../../resources/task-runs'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { cameFrom } from '../../parts/links'
import { DetailLayout } from '../../ui/page/DetailLayout'
import type { PageTab } from '../../ui/page/PageTabs'
import { route } from '../../ui/page/route'
import { runActions } from '../../parts/pipeline-runs/run-actions'
import { runOriginOf } from '../../parts/pipeline-runs/run-crumbs'
import { RunStatusOfTitle } from '../../parts/pipeline-runs/RunStatus'

export const page = route(paths.pipelineRun, ({ namespace, pipelineRun }) => ({
  require: openRunChecks(namespace),
  check: actionChecks(namespace, ...runActions.page),
  read: [pipelineRuns.get(namespace, pipelineRun), taskRuns.historyOf(namespace, pipelineRun).live],
}))

export { PipelineRunLayout as Component }
function PipelineRunLayout() {
  const params = page.useParams()
  const { namespace, application, pipelineRun } = params
  const { actionsOf } = useActions(runActions.page, { namespace })
  const [query] = useSearchParams()
  const source = useObject(pipelineRuns.get(namespace, pipelineRun))
  const integrationTest = query.get('integrationTestName') ?? undefined
  const release = query.get('releaseName') ?? undefined
  const isComparing = useMatch(pattern(paths.pipelineRunChanges)) !== null
  const { application: served, crumbs } = runOriginOf({
    run: source.rows?.[0],
    at: { namespace, application },
    release,
  })
  return (
    <DetailLayout
      kind="Pipeline run"
      name={pipelineRun}
      source={source}
      breadcrumbs={[
        { label: 'Applications', to: paths.applications(served) },
        { label: application, to: paths.application(served) },
        ...(integrationTest
          ? [
              { label: 'Integration tests', to: paths.integrationTests(served) },
              { label: integrationTest, to: paths.integrationTestPipelineRuns({ ...served, integrationTest }) },
            ]
          : crumbs),
        { label: pipelineRun },
      ]}
      label={(run) => <RunStatusOfTitle run={run} />}
      actions={actionsOf}
      tabQuery={cameFrom({ integrationTest, release })}
      tabs={(run) => [
        ...tabsOf(run, { ...params, pipelineRun: nameOf(run) }),
        // Any run can be compared, but few users look for what changed in one that has not failed.
        ...(isComparing || (isComparable(run) && pipelineRunStatus(run) === 'Failed')
          ? [{ label: 'Compare', to: paths.pipelineRunChanges({ ...params, pipelineRun: nameOf(run) }) }]
          : []),
      ]}
    />
  )
}

const tabsOf = (run: PipelineRun, params: PipelineRunParams): PageTab[] => [
  { label: 'Details', to: paths.pipelineRun(params) },
  { label: 'Task runs', to: paths.pipelineRunTaskRuns(params) },
  { label: 'Logs', to: paths.pipelineRunLogs(params) },
  ...(hasSecurityReport(run) ? [{ label: 'Security', to: paths.pipelineRunSecurity(params) }] : []),
  ...(hasScan(run) ? [{ label: 'Vulnerabilities', to: paths.pipelineRunVulnerabilities(params) }] : []),
]
