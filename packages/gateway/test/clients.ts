import { WebSocket } from 'ws'
import { systemClock } from '@slipway/kube/clock'
import type { ConfigMap } from '@slipway/kube/core-types'
import { listWatch } from '@slipway/kube/list-watch'
import { namespace } from './cluster'

/** Somebody who has a stream open. */
export interface Client {
  user: string
  /** What it was told last. */
  seen(): string
  close(): void
}

/** Lists and watches a config map, and connects again by the console's rules, three times as fast. */
export function watcher(origin: string, user: string, cookie: string): Client {
  let seen = ''
  const learn = ({ metadata, data }: ConfigMap) => {
    if (metadata.name === 'told') seen = data?.['text'] ?? ''
  }
  const path = `api/v1/namespaces/${namespace}/configmaps`
  const watch = listWatch<ConfigMap>({
    async list(signal) {
      const response = await fetch(`${origin}/api/k8s/${path}`, { headers: { cookie }, signal })
      if (!response.ok) throw new Error(String(response.status))
      // The embedded API server says so.
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
    onList: ({ items }) => items.forEach(learn),
    onEvents: (events) => events.forEach((event) => event.type !== 'ERROR' && learn(event.object as ConfigMap)),
    clock: systemClock,
    warn: () => {},
  })
  return { user, seen: () => seen, close: () => watch.close() }
}

/** Follows a log, and reads it again from its start when it breaks off. */
export function follower(origin: string, user: string, cookie: string): Client {
  const stop = new AbortController()
  let seen = ''
  async function follow(): Promise<void> {
    const { signal } = stop
    const url = `${origin}/api/k8s/api/v1/namespaces/${namespace}/pods/told/log?follow=true`
    const response = await fetch(url, { headers: { cookie }, signal })
    const decoder = new TextDecoder()
    let text = ''
    // A body of fetch is bytes.
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
