import { paths } from '@slipway/console/paths'
import { secretType, serviceAccountType } from '@slipway/kube/core-types'
import { mapPatch } from '@slipway/kube/json-patch'
import { annotations, labels } from '@slipway/model/labels'
import { formatUnfinishedLinks, unfinishedLinksOf } from '@slipway/model/secrets/link-request'
import { linkTaskOf } from '@slipway/model/secrets/secret'
import { serviceAccountOf } from '@slipway/model/secrets/service-account'
import { expect, reject, signIn, tabTo, test } from './fixtures'
import {
  application,
  chooseLinks,
  componentNames,
  countConflicts,
  createComponents,
  enterRegistrySecret,
  enterSourceSecret,
  everyComponent,
  linksIn,
  onLinkPatch,
  overlapLinkTasks,
  registrySecret,
  secretRow,
  stopRespondingToLinkPatches,
} from './secrets'

test(
  'LINK-19, LINK-22, LINK-25, SEC-66 two tabs link and unlink 25 components at once, and no link is lost or repeated',
  { tag: '@cluster' },
  async ({ page, context, namespace, system }) => {
    const names = componentNames(25)
    const list = paths.secrets({ namespace })
    await createComponents(system, namespace, names)
    await signIn(page, 'admin', paths.createSecret({ namespace }))
    const other = await context.newPage()
    await other.goto(paths.createSecret({ namespace }))
    const tabs = [page, other]
    const conflicts = countConflicts(tabs)

    await enterRegistrySecret(page, 'registry')
    await enterSourceSecret(other, 'git')
    await overlapLinkTasks(tabs)
    for (const tab of tabs) {
      await chooseLinks(tab, 'All')
      await tab.getByRole('button', { name: 'Add secret' }).click()
      await expect(tab).toHaveURL(list)
    }
    for (const tab of tabs) {
      for (const name of ['registry', 'git']) {
        await expect(secretRow(tab, name)).toContainText('Succeeded')
        await expect(tab.getByRole('button', { name: `25 linked components of ${name}` })).toBeVisible()
      }
      await stopRespondingToLinkPatches(tab)
    }
    expect(await linksIn(system, namespace)).toEqual(everyComponent(names, ['git', 'own', 'registry'], ['registry']))
    const conflictsOfLinking = conflicts()
    expect(conflictsOfLinking).toBeGreaterThan(0)

    // Both tabs unlink the same secret.
    for (const tab of tabs) {
      await tab.goto(paths.editSecret({ namespace, secret: 'registry' }))
      await chooseLinks(tab, 'None')
    }
    await overlapLinkTasks(tabs)
    for (const tab of tabs) {
      await tab.getByRole('button', { name: 'Save changes' }).click()
      await expect(tab).toHaveURL(list)
    }
    for (const tab of tabs) {
      await expect(tab.getByText('Keep this window open while registry is being linked')).toBeHidden()
      await expect(secretRow(tab, 'registry')).toContainText('Succeeded')
      await expect(secretRow(tab, 'registry')).toContainText('Unused')
    }
    expect(await linksIn(system, namespace)).toEqual(everyComponent(names, ['git', 'own'], []))
    expect(conflicts()).toBeGreaterThan(conflictsOfLinking)
    const { metadata } = await system.get(secretType, 'registry', { namespace })
    expect(metadata.labels?.[labels.commonSecret]).toBeUndefined()
  },
)

test(
  'LINK-28, LINK-37, LINK-39 a link task whose tab was closed or reloaded is shown as interrupted after five minutes, and resuming it links the rest',
  { tag: '@cluster' },
  async ({ page, context, namespace, system }) => {
    const names = componentNames(12)
    await createComponents(system, namespace, names)
    await signIn(page, 'admin', paths.secrets({ namespace }))
    const linking = await context.newPage()
    await linking.goto(paths.createSecret({ namespace }))
    await enterRegistrySecret(linking, 'registry')
    await chooseLinks(linking, 'All')
    /** Lets a tab link so many components, and has it wait with the others. */
    const holdAfter = (tab: typeof page, count: number) =>
      onLinkPatch(tab, (route, _, { all }) =>
        all < count ? route.continue() : reject(route, 503, 'the server restarts', { 'retry-after': '3600' }),
      )
    const linkedCount = async () =>
      Object.values(await linksIn(system, namespace)).filter(([links]) => links?.includes('registry')).length

    /** Only after such a time are tasks taken to have ended with their tab. */
    const letFiveMinutesPass = async () => {
      const secret = await system.get(secretType, 'registry', { namespace })
      const unfinished = unfinishedLinksOf(secret)
      if (!unfinished) throw new Error('The secret does not record what is unfinished.')
      const value = formatUnfinishedLinks({ ...unfinished, startedMs: unfinished.startedMs - 5 * 60_000 - 1 })
      const patch = mapPatch('/metadata/annotations', secret.metadata.annotations, {
        [annotations.unfinishedLinks]: value,
      })
      await system.patch(secretType, 'registry', patch, { namespace })
    }

    await holdAfter(linking, 3)
    await linking.getByRole('button', { name: 'Add secret' }).click()
    const row = secretRow(page, 'registry')
    await expect.poll(linkedCount).toBe(3)
    await expect(row).toContainText('Running')
    await expect(page.getByRole('button', { name: '3 linked components of registry' })).toBeVisible()
    await linking.close()
    await letFiveMinutesPass()
    await expect(row).toContainText('Interrupted')

    await holdAfter(page, 4)
    await page.getByRole('button', { name: 'Resume linking registry' }).click()
    await expect.poll(linkedCount).toBe(7)
    await expect(row).toContainText('Running')
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    await letFiveMinutesPass()
    await expect(row).toContainText('Interrupted')

    await stopRespondingToLinkPatches(page)
    await page.getByRole('button', { name: 'Resume linking registry' }).click()
    await expect(row).toContainText('Succeeded')
    await expect(page.getByRole('button', { name: '12 linked components of registry' })).toBeVisible()
    expect(await linksIn(system, namespace)).toEqual(everyComponent(names, ['own', 'registry'], ['registry']))
  },
)

test(
  'CALL-39, CALL-43, LINK-29, SEC-18 linking survives lost responses, 503 and 409, and reports 403 until it is tried again',
  { tag: '@cluster' },
  async ({ page, namespace, product: { wire }, system }) => {
    const names = componentNames(5)
    const [lost, busy, refused, conflicting] = names
    await createComponents(system, namespace, names)
    await signIn(page, 'admin', paths.createSecret({ namespace }))
    await enterRegistrySecret(page, 'registry')
    await chooseLinks(page, 'Selected components')
    await page.getByRole('button', { name: 'Components' }).click()
    for (const name of names) await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
    await page.keyboard.press('Escape')
    await onLinkPatch(page, async (route, component, { ofComponent }) => {
      if (component === lost && ofComponent === 0) {
        // The cluster performs the patch, but its response and the sockets of the lists are lost.
        await route.fetch()
        wire.dropSockets()
        return route.abort('connectionreset')
      }
      if (component === busy && ofComponent < 2) return reject(route, 503, 'the server is busy')
      if (component === refused) return reject(route, 403, 'a policy forbids it')
      if (component === conflicting && ofComponent === 0) {
        const step = { op: 'add', path: '/secrets/-', value: { name: 'of-another-client' } } as const
        await system.patch(serviceAccountType, serviceAccountOf(component), [step], { namespace })
      }
      return route.continue()
    })
    await page.getByRole('button', { name: 'Add secret' }).click()
    await expect(page.getByText('Failed: 1 of 5 components.')).toBeVisible()
    const row = secretRow(page, 'registry')
    await expect(row).toContainText('Failed')
    await page.getByRole('button', { name: 'View Error of registry' }).click()
    await expect(page.getByRole('dialog', { name: 'Secret link task failed:' })).toContainText(
      `${refused}: a policy forbids it`,
    )
    await page.keyboard.press('Escape')
    const linked = everyComponent(names, ['own', 'registry'], ['registry'])
    const links = { ...linked, [conflicting ?? '']: [['of-another-client', 'own', 'registry'], ['registry']] }
    expect(await linksIn(system, namespace)).toEqual({ ...links, [refused ?? '']: [['own'], []] })

    await stopRespondingToLinkPatches(page)
    await page.getByRole('button', { name: 'Retry linking registry' }).click()
    await expect(row).toContainText('Succeeded')
    expect(await linksIn(system, namespace)).toEqual(links)
    expect(linkTaskOf(await system.get(secretType, 'registry', { namespace }))?.error).toBeUndefined()
  },
)

test('LINK-35 a link task during which the network is lost reports it, and can be tried again', async ({
  page,
  namespace,
  product: { wire },
  system,
}) => {
  const names = componentNames(3)
  await createComponents(system, namespace, names)
  await signIn(page, 'admin', paths.createSecret({ namespace }))
  await enterSourceSecret(page, 'git')
  await chooseLinks(page, 'All')
  await onLinkPatch(page, async (route, _, { all }) => {
    if (all === 1) wire.cut()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Add secret' }).click()
  await expect(page.getByText('git could not be linked as requested')).toBeVisible()
  wire.heal()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(secretRow(page, 'git')).toContainText('Succeeded')
  expect(await linksIn(system, namespace)).toEqual(everyComponent(names, ['git', 'own'], []))
})

test('SEC-67, LINK-36 lists that cannot be loaded are reported where they are missing, and can be tried again', async ({
  page,
  namespace,
  system,
}) => {
  const names = componentNames(2)
  const [component = ''] = names
  await createComponents(system, namespace, names)
  await system.create(secretType, registrySecret(namespace, 'registry'))
  await signIn(page, 'admin', paths.applications({ namespace }))
  const componentLists = /\/api\/k8s\/.*\/components\?/
  const accountLists = /\/api\/k8s\/.*\/serviceaccounts\?/
  await page.route(componentLists, (route) => reject(route, 422, 'components are being migrated'))

  await page.goto(paths.createSecret({ namespace }))
  await enterRegistrySecret(page, 'other')
  await chooseLinks(page, 'Selected components')
  await expect(page.getByText('Unable to load components. components are being migrated.')).toBeVisible()
  await chooseLinks(page, 'All')
  await page.getByRole('button', { name: 'Add secret' }).click()
  await expect(page.getByText('other could not be linked as requested')).toBeVisible()
  await expect(secretRow(page, 'other')).toContainText('Failed')
  await page.getByRole('button', { name: 'View Error of other' }).click()
  await expect(page.getByRole('dialog')).toContainText('components are being migrated')
  await page.keyboard.press('Escape')
  expect(await linksIn(system, namespace)).toEqual(everyComponent(names, ['own'], []))
  await page.unroute(componentLists)
  await page.getByRole('button', { name: 'Retry linking other' }).click()
  await expect(secretRow(page, 'other')).toContainText('Succeeded')

  await page.route(accountLists, (route) => reject(route, 422, 'accounts are being migrated'))
  await page.goto(paths.editSecret({ namespace, secret: 'registry' }))
  await expect(page.getByText(/Links to components cannot be edited/)).toBeVisible()
  await page.goto(paths.linkedSecrets({ namespace, application, component }))
  await expect(page.getByText('Unable to load linked secrets')).toBeVisible()
  await expect(page.getByText('accounts are being migrated')).toBeVisible()
  await expect(page.getByText('No linked secrets found')).toBeHidden()
  await page.unroute(accountLists)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('rowheader', { name: 'other' })).toBeVisible()
})

test('SEC-14, SEC-16, LINK-05, LINK-06 secrets are found, linked, unlinked and deleted with the keyboard alone', async ({
  page,
  namespace,
  system,
}) => {
  const [component = ''] = componentNames(1)
  await createComponents(system, namespace, [component])
  for (const name of ['base', 'registry']) await system.create(secretType, registrySecret(namespace, name))
  await signIn(page, 'admin', paths.linkedSecrets({ namespace, application, component }))
  const press = async (role: 'button' | 'menuitem' | 'checkbox', name: string, key = 'Enter') => {
    await tabTo(page, page.getByRole(role, { name, exact: true }))
    await page.keyboard.press(key)
  }

  await press('button', 'Link Secrets')
  await page.getByRole('dialog').waitFor()
  await press('checkbox', 'Select registry', 'Space')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Link Secrets' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('rowheader', { name: 'registry' })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await linksIn(system, namespace)).toEqual({ [component]: [['own', 'registry'], ['registry']] })

  await press('button', 'Actions for registry')
  await page.getByRole('menuitem').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Unlink' })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Unlink' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('rowheader', { name: 'registry' })).toBeHidden()
  expect(await linksIn(system, namespace)).toEqual({ [component]: [['own'], []] })

  await page.goto(paths.secrets({ namespace }))
  await tabTo(page, page.getByPlaceholder('Filter by name...'))
  await page.keyboard.type('reg')
  await expect(secretRow(page, 'base')).toBeHidden()
  await press('button', 'Actions for registry')
  await page.getByRole('menuitem').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Type registry to confirm' })).toBeFocused()
  await page.keyboard.type('registry')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(secretRow(page, 'registry')).toBeHidden()
  await expect(system.get(secretType, 'registry', { namespace })).rejects.toMatchObject({ code: 404 })
})
