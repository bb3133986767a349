import { Title } from '@patternfly/react-core'
import { specOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { taskFailureText } from '@slipway/model/runs/run-failure'
import { taskRunStatus } from '@slipway/model/runs/run-status'
import { failedStepOf } from '@slipway/model/runs/run-steps'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths, type TaskRunParams } from '../../paths'
import { taskRuns } from '../../resources/task-runs'
import { Copyable } from '../../ui/text/Copyable'
import { type DetailItem, Details } from '../../ui/page/Details'
import { Duration } from '../../ui/text/Duration'
import { KeyValues } from '../../ui/text/KeyValues'
import { ObjectEvents } from '../../ui/events/ObjectEvents'
import { StepSnippet } from '../../ui/pipeline-runs/RunFailureCard'
import { RunResults } from '../../ui/pipeline-runs/RunResults'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { useRequiredParams } from '../../ui/page/route-params'
import { isSettled, hasNoDuration, displaySteps, displayTaskStatus } from '../../ui/status/display-status'
import { StatusLabel } from '../../ui/status/StatusLabel'
import { StepList } from '../../ui/task-runs/TaskRunSummary'

export { TaskRunDetailsTab as Component }
function TaskRunDetailsTab() {
  const params = useRequiredParams('namespace', 'application', 'taskRun')
  const { data: taskRun } = useSuspenseQuery(taskRuns.get(params.namespace, params.taskRun))
  return (
    <>
      <section aria-labelledby="task-run-details">
        <Title headingLevel="h2" id="task-run-details" className="slipway-section-title">
          Task run details
        </Title>
        <Details label="Task run details" items={factsOf(taskRun, params)} />
      </section>
      <RunResults run={taskRun} isFailed={taskRunStatus(taskRun) === 'Failed'} />
      <ObjectEvents object={taskRun} />
    </>
  )
}

function factsOf(taskRun: TaskRun, params: TaskRunParams): DetailItem[] {
  const { metadata, status } = taskRun
  const spec = specOf(taskRun)
  const own = metadata.labels ?? {}
  const word = displayTaskStatus(taskRun)
  const application = own[labels.application]
  const component = own[labels.component]
  const pipelineRun = own[labels.pipelineRun]
  const failedStep = failedStepOf(taskRun)
  const steps = displaySteps(taskRun)
  return [
    ['Message', taskFailureText(taskRun) ?? (succeededCondition(taskRun)?.message || null)],
    [
      'Log snippet',
      word === 'Failed' && failedStep ? (
        <StepSnippet taskRun={taskRun} step={failedStep.name} logs={paths.taskRunLogs(params)} />
      ) : undefined,
    ],
    ['Created at', <DateAndAge key="created" time={metadata.creationTimestamp} />],
    [
      'Duration',
      <Duration
        key="duration"
        from={status?.startTime}
        to={status?.completionTime}
        isOver={isSettled(taskRun)}
        isPending={hasNoDuration(word)}
      />,
    ],
    ['Task', own[labels.pipelineTask] ?? own[labels.task] ?? spec.taskRef?.name ?? null],
    ['Description', status?.taskSpec?.description ?? spec.taskSpec?.description ?? null],
    ['Steps', steps.length > 0 ? <StepList steps={steps} isOver={isSettled(taskRun)} /> : undefined],
    [
      'Pipeline run',
      pipelineRun ? <Link to={paths.pipelineRun({ ...params, pipelineRun })}>{pipelineRun}</Link> : null,
    ],
    ['Application', application ? <Link to={paths.application({ ...params, application })}>{application}</Link> : null],
    [
      'Component',
      application && component ? (
        <Link to={paths.component({ ...params, application, component })}>{component}</Link>
      ) : (
        (component ?? null)
      ),
    ],
    ['Name', <Copyable key="name" text={params.taskRun} noun="name" />],
    ['Namespace', params.namespace],
    ['Status', <StatusLabel key="status" status={word} />],
    ['Labels', <KeyValues key="labels" label="Labels" values={metadata.labels} />],
    ['Annotations', <KeyValues key="annotations" label="Annotations" values={metadata.annotations} />],
  ]
}
