import type { Locator } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { secretType } from '@slipway/kube/core-types'
import { componentType } from '@slipway/model/builds/component'
import { freshness } from './applications'
import { createUndisturbed, mergePullRequest, patient, test } from './builds'
import { expect, expectAccessible, signIn, tabTo } from './fixtures'
import { linksIn } from './secrets'

test('IMP-23, IMP-48, IMP-50, APP-32 a newcomer imports a repository, merges its pull request and sees the first build @cluster', async ({
  page,
  context,
  namespace,
}) => {
  const shop = { namespace, application: 'shop' }
  await createUndisturbed(page)
  await signIn(page, 'admin', paths.applications({ namespace }))
  await page.getByRole('link', { name: 'Create application' }).first().click()
  await page.getByRole('textbox', { name: 'Application name' }).fill('shop')
  await page.getByRole('button', { name: 'Add a component' }).click()
  const url = page.getByRole('textbox', { name: 'Git repository URL' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const paste = async (into: Locator, text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    await into.focus()
    await page.keyboard.press('Control+V')
  }
  await paste(url, `git@github.com:${namespace}/web.git`)
  await expect(url).toHaveValue(`https://github.com/${namespace}/web`)
  const name = page.getByRole('textbox', { name: 'Component name' })
  await expect(name).toHaveValue(/^web-[a-z0-9]{5}$/)
  await name.fill('web')

  await page.getByRole('button', { name: 'Add secret' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create new build secret' })
  await dialog.getByRole('radio', { name: 'Source' }).check()
  await dialog.getByRole('combobox', { name: 'Secret name' }).fill('git-token')
  await dialog.getByRole('textbox', { name: 'Username' }).fill('ann')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('hunter2')
  await dialog.getByRole('button', { name: 'Add secret' }).click()
  await expect(page.getByText('git-token (Key/value (2))')).toBeVisible()

  await page.getByRole('button', { name: 'Add secret' }).click()
  await dialog.getByRole('radio', { name: 'Image pull' }).check()
  await dialog.getByRole('combobox', { name: 'Secret name' }).fill('base-images')
  await paste(dialog.getByRole('textbox', { name: 'Registry' }), 'docker login -u="team+ci" -p="hunter3" quay.io')
  await expect(dialog.getByRole('textbox', { name: 'Username' })).toHaveValue('team+ci')
  await dialog.getByRole('button', { name: 'Add secret' }).click()
  await expect(page.getByText('base-images (Image pull)')).toBeVisible()
  await expectAccessible(page, 'import')
  await page.getByRole('button', { name: 'Create application' }).click()

  await expect(page).toHaveURL(paths.application(shop))
  const pullRequest = page.getByRole('link', { name: /^Pull request/ })
  await expect(pullRequest).toBeVisible(patient)
  await expectAccessible(page, 'imported')
  await mergePullRequest(context, (await pullRequest.getAttribute('href')) ?? '')
  await expect(pullRequest).toBeHidden(patient)
  await page.getByRole('tab', { name: 'Components' }).click()
  const row = page.getByRole('table', { name: 'Components' }).getByRole('row').filter({ hasText: 'web' })
  await expect(row.getByText(/^Succeeded/).first()).toBeVisible(patient)

  await page.getByRole('link', { name: 'Add component' }).click()
  await expect(page.getByRole('heading', { name: 'Create a Component', level: 1 })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Application name' })).toHaveValue('shop')
  await url.fill(`https://github.com/${namespace}/api`)
  await expect(name).toHaveValue(/^api-[a-z0-9]{5}$/)
  await name.fill('api')
  await page.getByRole('button', { name: 'Add component' }).click()
  await expect(page).toHaveURL(paths.components(shop))
  await expect(page.getByRole('table', { name: 'Components' }).getByRole('rowheader', { name: 'api' })).toBeVisible()

  // Both secrets of the first import are linked to its component, and only to that.
  await page.goto(paths.linkedSecrets({ ...shop, component: 'web' }))
  const linked = page.getByRole('table', { name: 'Linked secrets' })
  for (const secret of ['base-images', 'git-token'])
    await expect(linked.getByRole('rowheader', { name: secret })).toBeVisible(patient)
  await page.goto(paths.linkedSecrets({ ...shop, component: 'api' }))
  await expect(freshness(page)).toHaveText('Live', patient)
  await expect(page.getByText('base-images')).toBeHidden()
})

test('IMP-06, IMP-17, IMP-18, IMP-50 a repository with a secret is imported with the keyboard alone', async ({
  page,
  namespace,
  system,
}) => {
  await signIn(page, 'admin', paths.applications({ namespace }))
  const press = async (target: Locator, key = 'Enter') => {
    await tabTo(page, target)
    await page.keyboard.press(key)
  }
  const type = async (target: Locator, text: string) => {
    await tabTo(page, target)
    await page.keyboard.type(text)
  }
  const box = (name: string) => page.getByRole('textbox', { name })
  await press(page.getByRole('link', { name: 'Create application' }).first())
  await type(box('Application name'), 'shop')
  await press(page.getByRole('button', { name: 'Add a component' }))
  await expect(box('Git repository URL')).toBeFocused()
  await page.keyboard.type(`https://github.com/${namespace}/web`)
  await page.keyboard.press('Tab')
  await expect(box('Component name')).toBeFocused()
  await expect(box('Component name')).toHaveValue(/^web-[a-z0-9]{5}$/)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('web')

  const addSecret = page.getByRole('button', { name: 'Add secret' })
  await press(addSecret)
  const dialog = page.getByRole('dialog', { name: 'Create new build secret' })
  await expect(dialog.getByRole('radio', { name: 'Key/value' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: 'Source' })).toBeChecked()
  await type(dialog.getByRole('combobox', { name: 'Secret name' }), 'git-token')
  await type(dialog.getByRole('textbox', { name: 'Username' }), 'ann')
  await type(dialog.getByRole('textbox', { name: 'Password' }), 'hunter2')
  await press(dialog.getByRole('button', { name: 'Add secret' }))
  await expect(page.getByText('git-token (Key/value (2))')).toBeVisible()
  await expect(addSecret).toBeFocused()
  await press(page.getByRole('button', { name: 'Create application' }))

  await expect(page).toHaveURL(paths.application({ namespace, application: 'shop' }))
  expect((await system.get(componentType, 'web', { namespace })).spec.application).toBe('shop')
  expect((await system.get(secretType, 'git-token', { namespace })).type).toBe('kubernetes.io/basic-auth')
  await expect
    .poll(async () => (await linksIn(system, namespace))['web']?.[0]?.includes('git-token'), patient)
    .toBe(true)
})

test('the progress of an import can be read, not only heard', async ({ page, namespace }) => {
  await signIn(page, 'admin', paths.createApplication({ namespace }))
  await page.getByRole('textbox', { name: 'Application name' }).fill('shop')
  let goOn = () => {}
  const isSeen = new Promise<void>((resolve) => (goOn = resolve))
  await page.route(/\/applications\?.*dryRun=All/, async (route) => {
    await isSeen
    await route.continue()
  })
  await page.getByRole('button', { name: 'Create application' }).click()
  const progress = page.getByRole('list', { name: 'Progress' })
  for (const text of ['Application shop', 'Checking…']) {
    const box = async () => (await progress.getByText(text, { exact: true }).boundingBox())?.width
    await expect.poll(box, text).toBeGreaterThan(40)
  }
  goOn()
  await expect(page).toHaveURL(paths.application({ namespace, application: 'shop' }))
})
