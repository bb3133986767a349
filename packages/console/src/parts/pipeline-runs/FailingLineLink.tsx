import { nameOf } from '@slipway/kube/object'
import { mainLineOf } from '@slipway/model/logs/log-snippet'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { failureOf } from '@slipway/model/runs/run-failure'
import { taskNameIn, type TaskRun } from '@slipway/model/runs/task-run'
import { isVerification } from '@slipway/model/snapshots/enterprise-contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths, type PipelineRunParams } from '../../paths'
import { logSnippetQuery } from '../../resources/logs'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { UserText } from '../../ui/text/UserText'
import { plural } from '../graph/node-text'
import { logLink } from '../logs/log-link'
import { displayTaskStatus } from '../status/display-status'
import { useViolations } from './PolicyViolations'
import { useTaskRuns } from './use-task-runs'

interface FailingLineLinkProps {
  at: PipelineRunParams
  /** Shown until the failed task is known, and if none has failed. */
  otherwise: ReactNode
  /** Quotes the line after the link. */
  isQuoting?: boolean
}

/** A link to the line of a log that says why a run, or the test in it, has failed. The archive is read if necessary. */
export function FailingLineLink(props: FailingLineLinkProps) {
  const { data: run } = useQuery(pipelineRuns.get(props.at.namespace, props.at.pipelineRun))
  return run ? <LineOfRun run={run} {...props} /> : props.otherwise
}

function LineOfRun({ run, at, otherwise, isQuoting = false }: FailingLineLinkProps & { run: PipelineRun }) {
  const taskRuns = useTaskRuns(run).rows ?? []
  const failure = failureOf(run, taskRuns)
  const failed = failure
    ? taskRuns.find((taskRun) => nameOf(taskRun) === failure.taskRun)
    : // A run succeeds although the tests in one of its tasks have failed.
      taskRuns.find((taskRun) => displayTaskStatus(taskRun) === 'Test Failures')
  if (!failed) return failure?.message ?? otherwise
  const task = taskNameIn(run, failed)
  const logs = paths.pipelineRunLogs(at)
  const line = failure?.step ? (
    <>
      <StepLine taskRun={failed} task={task} step={failure.step} logs={logs} isQuoting={isQuoting} />
      {failure.report && `: ${failure.report}`}
    </>
  ) : (
    <Link to={logs + logLink({ task })}>Task {task} failed</Link>
  )
  return isVerification(failed) ? <ViolatedPolicy taskRun={failed} at={at} otherwise={line} /> : line
}

/** The first violated rule and how many more there are, with a link to the report. */
function ViolatedPolicy({ taskRun, at, otherwise }: FailingLineLinkProps & { taskRun: TaskRun }) {
  const [first, ...others] = useViolations(taskRun)
  if (!first) return otherwise
  const components = [...new Set(first.findings.map(({ component }) => component))]
  return (
    <>
      {components.join(', ')} {components.length === 1 ? 'violates' : 'violate'} the rule{' '}
      <Link to={paths.taskRunSecurity({ ...at, taskRun: nameOf(taskRun) })}>
        <UserText text={first.rule} />
      </Link>
      {others.length > 0 && ` and ${plural(others.length, 'more rule')} of the policy`}
    </>
  )
}

interface StepLineProps {
  taskRun: TaskRun
  task: string
  step: string
  logs: string
  isQuoting: boolean
}

function StepLine({ taskRun, task, step, logs, isQuoting }: StepLineProps) {
  const { data: snippet } = useQuery(logSnippetQuery(taskRun, step))
  const line = snippet ? mainLineOf(snippet) : undefined
  const text = isQuoting && snippet?.lines.find(({ number }) => number === line)?.text.trim()
  return (
    <>
      <Link to={logs + logLink({ task, step, line })}>
        Task {task} failed in step {step}
      </Link>
      {text && (
        <>
          :{' '}
          <code>
            <UserText text={text} />
          </code>
        </>
      )}
    </>
  )
}
