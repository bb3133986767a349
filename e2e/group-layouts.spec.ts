import { paths } from '@slipway/console/paths'
import { nameOf } from '@slipway/kube/object'
import { inEachGroup } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { aComponent, anApplication } from '@slipway/model/testing'
import { groupLayouts } from '@slipway/model/testing/group-layouts'
import { test as base, expect, productWith, recordPageErrors, signIn } from './fixtures'

const [newComponents, oldComponents = newComponents] = inEachGroup(componentType)
const [newApplications, oldApplications = newApplications] = inEachGroup(applicationType)
/** Where a cluster with each layout has applications, a component that is there, and one that is new. */
const typesOf = {
  old: { applications: oldApplications, existing: oldComponents, added: oldComponents },
  both: { applications: oldApplications, existing: oldComponents, added: newComponents },
  new: { applications: newApplications, existing: newComponents, added: newComponents },
}

for (const layout of groupLayouts) {
  const test = base.extend({ product: productWith({ groups: layout }) })
  test(`components are listed, followed, related and deleted on a cluster with the layout ${layout}`, async ({
    page,
    namespace,
    system,
  }) => {
    const { applications, existing, added } = typesOf[layout]
    const components = page.getByRole('table', { name: 'Components' })
    const link = (name: string) => components.getByRole('link', { name, exact: true })
    await system.create(applications, anApplication({ metadata: { name: 'checkout', namespace } }))
    await system.create(existing, aComponent({ metadata: { name: 'api', namespace } }))
    const errors = recordPageErrors(page)

    await signIn(page, 'admin', paths.applications({ namespace }))
    await page.getByRole('link', { name: 'checkout', exact: true }).click()
    await page.getByRole('tab', { name: 'Components' }).click()
    await expect(link('api')).toBeVisible()
    await test.step('a component of the newest group appears by itself', async () => {
      await system.create(added, aComponent({ metadata: { name: 'web', namespace } }))
      await expect(link('web')).toBeVisible()
    })

    await test.step('each component is changed in its group, which the preview shows', async () => {
      await link('web').click()
      await expect(page.getByRole('heading', { name: 'web', level: 1 })).toBeVisible()
      await page.getByRole('button', { name: 'Define component relationships' }).click()
      const dialog = page.getByRole('dialog', { name: 'Component relationships' })
      const row = dialog.getByRole('group', { name: 'Relationship 1' })
      await row.getByRole('button', { name: /^Component / }).click()
      await dialog.getByRole('option', { name: 'api', exact: true }).click()
      const related = row.getByRole('button', { name: /^Related components / })
      await related.click()
      await dialog.getByRole('option', { name: 'web', exact: true }).click()
      await related.click()
      await dialog.getByRole('button', { name: 'Show change' }).click()
      await dialog.getByRole('tab', { name: 'Requests' }).click()
      await expect(dialog.getByText(`/apis/${existing.group}/${existing.version}/`)).toBeVisible()
      await dialog.getByRole('tab', { name: 'kubectl' }).click()
      await expect(dialog.getByText(`components.${existing.version}.${existing.group} api`)).toBeVisible()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: 'Done' }).click()
      const { spec } = await system.get(existing, 'api', { namespace })
      expect(spec['build-nudges-ref']).toEqual(['web'])
    })

    await test.step('a component is deleted from its group', async () => {
      await page.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete component' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill('web')
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await expect.poll(async () => (await system.list(added, { namespace })).items.map(nameOf)).not.toContain('web')
    })
    expect(errors).toEqual([])
  })
}
