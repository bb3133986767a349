import type { Secret } from '@slipway/kube/core-types'
import { linkTaskOf } from '@slipway/model/secrets/secret'
import { useStore } from '../../lib/store'
import { linkStatusOf, openRequestOf, type LinkStatus } from '../../resources/link-status'
import { isSameSecret, isUnderWay } from '../../resources/link-task-state'
import { linkTasks } from '../../resources/link-task-store'
import { resumeLinkTask } from '../../resources/link-tasks'
import { useNow } from '../../ui/text/now'

const updateEveryMs = 10_000

export interface ShownLinkStatus {
  status: LinkStatus
  /** Finishes an interrupted or failed task; absent if it is not known what was to be done. */
  resume?: () => void
}

/** The state of the link task of a secret; `undefined` for a secret that has never been linked by a task. */
export function useLinkStatus(secret: Secret): ShownLinkStatus | undefined {
  const task = linkTaskOf(secret)
  const nowMs = useNow((task?.state === 'Pending' || task?.state === 'Running') && updateEveryMs)
  const isOfThisTab = useStore(linkTasks).some((each) => isUnderWay(each) && isSameSecret(each.secret, secret))
  const status = linkStatusOf(secret, { isOfThisTab, nowMs })
  if (!status) return undefined
  const request = status === 'Interrupted' || status === 'Failed' ? openRequestOf(secret) : undefined
  return {
    status,
    ...(request && { resume: () => resumeLinkTask(secret, request) }),
  }
}
