import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { openCluster } from '@slipway/connect/cluster'
import { isLoopback } from '@slipway/connect/loopback'
import { loadSecureContext, reloadCertificates } from '@slipway/gateway/operations/tls'
import { systemClock as clock } from '@slipway/kube/clock'
import { clusterRoleType, type ClusterRole } from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { viewKinds } from '@slipway/model/views/view-kinds'
import { viewsRules } from '@slipway/views/host/permissions'
import { serveViews } from '@slipway/views/host/service'
import { stringify } from 'yaml'
import type { FlagsOf } from '../flags'
import { jsonLog } from '../json-log'
import { listenOn } from '../listen-on'
import { portFailure } from '../port-failure'
import { Running } from '../running'
import { toStartError } from '../start-error'
import { viewsOptions } from './options'

export interface RunningViewsCommand {
  url: string
  close(): Promise<void>
}

interface Environment {
  env: NodeJS.ProcessEnv
  stdout: NodeJS.WritableStream
}

/** How long a call may wait for the start of its response. */
const firstByteMs = 15_000

const role: ClusterRole = {
  apiVersion: apiVersionOf(clusterRoleType),
  kind: clusterRoleType.kind,
  metadata: { name: 'slipway-views' },
  rules: viewsRules(viewKinds),
}

/**
 * Runs `slipway views`.
 * @returns `undefined` if only the role was requested
 * @throws StartError with a message that says what to change
 */
export async function viewsCommand(
  flags: FlagsOf<'views'>,
  { env, stdout }: Environment,
): Promise<RunningViewsCommand | undefined> {
  if (flags.isOn('print-role')) {
    stdout.write(stringify(role, { aliasDuplicateObjects: false }))
    return undefined
  }
  const { access, host, port, tls, maxBytes, logLevel } = viewsOptions(flags)
  const log = jsonLog(stdout, logLevel)
  const running = new Running()
  try {
    const isLocal = isLoopback(host)
    const { client, close } = await openCluster({ access, isLocal, env, clock, log, firstByteMs })
    running.add(close)
    const context = tls && (await loadSecureContext(tls))
    const server = context ? createTlsServer(context) : createServer()
    const service = serveViews(server, { client, kinds: viewKinds, log, maxBytes })
    const listener = await listenOn(server, { host, port }).catch(portFailure(port, '--port'))
    running.add(async () => {
      service.close()
      await listener.close()
    })
    if (tls && context && 'setSecureContext' in server) {
      const stop = reloadCertificates(server, tls, context, { clock, log })
      running.add(async () => stop())
    }
    const url = `${tls ? 'https' : 'http'}://${host}:${listener.port}`
    log.info({ url }, 'the service for list views is ready')
    return { url, close: () => running.close() }
  } catch (error) {
    await running.close()
    throw toStartError(error)
  }
}
