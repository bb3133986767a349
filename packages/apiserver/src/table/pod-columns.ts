import type { AnyObject } from '../registry/resource'
import { isObject, type JsonObject } from '../schema/json'
import { ageColumn, nameColumn, type Column } from './column'

/** Columns of pods. Source: printPod in pkg/printers/internalversion of Kubernetes. */

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
const member = (value: unknown, ...names: string[]): unknown =>
  names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value)

const containerStatuses = (pod: AnyObject) => objects(member(pod, 'status', 'containerStatuses'))
const initStatuses = (pod: AnyObject) => objects(member(pod, 'status', 'initContainerStatuses'))

function readyOf(pod: AnyObject): string {
  const ready = containerStatuses(pod).filter(
    (status) => status['ready'] === true && isObject(member(status, 'state', 'running')),
  )
  return `${ready.length}/${objects(member(pod, 'spec', 'containers')).length}`
}

const restartsOf = (pod: AnyObject): number =>
  containerStatuses(pod).reduce((sum, { restartCount }) => sum + (Number(restartCount) || 0), 0)

/** One word or two for how a pod does: its phase, unless a container knows better. */
export function podStatus(pod: AnyObject): string {
  const phase = String(member(pod, 'status', 'reason') ?? member(pod, 'status', 'phase') ?? '')
  if (pod.metadata.deletionTimestamp) return phase === 'NodeLost' ? 'Unknown' : 'Terminating'
  return initReason(pod) ?? containerReason(pod) ?? phase
}

function initReason(pod: AnyObject): string | undefined {
  const statuses = initStatuses(pod)
  const at = statuses.findIndex((status) => member(status, 'state', 'terminated', 'exitCode') !== 0)
  const status = statuses[at]
  if (!status) return undefined
  if (member(status, 'state', 'terminated')) return `Init:${terminatedReason(status)}`
  const waiting = member(status, 'state', 'waiting', 'reason')
  if (waiting && waiting !== 'PodInitializing') return `Init:${String(waiting)}`
  return `Init:${at}/${objects(member(pod, 'spec', 'initContainers')).length}`
}

function containerReason(pod: AnyObject): string | undefined {
  let reason: string | undefined
  const statuses = containerStatuses(pod)
  // The first container has the last word.
  for (const status of [...statuses].reverse()) {
    const waiting = member(status, 'state', 'waiting', 'reason')
    if (waiting) reason = String(waiting)
    else if (member(status, 'state', 'terminated')) reason = terminatedReason(status)
  }
  const isRunning = (status: JsonObject) => status['ready'] === true && isObject(member(status, 'state', 'running'))
  return reason === 'Completed' && statuses.some(isRunning) ? 'Running' : reason
}

function terminatedReason(status: JsonObject): string {
  const { reason, signal, exitCode } = (member(status, 'state', 'terminated') ?? {}) as JsonObject // it was found
  if (reason) return String(reason)
  return signal ? `Signal:${String(signal)}` : `ExitCode:${String(exitCode)}`
}

const column = (name: string, cell: Column['cell'], more: Partial<Column> = {}): Column => ({
  name,
  type: 'string',
  ...more,
  cell,
})
const wide = { priority: 1 }

export const podColumns: readonly Column[] = [
  nameColumn,
  column('Ready', readyOf),
  column('Status', podStatus),
  column('Restarts', restartsOf),
  ageColumn,
  column('IP', (pod) => member(pod, 'status', 'podIP') ?? '<none>', wide),
  column('Node', (pod) => member(pod, 'spec', 'nodeName') ?? '<none>', wide),
  column('Nominated Node', (pod) => member(pod, 'status', 'nominatedNodeName') ?? '<none>', wide),
  column('Readiness Gates', (pod) => (member(pod, 'spec', 'readinessGates') ? '0/1' : '<none>'), wide),
]
