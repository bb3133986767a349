import { basePath, pagePath } from '../lib/base-path'
import { keepAnswers } from './keep-answers'
import { filesAt } from './page-files'
import type { PreloadPlan } from './plan'
import { pageAt, sendFirstRequests } from './requests'

/** Replaced by the build with what `createPreloadPlan` returns. */
declare const preloadPlan: PreloadPlan

/**
 * Runs while the frame of the console is still loading: fetches the files of this page, and sends its first requests,
 * unless their responses came with it. The build turns it into a classic script, the first of all, and puts the names of
 * all files into its attributes.
 */
const path = pagePath()
for (const file of filesAt(document.currentScript?.dataset ?? {}, pageAt(preloadPlan, path))) {
  const href = `${basePath}/${file}`
  const link = document.createElement('link')
  link.crossOrigin = ''
  if (href.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style', href })
  else Object.assign(link, { rel: 'modulepreload', href })
  document.head.append(link)
}
keepAnswers()
// Only our gateway sends such a document. To learn that another proxy has no batches takes a round trip.
sendFirstRequests(preloadPlan, path, document.documentElement.dataset.gateway !== undefined)
