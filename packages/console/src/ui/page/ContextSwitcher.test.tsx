import { act, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { contextMemory, rememberRecent, rememberTab } from './context-memory'
import { type ContextItem, ContextSwitcher } from './ContextSwitcher'

const leaf = (name: string): ContextItem => ({ key: name, name })
const items: ContextItem[] = [
  leaf('checkout'),
  leaf('ledger'),
  { key: 'group/search', name: 'search', children: [leaf('crawler'), leaf('index')] },
]

async function open(props: Partial<Parameters<typeof ContextSwitcher>[0]> = {}) {
  const onSelect = vi.fn<(item: ContextItem) => void>()
  const user = userEvent.setup()
  const view = render(
    <ContextSwitcher
      resourceType="application"
      noun="application"
      selected={leaf('checkout')}
      items={items}
      onSelect={onSelect}
      {...props}
    />,
  )
  const toggle = screen.getByRole('button', { name: /^Switch application, now/ })
  await user.click(toggle)
  return { ...view, user, onSelect, toggle, filter: await screen.findByRole('textbox') }
}

const names = () => screen.queryAllByRole('menuitem').map((item) => item.textContent.trim())

beforeEach(() => localStorage.clear())

describe('the tabs', () => {
  it('NAV-16, NAV-19, NAV-21 are Recent and All, and open on the last one used', async () => {
    rememberRecent('application', 'ledger', 'gone')
    const { user, unmount } = await open()
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Recent', 'All'])
    expect(names()).toEqual(['ledger'])
    await user.click(screen.getByRole('tab', { name: 'All' }))
    expect(names()).toEqual(['checkout', 'ledger', 'search'])
    unmount()
    await open()
    expect(screen.getByRole('tab', { name: 'All' })).toHaveAttribute('aria-selected', 'true')
  })

  it('NAV-16 are the same before and after the items have loaded', async () => {
    rememberRecent('application', 'ledger')
    const { unmount } = await open({ items: undefined })
    expect(screen.getByRole('tab', { name: 'Recent' })).toHaveAttribute('aria-selected', 'true')
    unmount()
    await open()
    expect(screen.getByRole('tab', { name: 'Recent' })).toHaveAttribute('aria-selected', 'true')
  })

  it('NAV-21, NAV-22 are remembered for each type of resource', async () => {
    rememberTab('namespace', 0)
    rememberRecent('namespace', 'ledger')
    const { user } = await open()
    expect(screen.getByRole('tab', { name: 'All' })).toHaveAttribute('aria-selected', 'true')
    await user.click(screen.getByRole('tab', { name: 'Recent' }))
    expect(screen.getByRole('status')).toHaveTextContent('The applications you choose appear here.')
    expect(names()).toEqual([])
  })
})

describe('choosing', () => {
  it('NAV-19 remembers the selected and the previous item, and returns the focus', async () => {
    const { user, onSelect, toggle } = await open()
    await user.click(screen.getByRole('menuitem', { name: 'ledger' }))
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(leaf('ledger'))
    expect(contextMemory.get().recentItems.application).toEqual(['ledger', 'checkout'])
    expect(toggle).toHaveFocus()
    expect(screen.queryByRole('menuitem')).not.toBeInTheDocument()
  })

  it('choosing the current item changes nothing', async () => {
    const { user, onSelect } = await open()
    await user.click(screen.getByRole('menuitem', { name: 'checkout' }))
    expect(onSelect).not.toHaveBeenCalled()
    expect(contextMemory.get().recentItems).toEqual({})
  })

  it('works by keyboard alone, and Escape changes nothing', async () => {
    const { user, onSelect, toggle, filter } = await open()
    expect(filter).toHaveFocus()
    await user.keyboard('LED{Enter}')
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(leaf('ledger'))
    await user.keyboard('{Enter}')
    expect(names()).toEqual(['ledger', 'checkout'])
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('menuitem', { name: 'ledger' })).toHaveFocus()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('menuitem')).not.toBeInTheDocument()
    expect(toggle).toHaveFocus()
    expect(onSelect).toHaveBeenCalledOnce()
  })
})

describe('the Tab key', () => {
  it('goes from the filter through the tabs, from where ArrowDown leads to the items', async () => {
    const { user } = await open()
    await user.tab()
    expect(screen.getByRole('tab', { name: 'Recent' })).toHaveFocus()
    await user.tab()
    expect(screen.getByRole('tab', { name: 'All' })).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(screen.getByRole('menuitem', { name: 'checkout' })).toHaveFocus()
  })

  it('closes the menu when it leaves it', async () => {
    const { user } = await open()
    const after = document.body.appendChild(document.createElement('button'))
    await user.tab()
    expect(screen.getByRole('textbox')).toBeInTheDocument()
    act(() => after.focus())
    await waitFor(() => expect(screen.queryByRole('textbox')).not.toBeInTheDocument())
    expect(after).toHaveFocus()
    after.remove()
  })
})

describe('the filter', () => {
  it('NAV-17 keeps items whose name contains the text', async () => {
    const { user, filter } = await open()
    await user.type(filter, ' CHECK ')
    expect(names()).toEqual(['checkout'])
    await user.clear(filter)
    await user.type(filter, 'nothing')
    expect(names()).toEqual([])
    expect(screen.getByRole('status')).toHaveTextContent('No applications match this name.')
  })

  it('NAV-17 keeps a group if an item in it matches', async () => {
    const { user, filter } = await open()
    await user.type(filter, 'crawl')
    expect(names()).toEqual(['search'])
  })

  it('shows a limited number of items, and says that there are more', async () => {
    await open({ items: Array.from({ length: 250 }, (_, index) => leaf(`application-${index}`)) })
    expect(names()).toHaveLength(200)
    expect(screen.getByRole('status')).toHaveTextContent('50 more: filter by name to find them.')
  })
})

describe('a group', () => {
  it('NAV-18 opens to its items, and can be left again', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('menuitem', { name: 'search' }))
    expect(names()).toEqual(['Back from search', 'crawler', 'index'])
    await user.click(screen.getByRole('menuitem', { name: 'Back from search' }))
    expect(names()).toEqual(['checkout', 'ledger', 'search'])
  })

  it('shows its current items, and closes if it is removed', async () => {
    const { user, rerender } = await open()
    await user.click(screen.getByRole('menuitem', { name: 'search' }))
    const now = (items: ContextItem[]) => (
      <ContextSwitcher
        resourceType="application"
        noun="application"
        selected={leaf('checkout')}
        items={items}
        onSelect={() => undefined}
      />
    )
    rerender(now([leaf('checkout'), { key: 'group/search', name: 'search', children: [leaf('rank')] }]))
    expect(names()).toEqual(['Back from search', 'rank'])
    rerender(now([leaf('checkout')]))
    expect(names()).toEqual(['checkout'])
  })

  it('NAV-18 cannot be chosen itself, only its items', async () => {
    const { user, onSelect } = await open()
    await user.click(screen.getByRole('menuitem', { name: 'search' }))
    expect(onSelect).not.toHaveBeenCalled()
    await user.click(screen.getByRole('menuitem', { name: 'index' }))
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(leaf('index'))
    expect(contextMemory.get().recentItems.application).toEqual(['index', 'checkout'])
  })
})

it('says that the items are loading, and why they cannot be loaded', async () => {
  const { unmount } = await open({ items: undefined })
  expect(screen.getByRole('progressbar', { name: 'Loading applications' })).toBeVisible()
  unmount()
  await open({ items: undefined, failure: 'Unable to load applications' })
  const panel = screen.getByRole('tabpanel')
  expect(within(panel).getByText('Unable to load applications')).toBeVisible()
  expect(within(panel).queryByRole('progressbar')).not.toBeInTheDocument()
})
