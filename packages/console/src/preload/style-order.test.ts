import { afterEach, expect, it } from 'vitest'
import { moveSheetIntoHead } from './style-order'

afterEach(() => {
  document.head.replaceChildren()
  document.body.replaceChildren()
})

const sheets = () =>
  [...document.querySelectorAll('link')].map((link) => [link.parentNode?.nodeName, link.getAttribute('href')])

it('the style sheet of the frame comes before those that are added later, and never goes before it has its new place', () => {
  document.head.innerHTML = '<title>Slipway</title><style id="slipway-critical"></style>'
  document.body.innerHTML = '<div id="root"></div><link rel="stylesheet" crossorigin href="/assets/index.css">'
  moveSheetIntoHead()
  document.head.insertAdjacentHTML('beforeend', '<link rel="stylesheet" href="/assets/part.css">')
  expect(sheets()).toEqual([
    ['HEAD', '/assets/index.css'],
    ['HEAD', '/assets/part.css'],
    ['BODY', '/assets/index.css'],
  ])
  expect(document.querySelector('link')?.previousElementSibling?.id).toBe('slipway-critical')
  document.querySelector('link')?.dispatchEvent(new Event('load'))
  expect(sheets()).toEqual([
    ['HEAD', '/assets/index.css'],
    ['HEAD', '/assets/part.css'],
  ])
})

it('a document with its style sheet in the head stays as it is', () => {
  document.head.innerHTML = '<link rel="stylesheet" href="/assets/index.css">'
  moveSheetIntoHead()
  expect(sheets()).toEqual([['HEAD', '/assets/index.css']])
})
