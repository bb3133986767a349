import { markdownToHtml } from './markdown-html'

export interface MarkdownRequest {
  text: string
  isInline: boolean
}
/** `undefined` when the worker is ready, then the HTML. */
export type MarkdownResponse = string | undefined

self.onmessage = ({ data: { text, isInline } }: MessageEvent<MarkdownRequest>) => {
  self.postMessage(markdownToHtml(text, isInline) satisfies MarkdownResponse)
}
self.postMessage(undefined satisfies MarkdownResponse)
