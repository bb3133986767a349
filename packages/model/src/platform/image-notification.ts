import { asRecord, asText } from '@slipway/kube/parse'

/** What an image repository reports, and where. */
export interface ImageNotification {
  title: string
  event: 'repo_push'
  method: 'email' | 'webhook'
  config: { email?: string; url?: string }
}

/** `undefined` for a notification of another kind: the cluster would reject every image repository with it. */
export function parseImageNotification(value: unknown): ImageNotification | undefined {
  const { title, event, method, config } = asRecord(value)
  const known = asText(title)
  if (!known || event !== 'repo_push' || (method !== 'email' && method !== 'webhook')) return undefined
  const { url, email } = asRecord(config)
  return { title: known, event, method, config: { url: asText(url), email: asText(email) } }
}
