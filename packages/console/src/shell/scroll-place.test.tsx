import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { createMemoryRouter, Link, Outlet, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useScrollPlace } from './scroll-place'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** jsdom lays nothing out: what scrolls is as high as a test says. */
let highest = 1_000

function Frame() {
  const scroller = useRef<HTMLElement>(null)
  useScrollPlace(scroller)
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

function show() {
  highest = 1_000
  const pages = [
    { path: '/list', Component: List },
    { path: '/list/one', element: <p>One of them</p> },
  ]
  const router = createMemoryRouter([{ Component: Frame, children: pages }], { initialEntries: ['/list'] })
  render(<RouterProvider router={router} />)
  const main = screen.getByRole('main')
  let top = 0
  Object.defineProperty(main, 'scrollTop', {
    get: () => top,
    set: (next: number) => (top = Math.min(next, highest)),
  })
  const scrollTo = (next: number) => {
    main.scrollTop = next
    fireEvent.scroll(main)
  }
  const follow = (name: string) => act(async () => void fireEvent.click(screen.getByRole('link', { name })))
  const back = () => act(() => router.navigate(-1))
  return { main, scrollTo, follow, back }
}

it('begins a new page at its top, and is where it was on the way back', async () => {
  const { main, scrollTo, follow, back } = show()
  scrollTo(700)
  await follow('One')
  expect(main.scrollTop).toBe(0)
  scrollTo(50)
  await back()
  expect(main.scrollTop).toBe(700)
})

it('stays where it is when only the query changes', async () => {
  const { main, scrollTo, follow } = show()
  scrollTo(700)
  await follow('Filter')
  expect(main.scrollTop).toBe(700)
})

it('waits for rows that are drawn later', async () => {
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

it.each([
  ['somebody scrolls', (main: HTMLElement) => void fireEvent.wheel(main)],
  ['it has waited long enough', () => void vi.advanceTimersByTime(2_000)],
])('waits no longer once %s', async (_, happen) => {
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
