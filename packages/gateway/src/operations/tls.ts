import { readFile } from 'node:fs/promises'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import type { Server } from 'node:https'
import type { FastifyBaseLogger } from 'fastify'
import { every, type Clock } from '@slipway/kube/clock'

export interface TlsConfig {
  /** The chain, in PEM. It and the key are read again when they change. */
  certFile: string
  keyFile: string
  /** Authorities of client certificates: of a proxy in front that proves itself by one. */
  clientCaFile?: string
}

const rereadMs = 10_000

/** @throws Error with one sentence when a file cannot be read, or they do not belong together */
export async function secureContextOf({ certFile, keyFile, clientCaFile }: TlsConfig): Promise<SecureContextOptions> {
  const [cert, key, ca] = await Promise.all([textOf(certFile), textOf(keyFile), clientCaFile && textOf(clientCaFile)])
  const context = { cert, key, ...(ca && { ca }), minVersion: 'TLSv1.2' as const }
  try {
    createSecureContext(context)
  } catch (error) {
    throw new Error(`The files of tls are no certificate with its key (${(error as NodeJS.ErrnoException).code}).`)
  }
  return context
}

/** Lets new connections have what the files say now. A pair that is half replaced waits for its other half. */
export function followCertificates(
  server: Server,
  config: TlsConfig,
  initial: SecureContextOptions,
  { clock, log }: { clock: Clock; log: FastifyBaseLogger },
): () => void {
  let current = JSON.stringify(initial)
  let lastProblem: string | undefined
  async function reread() {
    try {
      const context = await secureContextOf(config)
      lastProblem = undefined
      if (JSON.stringify(context) === current) return
      server.setSecureContext(context)
      current = JSON.stringify(context)
      log.info('the certificate has changed')
    } catch (error) {
      const { message } = error as Error
      if (message !== lastProblem) log.error({ cause: message }, 'the certificate cannot be read; the last one holds')
      lastProblem = message
    }
  }
  return every(clock, rereadMs, () => void reread())
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code ?? error.message}).`)
  })
}
