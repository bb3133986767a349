// Fetches, while the frame of the console is still on its way, the parts that most pages at this address are made of.
// The build says in the attributes of this script which files those are.
;(() => {
  const { everywhere = '', namespaces = '' } = document.currentScript?.dataset ?? {}
  const files = location.pathname.startsWith('/ns/') ? `${everywhere} ${namespaces}` : everywhere
  for (const href of files.split(' ')) {
    if (!href) continue
    const link = document.createElement('link')
    link.crossOrigin = ''
    if (href.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style', href })
    else Object.assign(link, { rel: 'modulepreload', href })
    document.head.append(link)
  }
})()
