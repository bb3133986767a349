import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { expect, expectSignedIn, signIn, test as base } from './fixtures'

interface Elsewhere {
  /** Origins of foreign pages. The second is another site; the first differs only in its port. */
  origins: string[]
}

const test = base.extend<Elsewhere>({
  origins: async ({}, use) => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>Elsewhere</title>')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // It listens on a port, not a pipe.
    await use([`http://127.0.0.1:${port}`, `http://localhost:${port}`])
    server.close()
    server.closeAllConnections()
  },
})

// The page attempts this.
test.use({ forbidden: ['Framing '] })

test('a page of another origin cannot read, write or sign users out', async ({
  page,
  context,
  namespace,
  origins,
  product,
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: 'ours', namespace } }))
  await signIn(page, 'admin', '/')
  const us = product.wire.url
  const applications = `/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/applications`

  for (const origin of origins) {
    const elsewhere = await context.newPage()
    await elsewhere.goto(origin)
    const answers = answersTo(elsewhere, us)
    expect(await tryScripts(elsewhere, { us, applications, namespace }), origin).toEqual({
      'read who is signed in': 'failed',
      'read applications': 'failed',
      'read without CORS': 'failed',
      'read with our header': 'failed',
      'write as text': 'failed',
      'write as JSON': 'failed',
      'write as a script of ours': 'failed',
      delete: 'failed',
      'image that signs out': 'failed',
      'style sheet that signs out': 'failed',
      'script that is data': 'failed',
      websocket: 'closed 1006',
    })
    for (const target of [us, `${us}/oauth2/sign_in`, product.signInUrl]) {
      expect(await tryFrame(elsewhere, target), `${origin} frames ${target}`).toBe('refused')
    }
    for (const target of [`${us}/`, `${us}${applications}`, `${us}/oauth2/sign_in`]) {
      expect(await tryWindow(elsewhere, target), `${origin} opens ${target}`).toBe('closed to the opener')
    }
    for (const [target, type] of [
      [`${us}${applications}`, 'text/plain'],
      [`${us}/oauth2/sign_out`, 'application/x-www-form-urlencoded'],
      [`${product.signInUrl}/sign-in/guess`, 'application/x-www-form-urlencoded'],
      [`${product.signInUrl}/session/end/confirm`, 'application/x-www-form-urlencoded'],
    ] as const) {
      expect(await tryForm(elsewhere, target, type), `${origin} posts to ${target}`).toBeGreaterThanOrEqual(400)
    }
    expect(await tryNavigation(elsewhere, `${us}/oauth2/sign_out`), `${origin} leads to sign-out`).toBe(403)
    expect(await tryNavigation(elsewhere, `${us}/oauth2/callback?code=a&state=b`)).toBeGreaterThanOrEqual(400)
    // The gateway rejected what the browser did send; the browser did not merely hide it.
    expect(answers.writes().filter((status) => status < 400)).toEqual([])
    await elsewhere.close()
  }

  const { items } = await system.list(applicationType, { namespace })
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['ours'])
  await page.reload()
  await expectSignedIn(page, 'admin')
})

/** Statuses of the responses to a page's calls with side effects. */
function answersTo(page: Page, us: string) {
  const writes: number[] = []
  page.on('response', (response) => {
    const isOurs = response.url().startsWith(us)
    const hasEffect = response.request().method() !== 'GET' || response.url().includes('/oauth2/sign_out')
    if (isOurs && hasEffect) writes.push(response.status())
  })
  return { writes: () => writes }
}

interface Target {
  us: string
  applications: string
  namespace: string
}

/** Runs what scripts can try; returns how each attempt ended. */
const tryScripts = (page: Page, target: Target) =>
  page.evaluate(async ({ us, applications, namespace }: Target) => {
    const body = JSON.stringify({
      apiVersion: 'appstudio.redhat.com/v1alpha1',
      kind: 'Application',
      metadata: { name: 'theirs', namespace },
      spec: { displayName: 'theirs' },
    })
    const credentials = 'include'
    const call = (path: string, init: RequestInit) =>
      fetch(us + path, { credentials, ...init }).then(
        async (response) => (response.type === 'opaque' ? 'opaque' : `read: ${await response.text()}`),
        () => 'failed',
      )
    const load = (element: HTMLElement) =>
      new Promise<string>((resolve) => {
        element.onload = () => resolve('loaded')
        element.onerror = () => resolve('failed')
        document.head.append(element)
      })
    const connect = (path: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(us.replace('http', 'ws') + path)
        socket.onopen = () => resolve('open')
        socket.onclose = ({ code }) => resolve(`closed ${code}`)
      })
    const json = { 'content-type': 'application/json' }
    const ours = { ...json, 'x-requested-with': 'slipway' }
    return {
      'read who is signed in': await call('/oauth2/userinfo', {}),
      'read applications': await call(applications, {}),
      'read without CORS': await call(applications, { mode: 'no-cors' }),
      'read with our header': await call(applications, { headers: ours }),
      'write as text': await call(applications, { method: 'POST', mode: 'no-cors', body }),
      'write as JSON': await call(applications, { method: 'POST', headers: json, body }),
      'write as a script of ours': await call(applications, { method: 'POST', headers: ours, body }),
      delete: await call(`${applications}/ours`, { method: 'DELETE', headers: ours }),
      'image that signs out': await load(Object.assign(new Image(), { src: `${us}/oauth2/sign_out` })),
      'style sheet that signs out': await load(
        Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${us}/oauth2/sign_out` }),
      ),
      'script that is data': await load(Object.assign(document.createElement('script'), { src: us + applications })),
      websocket: await connect(`/wss/k8s${applications.slice('/api/k8s'.length)}?watch=true`),
    }
  }, target)

/** Loads one of our pages in a frame, as for clickjacking. */
async function tryFrame(page: Page, url: string): Promise<string> {
  const frame = page.waitForEvent('framenavigated', (frame) => frame !== page.mainFrame())
  await page.evaluate((src) => {
    document.body.replaceChildren(Object.assign(document.createElement('iframe'), { src }))
  }, url)
  const shown = (await frame).url()
  return shown.startsWith('chrome-error://') ? 'refused' : shown
}

/** Opens one of our pages in a window, and tries to read it. */
async function tryWindow(page: Page, url: string): Promise<string> {
  const popup = page.waitForEvent('popup')
  await page.evaluate((target) => void Object.assign(globalThis, { opened: window.open(target) }), url)
  const opened = await popup
  await opened.waitForLoadState()
  const read = await page.evaluate(() => {
    const { opened } = globalThis as unknown as { opened: Window } // defined above
    try {
      return opened.closed ? 'closed to the opener' : `read: ${opened.document.title} ${opened.location.href}`
    } catch {
      return 'closed to the opener'
    }
  })
  await opened.close()
  return read
}

/** Sends a form; returns the status. */
async function tryForm(page: Page, action: string, enctype: string): Promise<number> {
  const origin = new URL(page.url()).origin
  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  const arrived = page.waitForEvent('domcontentloaded')
  await page.evaluate(
    ([action, enctype]) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action, enctype })
      const field = Object.assign(document.createElement('input'), { name: '{"kind":"Application","a":"', value: '"}' })
      form.append(field)
      document.body.append(form)
      form.submit()
    },
    [action, enctype] as const,
  )
  const status = (await answer).status()
  await arrived
  await page.goto(origin)
  return status
}

/** Navigates to an address, like a link. */
async function tryNavigation(page: Page, url: string): Promise<number> {
  const origin = new URL(page.url()).origin
  const answer = page.waitForResponse((response) => response.url() === url)
  const arrived = page.waitForEvent('domcontentloaded')
  await page.evaluate((target) => void (location.href = target), url)
  const status = (await answer).status()
  await arrived
  await page.goto(origin)
  return status
}
