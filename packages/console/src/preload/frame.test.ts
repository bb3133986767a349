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
  delete document.documentElement.dataset.path
  vi.unstubAllGlobals()
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
