import type { FastifyBaseLogger } from 'fastify'
import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import { configMapType, type ConfigMap } from '@slipway/kube/core-types'
import { listWatch } from '@slipway/kube/list-watch'
import { queryString, resourcePath } from '@slipway/kube/path'
import { ApiError } from '@slipway/kube/status'
import { readWatch } from '@slipway/kube/watch-stream'
import { causeOf } from './provider'

/** Which sessions were signed out before their cookie would have expired. */
export interface SignOuts {
  has(id: string): boolean
  /** @param until when the cookie is worth nothing by itself, in ms since 1970 */
  add(id: string, until: number): Promise<void>
}

/** Known to this process alone: others notice when they check the session with its provider, who has ended it too. */
export function memorySignOuts(clock: Clock): SignOuts {
  const ended = new Map<string, number>()
  return {
    has: (id) => ended.has(id),
    async add(id, until) {
      for (const known of expired(ended, clock.now())) ended.delete(known)
      ended.set(id, until)
    },
  }
}

export interface SharedSignOuts extends SignOuts {
  /** Rejects until the sign-outs of the other replicas are known. */
  ready(): Promise<void>
  close(): void
}

interface SharedParts {
  namespace: string
  configMap: string
  /** Both act as the gateway itself. */
  client: KubeClient
  fetch: typeof fetch
  clock: Clock
  log: FastifyBaseLogger
  /** This or another replica has signed a session out. */
  onSignOut(id: string): void
}

const writeMs = 5_000
const retryMs = 5_000

/**
 * Known to every replica, by a ConfigMap that each writes to and watches: a key for each session, its value the second
 * at which its cookie would have expired anyway. A sign-out that cannot be written holds here at once, and is written
 * as soon as that is possible.
 */
export function sharedSignOuts(parts: SharedParts): SharedSignOuts {
  const { namespace, configMap, client, clock, log, onSignOut } = parts
  const ended = new Map<string, number>()
  const unwritten = new Set<string>()
  let isListed = false
  let stopRetry: (() => void) | undefined
  const fields = { 'metadata.name': configMap }
  const collection = resourcePath(configMapType, { namespace })

  function learn({ metadata, data = {} }: ConfigMap) {
    if (metadata.name !== configMap) return
    for (const [id, second] of Object.entries(data)) {
      if (ended.has(id) || !Number.isFinite(Number(second))) continue
      ended.set(id, Number(second) * 1000)
      onSignOut(id)
    }
  }

  async function write(): Promise<void> {
    const now = clock.now()
    const written = [...unwritten]
    const over = expired(ended, now)
    const data: Record<string, string | null> = Object.fromEntries(over.map((id) => [id, null]))
    for (const id of written) data[id] = String(Math.ceil((ended.get(id) ?? now) / 1000))
    const signal = AbortSignal.timeout(writeMs)
    const patch = () =>
      client.request(`${collection}/${encodeURIComponent(configMap)}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: JSON.stringify({ data }),
        signal,
      })
    const create = () => client.create(configMapType, newMap(configMap, data), { namespace, signal })
    await patch()
      .catch(when(404, create))
      // Another replica was quicker.
      .catch(when(409, patch))
    for (const id of written) unwritten.delete(id)
    for (const id of over) ended.delete(id)
  }

  async function writeOrRetry(): Promise<void> {
    stopRetry?.()
    stopRetry = undefined
    try {
      if (unwritten.size > 0) await write()
    } catch (error) {
      log.error({ configMap, cause: causeOf(error) }, 'a sign-out could not be told to the other replicas yet')
      stopRetry ??= clock.after(retryMs, () => void writeOrRetry())
    }
  }

  const watch = listWatch<ConfigMap>({
    list: (signal) => client.list(configMapType, { namespace, fields, signal }),
    openWatch: (resourceVersion, handlers) => {
      const query = { watch: 'true', allowWatchBookmarks: 'true', fieldSelector: `metadata.name=${configMap}` }
      const path = `${collection}${queryString({ ...query, resourceVersion })}`
      return readWatch((signal) => parts.fetch(path, { signal }), handlers)
    },
    onList({ items }) {
      items.forEach(learn)
      isListed = true
    },
    onEvents: (events) => {
      for (const event of events) if (event.type === 'ADDED' || event.type === 'MODIFIED') learn(event.object)
    },
    onState: ({ reason }) => reason && log.warn({ configMap, reason }, 'sign-outs of other replicas are late'),
    clock,
    warn: (message) => log.warn(message),
  })

  return {
    has: (id) => ended.has(id),
    async add(id, until) {
      ended.set(id, until)
      unwritten.add(id)
      await writeOrRetry()
    },
    async ready() {
      if (!isListed) throw new Error('the sign-outs are not known yet')
    },
    close() {
      stopRetry?.()
      watch.close()
    },
  }
}

const expired = (ended: ReadonlyMap<string, number>, now: number): string[] =>
  [...ended].filter(([, until]) => until <= now).map(([id]) => id)

const newMap = (name: string, data: Record<string, string | null>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: Object.fromEntries(Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== null)),
})

const when =
  <A>(code: number, then: () => Promise<A>) =>
  (error: unknown): Promise<A> => {
    if (error instanceof ApiError && error.code === code) return then()
    throw error
  }
