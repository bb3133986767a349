import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/builds/application'
import { anApplication } from '@slipway/model/testing'
import { applicationRow, openDeleteDialog } from './applications'
import { expect, signIn, tabTo, test } from './fixtures'

test(
  'APP-36, FORM-09, FORM-11, FORM-12 deleting an application requires typing its name',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    await system.create(applicationType, anApplication({ metadata: { name: 'checkout', namespace } }))
    await signIn(page, 'admin', paths.applications({ namespace }))

    const dialog = await openDeleteDialog(page, 'checkout')
    const name = dialog.getByRole('textbox')
    const submit = dialog.getByRole('button', { name: 'Delete' })
    await expect(submit).toBeDisabled()
    await name.fill('Checkout')
    await expect(dialog.getByText('Application name does not match')).toBeVisible()
    await expect(submit).toBeDisabled()
    await name.fill('checkout')
    await submit.click()

    await expect(dialog).toBeHidden()
    await expect(applicationRow(page, 'checkout')).toBeHidden()
    expect((await system.list(applicationType, { namespace })).items).toEqual([])
  },
)

test(
  'FORM-01, IMP-21, IMP-24 an application can be created with only the keyboard',
  { tag: '@cluster' },
  async ({ page, namespace }) => {
    await signIn(page, 'admin', paths.applications({ namespace }))
    await tabTo(page, page.getByRole('link', { name: 'Create application' }))
    await page.keyboard.press('Enter')

    const name = page.getByRole('textbox', { name: 'Application name' })
    await expect(name).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create application' })).toBeDisabled()
    await tabTo(page, name)
    await page.keyboard.type('by-keyboard')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'by-keyboard', level: 1 })).toBeVisible()
  },
)
