import { expect, it, onTestFinished } from 'vitest'
import { speedUpComputedStyles, speedUpMatches } from './speed'

const properties = ['display', 'visibility', 'opacity', 'direction', 'pointer-events', 'overflow', 'position']
const page = `
  <p>text <span>inline</span> <b hidden>hidden</b> <i style="display: none">none</i></p>
  <div style="visibility: hidden">hidden <em>child</em> <strong style="visibility: visible">shown</strong></div>
  <div style="opacity: 0; pointer-events: none"><a href="#">link</a> <button disabled>button</button></div>
  <div dir="rtl"><span>right to left</span></div>
  <div dir="auto"><span>auto</span></div>
  <div style="display: inherit"><span style="visibility: unset">keywords</span></div>
  <table hidden><tbody><tr hidden><td>cell</td></tr></tbody></table>
  <table><thead><tr><th>head</th></tr></thead><tbody><tr><td>cell</td></tr></tbody></table>
  <dialog>closed</dialog> <dialog open>open</dialog>
  <details><summary>summary</summary><p>closed</p></details> <details open><summary>summary</summary><p>open</p></details>
  <form><input type="hidden"> <input type="checkbox"> <input hidden> <select><option>1</option></select></form>
  <textarea></textarea> <template><p>template</p></template> <div popover>popover</div>
  <ul><li>item</li></ul> <svg><path d="M0 0"></path></svg> <embed hidden> <noscript>noscript</noscript>`

/** A window of its own with this page in its body. */
function windowWith(html: string): Window & typeof globalThis {
  const frame = document.body.appendChild(document.createElement('iframe'))
  onTestFinished(() => frame.remove())
  // Connected to the document.
  const window = frame.contentWindow as Window & typeof globalThis
  window.document.body.innerHTML = html
  return window
}

/** Each element of the page with its computed properties. */
const stylesIn = (window: Window & typeof globalThis) =>
  [...window.document.querySelectorAll('*')].map((element) => {
    const style = window.getComputedStyle(element)
    return [element.outerHTML, ...properties.map((property) => `${property}: ${style.getPropertyValue(property)}`)]
  })

it('computed styles of elements are those of jsdom', () => {
  const fast = windowWith(page)
  speedUpComputedStyles(fast)
  expect(stylesIn(fast)).toEqual(stylesIn(windowWith(page)))
})

it('computed styles follow a style sheet in the page', () => {
  const fast = windowWith('<style>p { display: none }</style><p>text</p>')
  speedUpComputedStyles(fast)
  const [paragraph] = fast.document.getElementsByTagName('p')
  expect(paragraph && fast.getComputedStyle(paragraph).display).toBe('none')
})

it('elements match the same selectors as in jsdom', () => {
  const selectors = [
    ...[
      'input',
      'input[type="checkbox"]',
      'li',
      'table',
      'h1',
      'th',
      'th[scope="row"]',
      'a[href]',
      'a',
      'abbr',
      'svg',
      'path',
    ],
    ...['input:not([type])', 'select:not([multiple])', 'p.title', 'p#first', 'p, span', 'p span', 'div > em', 'b ~ i'],
    ...['[hidden]', '*', ':first-child', 'em,strong', 'INPUT', 'details[open]', 'button[disabled]'],
  ]
  /** For each element of the page, the selectors that it matches. */
  const matchesIn = ({ document }: Window) =>
    [...document.querySelectorAll('*')].map((element) => [
      element.outerHTML,
      ...selectors.filter((selector) => element.matches(selector)),
    ])
  const fast = windowWith(page)
  speedUpMatches(fast)
  expect(matchesIn(fast)).toEqual(matchesIn(windowWith(page)))
  expect(matchesIn(fast).flat()).toEqual(expect.arrayContaining(['input[type="checkbox"]', 'th', 'em,strong']))
})
