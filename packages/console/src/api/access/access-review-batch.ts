import {
  selfSubjectAccessReviewType,
  selfSubjectRulesReviewType,
  type SelfSubjectAccessReview,
} from '@slipway/kube/core-types'
import { resourcePath } from '@slipway/kube/path'
import { inBatches } from '../batches'

/**
 * Sends access reviews that are requested together in one call to the gateway. Callers do not notice: each review gets
 * a response of its own. A gateway without support for batches gets the reviews one by one.
 */

export const batchPath = '/api/k8s/access-reviews'
/** The most that the gateway accepts. */
const batchSize = 32
const reviewPaths: readonly string[] = [selfSubjectAccessReviewType, selfSubjectRulesReviewType].map(
  (type) => `/api/k8s${resourcePath(type)}`,
)

/** Whether a call can be part of a batch. @param path including the `/api/k8s` prefix */
export const isReview = (path: string, { method, body }: RequestInit = {}): boolean =>
  method === 'POST' && typeof body === 'string' && reviewPaths.includes(path)

interface Review {
  path: string
  init: RequestInit
}

/** @param send sends a request to the gateway */
export function batchReviews(send: (path: string, init: RequestInit) => Promise<Response>) {
  /** A replica of the gateway may be older than the console. */
  let isUnsupported = false

  async function load(reviews: Review[]): Promise<Response[]> {
    const oneByOne = () => Promise.all(reviews.map(({ path, init }) => send(path, init)))
    if (reviews.length === 1 || isUnsupported) return oneByOne()
    // `isReview` has checked that the body is a string, and the kube client writes it as the JSON of a review.
    const items = reviews.map(({ init }) => JSON.parse(init.body as string) as SelfSubjectAccessReview)
    const batch = await send(batchPath, {
      ...reviews[0]?.init,
      method: 'POST',
      body: JSON.stringify({ items }),
      signal: abortedWhenAll(reviews.map(({ init }) => init.signal)),
    })
    if (batch.status === 404 || batch.status === 405) {
      isUnsupported = true
      return oneByOne()
    }
    // Any other failure applies to each review, such as the end of the session or too many requests.
    if (!batch.ok) return reviews.map(() => batch.clone())
    // ADR 22 defines the format.
    const responses = (await batch.json()) as { items: { code: number; body: unknown }[] }
    return responses.items.map(({ code, body }) => Response.json(body, { status: code }))
  }

  const sendInBatch = inBatches(batchSize, load)
  return (path: string, init: RequestInit): Promise<Response> => sendInBatch({ path, init }, init.signal ?? undefined)
}

/** Aborts once all signals have; never if one of them does not. */
function abortedWhenAll(signals: readonly (AbortSignal | null | undefined)[]): AbortSignal {
  const controller = new AbortController()
  let remaining = signals.length
  for (const signal of signals) {
    const onAbort = () => {
      if (--remaining === 0) controller.abort(signal?.reason)
    }
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  }
  return controller.signal
}
