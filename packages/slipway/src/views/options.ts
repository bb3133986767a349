import type { KubernetesAccess } from '@slipway/connect/kubernetes-access'
import { isLoopback } from '@slipway/connect/loopback'
import { clusterAccess } from '../cluster-access'
import type { FlagsOf } from '../flags'
import { StartError } from '../start-error'

/** Parsed options of `slipway views`. */
export interface ViewsOptions {
  access: KubernetesAccess
  host: string
  port: number
  tls: { certFile: string; keyFile: string } | undefined
  maxBytes: number
  logLevel: string
}

/** @throws StartError with a message that says what to change */
export function viewsOptions(flags: FlagsOf<'views'>): ViewsOptions {
  const access = clusterAccess(flags)
  const host = flags.text('host') ?? '127.0.0.1'
  const [certFile, keyFile] = [flags.text('tls-cert'), flags.text('tls-key')]
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new StartError('TLS requires both --tls-cert and --tls-key.')
  }
  const tls = certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined
  if (!tls && !isLoopback(host) && !flags.isOn('plain-http')) {
    throw new StartError(
      `--tls-cert and --tls-key must be given, since ${host} is not a loopback address: gateways send their token there.`,
    )
  }
  return {
    access,
    host,
    port: flags.port('port') ?? 8084,
    tls,
    maxBytes: (flags.number('memory-megabytes') ?? 300) * 1024 * 1024,
    logLevel: flags.oneOf('log-level', ['error', 'warn', 'info', 'debug']) ?? 'info',
  }
}
