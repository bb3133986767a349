import { WebSocket } from 'ws'
import { systemClock } from '@slipway/kube/clock'
import type { ConfigMap } from '@slipway/kube/core-types'
import { listWatch } from '@slipway/kube/list-watch'
import { namespace } from './cluster'

/** A client with an open stream. */
export interface Client {
  user: string
  /** The last text that it received. */
  seen(): string
  close(): void
}

/** Lists and watches a config map, and reconnects by the console's rules, three times as fast. */
export function watcher(origin: string, user: string, cookie: string): Client {
  let seen = ''
  const read = ({ metadata, data }: ConfigMap) => {
    if (metadata.name === 'published') seen = data?.['text'] ?? ''
  }
  const path = `api/v1/namespaces/${namespace}/configmaps`
  const watch = listWatch<ConfigMap>({
    async list(signal) {
      const response = await fetch(`${origin}/api/k8s/${path}`, { headers: { cookie }, signal })
      if (!response.ok) throw new Error(String(response.status))
      // The type of the embedded API server's response.
      return (await response.json()) as Awaited<ReturnType<Parameters<typeof listWatch<ConfigMap>>[0]['list']>>
    },
    openWatch(resourceVersion = '', { onOpen, onMessage, onClose }) {
      const url = `${origin.replace('http', 'ws')}/wss/k8s/${path}?watch=true&resourceVersion=${resourceVersion}`
      const socket = new WebSocket(url, { headers: { cookie, origin } })
      socket.on('open', onOpen)
      socket.on('message', (data) => onMessage(String(data)))
      socket.on('error', () => {})
      socket.on('close', onClose)
      return { close: () => socket.terminate() }
    },
    onList: ({ items }) => items.forEach(read),
    onEvents: (events) => events.forEach((event) => event.type !== 'ERROR' && read(event.object as ConfigMap)),
    clock: systemClock,
    warn: () => {},
  })
  return { user, seen: () => seen, close: () => watch.close() }
}

/** Follows a log, and reads it again from the start when the connection is lost. */
export function follower(origin: string, user: string, cookie: string): Client {
  const stop = new AbortController()
  let seen = ''
  async function follow(): Promise<void> {
    const { signal } = stop
    const url = `${origin}/api/k8s/api/v1/namespaces/${namespace}/pods/published/log?follow=true`
    const response = await fetch(url, { headers: { cookie }, signal })
    const decoder = new TextDecoder()
    let text = ''
    // The body of a fetch response consists of bytes.
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      seen = text.split('\n').at(-2) ?? seen
    }
  }
  const again = (): void => {
    if (!stop.signal.aborted) systemClock.after(200, () => void follow().then(again, again))
  }
  follow().then(again, again)
  return { user, seen: () => seen, close: () => stop.abort() }
}
