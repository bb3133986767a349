import { batchReviews, isReview } from '../api/access/access-review-batch'
import { withConsoleHeaders } from '../api/console-headers'
import { basePath } from '../lib/base-path'
import type { PreloadedRequest, PreloadPlan } from './plan'
import { preload } from '../api/preloaded-responses'

/** Sends the first requests of the page at a path. The page takes their responses instead of sending its own. */
export function sendFirstRequests({ pages, requests }: PreloadPlan, pathname: string): void {
  const page = pages.find(([pattern]) => new RegExp(pattern).test(pathname))
  if (!page) return
  const [pattern, indexes] = page
  const params = new RegExp(pattern).exec(pathname)?.groups
  const fill = (text: string) => text.replace(/__(\w+?)__/g, (_, name: string) => params?.[name] ?? '')
  const send = ([path, body]: PreloadedRequest) => sendOne(fill(path), body && fill(body))
  const all = requests.filter((_, index) => indexes.includes(index))
  for (const request of all) if (!isList(request)) send(request)
  // After everything else, batched reviews included: lists take longest, and a server may do one thing at a time.
  setTimeout(() => all.filter(isList).forEach(send))
}

/** Only lists have a query. */
const isList = ([path]: PreloadedRequest) => path.includes('?')

const sendReview = batchReviews((path, init) => globalThis.fetch(basePath + path, init))

function sendOne(path: string, body: string | undefined): void {
  // As the kube client spells them.
  const accept = { accept: 'application/json' }
  const init: RequestInit =
    body === undefined
      ? { headers: accept }
      : { method: 'POST', body, headers: { ...accept, 'content-type': 'application/json' } }
  preload(path, withConsoleHeaders(init), isReview(path, init) ? sendReview : undefined)
}
