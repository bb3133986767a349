import { base64ToText } from '@slipway/kube/base64'
import { asRecord, parseJson } from '@slipway/kube/parse'

/** The last second that the calendar of the annotation has. */
const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1_000

/** When a token in the form of a JWT expires; `undefined` for other passwords, and for tokens that do not expire. */
export function tokenExpiry(token: string): Date | undefined {
  const [header, payload, signature, ...others] = token.split('.')
  if (!header || !payload || signature === undefined || others.length > 0) return undefined
  const { exp } = asRecord(parseJson(base64ToText(payload) ?? ''))
  return typeof exp === 'number' && exp > 0 && exp <= lastSecond ? new Date(Math.floor(exp) * 1_000) : undefined
}

/** When the first of several tokens expires. */
export const firstExpiry = (tokens: readonly string[]): Date | undefined =>
  tokens
    .flatMap((token) => tokenExpiry(token) ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime())
    .at(0)

/** `2026-05-01T12:00:00Z` */
export const toRfc3339 = (date: Date): string => date.toISOString().replace('.000Z', 'Z')
