import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { hasSecurityReport } from '@slipway/model/runs/run-outputs'
import { useSearchParams } from 'react-router'
import { useObject } from '../../api/source'
import { type ApplicationParams, paths, type PipelineRunParams } from '../../paths'
import { openRunChecks, pipelineRuns, runActionChecks } from '../../resources/pipeline-runs'
import { taskRuns } from '../../resources/task-runs'
import { cameFrom } from '../../ui/links'
import { DetailLayout } from '../../ui/page/DetailLayout'
import type { Crumb } from '../../ui/page/Page'
import type { PageTab } from '../../ui/page/PageTabs'
import { createLoader } from '../../ui/page/needs'
import { useRequiredParams } from '../../ui/page/route-params'
import { useRunActions } from '../../ui/pipeline-runs/run-actions'
import { RunStatus } from '../../ui/pipeline-runs/RunStatus'

export const loader = createLoader(['namespace', 'pipelineRun'], ({ namespace, pipelineRun }) => ({
  require: openRunChecks(namespace),
  check: runActionChecks(namespace),
  read: [pipelineRuns.get(namespace, pipelineRun), taskRuns.historyOf(namespace, pipelineRun).live],
}))

export { PipelineRunLayout as Component }
function PipelineRunLayout() {
  const params = useRequiredParams('namespace', 'application', 'pipelineRun')
  const { namespace, application, pipelineRun } = params
  const actionsOf = useRunActions(namespace, 'page')
  const [query] = useSearchParams()
  const source = useObject(pipelineRuns.get(namespace, pipelineRun))
  const integrationTest = query.get('integrationTestName') ?? undefined
  const release = query.get('releaseName') ?? undefined
  return (
    <DetailLayout
      kind="Pipeline run"
      name={pipelineRun}
      source={source}
      breadcrumbs={[
        { label: 'Applications', to: paths.applications({ namespace }) },
        { label: application, to: paths.application({ namespace, application }) },
        ...originCrumbs({ ...params, integrationTest, release, run: source.rows?.[0] }),
        { label: pipelineRun },
      ]}
      label={(run) => <RunStatus run={run} isAlone />}
      actions={actionsOf}
      tabQuery={cameFrom({ integrationTest, release })}
      tabs={(run) => tabsOf(run, { ...params, pipelineRun: nameOf(run) })}
    />
  )
}

interface Origin extends ApplicationParams {
  integrationTest: string | undefined
  release: string | undefined
  /** `undefined` until it is known. */
  run: PipelineRun | undefined
}

/** Leads back to the page from which the run was opened. */
function originCrumbs({ integrationTest, release, run, ...at }: Origin): Crumb[] {
  if (integrationTest) {
    return [
      { label: 'Integration tests', to: paths.integrationTests(at) },
      { label: integrationTest, to: paths.integrationTestPipelineRuns({ ...at, integrationTest }) },
    ]
  }
  if (release) {
    // The run of a managed pipeline is in another namespace than its release.
    const of = { ...at, namespace: run?.metadata.labels?.[labels.releaseNamespace] ?? at.namespace }
    return [
      { label: 'Releases', to: paths.releases(of) },
      { label: release, to: paths.releasePipelineRuns({ ...of, release }) },
    ]
  }
  return [{ label: 'Pipeline runs', to: paths.activityTab({ ...at, activityTab: 'pipelineruns' }) }]
}

const tabsOf = (run: PipelineRun, params: PipelineRunParams): PageTab[] => [
  { label: 'Details', to: paths.pipelineRun(params) },
  { label: 'Task runs', to: paths.pipelineRunTaskRuns(params) },
  { label: 'Logs', to: paths.pipelineRunLogs(params) },
  ...(hasSecurityReport(run) ? [{ label: 'Security', to: paths.pipelineRunSecurity(params) }] : []),
]
