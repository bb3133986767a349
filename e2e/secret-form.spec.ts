import { paths } from '@slipway/console/paths'
import { secretType } from '@slipway/kube/core-types'
import { expect, expectAccessible, signIn, test } from './fixtures'

test('accessibility of the pages that add and edit a secret', async ({ page, namespace, system }) => {
  await signIn(page, 'admin', paths.createSecret({ namespace }))
  await expect(page.getByRole('textbox', { name: 'Value', exact: true })).toBeVisible()
  await expectAccessible(page, 'add-secret')

  await page.getByRole('button', { name: 'Suggestions for secret name' }).click()
  await expect(page.getByRole('option', { name: 'snyk-secret' })).toBeVisible()
  await expectAccessible(page, 'add-secret-preset')
  await page.keyboard.press('Escape')

  await page.getByRole('radio', { name: 'Image pull' }).check()
  await page.getByRole('radio', { name: 'Selected components' }).check()
  await page.getByRole('button', { name: 'Add another credentials' }).click()
  await page.getByRole('button', { name: 'Go to the first one' }).click()
  await expect(page.getByText('Required').first()).toBeVisible()
  await expectAccessible(page, 'add-secret-image-errors')

  await page.getByRole('radio', { name: 'Upload configuration file' }).check()
  await page.getByRole('textbox', { name: 'Configuration file', exact: true }).fill('{')
  await expect(page.getByText('Configuration file should be in JSON format.')).toBeVisible()
  await expectAccessible(page, 'add-secret-file')

  await page.getByRole('radio', { name: 'Source' }).check()
  await page.getByRole('button', { name: 'Add label' }).click()
  await expectAccessible(page, 'add-secret-source')

  await system.create(secretType, {
    metadata: { name: 'token', namespace, labels: { team: 'shop' } },
    type: 'Opaque',
    data: { first: 'b25l', second: 'dHdv' },
  })
  await page.goto(paths.editSecret({ namespace, secret: 'token' }))
  await page.getByRole('button', { name: /^first / }).click()
  await page.getByRole('option', { name: /^Replace/ }).click()
  await expect(page.getByRole('textbox', { name: 'New value', exact: true })).toBeVisible()
  await system.patch(secretType, 'token', [{ op: 'add', path: '/data/third', value: 'Mw==' }], { namespace })
  await expect(page.getByText('This secret has changed since you opened it')).toBeVisible()
  await expectAccessible(page, 'edit-secret')
})

test('a secret is added by keyboard alone', { tag: '@cluster' }, async ({ page, namespace, system }) => {
  await signIn(page, 'admin', paths.createSecret({ namespace }))
  await page.getByRole('radio', { name: 'Key/value' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Secret name' })).toBeFocused()
  await page.keyboard.type('snyk')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Secret name' })).toHaveValue('snyk-secret')
  const value = page.getByRole('textbox', { name: 'Value', exact: true })
  for (let presses = 0; presses < 10; presses++) {
    if (await value.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await expect(value).toBeFocused()
  await page.keyboard.type('s3cret')
  const submit = page.getByRole('button', { name: 'Add secret' })
  await expect(submit).toBeEnabled()
  for (let presses = 0; presses < 20; presses++) {
    if (await submit.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(paths.secrets({ namespace }))
  const secret = await system.get(secretType, 'snyk-secret', { namespace })
  expect(secret.data).toEqual({ snyk_token: Buffer.from('s3cret').toString('base64') })
})
