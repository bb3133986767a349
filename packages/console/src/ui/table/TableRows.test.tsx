import { Table } from '@patternfly/react-table'
import { nameOf } from '@slipway/kube/object'
import type { Application } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { objectRows } from '../../api/source'
import { withDetails } from './row-ids'
import type { Column } from './rows'
import { TableRows } from './TableRows'

const rows = ['a', 'b', 'c'].map((name) => anApplication({ metadata: { name, uid: name } }))

it('renders only the rows again whose objects have changed', () => {
  const cell = vi.fn(nameOf)
  const columns: Column<Application>[] = [{ id: 'name', label: 'Name', cell }]
  const table = (rows: Application[]) => (
    <Table aria-label="Applications">
      <TableRows items={rows} kind={objectRows} columns={columns} at={undefined} actions={undefined} />
    </Table>
  )
  const { rerender } = render(table(rows))
  expect(cell).toHaveBeenCalledTimes(3)
  cell.mockClear()
  const changed = anApplication({ metadata: { name: 'b-changed', uid: 'b' } })
  rerender(table(rows.map((row) => (row === rows[1] ? changed : row))))
  expect(screen.getByText('b-changed')).toBeVisible()
  expect(cell.mock.calls.map(([row]) => nameOf(row))).toEqual(['b-changed'])
})

it('the cells of a column of sentences wrap, and no others', () => {
  const columns: Column<Application>[] = [
    { id: 'name', label: 'Name', cell: nameOf },
    { id: 'text', label: 'Text', wraps: true, cell: () => 'A sentence' },
  ]
  render(
    <Table aria-label="Applications">
      <TableRows items={rows.slice(0, 1)} kind={objectRows} columns={columns} at={undefined} actions={undefined} />
    </Table>,
  )
  expect(screen.getByRole('cell', { name: 'A sentence' })).toHaveClass('slipway-table__wraps')
  expect(screen.getByRole('cell', { name: 'a' })).not.toHaveClass('slipway-table__wraps')
})

it('adding a row removes no other row, not even for a moment', () => {
  const columns: Column<Application>[] = [
    { id: 'name', label: 'Name', cell: (row) => <a href={nameOf(row)}>{nameOf(row)}</a> },
  ]
  const table = (rows: Application[]) => (
    <Table aria-label="Applications">
      <TableRows items={rows} kind={objectRows} columns={columns} at={undefined} actions={undefined} />
    </Table>
  )
  const { rerender } = render(table(rows))
  const last = screen.getByRole('link', { name: 'c' })
  last.focus()
  rerender(table([anApplication({ metadata: { name: 'new', uid: 'new' } }), ...rows]))
  expect(screen.getByRole('link', { name: 'new' })).toBeVisible()
  expect(last).toHaveFocus()
})

it('LIST-20 renders only the visible rows and ten more, each with its index', async () => {
  // jsdom has no layout.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(50)
  const many = Array.from({ length: 150 }, (_, index) =>
    anApplication({ metadata: { name: `app-${index}`, uid: `app-${index}` } }),
  )
  const columns: Column<Application>[] = [{ id: 'name', label: 'Name', cell: nameOf }]
  render(
    <div style={{ overflowY: 'auto' }}>
      <Table aria-label="Applications">
        <TableRows items={many} kind={objectRows} columns={columns} at={undefined} actions={undefined} />
      </Table>
    </div>,
  )
  const row = await screen.findByRole('row', { name: 'app-3' })
  expect(row).toHaveAttribute('aria-rowindex', '5')
  expect(screen.getAllByRole('row')).toHaveLength(600 / 50 + 10)
  expect(screen.queryByText('app-149')).not.toBeInTheDocument()
})

it('a long table measures a row when it appears, and not again when its object changes', async () => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(50)
  const many = Array.from({ length: 150 }, (_, index) =>
    anApplication({ metadata: { name: `app-${index}`, uid: `app-${index}` } }),
  )
  const columns: Column<Application>[] = [{ id: 'name', label: 'Name', cell: nameOf }]
  const table = (rows: Application[]) => (
    <div style={{ overflowY: 'auto' }}>
      <Table aria-label="Applications">
        <TableRows items={rows} kind={objectRows} columns={columns} at={undefined} actions={undefined} />
      </Table>
    </div>
  )
  const measured = vi.spyOn(Element.prototype, 'getAttribute')
  const { rerender } = render(table(many))
  await screen.findByRole('row', { name: 'app-3' })
  const measuredIndexes = () => measured.mock.calls.filter(([name]) => name === 'data-index').length
  expect(measuredIndexes()).toBeGreaterThan(0)
  measured.mockClear()
  rerender(
    table(many.map((row, index) => (index === 3 ? anApplication({ metadata: { name: 'new', uid: 'app-3' } }) : row))),
  )
  expect(screen.getByRole('row', { name: 'new' })).toBeVisible()
  expect(measuredIndexes()).toBe(0)
})

it('a long table keeps the scroll position of the page', () => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  Element.prototype.scrollTo ??= () => undefined
  const many = Array.from({ length: 150 }, (_, index) =>
    anApplication({ metadata: { name: `app-${index}`, uid: `app-${index}` } }),
  )
  const columns: Column<Application>[] = [{ id: 'name', label: 'Name', cell: nameOf }]
  const page = (isShown: boolean) => (
    <main style={{ overflowY: 'auto' }}>
      {isShown && (
        <Table aria-label="Applications">
          <TableRows items={many} kind={objectRows} columns={columns} at={undefined} actions={undefined} />
        </Table>
      )}
    </main>
  )
  const { rerender } = render(page(false))
  const main = screen.getByRole('main')
  main.scrollTop = 700
  const scrolled = vi.spyOn(main, 'scrollTo')
  rerender(page(true))
  expect(scrolled).not.toHaveBeenCalledWith(expect.objectContaining({ top: 0 }))
})

it('a long table measures the details of a row separately, and counts them as rows', async () => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(50)
  const many = Array.from({ length: 150 }, (_, index) =>
    anApplication({ metadata: { name: `app-${index}`, uid: `app-${index}` } }),
  )
  const columns: Column<Application>[] = [{ id: 'name', label: 'Name', cell: nameOf }]
  const details = (row: Application) => nameOf(row) !== 'app-2' && `all about ${nameOf(row)}`
  const expanded = new Set(['app-1', 'app-2'])
  render(
    <div style={{ overflowY: 'auto' }}>
      <Table aria-label="Applications">
        <TableRows
          items={withDetails(many, { kind: objectRows, expanded, details, at: undefined })}
          kind={objectRows}
          columns={columns}
          at={undefined}
          actions={undefined}
          details={details}
          expanded={expanded}
        />
      </Table>
    </div>,
  )
  expect(await screen.findByRole('row', { name: 'all about app-1' })).toHaveAttribute('aria-rowindex', '4')
  expect(screen.getByRole('row', { name: 'app-2' })).toHaveAttribute('aria-rowindex', '5')
  expect(screen.getByRole('row', { name: /app-3$/ })).toHaveAttribute('aria-rowindex', '6')
  expect(screen.getByRole('button', { name: 'Details of app-1', expanded: true })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Details of app-2' })).not.toBeInTheDocument()
})
