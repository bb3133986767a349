import type { FailureEvidence } from '@slipway/model/failures/failure-class'
import { type Fingerprint, fingerprintOf } from '@slipway/model/failures/failure-fingerprint'

export type FingerprintRequest = readonly FailureEvidence[]
/** `undefined` when the worker is ready, then the fingerprints in the order of the failures. */
export type FingerprintResponse = Fingerprint[] | undefined

self.onmessage = ({ data }: MessageEvent<FingerprintRequest>) => {
  self.postMessage(data.map(fingerprintOf) satisfies FingerprintResponse)
}
self.postMessage(undefined satisfies FingerprintResponse)
