import type { Secret } from '@slipway/kube/core-types'
import { type LinkRequest, unfinishedLinksOf } from '@slipway/model/secrets/link-request'
import { isCommon, linkTaskOf, type LinkState } from '@slipway/model/secrets/secret'

export type LinkStatus = LinkState | 'Interrupted'

/** Most tasks take seconds. One that takes longer than this is taken to have ended with its tab. */
const longestTaskMs = 5 * 60_000

/**
 * The state of the link task of a secret. A task that has been under way for more than five minutes is `Interrupted`,
 * unless this tab is working on it.
 * @returns `undefined` for a secret that has never been linked by a task
 */
export function linkStatusOf(
  secret: Secret,
  { isOfThisTab, nowMs }: { isOfThisTab: boolean; nowMs: number },
): LinkStatus | undefined {
  const state = linkTaskOf(secret)?.state
  if (isOfThisTab || (state !== 'Pending' && state !== 'Running')) return state
  const startedMs = unfinishedLinksOf(secret)?.startedMs
  return startedMs !== undefined && nowMs - startedMs > longestTaskMs ? 'Interrupted' : state
}

/** What is to be done to finish an interrupted or failed task; `undefined` if the secret does not say. */
export const openRequestOf = (secret: Secret): LinkRequest | undefined =>
  unfinishedLinksOf(secret)?.request ?? (isCommon(secret) ? { target: { option: 'all' }, unlink: [] } : undefined)
