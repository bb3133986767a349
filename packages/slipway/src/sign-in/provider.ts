import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLoopback } from '@slipway/connect/loopback'
import { systemClock, type Clock } from '@slipway/kube/clock'
import { printableError } from '@slipway/sqlite/errors'
import type { SignInSecrets } from '../credentials'
import { configurationFor } from './configuration'
import { loadProvider } from './library'
import type { SignInUser } from './pages'
import { addRoutes } from './routes'
import { openSignInStore, type SignInStore } from './store'

export interface SignInProviderOptions {
  /** A loopback address: the built-in users have no passwords. */
  host: string
  /** 0 means any free port. */
  port: number
  /** Users who can sign in. */
  users: readonly SignInUser[]
  /** Client ID of the gateway. */
  clientId: string
  secrets: SignInSecrets
  /** Returns the gateway's public origins. Called for each request, since they may be known only once it listens. */
  redirectOrigins: () => string[]
  /** If set, the sign-in page requires it. */
  passcode?: string
  /** In memory by default. */
  store?: SignInStore
  clock?: Clock
  /** Receives internal errors of the provider; by default they go to the console. */
  report?: (error: unknown) => void
}

export interface SignInProvider {
  /** Issuer of its ID tokens, and the URL at which it listens. */
  issuer: string
  close(): Promise<void>
}

/**
 * An OpenID provider whose sign-in page lists the built-in users. With it the gateway signs users in as in any other
 * deployment.
 * @throws if the host is not a loopback address, or the port is in use
 */
export async function startSignInProvider(options: SignInProviderOptions): Promise<SignInProvider> {
  const { host, port, clock = systemClock, passcode, ...parts } = options
  const report = options.report ?? ((error: unknown) => console.error(printableError(error)))
  if (!isLoopback(host)) throw new Error(`Sign-in without passwords is not allowed on ${host}, which is not loopback.`)
  const store = options.store ?? (await openSignInStore({ clock }))
  const Provider = await loadProvider()

  const server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  // A listening TCP server's address is an object; only one on a named pipe is a string.
  const { port: actual } = server.address() as AddressInfo
  const issuer = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`).origin
  const provider = new Provider(issuer, configurationFor({ ...parts, store }))
  addRoutes(provider, { ...parts, passcode, clock, report })
  const handle = provider.callback()
  // It answers with its own errors, and never rejects.
  server.on('request', (request, response) => void handle(request, response))
  return {
    issuer,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      await store.close()
    },
  }
}
