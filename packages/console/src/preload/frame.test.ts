import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const matches = vi.fn(() => true)

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: matches() }))
  localStorage.clear()
  document.body.innerHTML = `<div id="root">
    <div id="sidebar"><a href="/ns/__namespace__/secrets">Secrets</a></div>
    <span class="slipway-user"><span class="pf-v6-c-menu-toggle__text">User</span></span>
    <h1 class="a__b" aria-label="Loading __thing__">__thing__</h1>
  </div>`
})
afterEach(() => {
  // Ends listening for the shortcut.
  document.getElementById('root')?.setAttribute('data-shortcuts', 'ready')
  dispatchEvent(new KeyboardEvent('keydown', { key: 'x' }))
  delete document.documentElement.dataset.path
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  // Other tests share the document.
  document.body.replaceChildren()
})

async function runAt(path: string) {
  const script = document.createElement('script')
  script.dataset.pattern = '^/ns/(?<namespace>[a-z0-9.-]+)/things/(?<thing>[a-z0-9.-]+)/?$'
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script)
  history.replaceState(null, '', path)
  vi.resetModules()
  await import('./frame')
}

it.each(['', '/console'])(
  'fills in the names of the path of the page, below the path of the site: "%s"',
  async (base) => {
    document.documentElement.dataset.path = base
    await runAt(`${base}/ns/team-a/things/x.1`)
    expect(document.querySelector('a')).toHaveAttribute('href', '/ns/team-a/secrets')
    expect(document.querySelector('h1')?.outerHTML).toBe('<h1 class="a__b" aria-label="Loading x.1">x.1</h1>')
  },
)

it('shows the last user, if the browser has stored one', async () => {
  await runAt('/ns/a/things/b')
  expect(document.querySelector('.slipway-user')).toHaveTextContent('User')
  localStorage.setItem('__user_session__', 'broken')
  await runAt('/ns/a/things/b')
  expect(document.querySelector('.slipway-user')).toHaveTextContent('User')
  localStorage.setItem('__user_session__', JSON.stringify({ email: 'ada@<slipway>.test' }))
  await runAt('/ns/a/things/b')
  expect(document.querySelector('.slipway-user')).toHaveTextContent('ada@<slipway>.test')
})

it('closes the sidebar in a narrow window, where it would cover the page', async () => {
  await runAt('/ns/a/things/b')
  expect(document.getElementById('sidebar')).not.toHaveClass('pf-m-collapsed')
  matches.mockReturnValueOnce(false)
  await runAt('/ns/a/things/b')
  expect(document.getElementById('sidebar')).toHaveClass('pf-m-collapsed')
  expect(document.getElementById('sidebar')?.inert).toBe(true)
})

it('notes that the palette was asked for until the code that opens it is there', async () => {
  await runAt('/ns/a/things/b')
  const root = document.getElementById('root')
  const press = (key: string, init: KeyboardEventInit) =>
    dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true, ...init }))
  expect(press('k', {})).toBe(true)
  expect(press('k', { ctrlKey: true, altKey: true })).toBe(true)
  expect(root?.dataset.shortcuts).toBeUndefined()
  expect(press('k', { ctrlKey: true })).toBe(false)
  expect(root?.dataset.shortcuts).toBe('palette')
  if (root) root.dataset.shortcuts = 'ready'
  expect(press('k', { metaKey: true })).toBe(true)
  expect(root?.dataset.shortcuts).toBe('ready')
})
