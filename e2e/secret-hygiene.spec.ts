import { Writable } from 'node:stream'
import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { secretType } from '@slipway/kube/core-types'
import { terminalLog } from '@slipway/slipway/terminal-log'
import { expect, productWith, signIn, test as base } from './fixtures'
import { enterRegistrySecret, enterSourceSecret, secretRow } from './secrets'

const lines: string[] = []
const stream = new Writable({
  write(line: Buffer, _, done) {
    lines.push(line.toString())
    done()
  },
})

/** With the log of the gateway, which includes its access log. */
const test = base.extend({ product: productWith({ log: terminalLog(stream, 'trace') }) })

const marker = 'Zm-marker-4711-value'

/** The marker as it is, and as base64 at any position in what is encoded. */
const forms = [
  marker,
  ...[0, 1, 2].map((before) => {
    const bytes = before + marker.length
    const encoded = Buffer.from(`${'x'.repeat(before)}${marker}`).toString('base64')
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor((bytes * 8) / 6))
  }),
]

const hasMarker = (text: string) => forms.some((form) => text.includes(form))

/** Collects where the marker appears outside the bodies of the requests that save it. */
function collectLeaks(page: Page) {
  const leaks: string[] = []
  let saved = 0
  const note = (where: string, text: string) => {
    const at = Math.max(...forms.map((form) => text.indexOf(form)))
    if (at >= 0) leaks.push(`${where}: ${text.slice(Math.max(0, at - 100), at + 100)}`)
  }
  page.on('console', (message) => note('console', message.text()))
  page.on('pageerror', (error) => note('error', `${error.message} ${error.stack}`))
  page.on('request', (request) => {
    note('URL of a request', request.url())
    note('headers of a request', JSON.stringify(request.headers()))
    const body = request.postData() ?? ''
    const isSaving = /\/secrets(\/[^/]+)?$/.test(new URL(request.url()).pathname) && /POST|PATCH/.test(request.method())
    if (isSaving && hasMarker(body)) saved++
    else note(`body of ${request.method()} ${request.url()}`, body)
  })
  const bodies: Promise<void>[] = []
  page.on('response', (response) => {
    note('headers of a response', JSON.stringify(response.headers()))
    // A redirect has no body.
    bodies.push(
      response.text().then(
        (text) => note(`response to ${response.url()}`, text),
        () => undefined,
      ),
    )
  })
  page.on('websocket', (socket) => {
    note('URL of a websocket', socket.url())
    socket.on('framereceived', ({ payload }) => note('websocket', payload.toString()))
    socket.on('framesent', ({ payload }) => note('websocket', payload.toString()))
  })
  return {
    savedCount: () => saved,
    async expectNone() {
      note('the page', JSON.stringify(await page.evaluate(dumpPage)))
      await Promise.all(bodies)
      for (const line of lines) note('log of the gateway', line)
      expect(leaks).toEqual([])
    },
  }
}

/** Runs in the page: everything that outlives a form. */
async function dumpPage() {
  interface Fiber {
    memoizedProps?: {
      client?: { getQueryCache?(): { getAll(): object[] }; getMutationCache?(): { getAll(): object[] } }
    }
    child?: Fiber
  }
  const root = document.getElementById('root') ?? document.body
  const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$')) ?? ''
  // React keeps the tree of components at this member of its root.
  const container = (root as unknown as Record<string, { stateNode: { current: Fiber } }>)[key]
  let fiber: Fiber | undefined = container?.stateNode.current
  while (fiber && !fiber.memoizedProps?.client?.getQueryCache) fiber = fiber.child
  const client = fiber?.memoizedProps?.client
  const entries = (caches: object[] = []) =>
    caches.map((each) => {
      const { queryKey, state, options } = each as { queryKey?: unknown; state?: unknown; options?: unknown }
      return { queryKey, state, options }
    })
  return {
    queries: entries(client?.getQueryCache?.().getAll()),
    mutations: entries(client?.getMutationCache?.().getAll()),
    url: location.href,
    historyState: history.state as unknown,
    html: document.documentElement.outerHTML,
    inputs: [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value),
    localStorage: { ...localStorage },
    sessionStorage: { ...sessionStorage },
    cookies: document.cookie,
    caches: await caches.keys(),
    databases: await indexedDB.databases(),
    requests: performance.getEntries().map(({ name }) => name),
    windowName: window.name,
  }
}

test(
  'no value of a secret remains in the page, the browser or a log once it is saved, shown as a change, or rejected',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    const list = paths.secrets({ namespace })
    const leaks = collectLeaks(page)
    await signIn(page, 'admin', list)
    const save = async (button: string) => {
      await page.getByRole('button', { name: 'Show change' }).click()
      await expect(page.getByRole('tab', { name: 'Requests' })).toBeVisible()
      for (const tab of ['Changes', 'Requests', 'kubectl']) {
        await page.getByRole('tab', { name: tab }).click()
        expect(hasMarker(await page.getByRole('main').innerText()), `Show change, ${tab}`).toBe(false)
      }
      await page.getByRole('button', { name: button }).click()
      await expect(page.getByRole('heading', { name: 'Secrets', level: 1 })).toBeVisible()
    }
    const add = async (enter: () => Promise<void>) => {
      await page.getByRole('link', { name: 'Add secret' }).first().click()
      await enter()
      await save('Add secret')
      await leaks.expectNone()
    }
    await add(async () => {
      await page.getByRole('combobox', { name: 'Secret name' }).fill('opaque')
      await page.getByRole('textbox', { name: 'Key', exact: true }).fill('token')
      await page.getByRole('textbox', { name: 'Value', exact: true }).fill(marker)
      await page.getByRole('button', { name: 'Show value' }).click()
    })
    await add(async () => {
      await enterRegistrySecret(page, 'registry', { password: marker })
      await page.getByRole('button', { name: 'Show password' }).click()
    })
    await add(() => enterSourceSecret(page, 'git', { password: marker }))
    await add(async () => {
      await page.getByRole('radio', { name: 'Source' }).check()
      await page.getByRole('combobox', { name: 'Secret name' }).fill('ssh')
      await page.getByRole('radio', { name: 'SSH key' }).check()
      await page.locator('input[type=file]').setInputFiles({
        name: 'id_ed25519',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(`-----BEGIN-----\n${marker}\n`),
      })
      await expect(page.getByRole('textbox', { name: 'Private key', exact: true })).not.toBeEmpty()
    })

    await page.getByRole('link', { name: 'opaque', exact: true }).click()
    await page.getByRole('button', { name: /^token / }).click()
    await page.getByRole('option', { name: /^Replace/ }).click()
    await page.getByRole('textbox', { name: 'New value', exact: true }).fill(`${marker}-2`)
    await save('Save changes')
    await leaks.expectNone()
    const { data } = await system.get(secretType, 'opaque', { namespace })
    expect(data).toEqual({ token: Buffer.from(`${marker}-2`).toString('base64') })
    // Five dry runs for the previews, five before saving, and saving itself.
    expect(leaks.savedCount()).toBeGreaterThanOrEqual(15)

    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Edit secret' })).toBeVisible()
    await leaks.expectNone()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Edit secret' })).toBeVisible()
    await leaks.expectNone()

    // The import keeps what was entered in its dialog until it creates the secret.
    await page.goto(paths.createApplication({ namespace }))
    await page.getByRole('button', { name: 'Add a component' }).click()
    await page.getByRole('button', { name: 'Add secret' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create new build secret' })
    await enterSourceSecret(dialog, 'of-import', { password: marker })
    await dialog.getByRole('button', { name: 'Add secret' }).click()
    await expect(page.getByText('of-import (Key/value (2))')).toBeVisible()
    await leaks.expectNone()
    page.once('dialog', (question) => void question.accept())

    // More than a secret can have: the cluster rejects it, and says why.
    await page.goto(paths.createSecret({ namespace }))
    await page.getByRole('combobox', { name: 'Secret name' }).fill('too-large')
    await page.getByRole('button', { name: 'Add key/value pair' }).click()
    for (const index of [0, 1]) {
      await page.getByRole('textbox', { name: 'Key', exact: true }).nth(index).fill(`key-${index}`)
      // Not text, which the browser would lay out.
      const buffer = Buffer.from(`\0${marker.repeat(40_000)}`)
      const file = { name: `part-${index}`, mimeType: 'application/octet-stream', buffer }
      await page.locator('input[type=file]').nth(index).setInputFiles(file)
    }
    await page.getByRole('button', { name: 'Add secret' }).click()
    await expect(page.getByText('An error occurred')).toBeVisible()
    expect(hasMarker(await page.getByRole('main').innerText())).toBe(false)
    page.once('dialog', (question) => void question.accept())
    await page.goto(list)
    await expect(secretRow(page, 'ssh')).toBeVisible()
    await leaks.expectNone()
    expect(lines.some((line) => line.includes('secrets'))).toBe(true)
    expect(JSON.stringify(await page.evaluate(dumpPage).then(({ queries }) => queries))).toContain(
      '"ssh-privatekey":""',
    )
  },
)
