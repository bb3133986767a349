import { configError, Setting } from './config-error'
import { parseServiceUrl, type ServiceConfig } from './service-config'
import type { WatchedFiles } from './watched-file'

/** Options of a TLS connection; certificates and keys in PEM. */
export interface Tls {
  ca?: string
  cert?: string
  key?: string
  servername?: string
  rejectUnauthorized: boolean
}

/** The own credentials at a service. */
export interface Credentials {
  tls: Tls
  token: string | undefined
}

/** Where a service is, and the own credentials there. */
export interface Connection {
  /** Fixed at the start, so that a file that changes later cannot redirect calls. */
  readonly url: URL
  /** The current credentials. @throws Error or HttpError if there are none */
  credentials(): Promise<Credentials>
  /** Called when the service rejects the credentials, so that they are renewed if possible. */
  invalidate(): void
}

/** A service by its URL, with a token or the file of one. */
export type FlagConnection = ServiceConfig & { token?: string | (() => string); tokenFile?: string }

/** A connection by URL and files. @throws ConfigError that says what to change */
export function flagConnection(name: string, config: FlagConnection, files: WatchedFiles): Connection {
  const { caFile, tokenFile, token, insecureSkipTlsVerify = false } = config
  if (token === '') throw configError`The token of ${new Setting(name)} is empty.`
  return {
    url: parseServiceUrl(name, config.url),
    async credentials() {
      const tls: Tls = { rejectUnauthorized: !insecureSkipTlsVerify }
      if (caFile) tls.ca = await files.read(caFile)
      const text = tokenFile ? await files.read(tokenFile) : typeof token === 'function' ? token() : token
      return { tls, token: text === undefined ? undefined : parseToken(text, new Setting(name)) }
    },
    invalidate: () => {},
  }
}

/** @throws ConfigError for a token that cannot be sent in a header */
export function parseToken(text: string, source: string | Setting): string {
  const token = text.trim()
  if (!/^[\x21-\x7e]+$/.test(token)) throw configError`The token of ${source} is empty or not valid.`
  return token
}
