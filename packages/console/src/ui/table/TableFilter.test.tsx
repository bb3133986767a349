import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { queryClient } from '../../api/query-client'
import { type RowKind, useFixed } from '../../api/source'
import { ListTable } from './ListTable'
import type { Column, Filter } from './rows'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

const shipRows: RowKind<{ name: string }> = {
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  isBeingDeleted: () => false,
}
const columns: Column<{ name: string }>[] = [{ id: 'name', label: 'Name', isRowHeader: true, cell: shipRows.nameOf }]
const filters: Filter<{ name: string }>[] = [{ id: 'name', label: 'name', text: shipRows.nameOf }]
const fleet = ['ebba', 'vega'].map((name) => ({ name }))

const Ships = () => (
  <main>
    <ListTable
      label="Ships"
      source={useFixed(fleet, shipRows)}
      columns={columns}
      filters={filters}
      empty={<p>None</p>}
    />
  </main>
)

function show() {
  history.replaceState(null, '', '/ships')
  const router = createBrowserRouter([
    { path: '/ships', element: <Ships /> },
    { path: '/harbour', element: <p>Harbour</p> },
  ])
  onTestFinished(() => router.dispose())
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return router
}
const field = () => screen.getByRole('textbox', { name: 'Filter by name' })
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const names = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
/** The URL is updated no more often than browsers allow. */
const written = () => pass(100)
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

it('LIST-01, LIST-02 filters the rows with each key, and updates the URL once typing has paused for 600 ms', async () => {
  show()
  expect(field()).toHaveAttribute('placeholder', 'Filter by name...')
  type('v')
  expect(names()).toEqual(['vega'])
  await pass(599)
  type('vx')
  expect(names()).toEqual([])
  await pass(599)
  expect(location.search).toBe('')
  expect(field()).toHaveValue('vx')
  await pass(1)
  await written()
  expect(location.search).toBe('?name=vx')
})

it('LIST-02 updates the URL immediately on Enter, and when the filter is cleared', async () => {
  show()
  type('ebba')
  fireEvent.keyDown(field(), { key: 'Enter' })
  await written()
  expect(location.search).toBe('?name=ebba')
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter by name' }))
  await written()
  expect(location.search).toBe('')
  expect(names()).toEqual(['ebba', 'vega'])
})

it('LIST-02 does not change the URL of another page', async () => {
  const router = show()
  type('ebba')
  await act(() => router.navigate('/harbour'))
  await pass(650)
  expect(screen.getByText('Harbour')).toBeVisible()
  expect(location.search).toBe('')
})
