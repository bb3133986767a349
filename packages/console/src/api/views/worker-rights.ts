import type { Clock } from '@slipway/kube/clock'
import type { ResourceType } from '@slipway/kube/resource-type'
import { isForbidden } from '@slipway/kube/status'
import type { Rights } from '@slipway/views/rights'

interface Options {
  /** Lists next to nothing of a kind. Rejects with `ApiError`. */
  tryList(type: ResourceType, namespace: string): Promise<unknown>
  clock: Clock
  postponeMs(): number
}

export interface WorkerRights extends Rights {
  /** What a list of the user came to. @param error `undefined` if the user was allowed to list */
  observe(type: ResourceType, namespace: string, error: unknown): void
  /** Rights of a namespace have changed. */
  recheck(namespace: string): void
  close(): void
}

/** How long a denial is believed. */
const recheckMs = 30_000

/**
 * The rights of the user, as the API server has applied them to the user's own lists. Nothing need be asked first: what
 * the user may not list does not arrive here. Denied lists are tried again now and then.
 */
export function createWorkerRights({ tryList, clock, postponeMs }: Options): WorkerRights {
  const denied = new Map<string, { type: ResourceType; namespace: string; stopTimer(): void }>()
  const listeners = new Set<() => void>()
  const keyOf = ({ group, plural }: ResourceType, namespace: string) => `${plural}.${group} ${namespace}`
  const emit = () => {
    for (const listener of [...listeners]) listener()
  }

  function observe(type: ResourceType, namespace: string, error: unknown) {
    const key = keyOf(type, namespace)
    const known = denied.get(key)
    if (error === undefined && known) {
      known.stopTimer()
      denied.delete(key)
      emit()
    } else if (isForbidden(error) && !known) {
      denied.set(key, { type, namespace, stopTimer: clock.after(recheckMs, () => checkLater(key)) })
      emit()
    }
  }

  function checkLater(key: string) {
    const entry = denied.get(key)
    if (!entry) return
    const waitMs = postponeMs()
    if (waitMs > 0) entry.stopTimer = clock.after(waitMs, () => checkLater(key))
    else void check(key)
  }

  async function check(key: string) {
    const entry = denied.get(key)
    if (!entry) return
    entry.stopTimer()
    const { type, namespace } = entry
    const isAllowed = await tryList(type, namespace).then(
      () => true,
      () => false,
    )
    if (denied.get(key) !== entry) return
    if (isAllowed) observe(type, namespace, undefined)
    else entry.stopTimer = clock.after(recheckMs, () => checkLater(key))
  }

  return {
    mayRead: (type, namespace) => (denied.has(keyOf(type, namespace)) ? 'denied' : 'allowed'),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    observe,
    recheck(namespace) {
      for (const [key, entry] of denied) if (entry.namespace === namespace) void check(key)
    },
    close() {
      for (const { stopTimer } of denied.values()) stopTimer()
      denied.clear()
      listeners.clear()
    },
  }
}
