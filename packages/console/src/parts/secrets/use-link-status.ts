import type { Secret } from '@slipway/kube/core-types'
import { linkTaskOf } from '@slipway/model/secrets/secret'
import { useQuery } from '@tanstack/react-query'
import { fetchHeldTasks, thisBrowser } from '../../resources/link-task-owner'
import { linkStatusOf, openRequestOf, type LinkStatus } from '../../resources/link-status'
import { resumeLinkTask } from '../../resources/link-tasks'
import { useNow } from '../../ui/text/now'

/** Locks report no changes: so often are they read while a task is shown as under way. */
const readEveryMs = 2_000

export interface ShownLinkStatus {
  status: LinkStatus
  /** Finishes an interrupted or failed task; absent if it is not known what was to be done. */
  resume?: () => void
}

/** The state of the link task of a secret; `undefined` for a secret that has never been linked by a task. */
export function useLinkStatus(secret: Secret): ShownLinkStatus | undefined {
  const task = linkTaskOf(secret)
  const isShownUnderWay = task?.state === 'Pending' || task?.state === 'Running'
  const nowMs = useNow(isShownUnderWay && readEveryMs)
  const held = useQuery({
    queryKey: ['link-tasks-held'],
    queryFn: async () => (await fetchHeldTasks()) ?? null,
    enabled: isShownUnderWay,
    refetchInterval: readEveryMs,
    staleTime: 0,
  })
  if (!task) return undefined
  const workers = { held: held.data ?? undefined, readMs: held.dataUpdatedAt, browser: thisBrowser(), nowMs }
  const status = linkStatusOf(secret, workers) ?? task.state
  const request = status === 'Interrupted' || status === 'Failed' ? openRequestOf(secret) : undefined
  return {
    status,
    ...(request && { resume: () => resumeLinkTask(secret, request) }),
  }
}
