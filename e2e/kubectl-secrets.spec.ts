import { paths } from '@slipway/console/paths'
import { secretType } from '@slipway/kube/core-types'
import { expect, signIn, test } from './fixtures'
import { application, chooseLinks, createComponents, linksIn, openActions, registrySecret, secretRow } from './secrets'

test('SEC-07, SEC-08, SEC-71 secrets of each type that kubectl creates, labels and deletes appear live', async ({
  page,
  kubectl,
  namespace,
}) => {
  const create = (...args: string[]) => kubectl('admin', '-n', namespace, 'create', 'secret', ...args)
  await signIn(page, 'admin', paths.secrets({ namespace }))
  await expect(page.getByText('Easily manage your build and deployment secrets')).toBeVisible()
  const credentials = ['--docker-server=quay.io', '--docker-username=robot', '--docker-password=made-up']
  await create('docker-registry', 'registry', ...credentials)
  await create('generic', 'opaque', '--from-literal=a=1', '--from-literal=b=2', '--from-literal=c=3')
  const git = ['--from-literal=username=bot', '--from-literal=password=made-up']
  await create('generic', 'git', '--type=kubernetes.io/basic-auth', ...git)
  await create('generic', 'ssh', '--type=kubernetes.io/ssh-auth', '--from-literal=ssh-privatekey=made-up')
  await create('generic', 'old-registry', '--type=kubernetes.io/dockercfg', '--from-literal=.dockercfg={}')
  await create('generic', 'webhook', '--type=example.com/webhook', '--from-literal=token=made-up')
  for (const [name, type] of [
    ['registry', 'Image pull'],
    ['opaque', 'Key/value (3)'],
    ['git', 'Key/value (2)'],
    ['ssh', 'Key/value (1)'],
    ['old-registry', 'Image pull'],
    ['webhook', 'example.com/webhook'],
  ] as const) {
    await expect(secretRow(page, name).getByText(type, { exact: true })).toBeVisible()
  }
  await kubectl('admin', '-n', namespace, 'label', 'secret', 'opaque', 'team=shop')
  await expect(secretRow(page, 'opaque')).toContainText('team=shop')
  await kubectl('admin', '-n', namespace, 'delete', 'secret', 'opaque')
  await expect(secretRow(page, 'opaque')).toBeHidden()
  await expect(secretRow(page, 'webhook')).toBeVisible()
})

test('a secret that kubectl deletes while a dialog or form shows it is neither changed nor linked', async ({
  page,
  kubectl,
  namespace,
  system,
}) => {
  const component = 'checkout-api'
  await createComponents(system, namespace, [component])
  const deleteSecret = (name: string) => kubectl('admin', '-n', namespace, 'delete', 'secret', name)
  for (const name of ['kept', 'one', 'three', 'two']) {
    await system.create(secretType, registrySecret(namespace, name))
  }

  await test.step('the dialog that deletes it', async () => {
    await signIn(page, 'admin', paths.secrets({ namespace }))
    await openActions(page, 'one')
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('one')
    await deleteSecret('one')
    await expect(secretRow(page, 'one')).toBeHidden()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(dialog.getByText(/not found/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('the dialog that links it', async () => {
    await page.goto(paths.linkedSecrets({ namespace, application, component }))
    await page.getByRole('button', { name: 'Link Secrets' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'Select kept' }).check()
    await dialog.getByRole('checkbox', { name: 'Select two' }).check()
    await deleteSecret('two')
    await expect(dialog.getByRole('rowheader', { name: 'two' })).toBeHidden()
    await dialog.getByRole('button', { name: 'Link Secrets' }).click()
    await expect(dialog).toBeHidden()
    expect(await linksIn(system, namespace)).toEqual({ [component]: [['kept', 'own'], ['kept']] })
  })

  await test.step('the form that edits it', async () => {
    await page.goto(paths.editSecret({ namespace, secret: 'three' }))
    await chooseLinks(page, 'All')
    await deleteSecret('three')
    await expect(page.getByText('This secret has been deleted')).toBeVisible()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('The secret has been deleted.')).toBeVisible()
    expect(await linksIn(system, namespace)).toEqual({ [component]: [['kept', 'own'], ['kept']] })
  })
})
