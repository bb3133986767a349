import { type LogDifference, logDifference } from '@slipway/model/comparison/log-difference'

export interface LogDifferenceRequest {
  before: string
  after: string
}
/** `undefined` when the worker is ready, then the difference. */
export type LogDifferenceResponse = LogDifference | undefined

self.onmessage = ({ data: { before, after } }: MessageEvent<LogDifferenceRequest>) => {
  self.postMessage(logDifference(before, after) satisfies LogDifferenceResponse)
}
self.postMessage(undefined satisfies LogDifferenceResponse)
