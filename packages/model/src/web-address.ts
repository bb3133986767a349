import { asText } from '@slipway/kube/parse'

/** The value if it is an http or https URL, which is safe as a link; otherwise `undefined`. */
export const webAddress = (value: unknown): string | undefined => {
  const text = asText(value)
  return text && /^https?:\/\//i.test(text) ? text : undefined
}
