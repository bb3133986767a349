import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { expect } from './fixtures'

/** The applications screens, as a user sees them. */
export const applicationsTable = (page: Page) => page.getByRole('table', { name: 'Applications' })

export const applicationRow = (page: Page, name: string) =>
  applicationsTable(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })

/** The badge that shows how up to date the table is. */
export const freshness = (page: Page) =>
  page.getByRole('button', { name: /^(Live|Connecting|Offline.*|Updated \d+ (s|min|h) ago)$/ })

/** Names in the table, sorted. */
export async function applicationNames(page: Page) {
  const names = await applicationsTable(page).locator('[data-label="Name"]').allTextContents()
  return names.sort()
}

export async function createApplication(page: Page, namespace: string, name: string) {
  await page.getByRole('link', { name: 'Create application' }).click()
  await page.getByRole('textbox', { name: 'Application name' }).fill(name)
  await page.getByRole('button', { name: 'Create application' }).click()
  await expect(page).toHaveURL(paths.application({ namespace, application: name }))
  await page.goto(paths.applications({ namespace }))
}

export async function openDeleteDialog(page: Page, name: string) {
  await applicationRow(page, name)
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete application' }).click()
  return page.getByRole('dialog')
}
