import { readFile } from 'node:fs/promises'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { Server } from 'node:https'
import type { FastifyBaseLogger } from 'fastify'
import { configError } from '@slipway/connect/config-error'
import { every, type Clock } from '@slipway/kube/clock'
import { setting } from '../setting'

export interface TlsConfig {
  /** The certificate chain in PEM. It and the key are reread when they change. */
  certFile: string
  keyFile: string
  /** Authorities of client certificates, for a proxy in front that authenticates with one. */
  clientCaFile?: string
}

const rereadMs = 10_000

/** @throws ConfigError if a file cannot be read or the key does not belong to the certificate */
export async function loadSecureContext({ certFile, keyFile, clientCaFile }: TlsConfig): Promise<SecureContextOptions> {
  const [cert, key, ca] = await Promise.all([
    readTextFile(certFile),
    readTextFile(keyFile),
    clientCaFile && readTextFile(clientCaFile),
  ])
  const context = { cert, key, ...(ca && { ca }), minVersion: 'TLSv1.2' as const }
  try {
    createSecureContext(context)
  } catch (error) {
    throw configError`The files of ${setting('tls')} are not a certificate and its key (${String((error as NodeJS.ErrnoException).code)}).`
  }
  return context
}

/** Serves changed files to new connections. A pair of which one half was replaced waits for the other half. */
export function reloadCertificates(
  server: Server,
  config: TlsConfig,
  initial: SecureContextOptions,
  { clock, log }: { clock: Clock; log: FastifyBaseLogger },
): () => void {
  let current = JSON.stringify(initial)
  let lastError: string | undefined
  async function reread() {
    try {
      const context = await loadSecureContext(config)
      lastError = undefined
      if (JSON.stringify(context) === current) return
      server.setSecureContext(context)
      current = JSON.stringify(context)
      log.info('reloaded the TLS certificate')
    } catch (error) {
      const { message } = error as Error
      if (message !== lastError)
        log.error({ cause: message }, 'cannot reload the TLS certificate; still serving the previous one')
      lastError = message
    }
  }
  return every(clock, rereadMs, () => void reread())
}

async function readTextFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw configError`${path} cannot be read (${error.code ?? error.message}).`
  })
}
