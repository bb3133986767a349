import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { expect, signIn, test } from './fixtures'

test(
  'APP-06, ACC-09 a contributor sees Create application disabled with the reason',
  { tag: '@cluster' },
  async ({ page, namespace }) => {
    await signIn(page, 'contributor', paths.applications({ namespace }))
    const create = page.getByRole('button', { name: 'Create application' })
    await expect(create).toBeDisabled()
    await create.focus()
    await expect(page.getByRole('tooltip')).toHaveText("You don't have access to create an application")
  },
)

test('a contributor sees in grey, and not in red, what may not be deleted', async ({ page, namespace, system }) => {
  await system.create(applicationType, anApplication({ metadata: { name: 'checkout', namespace } }))
  await signIn(page, 'contributor', paths.applications({ namespace }))
  await page.getByRole('button', { name: 'Actions for checkout' }).click()
  const entry = page.getByRole('menuitem', { name: 'Delete application' })
  await expect(entry).toBeDisabled()
  const grey = await entry.evaluate((item) => {
    const sample = document.createElement('span')
    sample.style.color = 'var(--pf-t--global--text--color--disabled)'
    item.append(sample)
    const { color } = getComputedStyle(sample)
    sample.remove()
    return color
  })
  await expect(entry.getByText('Delete application')).toHaveCSS('color', grey)
})

test('an outsider sees no namespaces and what to do about it', { tag: '@cluster' }, async ({ page }) => {
  await signIn(page, 'outsider', paths.namespaces())
  await expect(page.getByRole('heading', { name: 'Namespaces', level: 1 })).toBeVisible()
  await expect(page.getByText("Ask your team's admin to add you")).toBeVisible()
  await expect(page.getByRole('table')).toBeHidden()
})

test("ERR-09, ERR-10, ERR-11 an outsider is denied another team's applications", async ({ page, namespace }) => {
  await signIn(page, 'outsider', paths.applications({ namespace }))
  await expect(page.getByRole('heading', { name: "Let's get you access" })).toBeVisible()
  await expect(
    page.getByText(`Ask the administrator or the owner of the '${namespace}' namespace for access permissions.`),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Go to Overview page' }).click()
  await expect(page).toHaveURL(paths.overview())
})
