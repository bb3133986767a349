import { paths } from '@slipway/console/paths'
import { anApplication } from '@slipway/model/testing'
import { applicationRow, createApplication } from './applications'
import { expect, signIn, test } from './fixtures'
import { expectReader } from './list-readers'

test(
  'SESS-06, FORM-06, APP-01, LIVE-16 an application created in one tab appears in another',
  { tag: '@cluster' },
  async ({ page, context, namespace, hasViewsService }) => {
    const deepLink = `${paths.applications({ namespace })}?name=check#top`
    await signIn(page, 'admin', deepLink)
    await expect(page).toHaveURL(deepLink)
    await expect(page.getByRole('heading', { name: 'Applications', level: 1 })).toBeVisible()

    const otherTab = await context.newPage()
    await otherTab.goto(paths.applications({ namespace }))
    await expect(otherTab.getByText('Easily onboard your applications')).toBeVisible()

    await page.goto(paths.applications({ namespace }))
    await createApplication(page, namespace, 'checkout')
    await expect(applicationRow(page, 'checkout')).toBeVisible()
    await expect(applicationRow(otherTab, 'checkout')).toBeVisible()
    await expectReader(otherTab, hasViewsService ? 'service' : 'browser')
  },
)

test('LIVE-18 an application deleted by kubectl leaves the table', async ({ page, namespace, kubectl }) => {
  await kubectl.apply('admin', anApplication({ metadata: { name: 'stays', namespace } }))
  await kubectl.apply('admin', anApplication({ metadata: { name: 'goes', namespace } }))
  await signIn(page, 'admin', paths.applications({ namespace }))
  await expect(applicationRow(page, 'goes')).toBeVisible()

  await kubectl('admin', '-n', namespace, 'delete', 'application', 'goes')
  await expect(applicationRow(page, 'goes')).toBeHidden()
  await expect(applicationRow(page, 'stays')).toBeVisible()
})
