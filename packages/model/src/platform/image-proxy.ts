import type { ConfigMap } from '@slipway/kube/core-types'
import { asRecord, asText } from '@slipway/kube/parse'
import { webAddress } from '../web-address'
import { parseInfo } from './public-info'

/**
 * The proxy through which the users of a platform pull images, with the rights that they have in its namespaces.
 * Konflux: building/accessing-private-images.adoc.
 */
export interface ImageProxy {
  /** Its host, with a port if it has its own: it replaces the host of the registry in the address of an image. */
  host: string
  /** Where users sign in to get a token, which is the password for the proxy. */
  tokenUrl: string
}

/**
 * The image proxy in the platform's public info; `undefined` if it has none, or if its address is not valid.
 * @throws PublicInfoError if `info.json` is missing or is not a JSON object
 */
export function parseImageProxy(configMap: ConfigMap): ImageProxy | undefined {
  const info = parseInfo(configMap)
  const { url, oauthPath } = asRecord(info.imageProxy)
  const address = webAddress(url) ?? webAddress(info.imageProxyUrl)
  if (!address || !URL.canParse(address)) return undefined
  const { host, origin } = new URL(address)
  const tokenUrl = new URL(asText(oauthPath) ?? '/oauth', origin)
  // Operators give a path; anything else would lead users to sign in elsewhere.
  return tokenUrl.origin === origin ? { host, tokenUrl: tokenUrl.href } : undefined
}
