import { Alert, Content, Skeleton } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { isComparable } from '@slipway/model/comparison/last-green'
import { mainLineOf } from '@slipway/model/logs/log-snippet'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type RunFailure, failureOf } from '@slipway/model/runs/run-failure'
import { isRerunLikely } from '@slipway/model/runs/run-actions'
import { pipelineRunStatus } from '@slipway/model/runs/run-status'
import { isVerification } from '@slipway/model/snapshots/enterprise-contract'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { failureText } from '../../api/messages'
import { paths, type PipelineRunParams } from '../../paths'
import { logSnippetQuery } from '../../resources/logs'
import { ProminentAction } from '../../ui/actions/ProminentAction'
import { logLink } from '../logs/log-link'
import { SameFailure } from '../failures/SameFailure'
import { FailedTests, FailedTestsCard, ViolatedRules } from './FailedTests'
import { LogSnippetLines } from './LogSnippetLines'
import { rerunAction } from './run-actions'

interface RunFailureCardProps {
  run: PipelineRun
  taskRuns: readonly TaskRun[]
  at: PipelineRunParams
}

/**
 * Why a run has failed: task, step, exit code, message, the violated rules of a policy, failed tests and the lines
 * around the first error. For a run that has succeeded although its tests have failed: those tests. Nothing for others.
 */
export function RunFailureCard({ run, taskRuns, at }: RunFailureCardProps) {
  const logs = paths.pipelineRunLogs(at)
  const failure = failureOf(run, taskRuns)
  const actions = isRerunLikely(run) && <ProminentAction size="sm" action={rerunAction} at={at} subject={run} />
  if (!failure) return <FailedTestsCard run={run} taskRuns={taskRuns} at={at} actions={actions} />
  // A cancelled run is not a failure.
  const isCancelled = pipelineRunStatus(run) === 'Cancelled'
  const taskRun = taskRuns.find((each) => nameOf(each) === failure.taskRun)
  const link = !failure.hasNotStarted && (
    <Link to={logs + logLink(failure.task ? { task: failure.task } : {})}>See logs</Link>
  )
  const evidence =
    taskRun && failure.step ? (
      <StepSnippet taskRun={taskRun} task={failure.task ?? ''} step={failure.step} logs={logs} />
    ) : (
      link
    )
  return (
    <Alert
      isInline
      component="h2"
      variant={isCancelled ? 'warning' : 'danger'}
      title={isCancelled ? 'This pipeline run was cancelled' : titleOf(failure)}
      actionLinks={actions}
      className="slipway-run-failure"
    >
      {failure.report && <Content component="p">{`It reports ${failure.report}`}</Content>}
      <Content component="p">{failure.message}</Content>
      {failure.timedOut && (
        <Content component="p">
          Still running when the time was over:{' '}
          {failure.timedOut.map((task, index) => (
            <Fragment key={task}>
              {index > 0 && ', '}
              <Link to={logs + logLink({ task })}>{task}</Link>
            </Fragment>
          ))}
        </Content>
      )}
      {failure.container && <Content component="small">{containerText(failure.container, taskRun)}</Content>}
      {taskRun && isVerification(taskRun) ? (
        <ViolatedRules run={run} taskRun={taskRun} at={at} link={link} otherwise={evidence} />
      ) : (
        evidence
      )}
      {!isCancelled && isComparable(run) && (
        <Content component="p">
          <Link to={paths.pipelineRunChanges(at)}>Compare with last green</Link>{' '}
          <SameFailure run={run} namespace={at.namespace} />
        </Content>
      )}
    </Alert>
  )
}

/** `Task build failed in step build (exit code 1)` */
function titleOf({ task, step, exitCode, exitReason, hasTimedOut, hasNotStarted }: RunFailure): string {
  if (!task) return 'This pipeline run has failed'
  const where = step ? ` in step ${step}` : ''
  if (hasNotStarted) return `Task ${task} could not start`
  if (hasTimedOut) return `Task ${task} timed out${where}`
  const code = exitCode === undefined ? '' : ` (exit code ${exitCode}${exitReason ? `, ${exitReason}` : ''})`
  return `Task ${task} failed${where}${code}`
}

/** `Container step-build of pod checkout-build-pod`: where to find the log of the step with other tools. */
const containerText = (container: string, taskRun: TaskRun | undefined): string =>
  `Container ${container}${taskRun?.status?.podName ? ` of pod ${taskRun.status.podName}` : ''}`

interface StepSnippetProps {
  taskRun: TaskRun
  /** Required if `logs` are those of a whole run. */
  task?: string
  step: string
  logs: string
}

/** The lines of a failed step around its first error, and a link to them. */
export function StepSnippet({ taskRun, task, step, logs }: StepSnippetProps) {
  const { data: snippet, error, isLoading } = useQuery(logSnippetQuery(taskRun, step))
  const line = snippet ? mainLineOf(snippet) : undefined
  return (
    <>
      <FailedTests snippet={snippet} task={task} logs={logs} />
      {snippet && <LogSnippetLines snippet={snippet} label={`Log of step ${step}`} />}
      {isLoading && <Skeleton height="6rem" screenreaderText="Loading the log" />}
      {error && <Content component="p">{failureText(error)}</Content>}
      <Link to={logs + logLink({ ...(task && { task }), step, line })}>See logs</Link>
    </>
  )
}
