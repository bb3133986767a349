import { expect, it } from 'vitest'
import type { Answer } from './answers'
import { parseSheets } from './critical-css'
import { createPageContent } from './page-content'

const page = (content: string) => `<header class="h">x</header><main class="m" id="content">${content}</main>`

const answer: Answer = {
  method: 'GET',
  path: '/api/k8s/api/v1/namespaces',
  body: undefined,
  status: 200,
  headers: {},
  text: '{}',
}

function contentOf(html: string, { sheet = '', answers = [answer] } = {}): string {
  const stored = { 'a"b': '<x>' }
  return createPageContent(html, { sheets: parseSheets([sheet]), script: 'show()', nonce: 'n', answers, stored })
}

const parsed = (text: string) => new DOMParser().parseFromString(text, 'text/html')

it('has the content of the page, the styles of the whole page, and what it was rendered from', () => {
  const html = contentOf(page('<h1 style="top:0" data-ouia-x="1">Runs</h1>'), {
    sheet: '.h{top:1px}h1{top:2px}.z{top:3px}',
  })
  const document = parsed(html)
  expect(document.querySelector('template')?.innerHTML).toBe('<h1 data-style="0">Runs</h1>')
  expect(document.querySelector('style')?.textContent).toBe('.h{top:1px}h1{top:2px}#root [data-style="0"]{top:0}')
  expect(JSON.parse(document.getElementById('slipway-answers')?.textContent ?? '')).toEqual([answer])
  expect(JSON.parse(document.querySelector('script')?.dataset.stored ?? '')).toEqual({ 'a"b': '<x>' })
  // Nothing else is inline, and each piece has the nonce of the response.
  for (const piece of document.querySelectorAll<HTMLElement>('style, script:not([type])')) expect(piece.nonce).toBe('n')
  expect(document.querySelectorAll('style, script')).toHaveLength(3)
})

it('nothing that others wrote ends its script or its template', () => {
  const hostile = '</script></template><!--<script>alert(1)//<img src=x onerror=alert(1)>'
  const escaped = hostile.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const document = parsed(
    contentOf(page(`<h1>${escaped}</h1>`), { answers: [{ ...answer, text: hostile, path: hostile }] }),
  )
  expect(document.querySelectorAll('script')).toHaveLength(2)
  expect(document.querySelector('img')).toBeNull()
  expect(document.querySelector('template')?.content.textContent).toBe(hostile)
  expect(JSON.parse(document.getElementById('slipway-answers')?.textContent ?? '')).toEqual([
    { ...answer, text: hostile, path: hostile },
  ])
})

it('leaves out failures, which the page itself asks for again', () => {
  const document = parsed(contentOf(page('x'), { answers: [{ ...answer, status: 403 }] }))
  expect(document.getElementById('slipway-answers')?.textContent).toBe('[]')
})

it('is empty if the page was rendered from too much', () => {
  expect(contentOf(page('x'), { answers: [{ ...answer, text: 'x'.repeat(2 ** 20) }] })).toBe('')
})
