import { specOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { taskFailureText } from '@slipway/model/runs/run-failure'
import { taskRunStatus } from '@slipway/model/runs/run-status'
import { failedStepOf } from '@slipway/model/runs/run-steps'
import { definedTaskOf, earlierAttemptsOf, type TaskRun } from '@slipway/model/runs/task-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { useSuspenseQuery } from '@tanstack/react-query'
import { paths, type TaskRunParams } from '../../paths'
import { taskRuns } from '../../resources/task-runs'
import { ApplicationLink, ComponentLink, PipelineRunLink, servedApplication } from '../../parts/links'
import { Section } from '../../ui/page/Section'
import { Copyable } from '../../ui/text/Copyable'
import { type DetailItem, Details } from '../../ui/page/Details'
import { RunDuration } from '../../parts/text/Duration'
import { KeyValues } from '../../ui/text/KeyValues'
import { ObjectEvents } from '../../parts/events/ObjectEvents'
import { route } from '../../ui/page/route'
import { StepSnippet } from '../../parts/pipeline-runs/RunFailureCard'
import { RunResults } from '../../parts/pipeline-runs/RunResults'
import { DateAndAge } from '../../ui/text/RelativeTime'
import { isSettled, displaySidecars, displaySteps, displayTaskStatus } from '../../parts/status/display-status'
import { TaskRunStatus } from '../../parts/task-runs/TaskRunStatus'
import { StepList } from '../../parts/task-runs/TaskRunSummary'

export const page = route(paths.taskRunDetails)

export { TaskRunDetailsTab as Component }
function TaskRunDetailsTab() {
  const params = page.useParams()
  const { data: taskRun } = useSuspenseQuery(taskRuns.get(params.namespace, params.taskRun))
  return (
    <>
      <Section title="Task run details">
        <Details label="Task run details" items={factsOf(taskRun, params)} />
      </Section>
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
  const at = servedApplication(taskRun)
  const component = own[labels.component]
  const pipelineRun = own[labels.pipelineRun]
  const failedStep = failedStepOf(taskRun)
  const tries = earlierAttemptsOf(taskRun).length
  const steps = displaySteps(taskRun)
  const sidecars = displaySidecars(taskRun)
  return [
    ['Message', taskFailureText(taskRun) ?? (succeededCondition(taskRun)?.message || null)],
    [
      'Log snippet',
      word === 'Failed' && failedStep ? (
        <StepSnippet taskRun={taskRun} step={failedStep.name} logs={paths.taskRunLogs(params)} />
      ) : undefined,
    ],
    ['Created at', <DateAndAge time={metadata.creationTimestamp} />],
    ['Duration', <RunDuration run={taskRun} status={word} />],
    ['Earlier tries', tries > 0 ? String(tries) : undefined],
    ['Task', definedTaskOf(taskRun) ?? null],
    ['Description', status?.taskSpec?.description ?? spec.taskSpec?.description ?? null],
    ['Steps', steps.length > 0 ? <StepList steps={steps} isOver={isSettled(taskRun)} /> : undefined],
    ['Sidecars', sidecars.length > 0 ? <StepList steps={sidecars} isOver={isSettled(taskRun)} /> : undefined],
    ['Pipeline run', pipelineRun ? <PipelineRunLink at={params} pipelineRun={pipelineRun} /> : null],
    ['Application', at.application ? <ApplicationLink at={at} /> : null],
    ['Component', component ? <ComponentLink at={at} component={component} /> : null],
    ['Name', <Copyable text={params.taskRun} noun="name" />],
    ['Namespace', params.namespace],
    ['Status', <TaskRunStatus taskRun={taskRun} />],
    ['Labels', <KeyValues label="Labels" values={metadata.labels} />],
    ['Annotations', <KeyValues label="Annotations" values={metadata.annotations} />],
  ]
}
