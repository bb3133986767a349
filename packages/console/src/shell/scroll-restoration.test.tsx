import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { createMemoryRouter, type InitialEntry, Link, Outlet, RouterProvider } from 'react-router'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { useScrollRestoration } from './scroll-restoration'

beforeEach(() => {
  vi.useFakeTimers()
  sessionStorage.clear()
})

/** jsdom has no layout, so each test sets the height of the scrolling element. */
let highest = 1_000
const tops = new WeakMap<Element, number>()
const scrollTop = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollTop') ?? {}
beforeAll(() => {
  Object.defineProperty(Element.prototype, 'scrollTop', {
    configurable: true,
    get(this: Element) {
      return tops.get(this) ?? 0
    },
    set(this: Element, next: number) {
      tops.set(this, Math.min(next, highest))
    },
  })
})
afterAll(() => void Object.defineProperty(Element.prototype, 'scrollTop', scrollTop))

function Frame() {
  const scroller = useRef<HTMLElement>(null)
  useScrollRestoration(scroller)
  return (
    <main ref={scroller}>
      <Outlet />
    </main>
  )
}

function List() {
  const [rows, setRows] = useState(1)
  return (
    <>
      <button onClick={() => setRows(rows + 1)}>More</button>
      {Array.from({ length: rows }, (_, row) => (
        <p key={row}>{row}</p>
      ))}
      <Link to="/list/one">One</Link>
      <Link to="?filter=x">Filter</Link>
    </>
  )
}

/** @param entries of the tab's history, the last of which is shown */
function show({ entries = ['/list'] }: { entries?: InitialEntry[] } = {}) {
  highest = 1_000
  const pages = [
    { path: '/list', Component: List },
    { path: '/list/one', element: <p>One of them</p> },
  ]
  const router = createMemoryRouter([{ Component: Frame, children: pages }], { initialEntries: entries })
  const visited: InitialEntry[] = [router.state.location]
  router.subscribe(({ historyAction, location }) => historyAction === 'PUSH' && void visited.push(location))
  const { unmount } = render(<RouterProvider router={router} />)
  const main = screen.getByRole('main')
  const scrollTo = (next: number) => {
    main.scrollTop = next
    fireEvent.scroll(main)
  }
  const follow = (name: string) => act(async () => void fireEvent.click(screen.getByRole('link', { name })))
  const back = () => act(() => router.navigate(-1))
  return { main, scrollTo, follow, back, unmount, visited }
}

it('starts a new page at the top, and restores the position on Back', async () => {
  const { main, scrollTo, follow, back } = show()
  scrollTo(700)
  await follow('One')
  expect(main.scrollTop).toBe(0)
  scrollTo(50)
  await back()
  expect(main.scrollTop).toBe(700)
})

it('keeps the position when only the query changes', async () => {
  const { main, scrollTo, follow } = show()
  scrollTo(700)
  await follow('Filter')
  expect(main.scrollTop).toBe(700)
})

it('waits for rows that are rendered later', async () => {
  const { main, scrollTo, follow, back } = show()
  scrollTo(700)
  await follow('One')
  highest = 300
  await back()
  expect(main.scrollTop).toBe(300)
  highest = 1_000
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'More' })))
  expect(main.scrollTop).toBe(700)
})

it('restores a position whose rows take seconds to arrive', async () => {
  const { main, scrollTo, follow, back } = show()
  scrollTo(700)
  await follow('One')
  highest = 300
  await back()
  vi.advanceTimersByTime(10_000)
  highest = 1_000
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'More' })))
  expect(main.scrollTop).toBe(700)
})

it('restores the position of a list after a reload in between', async () => {
  const history = show()
  history.scrollTo(700)
  await history.follow('One')
  fireEvent(window, new Event('pagehide'))
  history.unmount()
  const { main, follow, back } = show({ entries: history.visited })
  expect(main.scrollTop).toBe(0)
  await back()
  expect(main.scrollTop).toBe(700)
  await follow('One')
  expect(main.scrollTop).toBe(0)
})

it.each([
  ['restores the position after a reload of the page', 'reload', 700],
  ['starts at the top when the page is opened again', 'navigate', 0],
])('%s', (_, type, expected) => {
  const first = show()
  first.scrollTo(700)
  fireEvent(window, new Event('pagehide'))
  first.unmount()
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming])
  const { main } = show({ entries: first.visited })
  expect(main.scrollTop).toBe(expected)
  vi.restoreAllMocks()
})

it.each([
  ['the user scrolls', (main: HTMLElement) => void fireEvent.wheel(main)],
  ['the time limit has passed', () => void vi.advanceTimersByTime(15_000)],
])('stops waiting once %s', async (_, happen) => {
  const { main, scrollTo, follow, back } = show()
  scrollTo(700)
  await follow('One')
  highest = 300
  await back()
  happen(main)
  highest = 1_000
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'More' })))
  expect(main.scrollTop).toBe(300)
})
