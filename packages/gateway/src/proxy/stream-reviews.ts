import { randomUUID } from 'node:crypto'
import {
  selfSubjectAccessReviewType,
  type ResourceAttributes,
  type SelfSubjectAccessReview,
} from '@slipway/kube/core-types'
import { resourcePath } from '@slipway/kube/path'
import type { Clock } from '@slipway/kube/clock'
import { upstreamGroups } from '../session/identity'
import type { Session } from '../session/sessions'
import type { Upstream } from '../upstreams/upstream'
import { runReviews } from './access-reviews'

/**
 * Reviews whether the users of open watches, followed logs and downloads from plugins may still read them: an API server
 * checks that only when a response begins. Streams of the same user that need the same permission share a review.
 */
export interface StreamReviews {
  /**
   * @param permissions those that the user needs
   * @param end called once the cluster no longer grants one of them
   * @returns a function to call when the stream has ended by itself
   */
  add(session: Session, permissions: readonly ResourceAttributes[], end: () => void): () => void
  /** Starts the reviews that are due. */
  sweep(): void
  close(): void
}

interface Group {
  session: Session
  attributes: ResourceAttributes
  ends: Set<() => void>
  dueMs: number
}

interface ReviewsParts {
  upstream: Upstream
  /** Interval between the reviews of a stream. */
  reviewMs: number
  clock: Clock
}

/** If the cluster takes long for its responses, reviews become less frequent. */
const maxConcurrentReviews = 16
const reviewPath = resourcePath(selfSubjectAccessReviewType)

export function createStreamReviews({ upstream, reviewMs, clock }: ReviewsParts): StreamReviews {
  const groups = new Map<string, Group>()
  const stop = new AbortController()
  let running = 0

  async function review(group: Group): Promise<void> {
    const { kind, group: apiGroup, version } = selfSubjectAccessReviewType
    const { attributes: resourceAttributes } = group
    const body = { apiVersion: `${apiGroup}/${version}`, kind, metadata: {}, spec: { resourceAttributes } }
    const sender = { caller: group.session, requestId: randomUUID() }
    const { items } = await runReviews([{ path: reviewPath, body: JSON.stringify(body) }], upstream, sender, stop)
    // Of a review that failed, and of an authorizer that could not decide, nothing is known.
    const { status } = (items[0]?.body ?? {}) as Partial<SelfSubjectAccessReview>
    if (status?.allowed === false && !status.evaluationError) for (const end of group.ends) end()
  }

  function addTo(session: Session, attributes: ResourceAttributes, end: () => void): () => void {
    const { user } = session.identity
    const key = JSON.stringify([user, upstreamGroups(session.identity), attributes])
    const known = groups.get(key) ?? { session, attributes, ends: new Set(), dueMs: clock.now() + reviewMs }
    groups.set(key, known)
    // The newest one has the ID token that is valid longest.
    known.session = session
    known.ends.add(end)
    return () => {
      known.ends.delete(end)
      if (known.ends.size === 0 && groups.get(key) === known) groups.delete(key)
    }
  }

  return {
    add(session, permissions, end) {
      const releases = permissions.map((attributes) => addTo(session, attributes, end))
      return () => releases.forEach((release) => release())
    },
    sweep() {
      for (const group of groups.values()) {
        if (running >= maxConcurrentReviews) return
        if (clock.now() < group.dueMs) continue
        running++
        group.dueMs = Infinity
        void review(group)
          .catch(() => undefined)
          .finally(() => {
            running--
            group.dueMs = clock.now() + reviewMs
          })
      }
    },
    close: () => stop.abort(),
  }
}
