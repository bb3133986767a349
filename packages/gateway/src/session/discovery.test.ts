import { expect, it } from 'vitest'
import type { ServerMetadata } from 'openid-client'
import { afterAttempt, usableNow, type Discovered, type DiscoveryResult } from './discovery'
import { ProviderFailure } from './provider-failure'

const minute = 60_000
const metadata: ServerMetadata = { issuer: 'https://sign-in.test' }
const found: DiscoveryResult = { metadata }
const failed: DiscoveryResult = { failure: new ProviderFailure('unreachable', 'down') }
const after = (...attempts: [DiscoveryResult, atMs: number][]): Discovered =>
  attempts.reduce((known, [result, atMs]) => afterAttempt(known, result, atMs), {})

it.each<[name: string, Discovered, nowMs: number, expected: DiscoveryResult | undefined]>([
  ['nothing is known at first', after(), 0, undefined],
  ['metadata is used for an hour', after([found, 0]), 60 * minute - 1, found],
  ['metadata is read again after an hour', after([found, 0]), 60 * minute, undefined],
  ['a failure lasts two seconds', after([failed, 0]), 1_999, failed],
  ['another attempt follows after two seconds', after([failed, 0]), 2_000, undefined],
  ['outdated metadata is used after a failure', after([found, 0], [failed, 60 * minute]), 60 * minute + 1, found],
  ['the outdated metadata is read again', after([found, 0], [failed, 60 * minute]), 60 * minute + 2_000, undefined],
  ['metadata ends a failure', after([failed, 0], [found, 2_000]), 2_001, found],
])('%s', (_, discovered, nowMs, expected) => {
  const usable = usableNow(discovered, nowMs)
  if (expected) expect(usable).toMatchObject(expected)
  else expect(usable).toBeUndefined()
})
