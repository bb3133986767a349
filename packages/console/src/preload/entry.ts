import { sendFirstRequests } from './requests'

/**
 * Runs while the frame of the console is still on its way: fetches the parts that most pages at this address are made
 * of, and asks what the page will ask first. The build makes a classic script of it, the first of all, with the names
 * of those files in its attributes.
 */
const namespaces = document.currentScript?.dataset.namespaces ?? ''
const files = location.pathname.startsWith('/ns/') ? namespaces : ''
for (const href of files.split(' ')) {
  if (!href) continue
  const link = document.createElement('link')
  link.crossOrigin = ''
  if (href.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style', href })
  else Object.assign(link, { rel: 'modulepreload', href })
  document.head.append(link)
}
sendFirstRequests(location.pathname)
