import {
  selfSubjectAccessReviewType,
  selfSubjectRulesReviewType,
  type SelfSubjectAccessReview,
} from '@slipway/kube/core-types'
import { resourcePath } from '@slipway/kube/path'
import { inBatches } from '../batches'

/**
 * Questions about the user's rights that are asked in one go are one call to the gateway. Whoever asks sees nothing of
 * it: each question has an answer of its own. A gateway that knows no bundles is asked one by one.
 */

const batchPath = '/api/k8s/access-reviews'
/** As many as the gateway takes. */
const batchSize = 32
const reviewPaths: readonly string[] = [selfSubjectAccessReviewType, selfSubjectRulesReviewType].map(
  (type) => `/api/k8s${resourcePath(type)}`,
)

/** Whether a call can be part of a bundle. @param path with what comes before the API */
export const isReview = (path: string, { method, body }: RequestInit = {}): boolean =>
  method === 'POST' && typeof body === 'string' && reviewPaths.includes(path)

interface Review {
  path: string
  init: RequestInit
}

/** @param send makes a call of the gateway */
export function batchReviews(send: (path: string, init: RequestInit) => Promise<Response>) {
  /** A replica of the gateway may be older than the console. */
  let isRefused = false

  async function ask(reviews: Review[]): Promise<Response[]> {
    const oneByOne = () => Promise.all(reviews.map(({ path, init }) => send(path, init)))
    if (reviews.length === 1 || isRefused) return oneByOne()
    // Text, as `isReview` has seen, and a kube client's: JSON of a review.
    const items = reviews.map(({ init }) => JSON.parse(init.body as string) as SelfSubjectAccessReview)
    const bundle = await send(batchPath, {
      ...reviews[0]?.init,
      method: 'POST',
      body: JSON.stringify({ items }),
      signal: whenAllAre(reviews.map(({ init }) => init.signal)),
    })
    if (bundle.status === 404 || bundle.status === 405) {
      isRefused = true
      return oneByOne()
    }
    // Of everything else that goes wrong each has its part: nobody is signed in, too many calls.
    if (!bundle.ok) return reviews.map(() => bundle.clone())
    // As ADR 22 has it.
    const answers = (await bundle.json()) as { items: { code: number; body: unknown }[] }
    return answers.items.map(({ code, body }) => Response.json(body, { status: code }))
  }

  const askInBundle = inBatches(batchSize, ask)
  return (path: string, init: RequestInit): Promise<Response> => askInBundle({ path, init }, init.signal ?? undefined)
}

/** Ends when the last of them has; never where one of them does not. */
function whenAllAre(signals: readonly (AbortSignal | null | undefined)[]): AbortSignal {
  const controller = new AbortController()
  let left = signals.length
  for (const signal of signals) {
    const end = () => {
      if (--left === 0) controller.abort(signal?.reason)
    }
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  }
  return controller.signal
}
