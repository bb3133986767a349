import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/supply-chain/application'
import { componentType } from '@slipway/model/supply-chain/component'
import { aComponent, anApplication } from '@slipway/model/testing'
import { expect, expectAccessible, signIn, test } from './fixtures'

test(
  'NUDGE-07, NUDGE-15, NUDGE-19, NUDGE-20 components are related, a cycle is refused, and a relation is reversed',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    const at = { namespace, application: 'checkout' }
    await system.create(applicationType, anApplication({ metadata: { name: 'checkout', namespace } }))
    for (const [name, nudges] of Object.entries({ api: ['web'], web: ['docs'], docs: undefined, cli: undefined }))
      await system.create(
        componentType,
        aComponent({ metadata: { name, namespace }, spec: { ...(nudges && { 'build-nudges-ref': nudges }) } }),
      )
    const stored = async () =>
      Object.fromEntries(
        (await system.list(componentType, { namespace })).items.map(({ metadata, spec }) => [
          metadata.name,
          spec['build-nudges-ref'],
        ]),
      )
    const dialog = page.getByRole('dialog', { name: 'Component relationships' })
    const choose = async (row: number, field: string, ...values: string[]) => {
      const toggle = dialog
        .getByRole('group', { name: `Relationship ${row}` })
        .getByRole('button', { name: new RegExp(`^${field} `) })
      await toggle.click()
      for (const value of values) await dialog.getByRole('option', { name: value, exact: true }).click()
      if (field === 'Related components') await toggle.click()
    }

    await signIn(page, 'admin', paths.component({ ...at, component: 'api' }))
    await page.getByRole('button', { name: 'Define component relationships' }).click()
    await expect(dialog.getByRole('group', { name: /^Relationship \d$/ })).toHaveCount(2)
    await expectAccessible(page, 'relationships')
    await dialog.getByRole('button', { name: 'Add relationship' }).click()
    await choose(3, 'Component', 'docs')
    await choose(3, 'Related components', 'api', 'cli')
    await expect(
      dialog.getByText(/^These relationships form a cycle: api nudges web nudges docs nudges api/),
    ).toBeVisible()
    await expectAccessible(page, 'relationships-cycle')
    await dialog.getByRole('button', { name: 'Remove api' }).click()
    await choose(2, 'Relationship', 'Is nudged by')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('dialog', { name: 'Relationships updated!' })).toBeVisible()
    await expectAccessible(page, 'relationships-updated')
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await stored()).toEqual({ api: ['web'], web: [], docs: ['web', 'cli'] })
    await expect(page.getByRole('link', { name: 'web' })).toBeVisible()
    await expectAccessible(page, 'component-with-relationships')
  },
)
