import { createMemoryRouter, type RouteObject } from 'react-router'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { startPrefetch } from './prefetch-screens'

// jsdom has no idle callbacks, like Safari.
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  document.body.innerHTML = ''
})

/** The screens whose code was loaded, on a page with this HTML. */
function scene(html: string) {
  const loaded: string[] = []
  const screen = (path: string): RouteObject => ({
    path,
    lazy: async () => {
      loaded.push(path)
      return path === '/broken' ? Promise.reject(new Error('It is gone.')) : { element: null }
    },
  })
  const paths = ['/runs/:name', '/runs/:name/logs', '/broken', '/others']
  const router = createMemoryRouter([{ path: '/', element: null }, ...paths.map(screen)])
  document.body.innerHTML = `<main>${html}</main>`
  onTestFinished(startPrefetch(router))
  return { loaded, router }
}

const link = (path: string) => `<a href="${path}"><b>${path}</b></a>`

it.each(['pointerover', 'focusin'])('loads the screen of a link with %s, whose load may fail', async (event) => {
  const { loaded } = scene(link('/runs/a/logs') + link('/broken') + link('https://elsewhere.test/others'))
  for (const text of document.querySelectorAll('b')) text.dispatchEvent(new Event(event, { bubbles: true }))
  document.dispatchEvent(new Event(event))
  await vi.advanceTimersByTimeAsync(0)
  expect(loaded).toEqual(['/runs/:name/logs', '/broken'])
})

it('loads the screens that a page leads to once it has its data, of rows those of the first', async () => {
  const table = `<table><tbody><tr><td>${link('/runs/a')}</td></tr><tr><td>${link('/others')}</td></tr></tbody></table>`
  const { loaded } = scene(`<div aria-busy="true"></div>${table}`)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(loaded).toEqual([])
  document.querySelector('[aria-busy]')?.remove()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(loaded).toEqual(['/runs/:name'])
})

it('looks again after a navigation', async () => {
  const { loaded, router } = scene('')
  await vi.advanceTimersByTimeAsync(2_000)
  await router.navigate('/others')
  document.body.innerHTML = `<main>${link('/runs/a')}</main>`
  await vi.advanceTimersByTimeAsync(2_000)
  expect(loaded).toEqual(['/others', '/runs/:name'])
})

it('loads nothing ahead for users who save data', async () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  const { loaded } = scene(link('/runs/a'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(loaded).toEqual([])
})
