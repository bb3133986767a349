import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { secretType, serviceAccountType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { anApplication, aComponent } from '@slipway/model/testing'
import { annotations } from '@slipway/model/labels'
import { formatUnfinishedLinks } from '@slipway/model/secrets/link-request'
import { aSecret, aServiceAccount } from '@slipway/model/testing/build-services'
import type { Page, Route } from '@playwright/test'
import { expect, expectAccessible, reject, signIn, test } from './fixtures'

const component = 'checkout-api'
const application = 'checkout'
const account = `build-pipeline-${component}`
/** Sorted first. */
const longName = `a-registry-with-a-${'very-'.repeat(12)}long-name`

const pullSecret = (namespace: string, name: string) =>
  aSecret({
    metadata: { name, namespace },
    type: 'kubernetes.io/dockerconfigjson',
    data: { snyk_token: undefined, '.dockerconfigjson': btoa('{"auths":{}}') },
  })

/** A component whose service account refers to these secrets, of which `gone` does not exist. */
async function createComponent(system: KubeClient, namespace: string, { linked }: { linked: readonly string[] }) {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await system.create(componentType, aComponent({ metadata: { name: component, namespace }, spec: { application } }))
  for (const name of linked.filter((each) => each !== 'gone')) {
    await system.create(secretType, pullSecret(namespace, name))
  }
  const links = linked.map((name) => ({ name }))
  const lists = { secrets: links, imagePullSecrets: links }
  await system.create(serviceAccountType, aServiceAccount({ metadata: { name: account, namespace }, ...lists }))
}

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

test('accessibility of linked secrets and their dialogs', async ({ page, namespace, system }) => {
  await createComponent(system, namespace, { linked: [] })
  const linkedSecrets = paths.linkedSecrets({ namespace, application, component })
  await signIn(page, 'admin', linkedSecrets)
  await expect(page.getByRole('heading', { name: 'No linked secrets found' })).toBeVisible()
  await expectAccessible(page, 'linked-secrets-none')
  await page.getByRole('button', { name: 'Link Secrets' }).click()
  await expect(page.getByRole('heading', { name: 'No Unlinked Secrets' })).toBeVisible()
  await expectAccessible(page, 'link-secrets-none')
  await page.keyboard.press('Escape')

  for (let index = 1; index <= 13; index++) await system.create(secretType, pullSecret(namespace, `registry-${index}`))
  await system.create(secretType, pullSecret(namespace, longName))
  await page.getByRole('button', { name: 'Link Secrets' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Select registry-1', exact: true }).check()
  await dialog.getByRole('checkbox', { name: `Select ${longName}` }).check()
  await expectAccessible(page, 'link-secrets')
  await dialog.getByRole('textbox').fill('registry-7')
  await expect(dialog.getByRole('rowheader')).toHaveText(['registry-7'])
  await expectAccessible(page, 'link-secrets-filtered')

  const rejectPatches = (route: Route) =>
    route.request().method() === 'PATCH' ? reject(route, 403, 'a policy forbids it') : route.continue()
  await page.route(/\/serviceaccounts\//, rejectPatches)
  await dialog.getByRole('button', { name: 'Link 2 Secrets' }).click()
  await expect(dialog.getByText('a policy forbids it')).toBeVisible()
  await expectAccessible(page, 'link-secrets-failed')
  await page.unroute(/\/serviceaccounts\//, rejectPatches)
  await dialog.getByRole('button', { name: 'Link 2 Secrets' }).click()
  await expect(row(page, longName)).toBeVisible()

  const gone = { op: 'add', path: '/secrets/-', value: { name: 'gone' } } as const
  await system.patch(serviceAccountType, account, [gone], { namespace })
  await expect(row(page, 'gone')).toContainText('Secret does not exist')
  await page.getByRole('checkbox', { name: 'Select gone' }).check()
  await expectAccessible(page, 'linked-secrets')
  await page.getByRole('button', { name: 'Unlink' }).click()
  await expect(page.getByRole('dialog')).toContainText('Unlink gone?')
  await expectAccessible(page, 'unlink-secret')
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(row(page, 'gone')).toBeHidden()

  await page.route(new RegExp(`/api/k8s/.*/components/${component}`), (route) =>
    reject(route, 422, 'a webhook is broken'),
  )
  await page.reload()
  await page.getByRole('button', { name: 'Actions for registry-1' }).click()
  await page.getByRole('menuitem', { name: 'Unlink' }).click()
  await expect(page.getByText('Unable to load component')).toBeVisible()
  await expectAccessible(page, 'unlink-secret-failed')
})

test('LINK-33, LINK-34 warns while a link task runs, in the page and before leaving it', async ({
  page,
  namespace,
  system,
}) => {
  await createComponent(system, namespace, { linked: [] })
  const request = { target: { option: 'partial', components: [component] }, unlink: [] } as const
  const marks = {
    [annotations.linkStatus]: 'Running',
    // An hour ago.
    [annotations.unfinishedLinks]: formatUnfinishedLinks({ request, startedMs: Date.now() - 3_600_000 }),
  }
  const secret = pullSecret(namespace, 'registry')
  await system.create(secretType, { ...secret, metadata: { ...secret.metadata, annotations: marks } })
  let isHeld = true
  let release = () => {}
  await page.route(/\/api\/k8s\/.*\/serviceaccounts\/build-pipeline/, async (route) => {
    if (isHeld) await new Promise<void>((resolve) => (release = resolve))
    await route.continue()
  })
  await signIn(page, 'admin', paths.secrets({ namespace }))
  await expect(row(page, 'registry')).toContainText('Interrupted')
  await expectAccessible(page, 'link-task-interrupted')
  await page.getByRole('button', { name: 'Resume linking registry' }).click()
  await expect(page.getByText('Keep this window open while registry is being linked')).toBeVisible()
  await expect(page.getByText('0 of 1 component')).toBeVisible()
  await expectAccessible(page, 'link-task-running')
  const question = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  expect((await question).type()).toBe('beforeunload')
  await (await question).dismiss()
  isHeld = false
  release()
  await expect(page.getByText('The links of registry are up to date')).toBeVisible()
  await expectAccessible(page, 'link-task-succeeded')
  await expect(row(page, 'registry')).toContainText('Succeeded')
})

test('links and unlinks a secret by keyboard', async ({ page, namespace, system }) => {
  await createComponent(system, namespace, { linked: ['registry', 'gone'] })
  await system.create(secretType, pullSecret(namespace, 'other'))
  await signIn(page, 'admin', paths.component({ namespace, application, component }))
  await page.getByRole('button', { name: `Actions for ${component}` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Manage linked secrets' }).press('Enter')
  await expect(row(page, 'registry')).toBeVisible()

  await page.getByRole('button', { name: 'Link Secrets' }).press('Enter')
  // The first field has the focus.
  await expect(page.getByRole('checkbox', { name: 'Select all 1 shown' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: 'Select other' })).toBeChecked()
  await page.getByRole('dialog').getByRole('button', { name: 'Link Secrets' }).press('Enter')
  await expect(row(page, 'other')).toBeVisible()

  await page.getByRole('button', { name: 'Actions for registry' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Unlink' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).press('Enter')
  // The dialog, which closes once the links are removed, hides the rows from the accessibility tree.
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(row(page, 'registry')).toBeHidden()
  const { secrets } = await system.get(serviceAccountType, account, { namespace })
  expect(secrets).toEqual([{ name: 'gone' }, { name: 'other' }])
})
