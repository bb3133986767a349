import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { resourcePath } from '@slipway/kube/path'
import { selfSubjectAccessReviewType, selfSubjectRulesReviewType } from '@slipway/kube/core-types'
import { badRequest, HttpError, toHttpError } from '../http-error'
import type { Target } from '../target'
import type { UserUpstream } from '../upstreams/upstream'
import type { HeaderSet } from './headers'

/** A page has a handful of controls; what asks for more is no page. */
const maxReviews = 32
export const maxReviewBytes = 64 * 1024

const types = [selfSubjectAccessReviewType, selfSubjectRulesReviewType]

/** A question about one's own rights, as Kubernetes takes it. */
export interface OwnReview {
  path: string
  body: string
}

/** What became of one of them: Kubernetes' answer, or the gateway's failure to get one. */
interface Reviewed {
  code: number
  body: unknown
}

/** `POST /api/k8s/access-reviews`: several questions about one's own rights in one call. */
export const isAccessReviewBatch = (method: string, { segments }: Target): boolean =>
  method === 'POST' && segments.length === 1 && segments[0] === 'access-reviews'

/** The reviews of a bundle. @throws Refusal 400 for anything else, and for too many */
export async function reviewsIn(body: Readable): Promise<OwnReview[]> {
  const items = itemsOf(await text(body))
  if (!Array.isArray(items)) throw badRequest('A bundle of reviews has a list of items.')
  if (items.length > maxReviews) throw badRequest(`A bundle has at most ${maxReviews} reviews.`)
  return items.map(reviewOf)
}

function itemsOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { items?: unknown } | null)?.items
  } catch {
    throw badRequest('The bundle of reviews is no JSON.')
  }
}

function reviewOf(item: unknown): OwnReview {
  const { apiVersion, kind, spec } = (item ?? {}) as Record<string, unknown>
  const type = types.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion)
  if (!type) throw badRequest('A bundle has reviews of access or of rules, both of oneself, and nothing else.')
  return { path: resourcePath(type), body: JSON.stringify({ apiVersion, kind, metadata: {}, spec }) }
}

/** Asks them at the same time, as the user. One that fails takes no other with it. */
export const answerReviews = async (
  reviews: readonly OwnReview[],
  upstream: UserUpstream,
  headers: HeaderSet,
  stop: AbortController,
): Promise<{ items: Reviewed[] }> => ({
  items: await Promise.all(
    reviews.map((review) =>
      answerOf(review, upstream, headers, stop).catch((error: unknown): Reviewed => {
        const { code, status } = toHttpError(error)
        return { code, body: status }
      }),
    ),
  ),
})

async function answerOf(
  { path, body }: OwnReview,
  upstream: UserUpstream,
  headers: HeaderSet,
  stop: AbortController,
): Promise<Reviewed> {
  // The time limit of each is its own; the browser's going away ends all of them.
  const own = new AbortController()
  const end = () => own.abort(stop.signal.reason)
  stop.signal.addEventListener('abort', end, { once: true })
  try {
    const answer = await upstream.send({
      method: 'POST',
      path,
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      body,
      stop: own,
    })
    return { code: answer.statusCode, body: await answer.body.json().catch(() => notJson(upstream.name)) }
  } finally {
    stop.signal.removeEventListener('abort', end)
  }
}

function notJson(name: string): never {
  throw new HttpError(502, `${name} answered a review with something that is not JSON.`)
}
