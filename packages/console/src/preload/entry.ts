import { basePath, pagePath } from '../lib/base-path'
import { keepAnswers } from './keep-answers'
import type { PreloadPlan } from './plan'
import { sendFirstRequests } from './requests'

/** Replaced by the build with what `createPreloadPlan` returns. */
declare const preloadPlan: PreloadPlan

/**
 * Runs while the frame of the console is still loading: fetches the files that most pages below this path need, and
 * sends the first requests of this page, unless their responses came with it. The build turns it into a classic script, the first of all, and puts the names
 * of those files into its attributes.
 */
const namespaces = document.currentScript?.dataset.namespaces ?? ''
const files = pagePath().startsWith('/ns/') ? namespaces : ''
for (const file of files.split(' ')) {
  if (!file) continue
  const href = `${basePath}/${file}`
  const link = document.createElement('link')
  link.crossOrigin = ''
  if (href.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style', href })
  else Object.assign(link, { rel: 'modulepreload', href })
  document.head.append(link)
}
keepAnswers()
sendFirstRequests(preloadPlan, pagePath())
