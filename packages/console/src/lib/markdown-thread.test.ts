import { expect, it, vi } from 'vitest'
import { markdownToHtml } from './markdown-html'
import { htmlFromWorker } from './markdown-thread'
import type { MarkdownRequest } from './markdown-worker'
import { callWorker } from './worker-call'

/** Responds as the worker does, never, or with an error. */
class FakeWorker {
  onmessage: Worker['onmessage'] = null
  onerror: Worker['onerror'] = null
  isEnded = false
  readonly respond: (request: MarkdownRequest, worker: FakeWorker) => void
  constructor(respond: FakeWorker['respond']) {
    this.respond = respond
    queueMicrotask(() => this.send(undefined))
  }
  send(data: string | undefined) {
    this.onmessage?.call(this as unknown as Worker, { data } as MessageEvent)
  }
  postMessage(request: MarkdownRequest) {
    this.respond(request, this)
  }
  terminate() {
    this.isEnded = true
  }
}

const never = () => {}
const parse: FakeWorker['respond'] = ({ text, isInline }, worker) => worker.send(markdownToHtml(text, isInline))
const fail: FakeWorker['respond'] = (_, worker) => worker.onerror?.call(worker as unknown as Worker, {} as ErrorEvent)

it('a worker parses Markdown, and is terminated', async () => {
  const worker = new FakeWorker(parse)
  expect(await htmlFromWorker('**bold**', true, () => worker, 60_000)).toBe('<strong>bold</strong>')
  expect(worker.isEnded).toBe(true)
})

it('a text that takes too long ends its worker, and not the next text', async () => {
  const stuck = new FakeWorker(never)
  const slow = htmlFromWorker('slow', false, () => stuck, 1)
  const next = htmlFromWorker('next', true, () => new FakeWorker(parse), 60_000)
  await expect(slow).rejects.toThrow('This text takes too long to render.')
  expect(stuck.isEnded).toBe(true)
  expect(await next).toBe('next')
})

it('a text of which the worker fails is not rendered', async () => {
  const worker = new FakeWorker(fail)
  await expect(htmlFromWorker('deep', false, () => worker, 60_000)).rejects.toThrow('A worker of the console failed.')
  expect(worker.isEnded).toBe(true)
})

it('a worker whose answer is not wanted any more is terminated, or not even started', async () => {
  const stuck = new FakeWorker(never)
  const call = new AbortController()
  const options = { limitMs: 60_000, tooLong: '', signal: call.signal }
  const answer = callWorker(() => stuck, 'text', options)
  call.abort(new Error('nobody waits'))
  await expect(answer).rejects.toThrow('nobody waits')
  expect(stuck.isEnded).toBe(true)
  await expect(callWorker(() => expect.fail('started'), 'text', options)).rejects.toThrow('nobody waits')
})

it('the time limit begins when the worker has started', async () => {
  vi.useFakeTimers()
  const worker = new FakeWorker(never)
  const starting = vi.spyOn(worker, 'send').mockImplementation(() => {})
  const outcome = htmlFromWorker('text', true, () => worker, 1_000)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(worker.isEnded).toBe(false)
  starting.mockRestore()
  worker.send(undefined)
  worker.send('text')
  expect(await outcome).toBe('text')
})
