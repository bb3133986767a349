import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKubeClient } from '@slipway/kube/client'
import { startFront } from '@slipway/slipway/front'
import { host } from '@slipway/slipway/host'
import { describe } from '@slipway/slipway/running-slipway'
import { startServices } from '@slipway/slipway/services'
import { startViews, viewsAccount } from '@slipway/slipway/views'
import { patienceMs } from '../scripts/lib/patience.mjs'
import { type Command, freePort, runCommand } from './command'
import { startFaultProxy, type FaultProxy } from './fault-proxy'
import { assets, expect, type Product } from './fixtures'

/** A product whose service for list views is a process of its own. */
export interface ProductWithViews extends Product {
  /** Proxy between the gateway and the service. */
  viewsWire: FaultProxy
  /** The service itself, and a token with which the gateway calls it. */
  viewsAccess: { url: string; token: string }
  /** Sends a signal to the service. */
  signalViews(signal: NodeJS.Signals): void
  killViews(): Promise<void>
  /** @param account whose token it uses; its own by default */
  restartViews(account?: typeof viewsAccount): Promise<void>
  /** Restarts the gateway with another configuration, with the service or without. */
  restartGateway(hasViews: boolean): Promise<void>
}

/** Starts one without content. @param simulation default: none */
export async function startProductWithViews(
  simulation: { simulator?: boolean; speed?: number } = {},
): Promise<ProductWithViews> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'slipway-e2e-'))
  const services = await startServices({
    apiPort: 0,
    gitPort: 0,
    scenario: 'empty',
    simulator: false,
    archive: 'none',
    views: false,
    data: dataFolder,
    ...simulation,
  })
  const { privateApiUrl, credentials } = services
  const headers = { authorization: `Bearer ${credentials.tokens.system}` }
  const system = createKubeClient({ baseUrl: privateApiUrl, headers })
  // One in this process leaves behind what the other one needs: accounts, roles, and the token of the gateway.
  const { readerToken, close } = await startViews({ apiUrl: privateApiUrl, system, host })
  await close()
  const tokenFile = join(dataFolder, 'views-token')
  const viewsPort = await freePort()
  const viewsArguments = [`--kubernetes-url=${privateApiUrl}`, `--kubernetes-token-file=${tokenFile}`]
  const start = async (account = viewsAccount): Promise<Command> => {
    await writeFile(tokenFile, await system.createToken(account.namespace, account.name, 24 * 3_600))
    const command = runCommand(['views', ...viewsArguments, `--port=${viewsPort}`])
    const isServing = () => fetch(`http://${host}:${viewsPort}/livez`).then(({ ok }) => ok, command.output)
    await expect.poll(isServing, { timeout: patienceMs }).toBe(true)
    return command
  }
  let service = await start()
  const viewsWire = await startFaultProxy(() => viewsPort)
  let gatewayPort = 0
  const wire = await startFaultProxy(() => gatewayPort)
  const startGateway = async (hasViews: boolean, signInPort: number) => {
    const plugins = hasViews ? { views: { url: viewsWire.url, token: readerToken } } : {}
    const options = { port: 0, signInPort, assets, renderMs: 0, publicOrigins: [wire.url] }
    const started = await startFront(options, { ...services, plugins })
    gatewayPort = Number(new URL(started.url).port)
    return started
  }
  let front = await startGateway(true, 0)
  await services.begin({ consoleUrl: front.consoleUrl })
  const killViews = async () => {
    service.signalAll('SIGKILL')
    await service.exited
  }
  const slipway = describe(front, services, async () => {
    await wire.close()
    await front.close()
    await viewsWire.close()
    await killViews()
    await services.close()
    await rm(dataFolder, { recursive: true })
  })
  return {
    ...slipway,
    wire,
    viewsWire,
    viewsAccess: { url: `http://${host}:${viewsPort}`, token: readerToken() },
    dataFolder,
    signalViews: (signal) => service.signalAll(signal),
    killViews,
    async restartViews(account) {
      service = await start(account)
    },
    async restartGateway(hasViews) {
      await front.close()
      front = await startGateway(hasViews, Number(new URL(slipway.signInUrl).port))
    },
  }
}
