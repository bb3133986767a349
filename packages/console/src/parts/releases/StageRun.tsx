import { Alert } from '@patternfly/react-core'
import { nameOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { failureOf } from '@slipway/model/runs/run-failure'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { isVerification } from '@slipway/model/snapshots/enterprise-contract'
import type { RunEvidence } from '@slipway/model/releases/release-explanation'
import type { NamespacedName } from '@slipway/model/namespaced-name'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAccess } from '../../api/access/use-access'
import { asSentence, failureText } from '../../api/messages'
import type { PipelineRunParams } from '../../paths'
import { openRunChecks, pipelineRuns } from '../../resources/pipeline-runs'
import { useViolations } from '../pipeline-runs/PolicyViolations'
import { RunFailureCard } from '../pipeline-runs/RunFailureCard'
import { RunWaitingNote } from '../pipeline-runs/RunWaitingNote'
import { useTaskRuns } from '../pipeline-runs/use-task-runs'
import { useWaiting } from '../pipeline-runs/use-waiting'
import { hasVanished } from '../status/display-status'

/** What can be said about the run of a stage. */
export interface KnownRun {
  evidence: RunEvidence
  /** The evidence in detail, or why there is none; absent while it is loading. */
  details?: ReactNode
  /** Whether the run could not be read, so that only the release says what happened to it. */
  isUnreadable?: boolean
}

interface StageRunProps {
  run: NamespacedName
  /** Application of the release. */
  application: string
  children: (known: KnownRun) => ReactNode
}

/** Reads the run of a stage with its tasks, if the user may. */
export function StageRun({ run: { namespace, name }, application, children }: StageRunProps) {
  const { isAllowed, isPending } = useAccess(namespace ? openRunChecks(namespace) : [])
  if (!namespace || (!isAllowed && isPending)) return children({ evidence: {} })
  const at = { namespace, application, pipelineRun: name }
  if (isAllowed) return <ReadableRun at={at}>{children}</ReadableRun>
  return children({
    evidence: {},
    isUnreadable: true,
    details: (
      <Note>
        You don't have access to the namespace {namespace}, where the pipeline run {name} is. Ask its owners for the
        log.
      </Note>
    ),
  })
}

const Note = ({ children }: { children: ReactNode }) => (
  <Alert isInline isPlain component="p" variant="info" title={children} />
)

interface RunProps {
  at: PipelineRunParams
  children: (known: KnownRun) => ReactNode
}

function ReadableRun({ at, children }: RunProps) {
  const { data: run, error } = useQuery(pipelineRuns.get(at.namespace, at.pipelineRun))
  if (run) return <RunWithTasks run={run} at={at} children={children} />
  if (!error) return children({ evidence: {} })
  const text = isNotFound(error)
    ? `The pipeline run ${at.pipelineRun} has been deleted from ${at.namespace}.`
    : `The pipeline run ${at.pipelineRun} could not be read: ${asSentence(failureText(error))}`
  return children({ evidence: {}, isUnreadable: true, details: <Note>{text}</Note> })
}

interface RunWithTasksProps extends RunProps {
  run: PipelineRun
}

function RunWithTasks({ run, at, children }: RunWithTasksProps) {
  const taskRuns = useTaskRuns(run).rows ?? []
  const waiting = useWaiting(run, taskRuns)
  const failure = failureOf(run, taskRuns)
  const failed = failure && taskRuns.find((taskRun) => nameOf(taskRun) === failure.taskRun)
  const known: KnownRun = {
    evidence: { failure, waiting: hasVanished(run) ? undefined : waiting },
    details: failure ? (
      <RunFailureCard run={run} taskRuns={taskRuns} at={at} />
    ) : (
      !hasVanished(run) && <RunWaitingNote run={run} taskRuns={taskRuns} />
    ),
  }
  return failed && isVerification(failed) ? (
    <PolicyFailure taskRun={failed} known={known} children={children} />
  ) : (
    children(known)
  )
}

interface PolicyFailureProps {
  /** That has verified the snapshot. */
  taskRun: TaskRun
  known: KnownRun
  children: (known: KnownRun) => ReactNode
}

/** Adds the violated rules to the evidence; the card in the details lists them. */
function PolicyFailure({ taskRun, known: { evidence, details }, children }: PolicyFailureProps) {
  const violations = useViolations(taskRun)
  return children({ evidence: { ...evidence, violations }, details })
}
