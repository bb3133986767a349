import { nameOf } from '@slipway/kube/object'
import { badRequest } from '../errors'
import type { AnyObject } from '../registry/resource'
import { isObject, type JsonObject } from '../schema/json'

/**
 * Which run of which container a log belongs to. Sources: pkg/registry/core/pod (LogLocation) and
 * pkg/kubelet (validateContainerLogStatus) of Kubernetes, which refuse everything with 400.
 */

const listIn = (value: unknown, member: string): JsonObject[] => {
  const list = isObject(value) ? value[member] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}
const namesIn = (pod: AnyObject, member: string): string[] =>
  listIn(pod['spec'], member).map(({ name }) => String(name ?? ''))

/** The container asked for, or the only one. @throws StatusError 400 */
export function containerOf(pod: AnyObject, asked: string | undefined): string {
  const containers = namesIn(pod, 'containers')
  const all = [...namesIn(pod, 'initContainers'), ...containers, ...namesIn(pod, 'ephemeralContainers')]
  if (asked !== undefined) {
    if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${nameOf(pod)}`)
    return asked
  }
  const [only, ...others] = containers
  if (only !== undefined && others.length === 0) return only
  const text = `a container name must be specified for pod ${nameOf(pod)}`
  if (only === undefined) throw badRequest(text)
  throw badRequest(`${text}, choose one of: [${all.join(' ')}]`)
}

export interface ContainerStatus {
  /** How often it was started again: 0 in its first run. */
  restartCount: number
  /** Why it waits; absent unless it does. */
  waiting: string | undefined
  isRunning: boolean
  isTerminated: boolean
  /** An earlier run has ended, or that of now, when it waits for the next. */
  hasEndedRun: boolean
}

/** `undefined` while nobody has told how the container does. */
export function statusOf(pod: AnyObject, container: string): ContainerStatus | undefined {
  const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses']
  const status = lists.flatMap((list) => listIn(pod['status'], list)).find(({ name }) => name === container)
  if (!status) return undefined
  const { state, lastState, restartCount } = status
  const waiting = isObject(state) && isObject(state['waiting']) ? state['waiting'] : undefined
  return {
    restartCount: Number(restartCount ?? 0),
    waiting: waiting && String(waiting['reason'] ?? ''),
    isRunning: isObject(state) && isObject(state['running']),
    isTerminated: isObject(state) && isObject(state['terminated']),
    hasEndedRun: isObject(lastState) && isObject(lastState['terminated']),
  }
}

/** The number of the run before that of now; waiting to be started again, a container is still at the run that ended. */
export const previousRunOf = ({ restartCount, waiting }: ContainerStatus): number =>
  waiting === undefined ? restartCount - 1 : restartCount

/**
 * The run whose log is to be read; `undefined` for a container of which nothing is known, as of a pod without a node.
 * @throws StatusError 400 when there is none
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

/** Will nothing more be written in that run of a container? */
export function isRunOver(pod: AnyObject, container: string, run: number): boolean {
  const phase = isObject(pod['status']) ? pod['status']['phase'] : undefined
  if (phase === 'Succeeded' || phase === 'Failed') return true
  const status = statusOf(pod, container)
  if (!status) return false
  return status.isTerminated || status.restartCount > run || (status.waiting !== undefined && status.hasEndedRun)
}
