import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  localStorage.clear()
  document.head.replaceChildren()
  document.body.replaceChildren()
  delete document.documentElement.dataset.path
  vi.restoreAllMocks()
})

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

async function show(stored: Record<string, string | null> = {}, zone = timeZone) {
  document.head.innerHTML = '<style id="slipway-critical">.layout{}</style>'
  document.body.innerHTML = `<div class="slipway-first-page">Layout</div>
    <style id="slipway-page-style">.content{}</style>
    <template id="slipway-page"><time>5m ago</time> <time>May 1</time></template>`
  const script = document.createElement('script')
  Object.assign(script.dataset, { zone, stored: JSON.stringify(stored) })
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script)
  vi.resetModules()
  await import('./show-page')
}

const layout = () => document.querySelector('.slipway-first-page')

it('puts the content and its styles in place of those of the layout', async () => {
  await show({ columns: null })
  expect(layout()).toHaveTextContent('5m ago May 1')
  expect(document.head.querySelectorAll('style')).toHaveLength(1)
  expect(document.getElementById('slipway-critical')).toHaveTextContent('.content{}')
  expect(document.querySelector('template')).toBeNull()
})

it.each(['', '/console'])(
  'leaves the layout to a browser that has stored another choice, below the path of the site: "%s"',
  async (base) => {
    document.documentElement.dataset.path = base
    localStorage.setItem(`${base}columns`, '["name"]')
    await show({ columns: null })
    expect(layout()).toHaveTextContent('Layout')
    expect(document.getElementById('slipway-critical')).toHaveTextContent('.layout{}')
    expect(document.querySelectorAll('style, template')).toHaveLength(1)
    await show({ columns: '["name"]' })
    expect(layout()).toHaveTextContent('May 1')
  },
)

it('keeps the place of a date that is in the time zone of the server, and hides it', async () => {
  await show({}, 'Antarctica/Troll')
  const [ago, date] = document.querySelectorAll('time')
  expect(ago).toBeVisible()
  expect(date).not.toBeVisible()
})
