import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { roleBindingType, roleType, secretType } from '@slipway/kube/core-types'
import { annotations } from '@slipway/model/labels'
import { formatUnfinishedLinks } from '@slipway/model/secrets/link-request'
import { aRoleBinding } from '@slipway/model/testing'
import { emailOf } from '@slipway/slipway/users'
import { expect, signIn, test } from './fixtures'
import { application, createComponents, openActions, registrySecret, secretRow } from './secrets'

/** Expects an action that cannot be used, and the reason for it. */
async function expectDenied(page: Page, name: string, reason: string) {
  const item = page.getByRole('menuitem', { name })
  await expect(item).toHaveAttribute('aria-disabled', 'true')
  await item.hover()
  await expect(page.getByRole('tooltip', { name: reason })).toBeVisible()
}

test(
  'SEC-02, SEC-10, SEC-15, LINK-02 users without access to secrets see why pages and controls are not available',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    const component = 'checkout-api'
    await createComponents(system, namespace, [component])
    const failed = {
      [annotations.linkStatus]: 'Failed',
      [annotations.unfinishedLinks]: formatUnfinishedLinks({
        request: { target: { option: 'partial', components: [component] }, unlink: [] },
        startedMs: Date.now(),
      }),
    }
    const secret = registrySecret(namespace, 'registry')
    await system.create(secretType, { ...secret, metadata: { ...secret.metadata, annotations: failed } })
    await signIn(page, 'contributor', paths.components({ namespace, application }))
    await openActions(page, component)
    await expectDenied(page, 'Manage linked secrets', "You don't have access to manage linked secrets")
    for (const path of [
      paths.secrets({ namespace }),
      paths.createSecret({ namespace }),
      paths.editSecret({ namespace, secret: 'registry' }),
      paths.linkedSecrets({ namespace, application, component }),
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: "Let's get you access" })).toBeVisible()
      await expect(page.getByText('registry', { exact: true })).toBeHidden()
    }

    // Another role lets the contributor see secrets, and nothing else.
    const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] }]
    await system.create(roleType, { metadata: { name: 'auditor', namespace }, rules })
    await system.create(
      roleBindingType,
      aRoleBinding({
        metadata: { name: 'auditor', namespace },
        roleRef: { kind: 'Role', name: 'auditor' },
        subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf('contributor') }],
      }),
    )
    await page.goto(paths.secrets({ namespace }))
    await expect(secretRow(page, 'registry')).toContainText('Failed')
    const add = page.getByRole('button', { name: 'Add secret' })
    await expect(add).toHaveAttribute('aria-disabled', 'true')
    await add.hover()
    await expect(page.getByRole('tooltip', { name: "You don't have access to create a secret" })).toBeVisible()
    await openActions(page, 'registry')
    await expectDenied(page, 'Edit secret', "You don't have access to edit this secret")
    await expectDenied(page, 'Delete', "You don't have access to delete this secret")
    await page.keyboard.press('Escape')
    // The contributor may not list service accounts.
    await expect(page.getByRole('button', { name: 'Error: linked components of registry' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Retry linking registry' })).toHaveAttribute('aria-disabled', 'true')
  },
)
