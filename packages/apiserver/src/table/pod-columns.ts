import { isRecord } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { AnyObject } from '../resource'
import type { JsonObject } from '../apiextensions/json'
import { humanDuration } from './age'
import { ageColumn, column, nameColumn, wide, type Column } from './column'

/** Columns of pods. Source: printPod in pkg/printers/internalversion of Kubernetes. */

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const member = (value: unknown, ...names: string[]): unknown =>
  names.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), value)

const initContainers = (pod: AnyObject) => objects(member(pod, 'spec', 'initContainers'))
const containerStatuses = (pod: AnyObject) => objects(member(pod, 'status', 'containerStatuses'))
const initStatuses = (pod: AnyObject) => objects(member(pod, 'status', 'initContainerStatuses'))

export const isPod = ({ group, kind }: ResourceType): boolean => group === '' && kind === 'Pod'

const isReady = (status: JsonObject) => status['ready'] === true
const isRunning = (status: JsonObject) => isReady(status) && isRecord(member(status, 'state', 'running'))

const hasCondition = (pod: AnyObject, type: string): boolean =>
  objects(member(pod, 'status', 'conditions')).some(
    (condition) => condition['type'] === type && condition['status'] === 'True',
  )

/** Names of the init containers that keep running beside the main containers. */
function sidecars(pod: AnyObject): Set<unknown> {
  return new Set(
    initContainers(pod)
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  )
}

/** The init container that a pod is waiting for. */
interface Initialization {
  reason: string
  /** How many init containers have been started. */
  reached: number
}

/** `undefined` once all init containers have completed. */
function initializationOf(pod: AnyObject): Initialization | undefined {
  const sidecarNames = sidecars(pod)
  const statuses = initStatuses(pod)
  const at = statuses.findIndex(
    (status) =>
      member(status, 'state', 'terminated', 'exitCode') !== 0 &&
      !(sidecarNames.has(status['name']) && status['started'] === true),
  )
  const status = statuses[at]
  if (!status) return undefined
  const waiting = member(status, 'state', 'waiting', 'reason')
  const reason = member(status, 'state', 'terminated')
    ? terminatedReason(status)
    : waiting && waiting !== 'PodInitializing'
      ? String(waiting)
      : `${at}/${initContainers(pod).length}`
  return { reason: `Init:${reason}`, reached: at + 1 }
}

/** The pending initialization of a pod, unless its conditions say that it is complete. */
const pendingInitialization = (pod: AnyObject): Initialization | undefined =>
  hasCondition(pod, 'Initialized') ? undefined : initializationOf(pod)

function readyOf(pod: AnyObject): string {
  const sidecarNames = sidecars(pod)
  const reached = initStatuses(pod).slice(0, initializationOf(pod)?.reached)
  const ready = reached.filter(
    (status) => sidecarNames.has(status['name']) && status['started'] === true && isReady(status),
  ).length
  const running = pendingInitialization(pod) ? 0 : containerStatuses(pod).filter(isRunning).length
  return `${ready + running}/${objects(member(pod, 'spec', 'containers')).length + sidecarNames.size}`
}

/** Number of restarts and time since the last: `3 (5m ago)`. */
function restartsOf(pod: AnyObject, nowMs: number): string {
  const sidecarNames = sidecars(pod)
  const initialization = initializationOf(pod)
  const reached = initStatuses(pod).slice(0, initialization?.reached)
  const counted = pendingInitialization(pod)
    ? reached
    : [...reached.filter(({ name }) => sidecarNames.has(name)), ...containerStatuses(pod)]
  const restarts = counted.reduce((sum, { restartCount }) => sum + (Number(restartCount) || 0), 0)
  const ends = counted.flatMap((status) => {
    const time = Date.parse(String(member(status, 'lastState', 'terminated', 'finishedAt')))
    return Number.isNaN(time) ? [] : [time]
  })
  return restarts > 0 && ends.length > 0
    ? `${restarts} (${humanDuration(nowMs - Math.max(...ends))} ago)`
    : String(restarts)
}

/** A short status of a pod: its phase, unless the state of a container is more specific. */
export function podStatus(pod: AnyObject): string {
  const phase = member(pod, 'status', 'phase')
  const reason = member(pod, 'status', 'reason')
  if (pod.metadata.deletionTimestamp) {
    if (reason === 'NodeLost') return 'Unknown'
    if (phase !== 'Succeeded' && phase !== 'Failed') return 'Terminating'
  }
  const isGated = objects(member(pod, 'status', 'conditions')).some(
    (condition) => condition['type'] === 'PodScheduled' && condition['reason'] === 'SchedulingGated',
  )
  const podReason = isGated ? 'SchedulingGated' : String(reason || (phase ?? ''))
  return pendingInitialization(pod)?.reason ?? containerReason(pod, initializationOf(pod)?.reason ?? podReason)
}

function containerReason(pod: AnyObject, fallback: string): string {
  let reason = fallback
  const statuses = containerStatuses(pod)
  // The first container takes precedence.
  for (const status of [...statuses].reverse()) {
    const waiting = member(status, 'state', 'waiting', 'reason')
    if (waiting) reason = String(waiting)
    else if (member(status, 'state', 'terminated')) reason = terminatedReason(status)
  }
  if (reason !== 'Completed' || !statuses.some(isRunning)) return reason
  return hasCondition(pod, 'Ready') ? 'Running' : 'NotReady'
}

function terminatedReason(status: JsonObject): string {
  const { reason, signal, exitCode } = (member(status, 'state', 'terminated') ?? {}) as JsonObject // Checked by the caller.
  if (reason) return String(reason)
  return signal ? `Signal:${String(signal)}` : `ExitCode:${String(exitCode)}`
}

/** Marks the rows of completed pods for clients. */
export function podConditions(pod: AnyObject): object[] | undefined {
  const phase = member(pod, 'status', 'phase')
  if (phase !== 'Succeeded' && phase !== 'Failed') return undefined
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.'
  return [{ type: 'Completed', status: 'True', reason: phase, message }]
}

/** The number of readiness gates that are true, out of all. */
function gatesOf(pod: AnyObject): string {
  const gates = objects(member(pod, 'spec', 'readinessGates'))
  const open = gates.filter(({ conditionType }) => hasCondition(pod, String(conditionType)))
  return gates.length > 0 ? `${open.length}/${gates.length}` : '<none>'
}

export const podColumns: readonly Column[] = [
  nameColumn,
  column('Ready', readyOf),
  column('Status', podStatus),
  column('Restarts', restartsOf),
  ageColumn,
  column('IP', (pod) => member(pod, 'status', 'podIP') || '<none>', wide),
  column('Node', (pod) => member(pod, 'spec', 'nodeName') || '<none>', wide),
  column('Nominated Node', (pod) => member(pod, 'status', 'nominatedNodeName') || '<none>', wide),
  column('Readiness Gates', gatesOf, wide),
]
