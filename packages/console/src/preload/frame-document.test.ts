import { expect, it } from 'vitest'
import { createFrameDocuments } from './frame-document'

const index = `<!doctype html>
<html lang="en">
  <head>
    <title>Slipway</title>
    <script src="/assets/preload-1.js" data-files="assets/menu-2.js assets/log-5.js" data-pages="0 1,0"></script>
    <script type="module" crossorigin src="/assets/index-3.js"></script>
    <link rel="stylesheet" crossorigin href="/assets/index-4.css">
  </head>
  <body>
    <div id="root"></div>
    <noscript>Slipway needs JavaScript.</noscript>
  </body>
</html>`
const documentOf = createFrameDocuments({
  index,
  sheets: ['.a{top:0}.z{top:0}'],
  scripts: { theme: 'theme()', frame: 'frame("$&")' },
})
const html = '<header class="a">x</header><main id="content"><p style="width:5rem" data-discover="true">y</p></main>'
const frame = { pattern: '^/(?<a>x)"$', html }

it('shows the frame before anything else has come', () => {
  const doc = new DOMParser().parseFromString(documentOf(frame, 0), 'text/html')
  const order = [...doc.querySelectorAll('script, style, link, #root')].map((element) =>
    [element.localName, element.id, element.getAttribute('src') ?? element.getAttribute('href')]
      .filter(Boolean)
      .join(' '),
  )
  expect(order).toEqual([
    'script',
    'style slipway-critical',
    'script /assets/index-3.js',
    'div root',
    'script',
    'script /assets/preload-1.js',
    'link /assets/index-4.css',
  ])
  const [theme, , script] = doc.querySelectorAll('script')
  expect(theme?.textContent).toBe('theme()')
  expect(script?.textContent).toBe('frame("$&")')
  expect(script?.dataset.pattern).toBe('^/(?<a>x)"$')
})

it('names the files of its page alone, and says that it is from the gateway', () => {
  const filesOf = (page: number) => {
    const doc = new DOMParser().parseFromString(documentOf(frame, page), 'text/html')
    expect(doc.documentElement.dataset.gateway).toBe('')
    const { files, pages } = doc.querySelector<HTMLElement>('script[data-files]')?.dataset ?? {}
    expect(pages).toBeUndefined()
    return files
  }
  expect(filesOf(0)).toBe('assets/menu-2.js')
  expect(filesOf(1)).toBe('assets/log-5.js assets/menu-2.js')
})

it('has rules in place of inline styles, and only rules for what is in it', () => {
  const doc = new DOMParser().parseFromString(documentOf(frame, 0), 'text/html')
  expect(doc.querySelector('style')?.textContent).toBe('.a{top:0}#root [data-style="0"]:not(#_){width:5rem}')
  expect(doc.querySelector('p')?.outerHTML).toBe('<p data-style="0">y</p>')
})

it('keeps users from what does not work before the script has come', () => {
  const doc = new DOMParser().parseFromString(documentOf(frame, 0), 'text/html')
  expect(doc.querySelector('header')?.hasAttribute('inert')).toBe(true)
  const content = doc.querySelector('main > .slipway-first-page')
  expect(content?.hasAttribute('inert')).toBe(true)
  expect(content?.getAttribute('aria-hidden')).toBe('true')
  expect(doc.querySelector('main')?.textContent).toBe('yLoading page')
})

it('fails the build if the index has another shape', () => {
  expect(() => createFrameDocuments({ index: '<html></html>', sheets: [], scripts: { theme: '', frame: '' } })).toThrow(
    'index.html has nothing like',
  )
})
