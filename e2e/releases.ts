import type { Page } from '@playwright/test'

/** The step of a stage on the page of a release. */
export const stage = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Stages' }).getByRole('listitem').filter({ hasText: title })
