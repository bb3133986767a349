import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import { configMapType, type ConfigMap } from '@slipway/kube/core-types'
import { listWatch } from '@slipway/kube/list-watch'
import { ApiError } from '@slipway/kube/status'
import { causeChain } from './provider-failure'

/** What a sign-out can end a session by. */
export interface SignOutTarget {
  id: string
  /** In ms since 1970, a whole second. */
  startedAt: number
  /** Key of the session at the identity provider. */
  providerSession?: string
  /** Key of the user at the identity provider. */
  providerUser?: string
}

/** Sessions that were signed out before their cookies expired. */
export interface SignOuts {
  has(session: SignOutTarget): boolean
  /**
   * @param key a session's id, the key of a session at the provider, or that of a user's sessions until then
   * @param until when the last cookie of these sessions expires, in ms since 1970
   */
  add(key: string, until: number): Promise<void>
}

/** A hash that does not reveal the text, in characters that are valid in a key of a ConfigMap. */
export const hashedKey = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** @param sid claim of ID tokens and logout tokens */
export const providerSessionKey = (sid: string): string => hashedKey(`sid ${sid}`)
/** @param sub claim of ID tokens and logout tokens */
export const providerUserKey = (sub: string): string => hashedKey(`sub ${sub}`)
/** The key of those of a user's sessions that had started by then, in ms since 1970. */
export const userSessionsKey = (sub: string, startedBy: number): string =>
  `${providerUserKey(sub)}.${Math.floor(startedBy / 1000)}`

/** What is known here, by key, with when the last cookie expires. */
function createEndedSessions() {
  const untilByKey = new Map<string, number>()
  /** The latest start of a session that has ended, in seconds since 1970, by user. */
  const startedByUser = new Map<string, number>()
  return {
    untilOf: (key: string) => untilByKey.get(key),
    has: ({ id, startedAt, providerSession, providerUser }: SignOutTarget): boolean =>
      untilByKey.has(id) ||
      (providerSession !== undefined && untilByKey.has(providerSession)) ||
      (providerUser !== undefined && startedAt / 1000 <= (startedByUser.get(providerUser) ?? -1)),
    add(key: string, until: number) {
      untilByKey.set(key, until)
      const [user = '', second] = key.split('.')
      if (Number(second) > (startedByUser.get(user) ?? -1)) startedByUser.set(user, Number(second))
    },
    delete(key: string) {
      untilByKey.delete(key)
      const [user = '', second] = key.split('.')
      if (startedByUser.get(user) === Number(second)) startedByUser.delete(user)
    },
    expired: (now: number) => [...untilByKey].filter(([, until]) => until <= now).map(([key]) => key),
  }
}

/** Known only to this process: other replicas notice when they confirm the session with the provider, where it has ended too. */
export function memorySignOuts(clock: Clock): SignOuts {
  const ended = createEndedSessions()
  return {
    has: ended.has,
    async add(key, until) {
      ended.expired(clock.now()).forEach(ended.delete)
      ended.add(key, until)
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
  /** Called when another replica may have signed sessions out. */
  onSignOut(): void
}

const writeMs = 5_000
const retryMs = 5_000

/**
 * Shared between replicas through a ConfigMap that each writes to and watches: a key for each sign-out, with the second at
 * which the last cookie expires as the value. A sign-out that cannot be written takes effect here at once and is written as
 * soon as possible.
 */
export function sharedSignOuts(parts: SharedParts): SharedSignOuts {
  const { namespace, configMap, client, clock, log, onSignOut } = parts
  const ended = createEndedSessions()
  const unwritten = new Set<string>()
  let isListed = false
  let stopRetry: (() => void) | undefined
  const fields = { 'metadata.name': configMap }

  function addFrom({ metadata, data = {} }: ConfigMap) {
    if (metadata.name !== configMap) return
    const added = Object.entries(data).filter(
      ([key, second]) => ended.untilOf(key) === undefined && Number.isFinite(Number(second)),
    )
    for (const [key, second] of added) ended.add(key, Number(second) * 1000)
    if (added.length > 0) onSignOut()
  }

  async function write(): Promise<void> {
    const now = clock.now()
    const written = [...unwritten]
    const expired = ended.expired(now)
    const data: Record<string, string | null> = Object.fromEntries(expired.map((key) => [key, null]))
    for (const key of written) data[key] = String(Math.ceil((ended.untilOf(key) ?? now) / 1000))
    const signal = AbortSignal.timeout(writeMs)
    const patch = () => client.patch(configMapType, configMap, { data }, { namespace, signal })
    const create = () => client.create(configMapType, newConfigMap(configMap, data), { namespace, signal })
    await patch()
      .catch(ifStatus(404, create))
      // Another replica has created it in the meantime.
      .catch(ifStatus(409, patch))
    for (const key of written) unwritten.delete(key)
    expired.forEach(ended.delete)
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
    has: ended.has,
    async add(key, until) {
      ended.add(key, until)
      unwritten.add(key)
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
