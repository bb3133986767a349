import type { IncomingMessage } from 'node:http'
import type { Clock } from '@slipway/kube/clock'
import type { ClientAddress } from '../client-address'
import { createBuckets } from '../operations/buckets'

export interface SignInRates {
  /** Sign-ins that may be started in a minute from one address, and at once after a pause. */
  signInsPerMinute: number
  /** The same for all addresses together, also those that are not known. */
  allSignInsPerMinute: number
}

/** Starting a sign-in is what can be asked of the gateway without being signed in, and costs it and the provider work. */
export interface SignInLimits {
  /** Counts a start. @returns 0, or the seconds to wait */
  start(request: IncomingMessage): number
}

const perMinute = (count: number) => ({ burst: count, perSecond: count / 60 })

export function createSignInLimits(rates: SignInRates, addressOf: ClientAddress, clock: Clock): SignInLimits {
  const byAddress = createBuckets(perMinute(rates.signInsPerMinute), clock)
  const all = createBuckets(perMinute(rates.allSignInsPerMinute), clock)
  return {
    start(request) {
      const address = addressOf(request)
      // In this order, so that what one address is refused is not taken from the others.
      return (address === undefined ? 0 : byAddress.take(address)) || all.take('')
    },
  }
}
