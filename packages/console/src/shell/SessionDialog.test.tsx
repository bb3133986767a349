import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { namespace } from '../../test/cluster'
import { renderRoute } from '../../test/render-route'
import { setSessionState } from '../api/session/session-state'
import { paths } from '../paths'
import { Dialog } from '../ui/dialogs/Dialog'
import { SessionDialog } from './SessionDialog'

const sessionEnd = () => Response.json({}, { status: 401, headers: { 'www-authenticate': 'Session' } })

function anotherTab() {
  const tab = new BroadcastChannel('slipway-session')
  onTestFinished(() => tab.close())
  return tab
}

it('keeps what was typed, opens sign-in in another window, and continues after it', async () => {
  const open = vi.spyOn(globalThis, 'open').mockReturnValue(globalThis as unknown as Window)
  onTestFinished(() => open.mockRestore())
  const { user, cluster, router } = await renderRoute(paths.createApplication({ namespace }))
  await user.type(await screen.findByRole('textbox', { name: 'Application name' }), 'checkout')
  const signInAgain = cluster.faults.intercept(sessionEnd)
  await user.keyboard('{Enter}')

  const dialog = within(await screen.findByRole('dialog', { name: 'Your session has ended' }))
  expect(dialog.getByText('Sign in again to continue. Nothing you typed on this page is lost.')).toBeVisible()
  const link = dialog.getByRole('link', { name: 'Sign in again' })
  expect(link).toHaveAttribute('href', '/oauth2/sign_in?rd=%2Fsigned-in')
  await user.click(link)
  expect(open).toHaveBeenCalledWith('/oauth2/sign_in?rd=%2Fsigned-in', 'slipway-sign-in', expect.any(String))
  expect(cluster.departures).toEqual([])

  signInAgain()
  anotherTab().postMessage({ kind: 'signed-in', email: 'admin@slipway.test' })
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(screen.getByRole('textbox', { name: 'Application name' })).toHaveValue('checkout')
  expect(screen.getByRole('textbox', { name: 'Application name' })).toHaveFocus()
  await user.click(screen.getByRole('button', { name: 'Create application' }))
  const at = { namespace, application: 'checkout' }
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.application(at)))
  expect(await screen.findByRole('heading', { name: 'checkout', level: 1 })).toBeVisible()
})

it('appears above an open dialog, receives every key, and returns the keyboard when it closes', async () => {
  const { user } = await renderRoute(paths.about())
  await user.click(await screen.findByRole('button', { name: 'Experimental features' }))
  await screen.findByRole('dialog', { name: 'Feature Flags' })
  const tab = anotherTab()
  tab.postMessage({ kind: 'ended' })
  // Found by role, since elements hidden from screen readers have none.
  const dialog = await screen.findByRole('dialog', { name: 'Your session has ended' })
  const keys = vi.fn()
  document.addEventListener('keydown', keys)
  onTestFinished(() => document.removeEventListener('keydown', keys))
  within(dialog).getByRole('link', { name: 'Sign in again' }).focus()
  await user.keyboard('{Escape}?')
  expect(keys).not.toHaveBeenCalled()
  expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false)
  dialog.removeAttribute('open')
  fireEvent(dialog, new Event('close'))
  expect(dialog).toHaveAttribute('open')

  tab.postMessage({ kind: 'signed-in', email: 'admin@slipway.test' })
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  expect(screen.getByRole('dialog', { name: 'Feature Flags' })).toBeVisible()
  expect(screen.queryByRole('main')).not.toBeInTheDocument()
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('main')).toBeVisible()
})

it('is exposed to screen readers where the page is hidden', () => {
  render(
    <div aria-hidden="true">
      <SessionDialog />
    </div>,
  )
  onTestFinished(() => act(() => setSessionState('active')))
  act(() => setSessionState('ended'))
  expect(screen.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
})

it('leaves nothing hidden when the dialog below it has closed meanwhile', async () => {
  const { user, router } = await renderRoute(paths.about())
  await user.click(await screen.findByRole('button', { name: 'Search or run a command' }))
  await screen.findByRole('dialog', { name: 'Search or run a command' })
  const tab = anotherTab()
  tab.postMessage({ kind: 'ended' })
  const dialog = await screen.findByRole('dialog', { name: 'Your session has ended' })
  await router.navigate(`${paths.overview()}?page=other`)
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Search or run a command' })).not.toBeInTheDocument())
  tab.postMessage({ kind: 'signed-in', email: 'admin@slipway.test' })
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  expect(await screen.findByRole('main')).toBeVisible()
})

it('the session dialog stays above a dialog that opens after it, and leaves the focus to that one', async () => {
  onTestFinished(() => act(() => setSessionState('active')))
  const session = <SessionDialog key="session" />
  const dialogs = () => screen.getAllByRole('dialog').map((each) => within(each).getByRole('heading').textContent)
  const { rerender } = render(<main>{session}</main>)
  act(() => setSessionState('ended'))
  screen.getByRole('dialog', { name: 'Your session has ended' })
  const opened = (text: string) => (
    <main>
      {session}
      <Dialog title="Lower" onClose={() => undefined}>
        {text}
      </Dialog>
    </main>
  )
  for (const text of ['One', 'Two']) {
    rerender(opened(text))
    expect(dialogs()).toEqual(['Your session has ended'])
    expect(screen.getByText('Your session has ended').closest('[inert]')).toBeNull()
  }
  act(() => setSessionState('active'))
  expect(dialogs()).toEqual(['Lower'])
  await waitFor(() => expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus())
})

it('covers the page when the user has logged out in another tab', async () => {
  await renderRoute(paths.about())
  await screen.findByRole('heading', { name: 'About Slipway' })
  await screen.findByRole('button', { name: 'admin@slipway.test' })
  anotherTab().postMessage({ kind: 'signed-out' })
  expect(await screen.findByRole('dialog', { name: 'You have logged out' })).toHaveClass('slipway-session--signed-out')
})

it('a page that could not load without a session opens after signing in again', async () => {
  const { cluster, router } = await renderRoute(paths.about())
  await screen.findByRole('heading', { name: 'About Slipway' })
  const signInAgain = cluster.faults.intercept(sessionEnd)
  void router.navigate(paths.applications({ namespace }))
  await screen.findByRole('dialog', { name: 'Your session has ended' })
  signInAgain()
  anotherTab().postMessage({ kind: 'signed-in', email: 'admin@slipway.test' })
  expect(await screen.findByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
})

it('a page opens after signing in again although calls from before are still being refused', async () => {
  // As after an earlier visit: the page then fails before the session is known to have ended.
  await import('../features/applications/ApplicationListPage')
  const { cluster, router } = await renderRoute(paths.about())
  await screen.findByRole('heading', { name: 'About Slipway' })
  const signInAgain = cluster.faults.intercept(sessionEnd)
  void router.navigate(paths.applications({ namespace }))
  await screen.findByRole('dialog', { name: 'Your session has ended' })
  let late = 3
  cluster.faults.intercept((path) => (path.startsWith('/api/') && late-- > 0 ? sessionEnd() : undefined))
  signInAgain()
  anotherTab().postMessage({ kind: 'signed-in', email: 'admin@slipway.test' })
  expect(await screen.findByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()
  expect(late).toBeLessThan(0)
})

it('a sign-in window that another tab opened says that it is done and closes itself', async () => {
  const close = vi.spyOn(globalThis, 'close').mockImplementation(() => undefined)
  onTestFinished(() => close.mockRestore())
  await renderRoute(paths.signedIn())
  expect(await screen.findByRole('heading', { name: 'You are signed in', level: 1 })).toBeVisible()
  await waitFor(() => expect(close).toHaveBeenCalled())
})
