import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { clusterRoleBindingType, roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { serviceAccountUser } from '@slipway/kube/user'
import { releaseType } from '@slipway/model/releases/release'
import { aRelease, aRoleBinding, condition } from '@slipway/model/testing'
import { accountObjects } from '@slipway/slipway/account-objects'
import { applyObjects } from '@slipway/slipway/apply'
import type { UserName } from '@slipway/slipway/users'
import { viewsAccount } from '@slipway/slipway/views'
import { viewsRules } from '@slipway/views/host/permissions'
import { forEachOf } from './bench/product'
import { activity, aWaitingRun, badge, createApplication, createRun, rowOf, runRow, statusIn } from './builds'
import { createNamespaceToSee, expect, grant, signIn, test as base } from './fixtures'
import { expectReader } from './list-readers'
import { type ProductWithViews, startProductWithViews } from './product-with-views'
import { type Acknowledged, findStaleTables, startRecording, takeStates } from './stale-tables'

const test = base.extend<{ ticks: Ticks }, { product: ProductWithViews }>({
  product: [
    async ({}, use) => {
      const product = await startProductWithViews()
      await use(product)
      await product.close()
    },
    { scope: 'worker' },
  ],
  ticks: async ({ page, namespace, system }, use) => {
    const ticks = await openTicks(page, namespace, system)
    await expectReader(page, 'service')
    await use(ticks)
  },
})

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
  await createNamespaceToSee(system, other, 'contributor')
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
  ticks: { create, row, expectNeverStale },
}) => {
  await product.killViews()
  await create(2)
  await system.delete(releaseType, `${namespace}-tick-1`, { namespace })
  await expect(row(2)).toBeVisible(recovered)
  await expect(row(1)).toHaveCount(0)
  await expectReader(page, 'browser')

  await product.restartViews()
  await create(3)
  await expect(row(3)).toBeVisible(recovered)
  await expectReader(page, 'service')
  await create(4)
  for (const number of [2, 3, 4]) await expect(row(number)).toBeVisible()
  await expectNeverStale()
})

test('while the service is frozen the badge does not say Live for long, the browser reads instead, and the service continues', async ({
  page,
  namespace,
  system,
  product,
  ticks: { create, row, expectNeverStale },
}) => {
  product.signalViews('SIGSTOP')
  await create(2)
  await expect(page.locator('.slipway-freshness')).not.toHaveText('Live', recovered)
  await expect(row(1)).toBeVisible()
  await expect(row(2)).toBeVisible(recovered)
  await expectReader(page, 'browser')
  await system.delete(releaseType, `${namespace}-tick-1`, { namespace })
  await expect(row(1)).toHaveCount(0)

  product.signalViews('SIGCONT')
  await create(3)
  await expect(row(3)).toBeVisible()
  await expectReader(page, 'service')
  await create(4)
  for (const number of [2, 3, 4]) await expect(row(number)).toBeVisible()
  await expect(row(1)).toHaveCount(0)
  await expectNeverStale()
})

test('a service that is restarted with an account of fewer rights says what it cannot read, and no page lies', async ({
  page,
  context,
  namespace,
  system,
  product,
}) => {
  const other = `${namespace}-other`
  await createNamespaceToSee(system, other, 'contributor')
  await grant(system, other, 'admin')
  const { create, row, expectNeverStale } = await openTicks(page, namespace, system)
  const inOther = (name: string, at = page) => rowOf(at, 'Releases', `${other}-${name}`)
  await createRelease(system, other, 'first')
  await expect(inOther('first')).toBeVisible()
  await expectReader(page, 'service')

  const limited = { ...viewsAccount, name: 'limited' }
  const user = serviceAccountUser(limited.namespace, limited.name)
  await applyObjects(system, accountObjects(limited, 'slipway-views-reviews', viewsRules([])))
  await bindServiceRole(system, roleBindingType, user, namespace)
  await product.killViews()
  await product.restartViews(limited)
  await create(2)
  await createRelease(system, other, 'second')
  for (const each of [row(1), row(2), inOther('first'), inOther('second')]) await expect(each).toBeVisible(recovered)
  await expectReader(page, 'browser')

  // A page that is opened now has nothing to show until its browser has read the lists.
  const newPage = await context.newPage()
  let read = () => {}
  const held = new Promise<void>((resolve) => (read = resolve))
  await newPage.route(/\/api\/k8s\/.*\/releases\?/, (route) => held.then(() => route.continue()))
  await newPage.goto(page.url())
  await expect(rowOf(newPage, 'Releases', `${namespace}-tick-2`)).toBeVisible()
  // The account cannot read other namespaces of the user either.
  await expect(newPage.getByText(new RegExp(`Could not read .*namespace ${other}`))).toBeVisible()
  await newPage.locator('.slipway-freshness').click()
  await expect(newPage.getByText(user).first()).toBeVisible()
  await newPage.keyboard.press('Escape')
  await expect(inOther('second', newPage)).toHaveCount(0)
  read()
  await expect(inOther('second', newPage)).toBeVisible(recovered)
  await expect(newPage.getByText('Could not read namespace')).toHaveCount(0)

  await bindServiceRole(system, clusterRoleBindingType, user)
  await system.delete(releaseType, `${other}-first`, { namespace: other })
  await create(3)
  for (const each of [row(1), row(2), row(3), inOther('second')]) await expect(each).toBeVisible(recovered)
  await expect(inOther('first')).toHaveCount(0)
  for (const each of [page, newPage]) await expectReader(each, 'service')
  await expectNeverStale()

  await product.killViews()
  await product.restartViews()
})

test('a page of runs stays right while the service is removed and put back', async ({
  page,
  namespace,
  system,
  product,
}) => {
  const create = (name: string) => createRun(system, aWaitingRun({ metadata: { name, namespace } }))
  await createApplication(system, namespace)
  await create('first')
  await signIn(page, 'admin', activity(namespace, 'pipelineruns'))
  await expect(runRow(page, 'first')).toBeVisible()
  const expectNotReloaded = await rememberPage(page)
  await expectReader(page, 'service')

  await product.restartGateway(false)
  expect((await page.request.get('/api/k8s/plugins/views/livez')).status()).toBe(404)
  await create('second')
  await expect(runRow(page, 'second')).toBeVisible(recovered)
  await expectReader(page, 'browser')

  await product.restartGateway(true)
  await create('third')
  await expect(runRow(page, 'third')).toBeVisible(recovered)
  await expect(badge(page, 'Live')).toBeVisible(recovered)
  for (const name of ['first', 'second', 'third']) await expect(runRow(page, name)).toBeVisible()
  await expectNotReloaded()
  // A page that has found no service asks for it again after a minute at the earliest; one that is loaded again, at once.
  await page.reload()
  await expect(runRow(page, 'third')).toBeVisible()
  await expectReader(page, 'service')
})

test('1,000 changes while a list is open end with the right rows, order and total', async ({
  page,
  namespace,
  system,
  ticks: { expectNeverStale },
}) => {
  // 400 are created, all of them end, and half of them are deleted.
  await forEachOf(400, async (index) => {
    const release = await createRelease(system, namespace, `run-${index}`)
    const completionTime = new Date(firstEndMs + index * 1_000).toISOString()
    const conditions = [condition('Released', 'True', 'Succeeded')]
    await system.replaceStatus(releaseType, { ...release, status: { completionTime, conditions } })
    if (index % 2 === 0) await system.delete(releaseType, nameOf(release), { namespace })
  })
  await expect(page.getByRole('status').getByText('100 of 201')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Releases' }).locator('tbody tr:has([data-label="Name"])')
  // A release that has not ended comes first.
  const newest = ['tick-1', ...Array.from({ length: 9 }, (_, row) => `run-${399 - 2 * row}`)]
  const expected = newest.map((name) => `${namespace}-${name}`)
  await expect
    .poll(async () => (await rows.getByRole('rowheader').allInnerTexts()).slice(0, expected.length))
    .toEqual(expected)
  for (const row of [1, 9]) await expect(statusIn(rows.nth(row))).toHaveText('Succeeded')
  await expect(badge(page, 'Live')).toBeVisible()
  await expectNeverStale()
})

/** A silent connection is noticed after 15 s, and the browser reads only after another attempt has failed. */
const recovered = { timeout: 60_000 }

const firstEndMs = Date.parse('2026-01-01T00:00:00Z')

type Ticks = Awaited<ReturnType<typeof openTicks>>

/** Opens the releases of a namespace, which has one with the number 1, and records whether the page is ever outdated. */
async function openTicks(page: Page, namespace: string, system: KubeClient) {
  const acknowledged: Acknowledged = []
  const create = async (number: number) => {
    await createRelease(system, namespace, `tick-${number}`)
    acknowledged.push({ number, atMs: Date.now() })
  }
  const row = (number: number) => rowOf(page, 'Releases', `${namespace}-tick-${number}`)
  await create(1)
  await openMonitor(page, 'admin', namespace)
  await expect(row(1)).toBeVisible()
  const expectNotReloaded = await rememberPage(page)
  await page.evaluate(startRecording, 'Releases')
  return {
    create,
    row,
    async expectNeverStale() {
      expect(findStaleTables(await takeStates(page), acknowledged)).toEqual([])
      await expectNotReloaded()
    },
  }
}

/** Returns an expectation that the page has not been loaded again since. */
async function rememberPage(page: Page) {
  await page.evaluate(() => (document.body.dataset.journey = 'same page'))
  return () => expect(page.locator('body')).toHaveAttribute('data-journey', 'same page')
}

/** Opens the releases of the namespaces whose names begin like this one. */
async function openMonitor(page: Page, user: UserName, namespace: string) {
  await signIn(page, user, `${paths.releaseMonitor()}?ff=release-monitor&name=${namespace}`)
  await expect(page.getByRole('heading', { name: 'Release Monitor', level: 1 })).toBeVisible()
}

const createRelease = (system: KubeClient, namespace: string, name: string) =>
  system.create(releaseType, aRelease({ metadata: { name: `${namespace}-${name}`, namespace } }))

/** Lets an account read the kinds of the service in a namespace, or in all of them. */
const bindServiceRole = (system: KubeClient, type: ResourceType<RoleBinding>, user: string, namespace?: string) =>
  system.create(
    type,
    aRoleBinding({
      metadata: { name: 'slipway-views-limited', namespace },
      roleRef: { kind: 'ClusterRole', name: 'slipway-views' },
      subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: user }],
    }),
  )
