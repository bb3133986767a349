import type { Secret } from '@slipway/kube/core-types'
import { annotations, labels } from '../labels'
import { accountCount, type SecretLinks } from './secret-links'
import { isCommon, isLinkable, linkTaskOf } from './secret'

/** Reasons to look at a secret, most urgent first. */
export const secretConcerns = ['Link failed', 'Expired', 'Component deleted', 'Unused'] as const
export type SecretConcern = (typeof secretConcerns)[number]

/** Date, `T`, time and zone: `Date.parse` also accepts `1` and `May`. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** When its credentials expire, as RFC 3339; `undefined` if that is not known. */
export function expiryOf({ metadata }: Secret): string | undefined {
  const text = metadata.annotations?.[annotations.credentialExpires]
  return text !== undefined && rfc3339.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

export function hasExpired(secret: Secret, nowMs: number): boolean {
  const expiry = expiryOf(secret)
  return expiry !== undefined && Date.parse(expiry) <= nowMs
}

/** A secret and what is known about it. */
export interface ObservedSecret {
  secret: Secret
  /** `undefined` while it is not known what refers to it. */
  links: SecretLinks | undefined
  /** Whether its credentials have expired (`hasExpired`). */
  isExpired: boolean
}

/** Why a secret needs attention; nothing for one that is being deleted. */
export function concernsOf({ secret, links, isExpired }: ObservedSecret): SecretConcern[] {
  if (secret.metadata.deletionTimestamp) return []
  const is: Record<SecretConcern, boolean> = {
    'Link failed': linkTaskOf(secret)?.state === 'Failed',
    Expired: isExpired,
    'Component deleted': links?.components.some(({ isDeleted }) => isDeleted) ?? false,
    Unused: links !== undefined && isUnused(secret, links),
  }
  return secretConcerns.filter((concern) => is[concern])
}

/**
 * Whether it can be linked, and nothing refers to it: no service account, no component, and no controller that finds it
 * by a label or owns it. A secret that is about to be linked, or could not be, is not unused.
 */
function isUnused(secret: Secret, links: SecretLinks): boolean {
  const { labels: own, ownerReferences = [] } = secret.metadata
  const state = linkTaskOf(secret)?.state
  return (
    isLinkable(secret) &&
    accountCount(links) === 0 &&
    links.isNamedByComponent === false &&
    !isCommon(secret) &&
    own?.[labels.credentials] === undefined &&
    own?.[labels.internal] === undefined &&
    own?.[labels.secretFor] !== 'Deployment' &&
    ownerReferences.length === 0 &&
    (state === undefined || state === 'Succeeded')
  )
}
