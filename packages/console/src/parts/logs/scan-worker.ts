import { findInLine, noHits, type LogHits } from '@slipway/model/logs/log-search'

export interface ScanRequest {
  /** Lines with newlines between them. */
  text: string
  /** Source of a regular expression. */
  source: string
  flags: string
}
export type ScanResponse = LogHits

self.onmessage = ({ data: { text, source, flags } }: MessageEvent<ScanRequest>) => {
  const pattern = new RegExp(source, flags)
  const hits = noHits()
  text.split('\n').forEach((line, index) => findInLine(line, index, pattern, hits))
  self.postMessage(hits satisfies ScanResponse)
}
