import { nameOf } from '@slipway/kube/object'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { hasSecurityReport } from '@slipway/model/runs/run-outputs'
import { taskRunType } from '@slipway/model/runs/task-run'
import type { LoaderFunctionArgs } from 'react-router'
import { prefetchAccess, requireAccess } from '../../api/access/access'
import { queryClient } from '../../api/query-client'
import { useObject } from '../../api/source'
import { paths, type PipelineRunParams } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { runActionChecks } from '../../resources/rights'
import { taskRuns } from '../../resources/task-runs'
import { DetailLayout, type DetailTab } from '../../ui/page/DetailLayout'
import { useRunActions } from '../../ui/pipeline-runs/run-actions'
import { paramsOf, useRequiredParams } from '../../ui/page/route-params'
import { displayStatus } from '../../ui/status/display-status'
import { StatusLabel } from '../../ui/status/StatusLabel'

export async function loader({ params }: LoaderFunctionArgs) {
  const { namespace, pipelineRun } = paramsOf(params, 'namespace', 'pipelineRun')
  await Promise.all([
    requireAccess('list', pipelineRunType, namespace),
    requireAccess('list', taskRunType, namespace),
    prefetchAccess(runActionChecks(namespace)),
  ])
  void queryClient.prefetchQuery(pipelineRuns.get(namespace, pipelineRun))
  void queryClient.prefetchQuery(taskRuns.historyOf(namespace, pipelineRun).live)
  return null
}

export { PipelineRunLayout as Component }
function PipelineRunLayout() {
  const params = useRequiredParams('namespace', 'application', 'pipelineRun')
  const { namespace, application, pipelineRun } = params
  const actionsOf = useRunActions(namespace, 'page')
  return (
    <DetailLayout
      kind="Pipeline run"
      name={pipelineRun}
      source={useObject(pipelineRuns.get(namespace, pipelineRun))}
      breadcrumbs={[
        { label: 'Applications', to: paths.applications({ namespace }) },
        { label: application, to: paths.application({ namespace, application }) },
        { label: 'Pipeline runs', to: paths.activityTab({ namespace, application, activityTab: 'pipelineruns' }) },
        { label: pipelineRun },
      ]}
      label={(run) => <StatusLabel status={displayStatus(run)} />}
      actions={actionsOf}
      tabs={(run) => tabsOf(run, { ...params, pipelineRun: nameOf(run) })}
    />
  )
}

const tabsOf = (run: PipelineRun, params: PipelineRunParams): DetailTab[] => [
  { label: 'Details', to: paths.pipelineRun(params) },
  { label: 'Task runs', to: paths.pipelineRunTaskRuns(params) },
  { label: 'Logs', to: paths.pipelineRunLogs(params) },
  ...(hasSecurityReport(run) ? [{ label: 'Security', to: paths.pipelineRunSecurity(params) }] : []),
]
