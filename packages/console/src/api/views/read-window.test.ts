import { afterEach, expect, it, vi } from 'vitest'
import { preload } from '../preloaded-responses'
import { windowPath } from './given-window'
import { firstWindow } from './read-window'

const query = { kind: 'pipelineruns', namespaces: ['team-a'], limit: 10 }
const path = `${windowPath}${new URLSearchParams({ query: JSON.stringify(query) }).toString()}`

afterEach(() => {
  globalThis.slipwayPreloaded = undefined
})

it('the first window is the one that was requested with the page', async () => {
  preload(path, {}, async () => Response.json({ total: 3 }))
  expect(await firstWindow(query)).toMatchObject({ total: 3 })
  expect(await firstWindow(query)).toBeUndefined()
})

it.each([
  ['is denied', async () => new Response(null, { status: 403 })],
  ['failed', () => Promise.reject(new TypeError('no network'))],
])('there is no first window if its request %s', async (_, send) => {
  preload(path, {}, send)
  expect(await firstWindow(query)).toBeUndefined()
})

it('a service that does not respond holds a page up for two seconds only', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  preload(path, {}, () => new Promise(() => {}))
  const first = vi.fn<(view: unknown) => void>()
  void firstWindow(query).then(first)
  await vi.advanceTimersByTimeAsync(1_900)
  expect(first).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(100)
  expect(first).toHaveBeenCalledWith(undefined)
})
