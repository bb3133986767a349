import { nameOf } from '@slipway/kube/object'
import { type Application, applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderElement } from '../../../test/render-element'
import { fakeIntersectionObserver } from '../../../test/fake-intersection-observer'
import { listQuery } from '../../api/queries'
import { type MoreRows, useList } from '../../api/source'
import type { Action } from '../action'
import { tablePreferences } from './columns'
import { ListTable } from './ListTable'
import type { Column, Filter } from './rows'

const objects = ['checkout', 'ledger', 'payments'].map((name) => anApplication({ metadata: { name } }))
const cell = vi.fn(nameOf)
const columns: Column<Application>[] = [
  { id: 'name', label: 'Name', isRowHeader: true, sortBy: nameOf, cell },
  { id: 'created', label: 'Created', sortBy: nameOf, firstDirection: 'desc', cell: () => '-' },
]
const filters: Filter<Application>[] = [{ id: 'name', label: 'name', text: nameOf }]

interface ApplicationsProps {
  label?: string
  urlKey?: string
  isRemembered?: boolean
  more?: MoreRows
  actions?: (row: Application) => Action[]
}
const Applications = ({ label = 'Applications', urlKey, isRemembered, more, actions }: ApplicationsProps) => (
  <ListTable
    label={label}
    source={{ ...useList(listQuery(applicationType, { namespace })), more }}
    columns={columns}
    filters={filters}
    empty={<p>None</p>}
    {...(urlKey && { urlKey })}
    {...(isRemembered && { preferences: tablePreferences('test-table') })}
    {...(more && { sourceSort: 'name' })}
    {...(actions && { actions })}
  />
)
const rows = (label = 'Applications') =>
  within(screen.getByRole('table', { name: label }))
    .queryAllByRole('rowheader')
    .map((header) => header.textContent)

it('ERR-03, ERR-28 says that a list does not exist', async () => {
  await renderElement(<Applications />, {
    prepare: (faults) =>
      void faults.intercept((path) =>
        path.includes('/applications') ? Response.json({ message: 'no such kind' }, { status: 404 }) : undefined,
      ),
  })
  expect(await screen.findByText('404: Not Found')).toBeVisible()
  expect(screen.getByText('no such kind')).toBeVisible()
  expect(screen.queryByText(/^Unable to load/)).not.toBeInTheDocument()
})

it('keeps what its toolbar holds while the first response is overdue', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const Waiting = () => (
    <ListTable
      label="Applications"
      source={{ ...useList(listQuery(applicationType, { namespace })), rows: undefined }}
      columns={columns}
      toolbar={<input aria-label="Name of the view" />}
      empty={<p>None</p>}
    />
  )
  await renderElement(<Waiting />)
  const field = await screen.findByRole('textbox', { name: 'Name of the view' })
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(await screen.findByText('Still waiting for applications')).toBeVisible()
  expect(screen.queryByRole('table')).not.toBeInTheDocument()
  expect(field).toBeVisible()
})

it('two tables on a page have separate parameters in the URL', async () => {
  const { user } = await renderElement(
    <>
      <Applications label="Left" urlKey="left" />
      <Applications label="Right" urlKey="right" />
    </>,
    { objects, query: '?left-name=led&right-sort=-name' },
  )
  await waitFor(() => expect(rows('Left')).toEqual(['ledger']))
  expect(rows('Right')).toEqual(['payments', 'ledger', 'checkout'])
  await user.click(within(screen.getByRole('table', { name: 'Left' })).getByRole('button', { name: 'Name' }))
  await waitFor(() => expect(location.search).toBe('?left-name=led&right-sort=-name&left-sort=-name'))
})

it('SNAP-23 remembers the order that was chosen last', async () => {
  const Twice = () => {
    const [visit, setVisit] = useState(1)
    return (
      <>
        <button
          type="button"
          onClick={() => {
            history.replaceState(null, '', '/')
            setVisit(visit + 1)
          }}
        >
          Come back
        </button>
        <Applications key={visit} isRemembered />
      </>
    )
  }
  const { user } = await renderElement(<Twice />, { objects })
  await waitFor(() => expect(rows()).toEqual(['checkout', 'ledger', 'payments']))
  await user.click(screen.getByRole('button', { name: 'Name' }))
  await waitFor(() => expect(location.search).toBe('?sort=-name'))
  await user.click(screen.getByRole('button', { name: 'Come back' }))
  await waitFor(() => expect(location.search).toBe(''))
  expect(rows()).toEqual(['payments', 'ledger', 'checkout'])
  await user.click(screen.getByRole('button', { name: 'Name' }))
  await waitFor(() => expect(rows()).toEqual(['checkout', 'ledger', 'payments']))
  expect(localStorage.getItem('test-table-sort')).toBeNull()
})

it('sorts by time with the latest first', async () => {
  const { user } = await renderElement(<Applications />, { objects })
  await waitFor(() => expect(rows()).toEqual(['checkout', 'ledger', 'payments']))
  await user.click(screen.getByRole('button', { name: 'Created' }))
  await waitFor(() => expect(rows()).toEqual(['payments', 'ledger', 'checkout']))
})

it('says that only loaded rows are sorted, if the order is not that of the source', async () => {
  const { reach } = fakeIntersectionObserver()
  const load = vi.fn()
  const { user } = await renderElement(<Applications more={{ isLoading: false, load }} />, { objects })
  expect(await screen.findByText('3 loaded')).toBeVisible()
  reach()
  expect(load).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Created' }))
  expect(await screen.findByText('3 loaded: only these are sorted')).toBeVisible()
  // New rows could be inserted anywhere, so they are loaded on demand.
  reach()
  expect(load).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  expect(load).toHaveBeenCalledTimes(2)
})

it('reads the actions of a row when its menu opens, and renders no row for others', async () => {
  const Renamed = () => {
    const [count, setCount] = useState(0)
    return (
      <>
        <button type="button" onClick={() => setCount(count + 1)}>
          Rename
        </button>
        <Applications actions={(row) => [{ label: `Action ${count} of ${nameOf(row)}`, onSelect: () => undefined }]} />
      </>
    )
  }
  const { user } = await renderElement(<Renamed />, { objects })
  await waitFor(() => expect(rows()).toHaveLength(3))
  cell.mockClear()
  await user.click(screen.getByRole('button', { name: 'Rename' }))
  expect(cell).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Actions for ledger' }))
  expect(await screen.findByRole('menuitem', { name: 'Action 1 of ledger' })).toBeVisible()
})
