import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { type Secret, secretType, serviceAccountType } from '@slipway/kube/core-types'
import { annotations } from '@slipway/model/labels'
import type { Overrides } from '@slipway/model/testing'
import { aSecret, aServiceAccount } from '@slipway/model/testing/build-services'
import { expect, expectAccessible, reject, signIn, test } from './fixtures'

const rowOf = (page: Page, name: string) =>
  page
    .getByRole('table', { name: 'Secrets' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) })

const registry = (namespace: string, name: string, metadata: Overrides<Secret>['metadata'] = {}) =>
  aSecret({
    metadata: { name, namespace, ...metadata },
    type: 'kubernetes.io/dockerconfigjson',
    data: { snyk_token: undefined, '.dockerconfigjson': btoa('{"auths":{}}') },
  })

test('SEC-06, SEC-14, SEC-20, SEC-21 accessibility of secrets: empty, needing attention, with their components, deleted', async ({
  page,
  namespace,
  system,
}) => {
  await signIn(page, 'admin', paths.secrets({ namespace }))
  await expect(page.getByText('Easily manage your build and deployment secrets')).toBeVisible()
  await expectAccessible(page, 'secrets-none')

  const forty = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`example.com/label-${at}`, `value-${at}`]))
  const failed = {
    [annotations.linkStatus]: 'Failed',
    [annotations.linkError]: 'serviceaccounts "build-pipeline-web" is forbidden',
    [annotations.credentialExpires]: '2020-01-01T00:00:00Z',
  }
  const name = 'registry-with-a-rather-long-name'
  await system.create(
    serviceAccountType,
    aServiceAccount({ metadata: { name: 'build-pipeline-removed', namespace }, secrets: [{ name }] }),
  )
  await system.create(secretType, registry(namespace, name, { annotations: failed, labels: forty }))
  await system.create(secretType, registry(namespace, 'unused'))
  const row = rowOf(page, name)
  await expect(row).toContainText('Expired')
  await expect(row).toContainText('Component deleted')
  await expect(rowOf(page, 'unused')).toContainText('Unused')
  await row.getByRole('button', { name: /^Show more/ }).click()
  await expect(row.getByText('example.com/label-39=value-39')).toBeAttached()
  await expectAccessible(page, 'secrets-attention')

  await row.getByRole('button', { name: '1 linked component of' }).click()
  await expect(page.getByRole('dialog')).toContainText('removed (deleted component)')
  await expectAccessible(page, 'secrets-components')
  await page.keyboard.press('Escape')

  await row.getByRole('button', { name: /^View Error/ }).click()
  await expect(page.getByRole('dialog', { name: 'Secret link task failed:' })).toContainText('is forbidden')
  await expectAccessible(page, 'secrets-link-error')
  await page.getByRole('dialog').getByText('Close', { exact: true }).click()

  await row.getByRole('button', { name: /^Actions/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toContainText('It is linked to removed')
  await expectAccessible(page, 'secrets-delete')
  await page.getByRole('textbox', { name: `Type ${name} to confirm` }).fill(name)
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(row).toBeHidden()
})

test('SEC-02, SEC-10 accessibility of secrets: denied, failed, without service accounts', async ({
  page,
  namespace,
  system,
}) => {
  await system.create(secretType, registry(namespace, 'base'))
  await signIn(page, 'contributor', paths.secrets({ namespace }))
  await expect(page.getByRole('heading', { name: "Let's get you access" })).toBeVisible()
  await expectAccessible(page, 'secrets-denied')

  await page.context().clearCookies()
  await signIn(page, 'admin')
  await page.route(/\/serviceaccounts\?/, (route) => reject(route, 403, 'service accounts are for others'))
  await page.goto(paths.secrets({ namespace }))
  await rowOf(page, 'base').getByRole('button', { name: 'Error: linked components of base' }).click()
  await expect(page.getByRole('dialog', { name: 'Unable to load linked components' })).toContainText('are for others')
  await expect(page.getByRole('button', { name: 'Partial' })).toBeAttached()
  await expectAccessible(page, 'secrets-partial')

  await page.route(/\/secrets\?/, (route) => reject(route, 422, 'the query is too large'))
  await page.reload()
  await expect(page.getByText('Unable to load secrets')).toBeVisible()
  await expectAccessible(page, 'secrets-failed')
})

test('300 secrets of a namespace are listed, and only the rows around the window are rendered', async ({
  page,
  namespace,
  system,
}) => {
  for (let index = 0; index < 300; index++) {
    await system.create(secretType, registry(namespace, `registry-${String(index).padStart(3, '0')}`))
  }
  await signIn(page, 'admin', paths.secrets({ namespace }))
  await expect(page.getByText('300 total')).toBeVisible()
  await expect(rowOf(page, 'registry-000')).toContainText('Unused')
  expect(await page.getByRole('rowheader').count()).toBeLessThan(60)
  await page.getByPlaceholder('Filter by name...').fill('299')
  await expect(rowOf(page, 'registry-299')).toBeVisible()
})
