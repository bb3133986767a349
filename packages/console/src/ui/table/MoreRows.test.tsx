import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { fakeIntersectionObserver } from '../../../test/fake-intersection-observer'
import { renderElement } from '../../../test/render-element'
import { MoreRows } from './MoreRows'
import type { RowKind, Source } from '../../api/source'
import { ListTable } from './ListTable'
import type { Column, Filter } from './rows'

interface Ship {
  name: string
}
const kind: RowKind<Ship> = { idOf: ({ name }) => name, nameOf: ({ name }) => name, isBeingDeleted: () => false }
const source: Source<Ship> = {
  name: 'ships',
  rows: undefined,
  kind,
  error: null,
  missing: [],
  freshness: [],
  isFetching: false,
  retry: () => undefined,
}

it('LIST-21 loads more when the end of the rows comes near, one request at a time', () => {
  const { reach } = fakeIntersectionObserver()
  const load = vi.fn()
  const { rerender } = render(<MoreRows isLoading={false} load={load} />)
  expect(load).not.toHaveBeenCalled()
  reach()
  expect(load).toHaveBeenCalledOnce()
  rerender(<MoreRows isLoading load={load} />)
  expect(screen.getByRole('progressbar', { name: 'Loading more' })).toBeVisible()
  reach()
  expect(load).toHaveBeenCalledOnce()
  rerender(<MoreRows isLoading={false} load={load} />)
  reach()
  expect(load).toHaveBeenCalledTimes(2)
})

it('loads nothing automatically if the end is near only because a filter hides rows', async () => {
  const { reach } = fakeIntersectionObserver()
  const load = vi.fn()
  const names: Column<{ name: string }>[] = [{ id: 'name', label: 'Name', isRowHeader: true, cell: ({ name }) => name }]
  const filters: Filter<{ name: string }>[] = [{ id: 'name', label: 'name', text: ({ name }) => name }]
  await renderElement(
    <ListTable
      label="Ships"
      source={{ ...source, rows: [{ name: 'ebba' }, { name: 'vega' }], more: { isLoading: false, load } }}
      columns={names}
      filters={filters}
      empty={<p>None</p>}
    />,
    { query: '?name=vega' },
  )
  expect(await screen.findByText('1 of 2 loaded')).toBeVisible()
  reach()
  expect(load).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  expect(load).toHaveBeenCalledOnce()
  await userEvent.clear(screen.getByRole('textbox', { name: 'Filter by name' }))
  await screen.findByText('2 loaded')
  reach()
  expect(load).toHaveBeenCalledTimes(2)
})

it('does not say that no results exist while rows that are not loaded may match', async () => {
  fakeIntersectionObserver()
  await renderElement(
    <ListTable
      label="Ships"
      source={{ ...source, rows: [{ name: 'ebba' }], more: { isLoading: false, load: () => undefined } }}
      columns={[{ id: 'name', label: 'Name', isRowHeader: true, cell: ({ name }: { name: string }) => name }]}
      filters={[{ id: 'name', label: 'name', text: ({ name }: { name: string }) => name }]}
      empty={<p>None</p>}
    />,
    { query: '?name=vega' },
  )
  expect(await screen.findByRole('heading', { name: 'No loaded results match' })).toBeVisible()
  expect(screen.queryByText('No results found')).not.toBeInTheDocument()
})

it('loads more by its button', async () => {
  fakeIntersectionObserver()
  const load = vi.fn()
  render(<MoreRows isLoading={false} load={load} />)
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  expect(load).toHaveBeenCalledOnce()
})
