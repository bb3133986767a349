import { nameOf } from '@slipway/kube/object'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { hasSecurityReport } from '@slipway/model/runs/run-outputs'
import { taskRunType } from '@slipway/model/runs/task-run'
import { useObject } from '../../api/source'
import { paths, type PipelineRunParams } from '../../paths'
import { pipelineRuns, runActionChecks } from '../../resources/pipeline-runs'
import { taskRuns } from '../../resources/task-runs'
import { DetailLayout, type DetailTab } from '../../ui/page/DetailLayout'
import { createLoader } from '../../ui/page/needs'
import { useRequiredParams } from '../../ui/page/route-params'
import { useRunActions } from '../../ui/pipeline-runs/run-actions'
import { displayStatus } from '../../ui/status/display-status'
import { StatusLabel } from '../../ui/status/StatusLabel'

export const loader = createLoader(['namespace', 'pipelineRun'], ({ namespace, pipelineRun }) => ({
  require: [
    { verb: 'list', type: pipelineRunType, namespace },
    { verb: 'list', type: taskRunType, namespace },
  ],
  check: runActionChecks(namespace),
  read: [pipelineRuns.get(namespace, pipelineRun), taskRuns.historyOf(namespace, pipelineRun).live],
}))

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
