import type { Event, Pod } from '@slipway/kube/core-types'
import { specOf } from '@slipway/kube/object'
import { isCustomRun } from './custom-run'
import { type PacQueue, pacQueueText } from './pac-queue'
import type { PipelineRun } from './pipeline-run'
import { podNameOf, taskNameIn, type TaskRun } from './task-run'
import { isFinished, succeededCondition, type Run } from './tekton'

/** Why a run is waiting, with the evidence. */
export interface Waiting {
  /** Name of the waiting task in the pipeline; absent if the run itself is waiting. */
  task?: string
  text: string
  /** Messages from other components, such as the scheduler, the most informative first, without duplicates. */
  evidence: Evidence[]
}
export interface Evidence {
  from: 'condition' | 'pod' | 'event'
  /** Machine-readable reason, such as `FailedScheduling`. */
  reason: string
  message: string
}

const quota = 'The quota of this namespace is used up. It starts when other work ends.'
const room = 'No node of the cluster has room for it. It starts when one has.'
const image = 'An image that it needs cannot be pulled.'
const settings = 'Something that its pod uses, such as a secret or a config map, is missing or invalid.'
const definition = 'The definition of its pipeline or of a task is being fetched.'
const onHold = 'It is on hold, for example in a build queue, and starts when it is released.'
const preparing = 'Its pod is being prepared.'

/** Reasons of conditions, pods, containers and events. Sources: tektoncd/pipeline, pkg/pod/status.go; kubelet; scheduler. */
const textByReason: Partial<Record<string, string>> = {
  ExceededResourceQuota: quota,
  FailedCreate: 'Something that it needs could not be created.',
  ExceededNodeResources: room,
  Unschedulable: room,
  FailedScheduling: room,
  ImagePullBackOff: image,
  ErrImagePull: image,
  InvalidImageName: image,
  PullImageFailed: image,
  TaskRunImagePullFailed: image,
  CreateContainerConfigError: settings,
  CreateContainerError: settings,
  FailedMount: 'A volume of its pod cannot be mounted.',
  FailedAttachVolume: 'A volume of its pod cannot be attached.',
  ResolvingPipelineRef: definition,
  ResolvingTaskRef: definition,
  ToBeRetried: 'It failed and is about to be retried.',
  PodInitializing: preparing,
  ContainerCreating: preparing,
}

/** Reasons that only say that something is waiting explain the least. */
const vague = new Set(['PodInitializing', 'ContainerCreating', 'Pending', 'Started', 'Running'])

const describeReason = (reason: string): string | undefined =>
  Object.hasOwn(textByReason, reason) ? textByReason[reason] : undefined

/** Tasks that have started but in which nothing is running. Their pods and events show why. */
export const waitingTaskRuns = (taskRuns: readonly TaskRun[]): TaskRun[] =>
  taskRuns.filter((taskRun) => !isFinished(taskRun) && !taskRun.status?.steps?.some((step) => step.running))

/**
 * Why a run that has not ended is waiting; `undefined` for an ended run and while any task is running.
 * @param pods known pods of its tasks
 * @param events events of the run, its tasks and their pods, in any order
 * @param queue what is before the run in the queue of its repository, if it is held there and that is known
 */
export function waitingOf(
  run: PipelineRun,
  taskRuns: readonly TaskRun[],
  pods: readonly Pod[] = [],
  events: readonly Event[] = [],
  queue?: PacQueue,
): Waiting | undefined {
  if (isFinished(run)) return undefined
  const waiting = waitingTaskRuns(taskRuns)
  // While another task is running, report a waiting one only if it has a problem.
  const isSomethingRunning = taskRuns.some((taskRun) => !isFinished(taskRun) && !waiting.includes(taskRun))
  for (const taskRun of waiting) {
    const pod = pods.find(({ metadata }) => metadata.name === podNameOf(taskRun))
    const evidence = taskEvidence(taskRun, pod, events)
    const telling = evidence.find(({ reason }) => describeReason(reason) && !vague.has(reason))
    const task = taskNameIn(run, taskRun)
    if (telling) return { task, text: describeReason(telling.reason) ?? '', evidence }
  }
  if (isSomethingRunning) return undefined
  const [first] = waiting
  if (first) {
    const evidence = taskEvidence(
      first,
      pods.find(({ metadata }) => metadata.name === podNameOf(first)),
      events,
    )
    const task = taskNameIn(run, first)
    return { task, text: waitingText(first), evidence }
  }
  return runWaiting(run, taskRuns, events, queue)
}

/** A custom run has no pod: what it waits for is in the message of its condition. */
function waitingText(taskRun: TaskRun): string {
  if (isCustomRun(taskRun)) return 'Waiting for the controller of its custom task.'
  return podNameOf(taskRun) ? preparing : 'Waiting for its pod to be created.'
}

function runWaiting(
  run: PipelineRun,
  taskRuns: readonly TaskRun[],
  events: readonly Event[],
  queue: PacQueue | undefined,
): Waiting | undefined {
  const condition = succeededCondition(run)
  const evidence = distinct([...conditionEvidence(run), ...warningsOf(run.metadata.name, events)])
  if (specOf(run).status === 'PipelineRunPending') {
    return {
      text: queue ? pacQueueText(queue) : onHold,
      evidence,
    }
  }
  if (!condition) return { text: 'Not picked up yet: the pipeline controller has not reported anything.', evidence }
  const words = describeReason(condition.reason ?? '')
  if (words) return { text: words, evidence }
  // For a moment between two tasks none is running, which needs no explanation.
  return taskRuns.length === 0 ? { text: 'Its first tasks have not been created yet.', evidence } : undefined
}

function taskEvidence(taskRun: TaskRun, pod: Pod | undefined, events: readonly Event[]): Evidence[] {
  const names = [taskRun.metadata.name, pod?.metadata.name ?? podNameOf(taskRun)]
  const found = [
    ...conditionEvidence(taskRun),
    ...podEvidence(pod),
    ...names.flatMap((name) => warningsOf(name, events)),
  ]
  return distinct(found.filter(({ reason, message }) => message || !vague.has(reason)))
}

function conditionEvidence(run: Run): Evidence[] {
  const condition = succeededCondition(run)
  if (!condition?.reason || vague.has(condition.reason)) return []
  return [{ from: 'condition', reason: condition.reason, message: condition.message ?? '' }]
}

function podEvidence(pod: Pod | undefined): Evidence[] {
  const conditions = pod?.status?.conditions?.filter(({ status, reason }) => status === 'False' && reason) ?? []
  const containers = [...(pod?.status?.initContainerStatuses ?? []), ...(pod?.status?.containerStatuses ?? [])]
  return [
    ...conditions.map(({ reason = '', message = '' }) => ({ from: 'pod' as const, reason, message })),
    ...containers.flatMap(({ state }) => {
      const { reason, message = '' } = state?.waiting ?? {}
      return reason ? [{ from: 'pod' as const, reason, message }] : []
    }),
  ].filter(({ reason }) => reason !== 'ContainersNotReady')
}

/** Newest first. */
const warningsOf = (name: string | undefined, events: readonly Event[]): Evidence[] =>
  events
    .filter((event) => event.type === 'Warning' && event.involvedObject?.name === name)
    .sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))
    .map(({ reason = '', message = '' }) => ({ from: 'event', reason, message }))

/** When an event was last seen. Newer clients write `eventTime`, which older ones do not know. */
export const timeOf = ({ lastTimestamp, firstTimestamp, metadata }: Event): string =>
  lastTimestamp ?? firstTimestamp ?? metadata.creationTimestamp ?? ''

const distinct = (all: Evidence[]): Evidence[] => [
  ...new Map(all.map((each) => [`${each.reason}\0${each.message}`, each])).values(),
]
