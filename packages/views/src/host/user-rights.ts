import type { KubeClient } from '@slipway/kube/client'
import { every, type Clock } from '@slipway/kube/clock'
import { subjectAccessReviewType } from '@slipway/kube/core-types'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import type { UserInfo } from '@slipway/kube/user'
import type { Rights, Verdict } from '../rights'
import { subjectsOf, type Concern } from './grants'
import { createReviewQueue } from './review-queue'
import { watchRoleChanges, type RoleChanges } from './role-changes'

/**
 * What users may list and watch, as the cluster decides by access reviews. A change of RBAC repeats at once the reviews
 * that it may concern; a slow round finds what other authorizers decide. While no user is connected, nothing is read.
 */
export interface UserRights {
  /** The rights of a user, shared by all of their sessions that are open at the same time. */
  open(user: UserInfo): OpenRights
  readonly counts: Readonly<ReviewCounts>
  close(): void
}

export interface OpenRights extends Rights {
  close(): void
}

export interface ReviewCounts {
  allowed: number
  denied: number
  failed: number
  running: number
  waiting: number
}

interface Options {
  /** With an account that may create access reviews, and list and watch the kinds of RBAC. */
  client: Pick<KubeClient, 'review' | 'pages' | 'watch'>
  /** The groups in which the cluster serves a kind. */
  servedTypes(type: ResourceType): Promise<readonly ResourceType[]>
  clock: Clock
  warn(message: string): void
}

/** One kind, in one namespace or in all of them. */
interface Entry {
  readonly type: ResourceType
  /** `undefined` for the whole cluster: who may read a kind there may read it in each namespace. */
  readonly namespace: string | undefined
  verdict: Verdict
  /** From then on nothing is known any more, or nothing yet: the next sweep says so. */
  validUntilMs: number
  dueMs: number
  /** Whether a session has asked for it since the slow round last did. */
  isInUse: boolean
  state: 'idle' | 'waiting' | 'running'
  /** When something last changed that may concern it. */
  changedMs: number
  /** That was after the running review was sent, so its result says nothing. */
  isVoid: boolean
  failures: number
}

interface User {
  readonly key: string
  readonly info: UserInfo
  readonly subjects: ReadonlySet<string>
  readonly entries: Map<string, Entry>
  readonly listeners: Set<() => void>
  sessions: number
}

/** Reviews that may be sent at once; each is of a list and a watch. */
const maxReviews = 16
/** The interval of the slow round. */
const roundMs = 120_000
/** The same while changes of RBAC cannot be seen. */
const blindRoundMs = 20_000
/** How long the first review may take before nothing is known. */
const firstReviewMs = 2_000
/** How long a verdict holds that could not be confirmed: the cluster is out of reach, or too slow. */
const verdictMs = 150_000
/**
 * How long after a change an authorizer may not have seen it, by a watch of its own. A review that is sent earlier is
 * repeated then.
 */
const confirmMs = 2_000
/** How long after a change that may take the right a verdict holds that was not confirmed, and until the next sweep. */
const changedVerdictMs = 3_500
const sweepMs = 500
const firstRetryMs = 1_000
const maxRetryMs = 30_000
/** Namespaces and kinds of one user at a time. Of any others nothing is known, unless the user may read all namespaces. */
const maxEntries = 2_000
/** For how long roles are watched after the last session: a page that is loaded again need not list them again. */
const lingerMs = 60_000

export function createUserRights({ client, servedTypes, clock, warn }: Options): UserRights {
  const users = new Map<string, User>()
  const queue = createReviewQueue(maxReviews)
  const counts = { allowed: 0, denied: 0, failed: 0 }
  let changes: RoleChanges | undefined
  let stopSweep: (() => void) | undefined
  let stopLinger: (() => void) | undefined
  let changedAtMs = -Infinity

  function start(): void {
    stopLinger?.()
    stopLinger = undefined
    stopSweep ??= every(clock, sweepMs, sweep)
    changes ??= watchRoleChanges({
      client,
      clock,
      warn,
      onChange(concerns) {
        changedAtMs = clock.now()
        forEachEntry((user, entry) => isConcerned(user, entry, concerns) && recheck(user, entry))
      },
      onFirstLive() {
        // What changed just before may not have been seen by an authorizer either.
        changedAtMs = clock.now()
        forEachEntry(recheck)
      },
    })
  }

  function stop(): void {
    stopSweep?.()
    stopSweep = undefined
    changes?.close()
    changes = undefined
  }

  function forEachEntry(act: (user: User, entry: Entry) => void): void {
    for (const user of users.values()) for (const entry of user.entries.values()) act(user, entry)
  }

  /** A right may have been taken or granted just now. */
  function recheck(user: User, entry: Entry): void {
    entry.isVoid = true
    entry.changedMs = clock.now()
    entry.validUntilMs = Math.min(entry.validUntilMs, clock.now() + changedVerdictMs)
    request(user, entry, true)
  }

  function request(user: User, entry: Entry, isUrgent: boolean): void {
    // One that is running is repeated if it is void.
    if (entry.state === 'running' || (entry.state === 'waiting' && !isUrgent)) return
    entry.state = 'waiting'
    queue.add(user.info.name, isUrgent, async () => {
      // It was waiting twice, or the last session of the user has ended.
      if (entry.state === 'waiting' && isKnown(user, entry)) await review(user, entry)
    })
  }

  const isKnown = (user: User, entry: Entry) =>
    users.get(user.key) === user && user.entries.get(keyOf(entry.type, entry.namespace)) === entry

  async function review(user: User, entry: Entry): Promise<void> {
    entry.state = 'running'
    entry.isVoid = false
    const sentMs = clock.now()
    // Of a review that failed, and of an authorizer that could not decide, nothing is known.
    const verdict = await fetchVerdict(user.info, entry).catch(() => 'unknown' as const)
    entry.state = 'idle'
    counts[verdict === 'unknown' ? 'failed' : verdict]++
    if (!isKnown(user, entry)) return
    if (verdict === 'unknown') {
      entry.dueMs = clock.now() + Math.min(firstRetryMs * 2 ** entry.failures++, maxRetryMs)
      if (entry.verdict === 'pending') setVerdict(user, entry, verdict)
    } else if (entry.isVoid) {
      request(user, entry, true)
    } else {
      entry.failures = 0
      decided(user, entry, verdict, sentMs)
    }
  }

  function decided(user: User, entry: Entry, verdict: Verdict, sentMs: number): void {
    const now = clock.now()
    const confirmedMs = entry.changedMs + confirmMs
    if (sentMs < confirmedMs) {
      entry.dueMs = confirmedMs
      entry.validUntilMs = entry.changedMs + changedVerdictMs
    } else {
      entry.isInUse = false
      entry.dueMs = now + (changes?.isLive ? roundMs : blindRoundMs)
      entry.validUntilMs = now + verdictMs
    }
    setVerdict(user, entry, entry.validUntilMs > now ? verdict : 'unknown')
  }

  async function fetchVerdict(
    { name, groups, uid, extra }: UserInfo,
    { type, namespace }: Entry,
  ): Promise<Exclude<Verdict, 'pending'>> {
    const types = await servedTypes(type)
    const reviews = types.flatMap(({ group, version, plural }) =>
      ['list', 'watch'].map(async (verb) => {
        const resourceAttributes = { verb, group, version, resource: plural, namespace }
        return client.review(subjectAccessReviewType, { user: name, groups, uid, extra, resourceAttributes })
      }),
    )
    const statuses = await Promise.all(reviews)
    if (statuses.every((status) => status?.allowed === true)) return 'allowed'
    const isDecided = statuses.some((status) => status?.allowed === false && !status.evaluationError)
    return isDecided ? 'denied' : 'unknown'
  }

  function setVerdict(user: User, entry: Entry, verdict: Verdict): void {
    if (entry.verdict === verdict) return
    entry.verdict = verdict
    if (entry.namespace === undefined && verdict === 'allowed') forgetNamespaces(user, entry.type)
    for (const listener of [...user.listeners]) listener()
  }

  /** The verdict on the whole cluster includes them. */
  function forgetNamespaces(user: User, type: ResourceType): void {
    const prefix = keyOf(type, '')
    for (const key of user.entries.keys()) if (key.startsWith(prefix)) user.entries.delete(key)
  }

  function sweep(): void {
    const now = clock.now()
    for (const user of users.values()) {
      const unused: Entry[] = []
      for (const entry of user.entries.values()) {
        if (entry.validUntilMs <= now) setVerdict(user, entry, 'unknown')
        if (entry.dueMs > now || entry.state !== 'idle') continue
        if (entry.isInUse) request(user, entry, false)
        else unused.push(entry)
      }
      if (unused.length > 0) retire(user, unused)
    }
  }

  /** Sessions that still need them ask for them when they are notified; the others are given up. */
  function retire(user: User, entries: Entry[]): void {
    for (const listener of [...user.listeners]) listener()
    for (const entry of entries) {
      if (entry.isInUse) request(user, entry, false)
      else user.entries.delete(keyOf(entry.type, entry.namespace))
    }
  }

  /** Namespaces are reviewed one by one only for users who may not read all of them. */
  function verdictOf(user: User, type: ResourceType, namespace: string): Verdict {
    const { verdict } = useEntry(user, type, undefined, 'pending')
    if (verdict === 'allowed' || verdict === 'pending') return verdict
    if (!user.entries.has(keyOf(type, namespace)) && user.entries.size >= maxEntries) return 'unknown'
    // The time of a first review has passed if the cluster could not say.
    return useEntry(user, type, namespace, verdict === 'unknown' ? 'unknown' : 'pending').verdict
  }

  /** @param first its verdict before the first review */
  function useEntry(user: User, type: ResourceType, namespace: string | undefined, first: Verdict): Entry {
    const key = keyOf(type, namespace)
    const known = user.entries.get(key)
    if (known) {
      known.isInUse = true
      return known
    }
    const entry: Entry = {
      type,
      namespace,
      verdict: first,
      validUntilMs: clock.now() + firstReviewMs,
      dueMs: Infinity,
      isInUse: true,
      state: 'idle',
      changedMs: changedAtMs,
      isVoid: false,
      failures: 0,
    }
    user.entries.set(key, entry)
    request(user, entry, true)
    return entry
  }

  return {
    get counts() {
      return { ...counts, running: queue.running, waiting: queue.waiting }
    },
    open(info) {
      const key = JSON.stringify([info.name, info.groups, info.uid, info.extra])
      const user = users.get(key) ?? newUser(key, info)
      users.set(key, user)
      user.sessions++
      const own = new Set<() => void>()
      let isOpen = true
      start()
      return {
        mayRead: (type, namespace) => (isOpen ? verdictOf(user, type, namespace) : 'unknown'),
        onChange(listener) {
          // The same function may listen for two sessions.
          const call = () => listener()
          own.add(call)
          user.listeners.add(call)
          return () => {
            own.delete(call)
            user.listeners.delete(call)
          }
        },
        close() {
          if (!isOpen) return
          isOpen = false
          for (const call of own) user.listeners.delete(call)
          if (--user.sessions > 0) return
          users.delete(key)
          if (users.size === 0) stopLinger ??= clock.after(lingerMs, stop)
        },
      }
    },
    close() {
      stopLinger?.()
      stop()
      users.clear()
    },
  }
}

const newUser = (key: string, info: UserInfo): User => ({
  key,
  info,
  subjects: new Set(subjectsOf(info)),
  entries: new Map(),
  listeners: new Set(),
  sessions: 0,
})

const keyOf = (type: ResourceType, namespace: string | undefined): string =>
  namespace === undefined ? qualifiedPlural(type) : `${qualifiedPlural(type)}/${namespace}`

const isConcerned = ({ subjects }: User, { namespace }: Entry, concerns: readonly Concern[]): boolean =>
  concerns.some(
    (concern) =>
      (concern.namespace === undefined || concern.namespace === namespace) &&
      concern.subjects.some((subject) => subjects.has(subject)),
  )
