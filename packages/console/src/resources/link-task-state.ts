import type { Secret } from '@slipway/kube/core-types'
import { nameOf, uidOf } from '@slipway/kube/object'
import type { LinkRequest } from '@slipway/model/secrets/link-request'
import type { LinkFailure, LinkTaskProgress } from './link-task-store'

export type LinkTaskEvent =
  | { kind: 'queued'; id: number; secret: Secret; request: LinkRequest }
  | { kind: 'started'; id: number }
  | { kind: 'counted'; id: number; total: number }
  | { kind: 'component-done'; id: number }
  | { kind: 'failed'; id: number; failure: LinkFailure }
  | { kind: 'finished'; id: number }
  | { kind: 'dismissed'; id: number }

export const isUnderWay = ({ state }: LinkTaskProgress): boolean => state === 'Pending' || state === 'Running'

/** The tasks after an event, oldest first. */
export function reduceLinkTasks(tasks: readonly LinkTaskProgress[], event: LinkTaskEvent): readonly LinkTaskProgress[] {
  if (event.kind === 'queued') {
    const { id, secret, request } = event
    // The new task replaces what the earlier ones of the same secret still report.
    const others = tasks.filter((task) => isUnderWay(task) || !isSameSecret(task.secret, secret))
    return [...others, { id, secret, request, state: 'Pending', done: 0, failures: [] }]
  }
  if (event.kind === 'dismissed') return tasks.filter(({ id }) => id !== event.id)
  return tasks.map((task) => (task.id === event.id ? afterEvent(task, event) : task))
}

function afterEvent(
  task: LinkTaskProgress,
  event: Exclude<LinkTaskEvent, { kind: 'queued' | 'dismissed' }>,
): LinkTaskProgress {
  switch (event.kind) {
    case 'started':
      return { ...task, state: 'Running' }
    case 'counted':
      return { ...task, total: event.total }
    case 'component-done':
      return { ...task, done: task.done + 1 }
    case 'failed':
      return { ...task, failures: [...task.failures, event.failure] }
    case 'finished':
      return { ...task, state: task.failures.length > 0 ? 'Failed' : 'Succeeded' }
  }
}

export const isSameSecret = (a: Secret, b: Secret) =>
  uidOf(a) === uidOf(b) && nameOf(a) === nameOf(b) && a.metadata.namespace === b.metadata.namespace
