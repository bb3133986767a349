import { isLabelValue } from '@slipway/kube/label-syntax'
import { labels } from '../labels'
import type { Release } from './release'

const maxLength = 63

/**
 * A user name as the value of the author label, as the release service writes it; the cluster rejects some of them.
 * Source: release-service, api/v1alpha1/webhooks/author/webhook.go.
 */
export const sanitizeLabelValue = (username: string): string =>
  username.replaceAll(':', '_').replace('@', '.').slice(0, maxLength)

/** The same, but always valid; `undefined` if nothing valid is left. */
export function authorLabel(username: string): string | undefined {
  const written = sanitizeLabelValue(username)
  const valid = isLabelValue(written)
    ? written
    : written.replaceAll(/[^-\w.]/g, '_').replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
  return valid || undefined
}

/**
 * Who requested a release: the e-mail address if it is known, or else its form as a label, from which it cannot be restored.
 * @param email of the signed-in user
 */
export function requesterOf({ metadata, status }: Release, email: string | undefined): string | undefined {
  const label = status?.attribution?.author ?? metadata.labels?.[labels.author]
  const own = email && label && authorLabel(email) === label ? email : undefined
  return metadata.annotations?.[labels.author] ?? own ?? label
}
