import type { IncomingMessage } from 'node:http'
import type { Clock } from '@slipway/kube/clock'
import { createBuckets } from '@slipway/kube/token-buckets'
import type { ClientAddress } from '../client-address'

export interface SignInRates {
  /** Sign-ins that may be started per minute from one address, and at once after a pause. */
  signInsPerMinute: number
  /** The same for all addresses together, including unknown ones. */
  allSignInsPerMinute: number
}

/** Limits how often sign-ins are started, which needs no session and costs the gateway and the provider work. */
export interface SignInLimits {
  /** Counts a started sign-in. @returns 0, or the seconds to wait */
  start(request: IncomingMessage): number
}

const perMinute = (count: number) => ({ burst: count, perSecond: count / 60 })

export function createSignInLimits(rates: SignInRates, addressOf: ClientAddress, clock: Clock): SignInLimits {
  const byAddress = createBuckets(perMinute(rates.signInsPerMinute), clock)
  const all = createBuckets(perMinute(rates.allSignInsPerMinute), clock)
  return {
    start(request) {
      const address = addressOf(request)
      // In this order, so that rejected sign-ins from one address do not count against the others.
      return (address === undefined ? 0 : byAddress.take(address)) || all.take('')
    },
  }
}
