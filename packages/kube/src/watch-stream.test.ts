import { expect, it } from 'vitest'
import { createKubeClient } from './client'
import { configMapType } from './core-types'
import type { WatchHandlers } from './list-watch'

/** A watch with the given response, and a log of its handler calls. */
function watched(response: Response | Promise<Response>) {
  const log: string[] = []
  const urls: string[] = []
  let signal: AbortSignal | undefined
  const client = createKubeClient({
    baseUrl: 'http://cluster.test',
    fetch: async (url, init) => {
      urls.push(String(url))
      signal = init?.signal ?? undefined
      return response
    },
  })
  const handlers: WatchHandlers = {
    onOpen: () => log.push('open'),
    onMessage: (text) => log.push(text),
    onClose: (code) => log.push(`close ${code}`),
  }
  const watch = client.watch(
    configMapType,
    { namespace: 'a', resourceVersion: '7', allowWatchBookmarks: true },
    handlers,
  )
  return { log, urls, watch, signal: () => signal }
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 0))

it('requests events since a version, with bookmarks', async () => {
  const { urls } = watched(new Response(''))
  expect(urls).toEqual([
    'http://cluster.test/api/v1/namespaces/a/configmaps?watch=true&resourceVersion=7&allowWatchBookmarks=true',
  ])
})

it('delivers one message per line, however the bytes are split', async () => {
  const bytes = new TextEncoder().encode('{"a":"ä"}\n{"b":2}\n\n{"c"')
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const { log } = watched(new Response(body))
  await expect.poll(() => log).toEqual(['open', '{"a":"ä"}', '{"b":2}', 'close 1000'])
})

it.each([
  ['was rejected', () => new Response('{}', { status: 410 }), ['close 1000']],
  ['was never established', () => Promise.reject(new TypeError('fetch failed')), ['close 1006']],
  [
    'was cut',
    () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.error(new Error('reset'))
          },
        }),
      ),
    ['open', 'close 1006'],
  ],
])('reports a watch that %s', async (_, answer, expected) => {
  const { log } = watched(answer())
  await expect.poll(() => log).toEqual(expected)
})

it('close ends the request, and no handler is called afterwards', async () => {
  let push = (_text: string) => {}
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (push = (text) => controller.enqueue(new TextEncoder().encode(text))),
    cancel: () => void (isCancelled = true),
  })
  const { log, watch, signal } = watched(new Response(body))
  await expect.poll(() => log).toEqual(['open'])
  push('{"a":1}\n')
  await expect.poll(() => log).toHaveLength(2)
  watch.close()
  await turns()
  expect({ log, isCancelled, isAborted: signal()?.aborted }).toEqual({
    log: ['open', '{"a":1}'],
    isCancelled: true,
    isAborted: true,
  })
})
