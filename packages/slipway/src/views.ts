import { createServer } from 'node:http'
import type { PluginConfig } from '@slipway/gateway/upstreams/settings'
import type { KubeClient } from '@slipway/kube/client'
import { viewKinds } from '@slipway/model/views/view-kinds'
import { viewsRules } from '@slipway/views/host/permissions'
import { serveViews } from '@slipway/views/host/service'
import { accountObjects } from './account-objects'
import { applyObjects } from './apply'
import { impersonationRules } from './gateway-access'
import { listenOn } from './listen-on'
import { clientWith, serviceAccountToken } from './service-account'
import { partLog } from './terminal-log'

const namespace = 'slipway-views'
/** Accounts of the service itself and of the gateway's websockets to it, each with the permissions that it needs. */
export const viewsAccount = { namespace, name: 'views' }
const readerAccount = { namespace, name: 'gateway' }

export interface RunningViews {
  /** Configuration for the gateway. */
  plugin: PluginConfig
  /** The current token with which the gateway calls the service. */
  readerToken(): string
  close(): Promise<void>
}

interface Options {
  apiUrl: string
  system: KubeClient
  host: string
  /** Default: any free port. */
  port?: number
}

/** Starts the service for list views next to the cluster. It reads nothing until a page opens a view. */
export async function startViews({ apiUrl, system, host, port = 0 }: Options): Promise<RunningViews> {
  await applyObjects(system, [
    ...accountObjects(viewsAccount, 'slipway-views', viewsRules(viewKinds)),
    ...accountObjects(readerAccount, 'slipway-views-reader', impersonationRules),
  ])
  const token = await serviceAccountToken({ system, ...viewsAccount })
  const readerToken = await serviceAccountToken({ system, ...readerAccount })
  const server = createServer()
  const warn = partLog('views')
  const service = serveViews(server, {
    client: clientWith(apiUrl, token),
    kinds: viewKinds,
    // At a terminal, who opens which view is of no interest.
    log: { info: () => {}, warn: (_, message) => warn(message), error: (_, message) => warn(message) },
  })
  const listener = await listenOn(server, { host, port })
  return {
    plugin: { url: `http://${host}:${listener.port}`, token: () => readerToken.current() },
    readerToken: () => readerToken.current(),
    async close() {
      service.close()
      await listener.close()
      token.close()
      readerToken.close()
    },
  }
}
