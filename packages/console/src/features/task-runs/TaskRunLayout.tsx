import { labels } from '@slipway/model/labels'
import { hasSecurityReport } from '@slipway/model/runs/run-outputs'
import { type TaskRun, taskRunType } from '@slipway/model/runs/task-run'
import { useObject } from '../../api/source'
import { paths, type TaskRunParams } from '../../paths'
import { taskRuns } from '../../resources/task-runs'
import { DetailLayout } from '../../ui/page/DetailLayout'
import type { PageTab } from '../../ui/page/PageTabs'
import type { Crumb } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { runOriginOf } from '../../parts/pipeline-runs/run-crumbs'
import { TaskRunStatus } from '../../parts/task-runs/TaskRunStatus'

export const page = route(paths.taskRun, ({ namespace, taskRun }) => ({
  require: [{ verb: 'list', type: taskRunType, namespace }],
  read: [taskRuns.get(namespace, taskRun)],
}))

export { TaskRunLayout as Component }
function TaskRunLayout() {
  const params = page.useParams()
  const source = useObject(taskRuns.get(params.namespace, params.taskRun))
  return (
    <DetailLayout
      kind="Task run"
      name={params.taskRun}
      source={source}
      breadcrumbs={crumbsOf(source.rows?.[0], params)}
      label={(run) => <TaskRunStatus taskRun={run} />}
      tabs={(run) => tabsOf(run, params)}
    />
  )
}

function crumbsOf(taskRun: TaskRun | undefined, params: TaskRunParams): Crumb[] {
  const pipelineRun = taskRun?.metadata.labels?.[labels.pipelineRun]
  return [
    ...runOriginOf({ run: taskRun, at: params }).crumbs,
    ...(pipelineRun
      ? [
          { label: pipelineRun, to: paths.pipelineRun({ ...params, pipelineRun }) },
          { label: 'Task runs', to: paths.pipelineRunTaskRuns({ ...params, pipelineRun }) },
        ]
      : []),
    { label: params.taskRun },
  ]
}

const tabsOf = (taskRun: TaskRun, params: TaskRunParams): PageTab[] => [
  { label: 'Details', to: paths.taskRunDetails(params) },
  { label: 'Logs', to: paths.taskRunLogs(params) },
  ...(hasSecurityReport(taskRun) ? [{ label: 'Security', to: paths.taskRunSecurity(params) }] : []),
]
