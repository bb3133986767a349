import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify'
import type { KubeClient } from '@slipway/kube/client'
import { steady, type Clock } from '@slipway/kube/clock'
import type { ClientAddress } from '../client-address'
import type { ReadyCheck } from '../health'
import type { PublicOrigins } from '../origins'
import type { SessionCalls } from './session-calls'
import { createSignInAttempts } from './sign-in-attempts'
import { createGuard, type Guard } from './guard'
import { backChannelLogoutRoutes } from './back-channel-logout'
import { createProvider } from './provider'
import { createSessionRefresher } from './session-refresher'
import { identityRoutes, signInRoutes } from './routes'
import { createSessions } from './sessions'
import type { SessionSettings, SignInSettings } from './settings'
import { createSignInLimits, type SignInRates } from './sign-in-limits'
import { memorySignOuts, sharedSignOuts, type SignOuts, type SignOutTarget } from './sign-outs'

/** Everything about authentication. */
export interface SignIn {
  guard: Guard
  /** `/oauth2/*` */
  routes: FastifyPluginAsync
  /** For streams that were opened while their session ended. */
  isSignedOut(session: SignOutTarget): boolean
  /** Checks that must pass before users can sign in. */
  readyChecks: ReadyCheck[]
  close(): Promise<void>
}

interface SignInParts {
  settings: {
    signIn: SignInSettings
    session: SessionSettings
    isHttps: boolean
    limits: SignInRates
    addressOf: ClientAddress
  }
  sessionCalls: SessionCalls
  origins: PublicOrigins
  /** The cluster, with the gateway's own credentials. */
  cluster: { kubeClient: KubeClient }
  version: string | undefined
  clock: Clock
  log: FastifyBaseLogger
}

export function createSignIn({ settings, sessionCalls, origins, cluster, version, clock, log }: SignInParts): SignIn {
  const { signIn, session, isHttps, limits, addressOf } = settings
  const { recheckMs, allowedSystemNames } = session
  const shared =
    session.signOuts &&
    sharedSignOuts({
      ...session.signOuts,
      client: cluster.kubeClient,
      clock,
      log,
      onSignOut: () => endStreams(),
    })
  const signOuts: SignOuts = shared ?? memorySignOuts(clock)
  const endStreams = () => sessionCalls.endExpired(clock.now(), signOuts.has)
  const sessions = createSessions({ ...session, isHttps }, clock, signOuts)
  const provider = signIn.oidc && createProvider(signIn.oidc, clock, log)
  const refresher = createSessionRefresher({
    sessions,
    provider,
    recheckMs,
    clock,
    log,
    onEnd: ({ id }) => sessionCalls.endSession(id),
  })
  const { frontProxy } = signIn
  const guard = createGuard({
    sessions,
    refresher,
    sessionCalls,
    provider,
    frontProxy,
    recheckMs,
    allowedSystemNames,
    clock,
  })
  const starts = createSignInLimits(limits, addressOf, steady(clock))
  const attempts = createSignInAttempts({ ...session, isHttps }, clock)
  return {
    guard,
    routes: async (app) => {
      await app.register(identityRoutes(guard, version))
      if (!provider) return
      await app.register(signInRoutes({ sessions, starts, attempts, provider, refresher, sessionCalls, origins }))
      await app.register(backChannelLogoutRoutes({ sessions, provider, endStreams, clock, log }))
    },
    isSignedOut: signOuts.has,
    readyChecks: [
      ...(provider ? [{ name: 'the identity provider', check: () => provider.ready() }] : []),
      ...(shared ? [{ name: 'sign-outs of other replicas', check: () => shared.ready() }] : []),
    ],
    async close() {
      shared?.close()
      await provider?.close()
    },
  }
}
