import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { namespaceType, roleBindingType, roleType } from '@slipway/kube/core-types'
import { releaseType } from '@slipway/model/releases/release'
import { aNamespace, aRelease, aRoleBinding } from '@slipway/model/testing'
import { startFront } from '@slipway/slipway/front'
import { host } from '@slipway/slipway/host'
import { describe } from '@slipway/slipway/running-slipway'
import { startServices } from '@slipway/slipway/services'
import { emailOf, type UserName } from '@slipway/slipway/users'
import { type RunningViews, startViews } from '@slipway/slipway/views'
import { rowOf } from './builds'
import { startFaultProxy } from './fault-proxy'
import { assets, expect, grant, type Product, signIn, test as base } from './fixtures'

interface ProductWithViews extends Product {
  killViews(): Promise<void>
  restartViews(): Promise<void>
}

const test = base.extend<object, { product: ProductWithViews }>({
  product: [({}, use) => startProduct(use), { scope: 'worker' }],
})

/** A product whose service for list views can be killed. */
async function startProduct(use: (product: ProductWithViews) => Promise<void>) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'slipway-e2e-'))
  const services = await startServices({
    apiPort: 0,
    gitPort: 0,
    scenario: 'empty',
    simulator: false,
    archive: 'none',
    views: false,
    data: dataFolder,
  })
  const headers = { authorization: `Bearer ${services.credentials.tokens.system}` }
  const system = createKubeClient({ baseUrl: services.privateApiUrl, headers })
  const start = (port?: number) => startViews({ apiUrl: services.privateApiUrl, system, host, port })
  let views: RunningViews = await start()
  const { url } = views.plugin
  let gatewayPort = 0
  const wire = await startFaultProxy(() => gatewayPort)
  const front = await startFront(
    { port: 0, signInPort: 0, assets, publicOrigins: [wire.url] },
    { ...services, plugins: { views: { url, token: () => views.readerToken() } } },
  )
  gatewayPort = Number(new URL(front.url).port)
  await services.begin({ consoleUrl: front.consoleUrl })
  const slipway = describe(front, services, async () => {
    await front.close()
    await views.close()
    await services.close()
  })
  await use({
    ...slipway,
    wire,
    dataFolder,
    killViews: () => views.close(),
    async restartViews() {
      views = await start(Number(new URL(url).port))
    },
  })
  await wire.close()
  await slipway.close()
  await rm(dataFolder, { recursive: true })
}

/** A right that is taken or given shows within this time. */
const withinMs = 5_000

test('each of two users sees their own releases side by side, while a third person changes bindings', async ({
  page,
  browser,
  baseURL,
  namespace,
  system,
}) => {
  const other = `${namespace}-other`
  await createNamespace(system, other, 'contributor')
  const { metadata: binding } = await grant(system, other, 'admin')
  for (const each of [namespace, other]) await createRelease(system, each, 'first')
  const context = await browser.newContext({ baseURL })
  const secondPage = await context.newPage()
  await openMonitor(page, 'admin', namespace)
  await openMonitor(secondPage, 'contributor', namespace)
  const row = (at: Page, where: string) => rowOf(at, 'Releases', `${where}-first`)
  for (const each of [page, secondPage]) await expect(row(each, namespace)).toBeVisible()
  await expect(row(page, other)).toBeVisible()
  await expect(row(secondPage, other)).toHaveCount(0)
  await expect(secondPage.getByText(`Could not read namespace ${other}`)).toBeVisible()

  await grant(system, other, 'contributor')
  await expect(row(secondPage, other)).toBeVisible({ timeout: withinMs })
  await system.delete(roleBindingType, binding.name ?? '', { namespace: other })
  await expect(row(page, other)).toHaveCount(0, { timeout: withinMs })
  await expect(page.getByText(`Could not read namespace ${other}`)).toBeVisible()
  await grant(system, other, 'admin')
  await expect(row(page, other)).toBeVisible({ timeout: withinMs })
  for (const each of [page, secondPage]) await expect(row(each, namespace)).toBeVisible()
  await context.close()
})

test('a service that is killed and restarted leaves the page right, without a reload, and the badge says who reads', async ({
  page,
  namespace,
  system,
  product,
}) => {
  const row = (name: string) => rowOf(page, 'Releases', `${namespace}-${name}`)
  await createRelease(system, namespace, 'first')
  await openMonitor(page, 'admin', namespace)
  await expect(row('first')).toBeVisible()
  await page.evaluate(() => (document.body.dataset.journey = 'same page'))
  await expectReader(page, 'The service for list views, which reads lists for all users.')

  await product.killViews()
  await createRelease(system, namespace, 'second')
  await system.delete(releaseType, `${namespace}-first`, { namespace })
  await expect(row('second')).toBeVisible()
  await expect(row('first')).toHaveCount(0)
  await expectReader(page, 'Your browser, since the service for list views cannot be reached or does not exist.')

  await product.restartViews()
  await createRelease(system, namespace, 'third')
  await expect(row('third')).toBeVisible()
  await expectReader(page, 'The service for list views, which reads lists for all users.')
  await createRelease(system, namespace, 'fourth')
  for (const name of ['second', 'third', 'fourth']) await expect(row(name)).toBeVisible()
  await expect(page.locator('body')).toHaveAttribute('data-journey', 'same page')
})

/** Opens the releases of the namespaces whose names begin like this one. */
async function openMonitor(page: Page, user: UserName, namespace: string) {
  await signIn(page, user, `${paths.releaseMonitor()}?ff=release-monitor&name=${namespace}`)
  await expect(page.getByRole('heading', { name: 'Release Monitor', level: 1 })).toBeVisible()
}

/** Expects that the badge of the page says who reads its list. */
async function expectReader(page: Page, reader: string) {
  const badge = page.getByRole('button', { name: 'Live', exact: true })
  await expect(async () => {
    await badge.click()
    await expect(page.getByText(reader)).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 60_000 })
  await page.keyboard.press('Escape')
}

const createRelease = (system: KubeClient, namespace: string, name: string) =>
  system.create(releaseType, aRelease({ metadata: { name: `${namespace}-${name}`, namespace } }))

/** A namespace that a user can see, but whose releases they may not list. */
async function createNamespace(system: KubeClient, name: string, user: UserName) {
  await system.create(namespaceType, aNamespace({ metadata: { name } }))
  const rules = [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }]
  await system.create(roleType, { metadata: { name: 'visitor', namespace: name }, rules })
  await system.create(
    roleBindingType,
    aRoleBinding({
      metadata: { name: 'visitor', namespace: name },
      roleRef: { kind: 'Role', name: 'visitor' },
      subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf(user) }],
    }),
  )
}
