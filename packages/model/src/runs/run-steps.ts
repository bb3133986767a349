import { isRecord } from '@slipway/kube/object'
import { hasTimedOut, taskRunStatus, timedOutText, type IgnoredFailure, type RunStatusWord } from './run-status'
import { sidecarsOf, type StepState, type TaskRun } from './task-run'
import { isFinished, succeededCondition } from './tekton'

export interface RunStep {
  name: string
  status: RunStatusWord
  /** It failed, which its task ignored (`onError: continue`): Tekton may then say that it completed. */
  verdict?: IgnoredFailure
  startTime?: string | undefined
  endTime?: string | undefined
  /** What the cluster says about a step that waits for more than its turn, could not start, or was out of time. */
  note?: string
}

/** Reasons of tasks whose pod existed, but whose containers could not start. Source: tektoncd/pipeline, pkg/pod/status.go. */
const startFailures = new Set(['TaskRunImagePullFailed', 'CreateContainerConfigError'])

/** Why no step of a task could start, in the words of the cluster; `undefined` for any other task. */
export function startFailureOf(run: TaskRun): string | undefined {
  const { status, reason = '', message } = succeededCondition(run) ?? {}
  if (status !== 'False' || !startFailures.has(reason)) return undefined
  // Tekton 1.15 leaves what is wrong with a configuration to the steps.
  const cause = stepsOf(run).find(({ waiting }) => waiting?.message)?.waiting?.message
  return [message || reason, ...(cause && !message?.includes(cause) ? [cause] : [])].join(': ')
}

/** The names of the steps that never ran, and so have written nothing: those behind a failed one, for example. */
export const stepsNeverRun = (run: TaskRun): string[] =>
  runSteps(run)
    .filter(({ status, startTime }) => startTime === undefined && (status === 'Skipped' || status === 'Cancelled'))
    .map(({ name }) => name)

/** The steps of a task in order, as far as its pod has reported them. Specification 2, section 4. */
export function runSteps(run: TaskRun): RunStep[] {
  const steps = stepsOf(run)
  const startFailure = startFailureOf(run)
  if (startFailure !== undefined) return stepsWithoutStart(steps, startFailure)
  const fatalIndex = steps.findIndex((step) => hasEndedTask(step, run))
  return steps.map((step, index) => {
    const isAfterFatal = fatalIndex >= 0 && index > fatalIndex
    if (hasNeverRun(step, run, isAfterFatal)) {
      const isSkipped = isAfterFatal && taskRunStatus(run) !== 'Cancelled'
      return { name: step.name, status: isSkipped ? 'Skipped' : 'Cancelled', startTime: undefined, endTime: undefined }
    }
    return {
      name: step.name,
      status: stepStatus(step, run, index === steps.length - 1),
      ...(isIgnored(step) && { verdict: 'Failed, ignored' }),
      startTime: step.running?.startedAt ?? step.terminated?.startedAt,
      endTime: step.terminated?.finishedAt ?? (isFinished(run) ? run.status?.completionTime : undefined),
      ...waitingNote(step),
      ...(wasStopped(step) && hasTimedOut(run) && { note: timedOutText }),
    }
  })
}

/**
 * The sidecars of a task. Tekton stops them when the steps have ended, and reports that as completed: one that did not
 * complete may have failed its task.
 */
export const runSidecars = (run: TaskRun): RunStep[] =>
  sidecarsOf(run).map((sidecar) => {
    const { name, running, terminated } = sidecar
    return {
      name,
      status: sidecarStatus(sidecar, run),
      startTime: running?.startedAt ?? terminated?.startedAt,
      endTime: terminated?.finishedAt ?? (isFinished(run) ? run.status?.completionTime : undefined),
      ...waitingNote(sidecar),
      ...(terminated &&
        hasFailed(sidecar) && { note: `${terminated.reason ?? 'Error'}, exit code ${terminated.exitCode}` }),
    }
  })

function sidecarStatus(sidecar: StepState, run: TaskRun): RunStatusWord {
  if (sidecar.terminated) return hasFailed(sidecar) ? 'Failed' : 'Succeeded'
  if (isFinished(run)) return 'Unknown'
  return sidecar.running ? 'Running' : 'Pending'
}

/** Tekton ends the containers of such a task itself, with an exit code and a time, although none has run. */
function stepsWithoutStart(steps: readonly StepState[], message: string): RunStep[] {
  const named = /^the step "([^"]+)"/i.exec(message)?.[1]
  const failed = steps.find(({ name }) => name === named) ?? steps[0]
  return steps.map((step) => ({
    name: step.name,
    status: step === failed ? 'Failed' : 'Skipped',
    startTime: undefined,
    endTime: undefined,
    ...(step === failed && { note: message }),
  }))
}

/** Reasons of a container that only waits for its pod. */
const ordinaryWaits = new Set(['PodInitializing', 'ContainerCreating'])

function waitingNote({ waiting }: StepState): Pick<RunStep, 'note'> {
  const { reason, message } = waiting ?? {}
  if (!reason || ordinaryWaits.has(reason)) return {}
  return { note: message ? `${reason}: ${message}` : reason }
}

/** Drops entries that are not objects. */
const stepsOf = ({ status }: TaskRun): StepState[] =>
  Array.isArray(status?.steps) ? status.steps.filter((step: unknown) => isRecord(step)) : []

/**
 * Whether a step was skipped. After a failed step, Tekton ends the remaining containers immediately with exit code 1, as
 * if they had failed too; newer versions mark them (`terminationReason: Skipped`). Once a task has ended, a waiting step
 * will never run.
 */
function hasNeverRun(step: StepState, run: TaskRun, isAfterFatal: boolean): boolean {
  if (step.terminated) return isSkipped(step) || (isAfterFatal && hasFailed(step)) || wasStoppedBeforeStart(step, run)
  return isFinished(run) && !step.running && Boolean(succeededCondition(run)?.reason)
}

function stepStatus(step: StepState, run: TaskRun, isLast: boolean): RunStatusWord {
  if (!succeededCondition(run)?.reason) return 'Cancelled'
  // A task with failed tests succeeds: its last step wrote the findings.
  if (isLast && taskRunStatus(run) === 'Test Failures') return 'Test Failures'
  if (step.terminated?.reason === 'TaskRunCancelled') return 'Cancelled'
  if (step.terminated) return hasFailed(step) ? 'Failed' : 'Succeeded'
  if (!step.running) return 'Pending'
  if (!isFinished(run)) return 'Running'
  // The task has ended without a record of this step's outcome.
  return taskRunStatus(run) === 'Cancelled' ? 'Cancelled' : 'Unknown'
}

/** Reasons that Tekton gives to steps that it ends together with their task. Source: tektoncd/pipeline, terminateStepsInPod. */
const stopReasons = new Set(['TaskRunCancelled', 'TaskRunTimeout', 'TaskRunImagePullFailed'])

/** Whether Tekton ended this step together with its task, and made up an exit code. */
const wasStopped = ({ terminated }: StepState): boolean => stopReasons.has(terminated?.reason ?? '')

/** The start of such a step is made up too: Tekton writes when the task run was created. */
function wasStoppedBeforeStart(step: StepState, { metadata }: TaskRun): boolean {
  const startedAt = step.terminated?.startedAt
  return wasStopped(step) && startedAt !== undefined && startedAt === metadata.creationTimestamp
}

/** The exit code of a step; `undefined` for one that has not exited by itself. */
export const exitCodeOf = (step: StepState): number | undefined =>
  wasStopped(step) ? undefined : step.terminated?.exitCode

/** The kubelet's reason why a step exited, if it is more specific than success or an error, such as `OOMKilled`. */
export function exitReasonOf(step: StepState): string | undefined {
  const reason = wasStopped(step) ? undefined : step.terminated?.reason
  return reason && !ordinaryExits.has(reason) ? reason : undefined
}

const ordinaryExits = new Set(['Completed', 'Error'])

const isSkipped = ({ terminationReason }: StepState): boolean => terminationReason === 'Skipped'

const isIgnored = ({ terminated, terminationReason }: StepState): boolean =>
  terminated !== undefined && terminationReason === 'Continued'

const hasFailed = ({ terminated }: StepState): boolean => terminated !== undefined && terminated.reason !== 'Completed'

/** Whether this step ended the task: it failed, and its error was not ignored (`onError: continue`). */
const hasEndedTask = (step: StepState, run: TaskRun): boolean =>
  hasFailed(step) && !isSkipped(step) && !isIgnored(step) && !wasStoppedBeforeStart(step, run)

/** The step that caused a task to fail; `undefined` if no step did, or none could start. */
export const failedStepOf = (run: TaskRun): StepState | undefined =>
  startFailureOf(run) === undefined ? stepsOf(run).find((step) => hasEndedTask(step, run)) : undefined
