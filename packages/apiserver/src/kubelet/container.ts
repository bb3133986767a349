import { nameOf, isRecord } from '@slipway/kube/object'
import { badRequest } from '../errors'
import type { AnyObject } from '../resource'
import type { JsonObject } from '../apiextensions/json'

/**
 * Which run of which container a log belongs to. Sources: pkg/registry/core/pod (LogLocation) and
 * pkg/kubelet (validateContainerLogStatus) of Kubernetes, which return 400 for every error.
 */

const listIn = (value: unknown, member: string): JsonObject[] => {
  const list = isRecord(value) ? value[member] : undefined
  return Array.isArray(list) ? list.filter(isRecord) : []
}
const namesIn = (pod: AnyObject, member: string): string[] =>
  listIn(pod['spec'], member).map(({ name }) => String(name ?? ''))

/** The requested container, or the only one. @throws StatusError 400 */
export function containerOf(pod: AnyObject, requested: string | undefined): string {
  const containers = namesIn(pod, 'containers')
  const all = [...namesIn(pod, 'initContainers'), ...containers, ...namesIn(pod, 'ephemeralContainers')]
  if (requested !== undefined) {
    if (!all.includes(requested)) throw badRequest(`container ${requested} is not valid for pod ${nameOf(pod)}`)
    return requested
  }
  const [only, ...others] = containers
  if (only !== undefined && others.length === 0) return only
  const text = `a container name must be specified for pod ${nameOf(pod)}`
  if (only === undefined) throw badRequest(text)
  throw badRequest(`${text}, choose one of: [${all.join(' ')}]`)
}

export interface ContainerStatus {
  /** Number of restarts: 0 in the first run. */
  restartCount: number
  /** Why it is waiting; `undefined` if it is not. */
  waiting: string | undefined
  isRunning: boolean
  isTerminated: boolean
  /** A run has ended: a previous one, or the current one if the container is waiting to restart. */
  hasEndedRun: boolean
}

/** `undefined` until the status of the container has been reported. */
export function statusOf(pod: AnyObject, container: string): ContainerStatus | undefined {
  const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses']
  const status = lists.flatMap((list) => listIn(pod['status'], list)).find(({ name }) => name === container)
  if (!status) return undefined
  const { state, lastState, restartCount } = status
  const waiting = isRecord(state) && isRecord(state['waiting']) ? state['waiting'] : undefined
  return {
    restartCount: Number(restartCount ?? 0),
    waiting: waiting && String(waiting['reason'] ?? ''),
    isRunning: isRecord(state) && isRecord(state['running']),
    isTerminated: isRecord(state) && isRecord(state['terminated']),
    hasEndedRun: isRecord(lastState) && isRecord(lastState['terminated']),
  }
}

/** The number of the previous run. A container that is waiting to restart still counts the ended run as current. */
export const previousRunOf = ({ restartCount, waiting }: ContainerStatus): number =>
  waiting === undefined ? restartCount - 1 : restartCount

/**
 * The run whose log to read; `undefined` for a container without a status, as in a pod without a node.
 * @throws StatusError 400 if there is no such run
 */
export function runOf(pod: AnyObject, container: string, previous: boolean): number | undefined {
  const status = statusOf(pod, container)
  const inPod = `container ${JSON.stringify(container)} in pod ${JSON.stringify(nameOf(pod))}`
  if (previous) {
    if (!status?.hasEndedRun) throw badRequest(`previous terminated ${inPod} not found`)
    return Math.max(0, previousRunOf(status))
  }
  if (!status) return undefined
  if (status.isRunning || status.isTerminated || status.hasEndedRun) return status.restartCount
  if (status.waiting === undefined) throw badRequest(`${inPod} is waiting to start - no logs yet`)
  throw badRequest(`${inPod} is waiting to start: ${waitingMessage[status.waiting] ?? status.waiting}`)
}

const waitingMessage: Readonly<Record<string, string>> = {
  ErrImagePull: "image can't be pulled",
  ImagePullBackOff: 'trying and failing to pull image',
}

/** True if that run of a container will write nothing more. */
export function isRunOver(pod: AnyObject, container: string, run: number): boolean {
  const phase = isRecord(pod['status']) ? pod['status']['phase'] : undefined
  if (phase === 'Succeeded' || phase === 'Failed') return true
  const status = statusOf(pod, container)
  if (!status) return false
  return status.isTerminated || status.restartCount > run || (status.waiting !== undefined && status.hasEndedRun)
}
