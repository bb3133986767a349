import type { Secret } from '@slipway/kube/core-types'
import { asRecord } from '@slipway/kube/parse'
import { uidOf } from '@slipway/kube/object'
import { annotations } from '@slipway/model/labels'
import { type LinkRequest, unfinishedLinksOf } from '@slipway/model/secrets/link-request'
import { isCommon, linkTaskOf, type LinkState } from '@slipway/model/secrets/secret'

export type LinkStatus = LinkState | 'Interrupted'

/** What is known about the tabs that work on link tasks. */
export interface LinkWorkers {
  /** The uids of the secrets of which a tab of this browser has a task; `undefined` if it cannot be known. */
  held: ReadonlySet<string> | undefined
  /** When `held` was read: it says nothing about tasks that were started later. */
  readMs: number
  /** The id of this browser. */
  browser: string
  nowMs: number
}

/** A task of another browser has been interrupted if it takes longer than this: most take seconds. */
const longestTaskMs = 5 * 60_000

/**
 * The state of the link task of a secret. A task that no tab works on any more is `Interrupted`.
 * @returns `undefined` for a secret that has never been linked by a task
 */
export function linkStatusOf(secret: Secret, { held, readMs, browser, nowMs }: LinkWorkers): LinkStatus | undefined {
  const state = linkTaskOf(secret)?.state
  if (state !== 'Pending' && state !== 'Running') return state
  if (held?.has(uidOf(secret))) return state
  const unfinished = unfinishedLinksOf(secret)
  if (held && unfinished?.browser === browser) return readMs >= unfinished.startedMs ? 'Interrupted' : state
  const sinceMs = unfinished?.startedMs ?? recordedMs(secret)
  return sinceMs !== undefined && nowMs - sinceMs > longestTaskMs ? 'Interrupted' : state
}

/** What is to be done to finish an interrupted or failed task; `undefined` if the secret does not say. */
export const openRequestOf = (secret: Secret): LinkRequest | undefined =>
  unfinishedLinksOf(secret)?.request ?? (isCommon(secret) ? { target: { option: 'all' }, unlink: [] } : undefined)

/** When the state was recorded by a console that does not write `unfinishedLinks`. */
function recordedMs({ metadata }: Secret): number | undefined {
  const times = (metadata.managedFields ?? []).flatMap(({ fieldsV1, time }) => {
    const owned = asRecord(asRecord(asRecord(fieldsV1)['f:metadata'])['f:annotations'])
    return time && `f:${annotations.linkStatus}` in owned ? Date.parse(time) : []
  })
  return times.length > 0 ? Math.max(...times) : undefined
}
