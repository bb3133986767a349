import type * as openid from 'openid-client'
import type { FastifyBaseLogger } from 'fastify'
import { steady, type Clock } from '@slipway/kube/clock'
import { causeChain, toProviderFailure, ProviderFailure } from './provider-failure'

/** What is known about the provider. Times are in ms. */
export interface Discovered {
  known?: { metadata: openid.ServerMetadata; atMs: number }
  /** The last attempt, if it failed. */
  failed?: { failure: ProviderFailure; atMs: number }
}

export type DiscoveryResult = { metadata: openid.ServerMetadata } | { failure: ProviderFailure }

const metadataMs = 60 * 60_000
/** How soon to retry a provider that could not be reached. */
const retryMs = 2_000

/** What is known after an attempt. Outdated metadata is better than none. */
export const afterAttempt = (discovered: Discovered, result: DiscoveryResult, atMs: number): Discovered =>
  'metadata' in result ? { known: { ...result, atMs } } : { ...discovered, failed: { ...result, atMs } }

/** What to use now; `undefined` if the provider must be discovered first. */
export function usableNow({ known, failed }: Discovered, nowMs: number): DiscoveryResult | undefined {
  if (known && nowMs - known.atMs < metadataMs) return known
  if (failed && nowMs - failed.atMs < retryMs) return known ?? failed
  return undefined
}

export interface DiscoveryOptions {
  issuer: string
  discover(): Promise<openid.Configuration>
  clock: Clock
  log: FastifyBaseLogger
}

/**
 * The metadata of the provider. Discovered when first needed, so that the gateway can start while the provider is down.
 * @returns a function that rejects with `ProviderFailure`
 */
export function createDiscovery({ issuer, discover, clock, log }: DiscoveryOptions) {
  const { now } = steady(clock)
  let discovered: Discovered = {}
  let attempt: Promise<DiscoveryResult> | undefined

  async function tryOnce(): Promise<DiscoveryResult> {
    const result = await discover().then(
      (found): DiscoveryResult => {
        const metadata = found.serverMetadata()
        if (metadata.issuer === issuer) return { metadata }
        const message = `the provider's issuer is ${metadata.issuer}, not ${issuer}`
        return { failure: new ProviderFailure('unreachable', message) }
      },
      (error: unknown): DiscoveryResult => ({ failure: toProviderFailure(error) }),
    )
    discovered = afterAttempt(discovered, result, now())
    attempt = undefined
    if ('failure' in result) {
      log.warn({ issuer, cause: causeChain(result.failure) }, 'could not discover the identity provider')
    }
    return discovered.known ?? result
  }

  return async function metadata(): Promise<openid.ServerMetadata> {
    const usable = usableNow(discovered, now()) ?? (await (attempt ??= tryOnce()))
    if ('metadata' in usable) return usable.metadata
    throw usable.failure
  }
}
