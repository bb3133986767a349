import { aComponent } from '@slipway/model/testing'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactNode, StrictMode, useState } from 'react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { seeTooltip } from '../../../test/tooltip'
import { queryClient } from '../../api/query-client'
import { CopyButton } from '../actions/CopyButton'
import { MenuButton } from '../actions/MenuButton'
import { dismissActions, runAction } from '../actions/object-actions'
import { ActionToasts } from '../../shell/ActionToasts'
import { ChoiceFilterField } from '../table/ChoiceFilterField'
import { Dialog } from './Dialog'

interface PageProps {
  /** Changes all that is rendered, as live data does. */
  update?: number
  isOpenerShown?: boolean
}

/** A page on which each dialog can open another and close any. */
function Page({ update = 1, isOpenerShown = true }: PageProps) {
  const [titles, setTitles] = useState<string[]>([])
  const open = (title: string) => setTitles((before) => [...before, title])
  const close = (title: string) => setTitles((before) => before.filter((each) => each !== title))
  return (
    <main>
      <h1>Page, update {update}</h1>
      {isOpenerShown && <button onClick={() => open('Lower')}>Open</button>}
      {titles.map((title) => (
        <Dialog
          key={title}
          title={title}
          onClose={() => close(title)}
          footer={
            <>
              <button onClick={() => open('Upper')}>Ask</button>
              <button onClick={() => close('Lower')}>Close the lower one</button>
              <button onClick={() => setTitles(['Other'])}>Continue</button>
            </>
          }
        >
          Update {update}
        </Dialog>
      ))}
    </main>
  )
}

const page = (props?: PageProps) => (
  <StrictMode>
    <Page {...props} />
  </StrictMode>
)

async function scene() {
  const user = userEvent.setup()
  const view = render(page())
  const press = (name: string) => user.click(screen.getByRole('button', { name }))
  await press('Open')
  return { user, press, update: (props: PageProps) => view.rerender(page(props)) }
}

/** Elements that are hidden from assistive technology have no role. */
const dialogs = () => screen.queryAllByRole('dialog').map((each) => within(each).getByRole('heading').textContent)
const button = (name: string) => screen.getByRole('button', { name })

describe('one dialog above another', () => {
  it('is the only one that is accessible, also after an update of what is below it', async () => {
    const { press, update } = await scene()
    expect(dialogs()).toEqual(['Lower'])
    await press('Ask')
    expect(dialogs()).toEqual(['Upper'])
    await waitFor(() => expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement))
    for (const number of [2, 3]) {
      update({ update: number })
      expect(dialogs()).toEqual(['Upper'])
      expect(screen.getByRole('dialog')).toHaveTextContent(`Update ${number}`)
      expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement)
    }
    for (const below of [screen.getByRole('main', { hidden: true }), screen.getByText('Lower')])
      expect(below.closest('[inert]')).toHaveAttribute('aria-hidden', 'true')
    await press('Close')
    expect(dialogs()).toEqual(['Lower'])
    expect(screen.queryByRole('main')).not.toBeInTheDocument()
    update({ update: 4 })
    await press('Close')
    expect(screen.getByRole('main')).toBeVisible()
    expect(document.querySelector('[inert], [aria-hidden=true]')).not.toBeInTheDocument()
  })

  it('is the only one that Escape closes, wherever the focus is', async () => {
    const { user, press } = await scene()
    await press('Ask')
    await waitFor(() => expect(document.activeElement).not.toBe(document.body))
    await user.keyboard('{Escape}')
    expect(dialogs()).toEqual(['Lower'])
    await press('Ask')
    // As after a click beside the dialog.
    act(() => (document.activeElement as HTMLElement).blur())
    await user.keyboard('{Escape}')
    expect(dialogs()).toEqual(['Lower'])
    act(() => (document.activeElement as HTMLElement).blur())
    await user.keyboard('{Escape}')
    expect(dialogs()).toEqual([])
  })

  it('returns the focus to what opened it', async () => {
    const { user, press } = await scene()
    await press('Ask')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(button('Ask')).toHaveFocus())
    await user.keyboard('{Escape}')
    await waitFor(() => expect(button('Open')).toHaveFocus())
  })

  it('stays accessible and keeps the focus when the lower one closes first, and returns it to the page', async () => {
    const { user, press } = await scene()
    await press('Ask')
    await press('Close the lower one')
    expect(dialogs()).toEqual(['Upper'])
    expect(button('Close the lower one')).toHaveFocus()
    expect(screen.queryByRole('main')).not.toBeInTheDocument()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(button('Open')).toHaveFocus())
  })

  it('leaves nothing hidden when the page below both is left', async () => {
    const { press, update } = await scene()
    await press('Ask')
    update({ isOpenerShown: false })
    await press('Continue')
    await waitFor(() => expect(dialogs()).toEqual(['Other']))
    await press('Close')
    await waitFor(() => expect(screen.getByRole('heading', { name: /^Page/ })).toHaveFocus())
    expect(document.querySelector('[inert], [aria-hidden=true], .pf-v6-c-backdrop__open')).not.toBeInTheDocument()
  })
})

it('a dialog that replaces another returns the focus to what opened the first', async () => {
  const { user, press } = await scene()
  await press('Continue')
  await waitFor(() => expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement))
  expect(dialogs()).toEqual(['Other'])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(button('Open')).toHaveFocus())
})

describe('popups of a dialog', () => {
  const noop = () => undefined
  const inDialog = (element: ReactNode) => {
    const user = userEvent.setup()
    render(
      <main>
        <Dialog title="Lower" onClose={() => expect.fail('Escape closed the dialog')}>
          {element}
        </Dialog>
      </main>,
    )
    return user
  }

  it('an action menu opens in it, with its reasons, and Escape closes only the menu', async () => {
    const user = inDialog(
      <MenuButton
        label="Choices"
        icon={null}
        choices={[{ label: 'Stop', disabledReason: 'Too late', onSelect: noop }]}
      />,
    )
    await user.click(button('Choices'))
    const item = await within(screen.getByRole('dialog')).findByRole('menuitem', { name: 'Stop' })
    const reason = await seeTooltip(user, item, 'Too late')
    expect(screen.getByRole('dialog')).toContainElement(reason)
    await user.click(button('Choices'))
    await waitFor(() => expect(screen.queryByRole('menuitem')).not.toBeInTheDocument())
    await user.click(button('Choices'))
    await screen.findByRole('menuitem', { name: 'Stop' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menuitem')).not.toBeInTheDocument())
    expect(dialogs()).toEqual(['Lower'])
  })

  it('a filter menu opens in it, and Escape closes only the menu', async () => {
    const user = inDialog(
      <ChoiceFilterField
        toggleId="status"
        label="Status"
        choicesOf={() => [{ value: 'Failed', count: 2 }]}
        chosen={[]}
        onChange={noop}
      />,
    )
    await user.click(button('Status'))
    await within(screen.getByRole('dialog')).findByRole('menuitem', { name: /^Failed/ })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menuitem')).not.toBeInTheDocument())
    expect(dialogs()).toEqual(['Lower'])
  })

  it('a tooltip appears in it', async () => {
    const user = inDialog(<CopyButton text="a" noun="URL" />)
    const tooltip = await seeTooltip(user, button('Copy URL'), 'Copy URL')
    expect(screen.getByRole('dialog')).toContainElement(tooltip)
  })
})

it('notices stay accessible above dialogs, whether they appear before or after them', async () => {
  const component = aComponent({ metadata: { name: 'api', uid: 'u' } })
  const messages = { pending: 'Requesting a build…', done: 'Build requested.', failed: 'Failed' }
  onTestFinished(() => act(() => dismissActions(component)))
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
      <ActionToasts />
    </QueryClientProvider>,
  )
  const notices = () => screen.getByRole('list', { name: 'Notices' })
  await user.click(button('Open'))
  act(() => void runAction(component, 'build', () => Promise.resolve(), { messages }))
  expect(await within(notices()).findByText('Build requested.')).toBeVisible()
  await user.click(button('Ask'))
  expect(dialogs()).toEqual(['Upper'])
  expect(within(notices()).getByText('Build requested.')).toBeVisible()
  expect(notices().closest('[inert]')).toBeNull()
})
