import type { Event, Pod } from '@slipway/kube/core-types'
import { isRecord, specOf } from '@slipway/kube/object'
import { customRunType, isCustomRun } from './custom-run'
import { type PacQueue, pacQueueText } from './pac-queue'
import type { ChildReference, PipelineRun } from './pipeline-run'
import { podNameOf, taskNameIn, type TaskRun, taskRunType } from './task-run'
import { isFinished, startOf, succeededCondition, type Run } from './tekton'

/** Why a run is waiting, with the evidence. */
export interface Waiting {
  /** Name of the waiting task in the pipeline; absent if the run itself is waiting. */
  task?: string
  text: string
  /** RFC 3339: since when; absent if unknown. */
  since?: string
  /** Messages from other components, such as the scheduler, the most informative first, without duplicates. */
  evidence: Evidence[]
  /** What was not read although it may name the reason; empty if the reason is known without it. */
  unread: Unread[]
}

/** What else may say why a run is waiting. Users often may not read events: no role of Konflux includes them. */
export type WaitingSource = 'pods' | 'events' | 'custom runs'

export interface Unread {
  source: WaitingSource
  /** Why it was not read, as part of a sentence: `your role does not let you read them in team-a`. */
  because: string
}

/** What was read besides a run and its task runs. */
export interface Surroundings {
  /** Known pods of its tasks. */
  pods?: readonly Pod[]
  /** Events of the run, its tasks and their pods, in any order. */
  events?: readonly Event[]
  /** What is before the run in the queue of its repository, if it is held there and that is known. */
  queue?: PacQueue | undefined
  unread?: readonly Unread[]
  nowMs: number
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

/** While other tasks run, a task whose pod takes longer than this is reported, even without a known reason. */
const longWaitMs = 5 * 60_000

/** Why a run that has not ended is waiting; `undefined` for an ended run and while it is progressing. */
export function waitingOf(run: PipelineRun, taskRuns: readonly TaskRun[], known: Surroundings): Waiting | undefined {
  if (isFinished(run)) return undefined
  const waiting = waitingTaskRuns(taskRuns).map((taskRun) => waitingTask(run, taskRun, known))
  const explained = waiting.find(({ isExplained }) => isExplained)
  if (explained) return explained.reported
  const isSomethingRunning = taskRuns.some(isProgressing)
  // While another task is running, it is usual that a pod is being prepared, unless that takes long.
  const [first] = isSomethingRunning ? waiting.filter(({ isLong }) => isLong) : waiting
  return first?.reported ?? (isSomethingRunning ? undefined : runWaiting(run, taskRuns, known))
}

const isProgressing = (taskRun: TaskRun): boolean => !isFinished(taskRun) && waitingTaskRuns([taskRun]).length === 0

function waitingTask(run: PipelineRun, taskRun: TaskRun, { pods = [], events = [], unread = [], nowMs }: Surroundings) {
  const podName = podNameOf(taskRun)
  const pod = pods.find(({ metadata }) => metadata.name === podName)
  const evidence = taskEvidence(taskRun, pod, events)
  const telling = evidence.find(({ reason }) => describeReason(reason) && !vague.has(reason))
  const since = attemptStart(taskRun)
  // What a custom run waits for is in its condition.
  const sources = unreadOf(unread, isCustomRun(taskRun) ? [] : podName ? ['pods', 'events'] : ['events'])
  const reported: Waiting = {
    task: taskNameIn(run, taskRun),
    text: telling ? (describeReason(telling.reason) ?? '') : waitingText(taskRun),
    ...(since && { since }),
    evidence,
    unread: telling ? [] : sources,
  }
  const hasBegun = taskRun.status?.steps?.some((step) => step.terminated) === true
  const isLong = !isCustomRun(taskRun) && !hasBegun && nowMs - Date.parse(since ?? '') > longWaitMs
  return { reported, isExplained: telling !== undefined, isLong }
}

/** When the current attempt of a task was to start; `undefined` if only an earlier attempt has a time. */
const attemptStart = ({ metadata, status }: TaskRun): string | undefined =>
  status?.startTime ?? (status?.retriesStatus?.length ? undefined : metadata.creationTimestamp)

const unreadOf = (unread: readonly Unread[], sources: readonly WaitingSource[]): Unread[] =>
  unread.filter(({ source }) => sources.includes(source))

/** A custom run has no pod: what it waits for is in the message of its condition. */
function waitingText(taskRun: TaskRun): string {
  if (isCustomRun(taskRun)) {
    return succeededCondition(taskRun)
      ? 'Waiting for its custom task to end.'
      : 'Waiting for the controller of its custom task.'
  }
  return podNameOf(taskRun) ? preparing : 'Waiting for its pod to be created.'
}

function runWaiting(
  run: PipelineRun,
  taskRuns: readonly TaskRun[],
  { events = [], unread = [], queue }: Surroundings,
): Waiting | undefined {
  const condition = succeededCondition(run)
  const since = startOf(run)
  const reported = (text: string, ...sources: WaitingSource[]): Waiting => ({
    text,
    ...(since && { since }),
    evidence: distinct([...conditionEvidence(run), ...warningsOf(run.metadata.name, events)]),
    unread: unreadOf(unread, sources),
  })
  if (specOf(run).status === 'PipelineRunPending') return reported(queue ? pacQueueText(queue) : onHold)
  if (!condition) return reported('Not picked up yet: the pipeline controller has not reported anything.', 'events')
  const words = describeReason(condition.reason ?? '')
  if (words) return reported(words)
  const unseen = unseenChildrenOf(run, taskRuns)
  // What its task runs are doing is not known, so that nothing can be said about them.
  if (unseen.some(({ kind = taskRunType.kind }) => kind === taskRunType.kind)) return undefined
  if (unseen.length > 0) {
    const tasks = [...new Set(unseen.map(({ pipelineTaskName }) => pipelineTaskName))].join(', ')
    const isCustom = unseen.some(({ kind }) => kind === customRunType.kind)
    const { since: _, ...waiting } = reported(
      `No other task is running, so it probably waits for ${tasks}, of which the state is not known.`,
      ...(isCustom ? (['custom runs'] as const) : []),
    )
    return waiting
  }
  // For a moment between two tasks none is running, which needs no explanation.
  return taskRuns.length === 0 ? reported('Its first tasks have not been created yet.', 'events') : undefined
}

/** The children that a run refers to and that are not among its known task runs. */
function unseenChildrenOf({ status }: PipelineRun, taskRuns: readonly TaskRun[]): ChildReference[] {
  const references: unknown = status?.childReferences
  if (!Array.isArray(references)) return []
  const seen = new Set(taskRuns.map(({ metadata }) => metadata.name))
  return references.filter((child): child is ChildReference => isRecord(child) && !seen.has(child.name as string))
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

/** What Tekton copies from a pod that no node has taken. Source: tektoncd/pipeline, pkg/pod/status.go. */
const unscheduled = /^pod status "PodScheduled":"False"/

function conditionEvidence(run: Run): Evidence[] {
  const { reason, message = '' } = succeededCondition(run) ?? {}
  if (unscheduled.test(message)) return [{ from: 'condition', reason: 'Unschedulable', message }]
  // Tekton's own messages about such a state say no more than it does, those of other controllers may.
  if (!reason || (vague.has(reason) && !(isCustomRun(run) && message))) return []
  return [{ from: 'condition', reason, message }]
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
