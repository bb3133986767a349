import { configError, Setting } from './config-error'
import type { Log } from './log'
import { isLoopback } from './loopback'

/** A service with a URL; a path in the URL becomes a prefix. */
export interface ServiceConfig {
  /** Plain http sends credentials unencrypted. Beyond loopback it is rejected unless the caller is on loopback only. */
  url: string
  /** PEM file with the only authorities to trust; reread when it changes. Default: those of the system. */
  caFile?: string
  /** Trusts any certificate. Rejected unless everything, including the public origins, is on loopback. */
  insecureSkipTlsVerify?: boolean
}

/** @throws ConfigError for plain http to another machine, unless only this machine can reach the caller */
export function rejectPlainHttp(name: string, { protocol, hostname }: URL, isLocal: boolean): void {
  if (protocol === 'https:' || isLoopback(hostname) || isLocal) return
  throw configError`The URL of ${new Setting(name)} must be https, since credentials would be sent unencrypted. Plain http is only allowed on loopback.`
}

/** @throws ConfigError unless only this machine can reach the caller */
export function rejectInsecure(name: string, isLocal: boolean): void {
  if (!isLocal)
    throw configError`${new Setting(name)} skips the verification of TLS, which is only allowed on loopback.`
}

/** @throws ConfigError that says what to change */
export function parseServiceUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw configError`The URL of ${new Setting(name)} must be http or https, without credentials and without a query.`
  }
  return url
}

/** Credentials are sent unencrypted, which is allowed on a machine where only its own users can reach the caller. */
export function warnOfPlainHttp(upstream: string, { protocol, hostname }: URL, log: Log): void {
  if (protocol === 'http:' && !isLoopback(hostname))
    log.warn({ upstream }, 'calls to an upstream are not encrypted by TLS')
}
