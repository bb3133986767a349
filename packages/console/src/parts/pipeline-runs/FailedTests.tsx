import { Alert, Content } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { reportedResultOf, testOutputOf, worstTestResult } from '@slipway/model/runs/task-results'
import { taskNameOf, type TaskRun } from '@slipway/model/runs/task-run'
import { isVerification } from '@slipway/model/snapshots/enterprise-contract'
import { runVerdict } from '@slipway/model/snapshots/verdict'
import { useQueries } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths, type PipelineRunParams } from '../../paths'
import { logSnippetQuery, type StepSnippet } from '../../resources/logs'
import { plural } from '../graph/node-text'
import { servedApplication } from '../links'
import { logLink } from '../logs/log-link'
import { displayStatus } from '../status/display-status'
import { PolicyViolations, useViolations } from './PolicyViolations'

interface FailedTestsCardProps {
  run: PipelineRun
  taskRuns: readonly TaskRun[]
  at: PipelineRunParams
  /** What can be done about it. */
  actions?: ReactNode
}

/** Which tests have failed, or could not be run, in a run that has succeeded all the same; nothing for any other run. */
export function FailedTestsCard({ run, taskRuns, at, actions }: FailedTestsCardProps) {
  const failed = taskRuns.filter(haveTestsFailed)
  const verdict = runVerdict(run, displayStatus(run), worstTestResult(taskRuns))
  if (verdict !== 'Test Failures' || failed.length === 0) return null
  const [first] = failed
  const where = failed.length === 1 && first ? `task ${taskNameOf(first)}` : `${failed.length} tasks`
  const haveRun = failed.some((taskRun) => reportedResultOf(taskRun) === 'FAILURE')
  return (
    <Alert
      isInline
      component="h2"
      variant="danger"
      title={haveRun ? `Tests have failed in ${where}` : `Tests could not be run in ${where}`}
      actionLinks={actions}
      className="slipway-run-failure"
    >
      {failed.map((taskRun) => (
        <FailedTask key={taskRun.metadata.uid ?? taskNameOf(taskRun)} run={run} taskRun={taskRun} at={at} />
      ))}
    </Alert>
  )
}

const haveTestsFailed = (taskRun: TaskRun): boolean => {
  const result = reportedResultOf(taskRun)
  return result === 'FAILURE' || result === 'ERROR' || result === 'INVALID'
}

const invalidOutput = { failures: 0, note: 'Its test output is not valid, so it counts as failed.' }

/** What a task reports, and which tests or rules its log names. */
function FailedTask({ run, taskRun, at }: { run: PipelineRun; taskRun: TaskRun; at: PipelineRunParams }) {
  const logs = paths.pipelineRunLogs(at)
  const output = reportedResultOf(taskRun) === 'INVALID' ? undefined : testOutputOf(taskRun)
  const { failures, note } = output ?? invalidOutput
  const task = taskNameOf(taskRun)
  const link = <Link to={logs + logLink({ task })}>See logs</Link>
  return (
    <>
      <Content component="p">
        {[`${task}:`, failures > 0 && `${plural(failures, 'failure')}.`, note].filter(Boolean).join(' ')}
      </Content>
      {isVerification(taskRun) ? (
        <ViolatedRules run={run} taskRun={taskRun} at={at} link={link} />
      ) : (
        <>
          <TestsInLogs taskRun={taskRun} task={task} logs={logs} />
          {link}
        </>
      )}
    </>
  )
}

/** The tests that the logs of a task's steps name: any of them may have run the tests. */
function TestsInLogs({ taskRun, task, logs }: { taskRun: TaskRun; task: string; logs: string }) {
  const steps = taskRun.status?.steps ?? []
  const snippets = useQueries({ queries: steps.map(({ name }) => logSnippetQuery(taskRun, name)) })
  return snippets.map(({ data }, index) => (
    <FailedTests key={steps[index]?.name} snippet={data ?? undefined} task={task} logs={logs} />
  ))
}

interface ViolatedRulesProps {
  run: PipelineRun
  /** One of its tasks. */
  taskRun: TaskRun
  at: PipelineRunParams
  /** To the logs. */
  link: ReactNode
  /** Shown until the report of the task is read, and without one. */
  otherwise?: ReactNode
}

/** The rules of a policy that a task has found violated, and a link to its report. */
export function ViolatedRules({ run, taskRun, at, link, otherwise = link }: ViolatedRulesProps) {
  const violations = useViolations(taskRun)
  const { namespace = at.namespace } = servedApplication(run)
  return (
    <>
      {violations.length > 0 ? (
        <>
          <PolicyViolations violations={violations} at={{ namespace, application: at.application }} />
          {link}
        </>
      ) : (
        otherwise
      )}
      {' · '}
      <Link to={paths.taskRunSecurity({ ...at, taskRun: nameOf(taskRun) })}>See the policy report</Link>
    </>
  )
}

/** The most tests that are named; the log has them all. */
const mostNamed = 10

interface FailedTestsProps {
  snippet: StepSnippet | null | undefined
  /** Required if `logs` are those of a whole run. */
  task: string | undefined
  logs: string
}

/** The tests that the log of a step names as failed, each with a link to its line; nothing if there are none. */
export function FailedTests({ snippet, task, logs }: FailedTestsProps) {
  if (!snippet?.failedTests) return null
  const { step, failedTests } = snippet
  return (
    <Content component="p">
      Failed tests:{' '}
      {failedTests.slice(0, mostNamed).map(({ name, line }, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <Link to={logs + logLink({ ...(task && { task }), step, line })}>{name}</Link>
        </Fragment>
      ))}
      {failedTests.length > mostNamed && ` and ${failedTests.length - mostNamed} more`}
    </Content>
  )
}
