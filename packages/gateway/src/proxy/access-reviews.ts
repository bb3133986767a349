import { setMaxListeners } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { HttpError } from '@slipway/connect/http-error'
import type { Outgoing } from '@slipway/connect/service'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { resourcePath } from '@slipway/kube/path'
import { selfSubjectAccessReviewType, selfSubjectRulesReviewType } from '@slipway/kube/core-types'
import { badRequest, toHttpError } from '../http-error'
import type { Target } from '../target'
import type { Sender } from '../upstreams/outgoing'
import type { Upstream } from '../upstreams/upstream'

/** A page has a handful of controls and never needs more reviews. */
const maxReviews = 32
export const maxReviewBytes = 64 * 1024

const types = [selfSubjectAccessReviewType, selfSubjectRulesReviewType]

/** A review of the user's own access, as a request to Kubernetes. */
export interface SelfReview {
  path: string
  body: string
}

/** Outcome of a review: Kubernetes' response, or the gateway's failure to get one. */
interface ReviewResult {
  code: number
  body: unknown
}

/** `POST /api/k8s/access-reviews`: several reviews of the user's own access in one call. */
export const isAccessReviewBatch = (method: string, { segments }: Target): boolean =>
  method === 'POST' && segments.length === 1 && segments[0] === 'access-reviews'

/** Parses a batch of reviews. @throws HttpError 400 if it is malformed or too long */
export async function parseReviews(body: Readable): Promise<SelfReview[]> {
  const items = parseItems(await text(body))
  if (!Array.isArray(items)) throw badRequest('A batch of reviews must have a list of items.')
  if (items.length > maxReviews) throw badRequest(`A batch may have at most ${maxReviews} reviews.`)
  return items.map(parseReview)
}

function parseItems(body: string): unknown {
  try {
    return (JSON.parse(body) as { items?: unknown } | null)?.items
  } catch {
    throw badRequest('The batch of reviews is not valid JSON.')
  }
}

function parseReview(item: unknown): SelfReview {
  const { apiVersion, kind, spec } = (item ?? {}) as Record<string, unknown>
  const type = types.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion)
  if (!type) throw badRequest('A batch may only contain SelfSubjectAccessReviews and SelfSubjectRulesReviews.')
  return { path: resourcePath(type), body: serialize({ apiVersion, kind, metadata: {}, spec }) }
}

/** JSON can be parsed at any depth, but not written. @throws HttpError 400 */
function serialize(review: object): string {
  try {
    return JSON.stringify(review)
  } catch {
    throw badRequest('A review is nested too deeply.')
  }
}

/** Sends the reviews concurrently. A failed review does not affect the others. @throws HttpError as `Upstream.outgoing` */
export async function runReviews(
  reviews: readonly SelfReview[],
  upstream: Upstream,
  sender: Sender,
  stop: AbortController,
): Promise<{ items: ReviewResult[] }> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const outgoing = await upstream.outgoing(sender, { headers })
  // Each review listens, and Node.js would report more than ten listeners as a leak.
  setMaxListeners(maxReviews, stop.signal)
  const items = await Promise.all(
    reviews.map((review) =>
      runReview(review, upstream, outgoing, stop).catch((error: unknown): ReviewResult => {
        const { code, status } = toHttpError(error)
        return { code, body: status }
      }),
    ),
  )
  return { items }
}

async function runReview(
  { path, body }: SelfReview,
  upstream: Upstream,
  outgoing: Outgoing,
  stop: AbortController,
): Promise<ReviewResult> {
  // Each review has its own time limit; all of them end when the browser disconnects.
  const own = new AbortController()
  const end = () => own.abort(stop.signal.reason)
  stop.signal.addEventListener('abort', end, { once: true })
  try {
    const response = await upstream.send({ method: 'POST', path, outgoing, body, stop: own })
    return { code: response.statusCode, body: await response.body.json().catch(() => notJson(upstream.name)) }
  } finally {
    stop.signal.removeEventListener('abort', end)
  }
}

function notJson(name: string): never {
  throw new HttpError(502, `${name} responded to a review with something that is not JSON.`)
}
