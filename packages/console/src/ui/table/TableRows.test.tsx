import { Table } from '@patternfly/react-table'
import { nameOf } from '@slipway/kube/object'
import type { Application } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { render, screen } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { objectRows } from '../../api/source'
import { noIds, withDetails } from './row-ids'
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

it('a row with truncated text is a tab stop only if nothing else in it is', () => {
  const width = vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(100)
  onTestFinished(() => width.mockRestore())
  const table = (isLink: boolean) => {
    const columns: Column<Application>[] = [
      { id: 'name', label: 'Name', cell: (row) => (isLink ? <a href={nameOf(row)}>{nameOf(row)}</a> : nameOf(row)) },
      { id: 'text', label: 'Text', cell: () => 'A sentence' },
    ]
    return (
      <Table aria-label="Applications">
        <TableRows items={rows.slice(0, 1)} kind={objectRows} columns={columns} at={undefined} actions={undefined} />
      </Table>
    )
  }
  const tabIndexes = () => screen.getAllByRole('cell').map(({ tabIndex }) => tabIndex)
  const { rerender } = render(table(false))
  expect(tabIndexes()).toEqual([0, -1])
  rerender(table(true))
  expect(tabIndexes()).toEqual([-1, -1])
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

describe('rows of a long table, whose heights are measured', () => {
  const many = Array.from({ length: 150 }, (_, index) =>
    anApplication({ metadata: { name: `app-${index}`, uid: `app-${index}` } }),
  )
  const name: Column<Application> = { id: 'name', label: 'Name', cell: nameOf }
  const table = (rows: Application[], column: Column<Application>, expanded?: ReadonlySet<string>) => (
    <div style={{ overflowY: 'auto' }}>
      <Table aria-label="Applications">
        <TableRows
          items={withDetails(rows, { kind: objectRows, expanded: expanded ?? noIds, details: nameOf, at: undefined })}
          kind={objectRows}
          columns={[column]}
          at={undefined}
          actions={undefined}
          details={expanded && nameOf}
          expanded={expanded ?? noIds}
        />
      </Table>
    </div>
  )
  /** Returns how many rows have been measured since the last call. */
  function countMeasurements(): () => number {
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(50)
    const read = vi.spyOn(Element.prototype, 'getAttribute')
    return () => {
      const rows = read.mock.contexts.filter((_, at) => read.mock.calls[at]?.[0] === 'data-index')
      read.mockClear()
      return new Set(rows).size
    }
  }

  it('rows of one line are never measured, and are as high as the first one', async () => {
    const measurements = countMeasurements()
    const { rerender, container } = render(table(many, name))
    await screen.findByRole('row', { name: 'app-3' })
    const gap = () => container.querySelector<HTMLElement>('.slipway-table__gap')?.style.height
    expect(gap()).toBe(`${(150 - 600 / 50 - 10) * 50}px`)
    rerender(table([anApplication({ metadata: { name: 'new', uid: 'new' } }), ...many], name))
    expect(screen.getByRole('row', { name: 'new' })).toBeVisible()
    expect(measurements()).toBe(0)
  })

  it('of rows of one line, only the details are measured', async () => {
    const measurements = countMeasurements()
    render(table(many, name, new Set(['app-1', 'app-2'])))
    await screen.findByRole('row', { name: /app-3$/ })
    expect(measurements()).toBe(2)
  })

  it('rows of several lines are measured when they appear, and not again when their object changes', async () => {
    const measurements = countMeasurements()
    const { rerender } = render(table(many, { ...name, wraps: true }))
    await screen.findByRole('row', { name: 'app-3' })
    expect(measurements()).toBeGreaterThan(20)
    const changed = anApplication({ metadata: { name: 'new', uid: 'app-3' } })
    rerender(
      table(
        many.map((row, index) => (index === 3 ? changed : row)),
        { ...name, wraps: true },
      ),
    )
    expect(screen.getByRole('row', { name: 'new' })).toBeVisible()
    expect(measurements()).toBe(0)
  })

  it('cards are measured', async () => {
    const measurements = countMeasurements()
    const media = matchMedia
    const narrow = vi.spyOn(globalThis, 'matchMedia')
    narrow.mockImplementation((query) => Object.assign(media(query), { matches: query === '(width < 48rem)' }))
    onTestFinished(() => narrow.mockRestore())
    render(table(many, name))
    await screen.findByRole('row', { name: 'app-3' })
    expect(measurements()).toBeGreaterThan(20)
  })
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
