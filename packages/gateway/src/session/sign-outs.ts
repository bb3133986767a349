import type { FastifyBaseLogger } from 'fastify'
import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import { configMapType, type ConfigMap } from '@slipway/kube/core-types'
import { listWatch } from '@slipway/kube/list-watch'
import { ApiError } from '@slipway/kube/status'
import { causeChain } from './provider-failure'

/** Sessions that were signed out before their cookies expired. */
export interface SignOuts {
  has(id: string): boolean
  /** @param until when the cookie expires, in ms since 1970 */
  add(id: string, until: number): Promise<void>
}

/** Known only to this process: other replicas notice when they confirm the session with the provider, where it has ended too. */
export function memorySignOuts(clock: Clock): SignOuts {
  const ended = new Map<string, number>()
  return {
    has: (id) => ended.has(id),
    async add(id, until) {
      for (const expiredId of expired(ended, clock.now())) ended.delete(expiredId)
      ended.set(id, until)
    },
  }
}

export interface SharedSignOuts extends SignOuts {
  /** Rejects until the other replicas' sign-outs are known. */
  ready(): Promise<void>
  close(): void
}

interface SharedParts {
  namespace: string
  configMap: string
  /** With the gateway's own credentials. */
  client: KubeClient
  clock: Clock
  log: FastifyBaseLogger
  /** Called when this or another replica has signed a session out. */
  onSignOut(id: string): void
}

const writeMs = 5_000
const retryMs = 5_000

/**
 * Shared between replicas through a ConfigMap that each writes to and watches: a key for each session, with the second at
 * which its cookie expires as the value. A sign-out that cannot be written takes effect here at once and is written as
 * soon as possible.
 */
export function sharedSignOuts(parts: SharedParts): SharedSignOuts {
  const { namespace, configMap, client, clock, log, onSignOut } = parts
  const ended = new Map<string, number>()
  const unwritten = new Set<string>()
  let isListed = false
  let stopRetry: (() => void) | undefined
  const fields = { 'metadata.name': configMap }

  function addFrom({ metadata, data = {} }: ConfigMap) {
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
    const expiredIds = expired(ended, now)
    const data: Record<string, string | null> = Object.fromEntries(expiredIds.map((id) => [id, null]))
    for (const id of written) data[id] = String(Math.ceil((ended.get(id) ?? now) / 1000))
    const signal = AbortSignal.timeout(writeMs)
    const patch = () => client.patch(configMapType, configMap, { data }, { namespace, signal })
    const create = () => client.create(configMapType, newConfigMap(configMap, data), { namespace, signal })
    await patch()
      .catch(ifStatus(404, create))
      // Another replica has created it in the meantime.
      .catch(ifStatus(409, patch))
    for (const id of written) unwritten.delete(id)
    for (const id of expiredIds) ended.delete(id)
  }

  async function writeOrRetry(): Promise<void> {
    stopRetry?.()
    stopRetry = undefined
    try {
      if (unwritten.size > 0) await write()
    } catch (error) {
      log.error({ configMap, cause: causeChain(error) }, 'could not share a sign-out with the other replicas yet')
      stopRetry ??= clock.after(retryMs, () => void writeOrRetry())
    }
  }

  const watch = listWatch<ConfigMap>({
    list: (signal) => client.list(configMapType, { namespace, fields, signal }),
    openWatch: (resourceVersion, handlers) =>
      client.watch(configMapType, { namespace, fields, resourceVersion, allowWatchBookmarks: true }, handlers),
    onList({ items }) {
      items.forEach(addFrom)
      isListed = true
    },
    onEvents: (events) => {
      for (const event of events) if (event.type === 'ADDED' || event.type === 'MODIFIED') addFrom(event.object)
    },
    onState: ({ reason }) => reason && log.warn({ configMap, reason }, 'sign-outs of other replicas are delayed'),
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
      if (!isListed) throw new Error('the sign-outs have not been loaded yet')
    },
    close() {
      stopRetry?.()
      watch.close()
    },
  }
}

const expired = (ended: ReadonlyMap<string, number>, now: number): string[] =>
  [...ended].filter(([, until]) => until <= now).map(([id]) => id)

const newConfigMap = (name: string, data: Record<string, string | null>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: Object.fromEntries(Object.entries(data).filter((entry): entry is [string, string] => entry[1] !== null)),
})

const ifStatus =
  <A>(code: number, then: () => Promise<A>) =>
  (error: unknown): Promise<A> => {
    if (error instanceof ApiError && error.code === code) return then()
    throw error
  }
