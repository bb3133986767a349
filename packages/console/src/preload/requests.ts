import { batchReviews, isReview } from '../api/access/access-review-batch'
import { withConsoleHeaders } from '../api/console-headers'
import { windowPath } from '../api/views/given-window'
import { basePath } from '../lib/base-path'
import type { PreloadedRequest, PreloadPlan } from './plan'
import { preload } from '../api/preloaded-responses'

/**
 * Sends the first requests of the page at a path. The page takes their responses instead of sending its own.
 * @param hasBatches false if the gateway certainly accepts no batches of reviews
 */
export function sendFirstRequests(plan: PreloadPlan, pathname: string, hasBatches = true): void {
  const { pages, requests } = plan
  const page = pages[pageAt(plan, pathname)]
  if (!page) return
  const [pattern, indexes] = page
  const params = new RegExp(pattern).exec(pathname)?.groups
  const fill = (text: string) => text.replace(/__(\w+?)__/g, (_, name: string) => params?.[name] ?? '')
  const sendReview = hasBatches ? batchReviews(sendPlain) : sendPlain
  const send = ([path, body]: PreloadedRequest) => sendOne(fill(path), body && fill(body), sendReview)
  const all = requests.filter((_, index) => indexes.includes(index)).filter(isWanted)
  for (const request of all) if (!isList(request)) send(request)
  // After everything else, batched reviews included: lists take longest, and a server may do one thing at a time.
  setTimeout(() => all.filter(isList).forEach(send))
}

/** The index of the page at a path; -1 if there is none. */
export const pageAt = ({ pages }: PreloadPlan, pathname: string): number =>
  pages.findIndex(([pattern]) => new RegExp(pattern).test(pathname))

/** A view of other rows than the first ones of its page is opened by the page. */
const isWanted = ([path]: PreloadedRequest) => !path.startsWith(windowPath) || location.search === ''

/** Only lists have a query. */
const isList = ([path]: PreloadedRequest) => path.includes('?')

const sendPlain = (path: string, init: RequestInit) => globalThis.fetch(basePath + path, init)

function sendOne(path: string, body: string | undefined, sendReview: typeof sendPlain): void {
  // As the kube client spells them.
  const accept = { accept: 'application/json' }
  const init: RequestInit =
    body === undefined
      ? { headers: accept }
      : { method: 'POST', body, headers: { ...accept, 'content-type': 'application/json' } }
  preload(path, withConsoleHeaders(init), isReview(path, init) ? sendReview : undefined)
}
