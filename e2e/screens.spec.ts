import { paths } from '@slipway/console/paths'
import { configMapType, roleBindingType, roleType } from '@slipway/kube/core-types'
import type { KubeClient } from '@slipway/kube/client'
import { applicationType } from '@slipway/model/builds/application'
import { labels } from '@slipway/model/labels'
import { notificationLocation } from '@slipway/model/platform/notification'
import { bannerEntry, bannerLocation } from '@slipway/model/platform/public-info'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aConfigMap, anApplication, aPipelineRun, aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import type { Page } from '@playwright/test'
import { applicationRow, freshness } from './applications'
import { expect, expectAccessible, reject, signIn, test, withoutViewsService } from './fixtures'

/** Rare states of the screens, each caused by real conditions. */

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })

const createApplications = async (system: KubeClient, namespace: string, names: string[]) => {
  for (const name of names) await system.create(applicationType, anApplication({ metadata: { name, namespace } }))
}

async function letAdminReadNotifications(system: KubeClient, name: string) {
  const { namespace } = notificationLocation
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }]
  await system.create(roleType, { metadata: { name, namespace }, rules })
  await system.create(
    roleBindingType,
    aRoleBinding({
      metadata: { name, namespace },
      roleRef: { kind: 'Role', name },
      subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf('admin') }],
    }),
  )
}

test('overlays: palette, keyboard shortcuts, menus, the details of the badge', async ({ page, namespace, system }) => {
  await createApplications(system, namespace, ['checkout', 'ledger'])
  await signIn(page, 'contributor', paths.applications({ namespace }))
  await expect(applicationRow(page, 'ledger')).toBeVisible()

  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByRole('option', { name: 'checkout' })).toBeVisible()
  await expectAccessible(page, 'palette')
  await page.getByRole('combobox').fill('create')
  await expect(page.getByRole('option', { name: /Create application/ })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page, 'palette-disabled')
  await page.keyboard.press('Escape')

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessible(page, 'keys')
  await page.keyboard.press('Escape')

  await applicationRow(page, 'ledger')
    .getByRole('button', { name: /^Actions/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Delete application' })).toBeVisible()
  await expectAccessible(page, 'row-actions')
  await page.keyboard.press('Escape')

  await freshness(page).click()
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible()
  await expectAccessible(page, 'freshness')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /^Theme/ }).click()
  await expect(page.getByRole('menuitem', { name: 'Dark' })).toBeVisible()
  await expectAccessible(page, 'theme-menu')
})

test('applications: loading, failed, denied, offline', async ({ page, namespace, product: { wire }, system }) => {
  await createApplications(system, namespace, ['checkout', 'ledger'])
  await signIn(page, 'admin')
  await withoutViewsService(page)
  const isList = (url: URL) => url.pathname.endsWith(`/namespaces/${namespace}/applications`)
  let release: (() => void) | undefined
  await page.route(isList, async (route) => {
    await new Promise<void>((resolve) => (release = resolve))
    await route.continue()
  })
  await page.goto(paths.applications({ namespace }))
  await expect(page.getByRole('table', { name: 'Applications' })).toBeVisible()
  await expect(freshness(page)).toHaveText('Connecting')
  await expectAccessible(page, 'applications-loading')
  release?.()
  await expect(applicationRow(page, 'ledger')).toBeVisible()
  await page.unroute(isList)
  await expect(freshness(page)).toHaveText('Live')

  const heal = wire.refuseSockets()
  await page.route(isList, (route) => reject(route, 500, 'the database of the cluster is read-only'))
  wire.dropSockets()
  await expect(freshness(page)).toHaveText(/^Updated/)
  await freshness(page).click()
  await expect(page.getByText('the database of the cluster is read-only')).toBeVisible()
  await expectAccessible(page, 'applications-stale')
  await page.keyboard.press('Escape')
  heal()
  await page.unroute(isList)

  await page.route(isList, (route) => reject(route, 422, 'the query is too large'))
  await page.reload()
  await expect(page.getByText('Unable to load applications')).toBeVisible()
  await expectAccessible(page, 'applications-failed')
  await page.unroute(isList)

  await page.route(isList, (route) => reject(route, 403, 'applications are for others'))
  await page.reload()
  await expect(page.getByText('Restricted Access')).toBeVisible()
  await expectAccessible(page, 'applications-refused')
})

test('SHELL-06, NOTE-01 notifications from the operators', async ({ page, system }) => {
  const told = {
    outage: {
      type: 'danger',
      title: 'Registry outage',
      summary: 'Images cannot be pushed. Builds wait and are not lost.',
    },
    upgrade: { type: 'warning', title: 'Upgrade tonight', summary: 'Between 21:00 and 22:00 UTC pages may be slow.' },
    scanner: { type: 'info', title: 'A new scanner', summary: 'Vulnerabilities now name the version that fixes them.' },
  }
  const { namespace, labels } = notificationLocation
  for (const [name, content] of Object.entries(told)) {
    const data = { 'notification-content.json': JSON.stringify(content) }
    await system.create(configMapType, aConfigMap({ metadata: { name, namespace, labels }, data }))
  }
  await letAdminReadNotifications(system, 'notified')
  await signIn(page, 'admin', `${paths.overview()}?ff=system-notifications`)
  await page.getByRole('button', { name: 'Notifications, 3' }).click()
  await expect(page.getByRole('complementary', { name: 'Notifications' })).toContainText('Registry outage')
  await expectAccessible(page, 'notifications')
  for (const name of Object.keys(told)) {
    await system.delete(configMapType, name, { namespace })
  }
})

test('MD-01 hostile Markdown in a banner and a notification violates no policy and runs no script', async ({
  page,
  system,
}) => {
  const hostile = [
    '**Fine** <img src=x onerror="window.harmed = 1"><p onclick=harmed() style="color:red">text</p>',
    "<a href='https://example.com/a' onmouseover='window.harmed = 1' style=color:red>link</a>",
    '<svg onload="window.harmed = 1"><script>window.harmed = 1</script><style>body { display: none }</style></svg>',
    '<iframe srcdoc="<script>top.harmed = 1</script>"></iframe><object data="data:text/html,x"></object>',
    '<form action="https://example.com"><button formaction="javascript:window.harmed = 1">press</button></form>',
  ].join('\n')
  const { name, namespace } = bannerLocation
  const banner = await system.get(configMapType, name, { namespace })
  const entry = JSON.stringify([{ summary: hostile.replaceAll('\n', ' ').slice(0, 480), type: 'info' }])
  await system.replace(configMapType, { ...banner, data: { [bannerEntry]: entry } })
  const content = JSON.stringify({ type: 'info', title: 'Hostile', summary: hostile })
  const notification = { name: 'hostile', namespace: notificationLocation.namespace }
  const { labels } = notificationLocation
  const data = { 'notification-content.json': content }
  await system.create(configMapType, aConfigMap({ metadata: { ...notification, labels }, data }))
  await letAdminReadNotifications(system, 'hostile-notifications')

  await signIn(page, 'admin', `${paths.overview()}?ff=system-notifications`)
  await expect(page.getByRole('region', { name: 'Banner' }).getByText('Fine')).toBeVisible()
  await page.getByRole('button', { name: 'Notifications, 1' }).click()
  const drawer = page.getByRole('complementary', { name: 'Notifications' })
  await expect(drawer.getByText('Fine')).toBeVisible()
  await expect(drawer.getByRole('link', { name: 'link' })).toHaveAttribute('href', 'https://example.com/a')
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false)
  await expectAccessible(page, 'hostile-texts')
  await system.delete(configMapType, notification.name, notification)
  const fresh = await system.get(configMapType, name, { namespace })
  await system.replace(configMapType, { ...fresh, data: { [bannerEntry]: '[]\n' } })
})

test('NAV-25, NAV-26, NAV-27 the address of a missing namespace says that it cannot be accessed', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto(paths.applications({ namespace: 'no-such-team' }))
  await expect(heading(page, 'Unable to access namespace no-such-team')).toBeVisible()
  await expectAccessible(page, 'namespace-missing')
})

const logsOf = (namespace: string, run: string) => `${paths.anyPipelineRun({ namespace })}/${run}/logs`

test('NAV-38 the address of a missing run says that it was not found', async ({ page, namespace }) => {
  await signIn(page, 'admin')
  await page.goto(logsOf(namespace, 'never-was'))
  await expect(heading(page, '404: Pipeline run not found')).toBeVisible()
  await expectAccessible(page, 'redirect-not-found')
})

test('NAV-39 the address of a run without an application ends in an error page', async ({
  page,
  namespace,
  system,
}) => {
  await system.create(
    pipelineRunType,
    aPipelineRun({ metadata: { name: 'unlabelled', namespace, labels: { [labels.application]: undefined } } }),
  )
  await signIn(page, 'admin')
  await page.goto(logsOf(namespace, 'unlabelled'))
  await expect(heading(page, 'Unable to load pipeline run')).toBeVisible()
  await expectAccessible(page, 'redirect-no-application')
})

test('NAV-36 the address of a run shows that it redirects while the run is loaded', async ({ page, namespace }) => {
  await signIn(page, 'admin')
  await page.route('**/pipelineruns/slow-run', () => undefined)
  await page.goto(logsOf(namespace, 'slow-run'))
  await expect(page.getByText('Redirecting to pipeline run logs...')).toBeVisible()
  await expectAccessible(page, 'redirect-waiting')
})

test('ERR-12 an error of the cluster shows that something went wrong', async ({ page, namespace }) => {
  await signIn(page, 'admin')
  await page.route(`**/api/k8s/api/v1/namespaces/${namespace}`, (route) =>
    route.fulfill({
      status: 500,
      json: { kind: 'Status', status: 'Failure', code: 500, message: 'etcd has no leader' },
    }),
  )
  await page.goto(paths.applications({ namespace }))
  await expect(heading(page, 'Something went wrong')).toBeVisible()
  await expectAccessible(page, 'http-error')
})

const chunk = /\/assets\/NamespaceListPage-.*\.js$/

test('ERR-15, ERR-16 a part of the console that cannot be loaded offers to reload the page', async ({ page }) => {
  await signIn(page, 'admin')
  await page.route(chunk, (route) => route.abort())
  await page.goto(paths.namespaces())
  await expect(heading(page, 'An unknown error occurred.')).toBeVisible()
  await expectAccessible(page, 'lazy-part-error')
  await page.unroute(chunk)
  await page.getByRole('button', { name: 'Reload Page' }).click()
  await expect(heading(page, 'Namespaces')).toBeVisible()
})

test('ERR-15, ERR-16 a dialog that cannot be loaded offers to reload the page', async ({ page, namespace }) => {
  await signIn(page, 'admin', paths.createApplication({ namespace }))
  await page.getByRole('button', { name: 'Add a component' }).click()
  await page.route(/\/assets\/NewSecretDialog-.*\.js$/, (route) => route.abort())
  await page.getByRole('button', { name: 'Add secret' }).click()
  await expect(page.getByText('An unknown error occurred.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reload Page' })).toBeVisible()
  await expectAccessible(page, 'lazy-dialog-error')
})

test('ERR-13, ERR-14 an error of the console itself is shown with its details', async ({ page }) => {
  await signIn(page, 'admin')
  await page.route(chunk, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `export function Component() { throw new TypeError('rows is not iterable') }`,
    }),
  )
  await page.goto(paths.namespaces())
  await expect(heading(page, 'Oh no! Something went wrong.')).toBeVisible()
  await page.getByText('Details').click()
  await expect(page.getByText('rows is not iterable', { exact: true })).toBeVisible()
  await expectAccessible(page, 'unknown-error')
})
