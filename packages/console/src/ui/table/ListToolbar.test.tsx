import { nameOf } from '@slipway/kube/object'
import { type Application, applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it, test, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderElement } from '../../../test/render-element'
import { setFlag } from '../../api/flags/flags'
import { listQuery } from '../../api/queries'
import { useList } from '../../api/source'
import { stored } from '../../lib/stored'
import type { Action } from '../action'
import { noPreferences, parseColumnIds, type TablePreferences } from './columns'
import { ListTable } from './ListTable'
import type { Column, Filter } from './rows'

const labelled = (name: string, annotations: Record<string, string>) =>
  anApplication({ metadata: { name, annotations } })
const objects = [
  labelled('checkout', { tier: 'web', team: 'a' }),
  labelled('ledger', { tier: 'back', team: 'b' }),
  labelled('payments', { tier: 'back', team: 'a,b' }),
]
/** The maximum number of values without a search. */
const tiers = ['web', 'back', 'data', ...Array.from({ length: 7 }, (_, index) => `tier-${index}`)]
const of = (label: string) => (row: Application) => row.metadata.annotations?.[label]
const filters: Filter<Application>[] = [
  { id: 'name', label: 'name', text: nameOf },
  { id: 'tier', label: 'Tier', values: tiers, choices: of('tier') },
  { id: 'team', label: 'Team', choices: of('team') },
]
const name: Column<Application> = {
  id: 'name',
  label: 'Name',
  isRowHeader: true,
  width: 20,
  sortBy: nameOf,
  cell: nameOf,
}
const others = (count: number): Column<Application>[] =>
  Array.from({ length: count }, (_, index) => ({ id: `c${index}`, label: `Column ${index}`, cell: () => index }))

interface TestTableProps {
  columns: Column<Application>[]
  preferences?: TablePreferences
  actions?: (row: Application) => Action[]
}
const TestTable = (props: TestTableProps) => (
  <ListTable
    label="Applications"
    source={useList(listQuery(applicationType, { namespace }))}
    filters={filters}
    empty={<p>Nothing</p>}
    {...props}
  />
)
const table = (
  columns: Column<Application>[] = [name],
  chosen?: TablePreferences['columns'],
  actions?: TestTableProps['actions'],
) => (
  <TestTable
    columns={columns}
    {...(chosen && { preferences: { ...noPreferences, columns: chosen } })}
    {...(actions && { actions })}
  />
)
const names = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
const shown = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))
// Includes headers behind a dialog, which hides the rest of the page.
const headers = () => screen.getAllByRole('columnheader', { hidden: true }).map((cell) => cell.textContent)

/** Violations except colour contrast, which needs a browser's layout. */
const violations = async (element: Element) =>
  (await axe.run(element, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } })).violations

describe('a group of checkboxes', () => {
  it('LIST-04, LIST-05 counts each value, shows the rows of the selected ones, and shows each as a chip', async () => {
    const { user } = await renderElement(table(), { objects })
    await shown('checkout', 'ledger', 'payments')
    const toggle = screen.getByRole('button', { name: 'Tier' })
    await user.click(toggle)
    const boxes = await screen.findAllByRole('menuitem')
    const texts = boxes.map((box) => box.textContent?.replace(/\s+/g, ' '))
    expect(texts).toEqual(['web 1', 'back 2'])
    await user.click(within(screen.getByRole('menu')).getByRole('checkbox', { name: /^back/ }))
    await shown('ledger', 'payments')
    await waitFor(() => expect(location.search).toBe('?tier=back'))
    await user.click(within(screen.getByRole('menu')).getByRole('checkbox', { name: /^web/ }))
    await shown('checkout', 'ledger', 'payments')
    const chips = within(screen.getByRole('list', { name: 'Tier' }))
    expect(chips.getAllByRole('listitem').map((chip) => chip.textContent)).toEqual(['back', 'web'])
    await user.click(chips.getByRole('button', { name: 'Close back' }))
    await shown('checkout')
    await waitFor(() => expect(location.search).toBe('?tier=web'))
    expect(toggle).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Close label group Tier' }))
    await shown('checkout', 'ledger', 'payments')
    await waitFor(() => expect(location.search).toBe(''))
    expect(toggle).toHaveFocus()
  })

  it('LIST-05 shows the chips on a phone too', async () => {
    vi.stubGlobal('innerWidth', 400)
    await renderElement(table(), { objects, query: '?tier=web' })
    await shown('checkout')
    expect(within(screen.getByRole('list', { name: 'Tier' })).getByText('web')).toBeVisible()
    vi.unstubAllGlobals()
  })

  it('passes axe, both open and with its chips', async () => {
    const { user, container } = await renderElement(table(), { objects, query: '?tier=web' })
    await shown('checkout')
    await user.click(screen.getByRole('button', { name: /^Tier/ }))
    await screen.findAllByRole('menuitem')
    expect(await violations(container)).toEqual([])
  })

  it('LIST-08 is cleared with every other filter', async () => {
    const { user } = await renderElement(table(), { objects, query: '?tier=web&name=ledger' })
    expect(await screen.findByRole('heading', { name: 'No results found' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    await shown('checkout', 'ledger', 'payments')
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('LIST-08 can be cleared next to its chips too', async () => {
    const { user } = await renderElement(table(), { objects, query: '?tier=web&name=check' })
    await shown('checkout')
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    await shown('checkout', 'ledger', 'payments')
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('LIST-22 of more than ten values can be searched', async () => {
    const many = Array.from({ length: 11 }, (_, index) =>
      labelled(`app-${index}`, { team: `team-${index}`, tier: tiers[index] ?? 'web' }),
    )
    const { user } = await renderElement(table(), { objects: many })
    await screen.findAllByRole('rowheader')
    await user.click(screen.getByRole('button', { name: 'Tier' }))
    expect(screen.queryByRole('textbox', { name: 'Find a value of Tier' })).not.toBeInTheDocument()
    expect(screen.getAllByRole('menuitem')).toHaveLength(tiers.length)
    await user.click(screen.getByRole('button', { name: 'Team' }))
    await user.type(await screen.findByRole('textbox', { name: 'Find a value of Team' }), 'M-10')
    await waitFor(() => expect(screen.getAllByRole('menuitem')).toHaveLength(1))
    await user.click(screen.getByRole('checkbox', { name: /^team-10/ }))
    await shown('app-10')
  })

  test.each([
    ['tier=back', ['ledger', 'payments']],
    ['tier=back,web', ['checkout', 'ledger', 'payments']],
    [String.raw`team=a\,b`, ['payments']],
    ['tier=gold', ['checkout', 'ledger', 'payments']],
    ['tier=gold,web,web,%3Cscript%3E', ['checkout']],
    ['tier=,,', ['checkout', 'ledger', 'payments']],
    [`tier=${'x,'.repeat(2_000)}`, ['checkout', 'ledger', 'payments']],
    ['__proto__=x&constructor=y&tier=web', ['checkout']],
    ['tier=web&tier=back', ['checkout']],
  ])('NAV-42 a link applies its valid parts: %#', async (query, expected) => {
    await renderElement(table(), { objects, query: `?${query}` })
    await shown(...expected)
  })
})

describe('a link of any length', () => {
  it('applies a text no longer than a user would type', async () => {
    await renderElement(table(), { objects, query: `?name=${'x'.repeat(300)}` })
    expect(await screen.findByRole('textbox', { name: 'Filter by name' })).toHaveValue('x'.repeat(256))
  })

  it('applies no more and no longer values than a user would select', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `team-${index}`)
    await renderElement(table(), { objects, query: `?team=${'x'.repeat(257)},${many.join()}` })
    expect(await screen.findByRole('button', { name: /^Team/ })).toHaveTextContent('Team50')
    expect(screen.queryByText(/^xxx/)).not.toBeInTheDocument()
  })
})

describe('the columns', () => {
  const preference = () => stored('test-columns', parseColumnIds)
  const eight: Column<Application>[] = [
    name,
    ...others(6),
    { ...name, id: 'extra', label: 'Extra', isRowHeader: false, hiddenByDefault: true },
  ]

  it('LIST-09 can be managed in a table of more than six', async () => {
    const { unmount } = await renderElement(table([name, ...others(5)], preference()), { objects })
    await shown('checkout', 'ledger', 'payments')
    expect(screen.queryByRole('button', { name: 'Manage columns' })).not.toBeInTheDocument()
    unmount()
    const seven = await renderElement(table([name, ...others(6)], preference()), { objects })
    expect(await screen.findByRole('button', { name: 'Manage columns' })).toBeVisible()
    seven.unmount()
    const menu = [{ label: 'Delete', onSelect: () => undefined }]
    await renderElement(
      table([name, ...others(5)], preference(), () => menu),
      { objects },
    )
    expect(await screen.findByRole('button', { name: 'Manage columns' })).toBeVisible()
  })

  it('LIST-10 can be managed where the flag is on', async () => {
    await renderElement(table(eight, preference()), { objects })
    await shown('checkout', 'ledger', 'payments')
    setFlag('column-management', false)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Manage columns' })).not.toBeInTheDocument())
    setFlag('column-management', true)
    expect(await screen.findByRole('button', { name: 'Manage columns' })).toBeVisible()
  })

  async function manageColumns() {
    const { user } = await renderElement(table(eight, preference()), { objects })
    await shown('checkout', 'ledger', 'payments')
    const open = async () => {
      await user.click(screen.getByRole('button', { name: 'Manage columns' }))
      return within(await screen.findByRole('dialog', { name: 'Manage columns' }))
    }
    return { user, open, first: headers() }
  }

  it('LIST-12 the column that names the row cannot be hidden', async () => {
    const { open } = await manageColumns()
    const checkbox = (await open()).getByRole('checkbox', { name: 'Name' })
    expect(checkbox).toBeDisabled()
    expect(checkbox).toBeChecked()
  })

  it('LIST-11, LIST-14 Cancel leaves the columns as they were', async () => {
    const { user, open, first } = await manageColumns()
    const dialog = await open()
    const buttons = dialog.getAllByRole('button').flatMap(({ textContent }) => textContent || [])
    expect(buttons).toEqual(['Save', 'Cancel', 'Reset to default'])
    await user.click(dialog.getByRole('checkbox', { name: 'Column 0' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(headers()).toEqual(first)
  })

  it('LIST-11, LIST-13 Save shows and stores the chosen columns', async () => {
    const { user, open, first } = await manageColumns()
    expect(first).not.toContain('Extra')
    const dialog = await open()
    await user.click(dialog.getByRole('checkbox', { name: 'Column 0' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Extra' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(headers()).toEqual([...first.filter((label) => label !== 'Column 0'), 'Extra']))
    expect(JSON.parse(localStorage.getItem('test-columns') ?? '')).toContain('extra')
  })

  it('LIST-11, LIST-15 Reset to default brings back the default columns once it is saved', async () => {
    preference().set(['extra'])
    const { user, open, first } = await manageColumns()
    const dialog = await open()
    await user.click(dialog.getByRole('button', { name: 'Reset to default' }))
    expect(headers()).toEqual(first)
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(headers()).toContain('Column 0'))
    expect(headers()).not.toContain('Extra')
    expect(preference().get()).toBeUndefined()
  })

  it('are selected in a dialog that passes axe', async () => {
    const { user } = await renderElement(table([name, ...others(6)], preference()), { objects })
    await user.click(await screen.findByRole('button', { name: 'Manage columns' }))
    expect(await violations(await screen.findByRole('dialog'))).toEqual([])
  })

  it('LIST-17 their widths are only widths', async () => {
    await renderElement(table([name, ...others(2)]), { objects })
    await shown('checkout', 'ledger', 'payments')
    const widths = [...screen.getByRole('table').querySelectorAll('col')].map((col) => col.style.width)
    expect(widths).toEqual(['20%', '', ''])
    expect(headers()).toEqual(['Name', 'Column 0', 'Column 1'])
  })

  /** The widths of the columns after the name, in percent. */
  async function widthsOf(steps: readonly NonNullable<Column<Application>['width']>[]): Promise<number[]> {
    const stepped = steps.map((width): Column<Application> => ({
      id: `w${width}`,
      label: `${width}`,
      cell: () => '',
      width,
    }))
    await renderElement(table([{ ...name, width: undefined }, ...stepped]), { objects })
    await shown('checkout', 'ledger', 'payments')
    return [...screen.getByRole('table').querySelectorAll('col')].slice(1).map((col) => parseFloat(col.style.width))
  }

  it.each([10, 15, 20, 25, 30, 33, 40, 50] as const)('LIST-18 are as wide as their step says: %i', async (step) => {
    expect(await widthsOf([step])).toEqual([step])
  })

  it('LIST-18 keep their proportions where all of them leave too little for the name', async () => {
    const [ten = 0, ...others] = await widthsOf([10, 15, 20, 25, 30])
    expect(ten).toBeLessThan(10)
    expect(others.map((width) => Math.round((width / ten) * 10))).toEqual([15, 20, 25, 30])
  })
})
