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

test(
  'SEC-29, SEC-60, SEC-62, SEC-63 kubectl reads from a secret of each type what was entered into the form, encoded once',
  { tag: '@cluster' },
  async ({ page, kubectl, namespace }) => {
    await signIn(page, 'admin', paths.secrets({ namespace }))
    const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64')
    const upload = (name: string, buffer: Buffer, at = 0) =>
      page.locator('input[type=file]').nth(at).setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
    const fill = (field: string, text: string, at = 0) =>
      page.getByRole('textbox', { name: field, exact: true }).nth(at).fill(text)
    const add = async (name: string, type: 'Key/value' | 'Image pull' | 'Source', enter: () => Promise<unknown>) => {
      await page.goto(paths.createSecret({ namespace }))
      await page.getByRole('radio', { name: type }).check()
      await page.getByRole('combobox', { name: 'Secret name' }).fill(name)
      await enter()
      await page.getByRole('button', { name: 'Add secret' }).click()
      await expect(secretRow(page, name)).toBeVisible()
      const found: unknown = JSON.parse(await kubectl('admin', '-n', namespace, 'get', 'secret', name, '-o', 'json'))
      return found
    }
    const expected = (name: string, type: string, data: Record<string, string>, metadata = {}) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: expect.objectContaining({ name, namespace, ...metadata }) as unknown,
      type,
      data,
    })

    const text = 'Grüße, größer als ß:\n\t„zwei“ Zeilen\n'
    const zeros = Buffer.from([0, 255, 0, 10, 13, 0])
    const megabyte = Buffer.from(Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7) % 256))
    const opaque = await add('opaque', 'Key/value', async () => {
      for (let row = 1; row < 4; row++) await page.getByRole('button', { name: 'Add key/value pair' }).click()
      for (const [row, key] of ['text', 'encoded', 'zeros', 'megabyte'].entries()) await fill('Key', key, row)
      await fill('Value', text)
      await fill('Value', base64('not again'), 1)
      await upload('zeros.bin', zeros, 2)
      await upload('megabyte.bin', megabyte, 3)
    })
    const values = {
      text: base64(text),
      encoded: base64(base64('not again')),
      zeros: base64(zeros),
      megabyte: base64(megabyte),
    }
    // A difference in a megabyte would take minutes to print.
    expect((opaque as { data: Record<string, string> }).data.megabyte === values.megabyte).toBe(true)
    expect(opaque).toEqual(expected('opaque', 'Opaque', values))

    const user = 'jörg+ci'
    const password = 'pä:ss "wört" '
    const auth = base64(`${user}:${password}`)
    const credentials = await add('credentials', 'Image pull', async () => {
      await fill('Registry', 'quay.io/team')
      await fill('Username', user)
      await fill('Password', password)
      await fill('Email', 'jörg@example.com')
    })
    const entry = { username: user, password, email: 'jörg@example.com', auth }
    const config = JSON.stringify({ auths: { 'quay.io/team': entry } })
    expect(credentials).toEqual(
      expected('credentials', 'kubernetes.io/dockerconfigjson', { '.dockerconfigjson': base64(config) }),
    )
    for (const [name, type, key, content] of [
      ['newer', 'kubernetes.io/dockerconfigjson', '.dockerconfigjson', { auths: { 'quay.io': entry } }],
      ['older', 'kubernetes.io/dockercfg', '.dockercfg', { 'quay.io': entry }],
    ] as const) {
      const file = `${JSON.stringify(content, null, 2)}\r\n`
      const uploaded = await add(name, 'Image pull', async () => {
        await page.getByRole('radio', { name: 'Upload configuration file' }).check()
        await upload('config.json', Buffer.from(file))
      })
      expect(uploaded).toEqual(expected(name, type, { [key]: base64(file) }))
    }

    const scm = { 'appstudio.redhat.com/credentials': 'scm', 'appstudio.redhat.com/scm.host': 'gitlab.example.com' }
    const source = { labels: scm, annotations: { 'appstudio.redhat.com/scm.repository': 'shop/cart' } }
    const enterSource = async () => {
      await fill('Host', 'gitlab.example.com')
      await fill('Repository', 'shop/cart')
    }
    const basic = await add('basic', 'Source', async () => {
      await fill('Username', user)
      await fill('Password', password)
      await enterSource()
    })
    const basicData = { username: base64(user), password: base64(password) }
    expect(basic).toEqual(expected('basic', 'kubernetes.io/basic-auth', basicData, source))

    // As on Windows, and without its last line break: git accepts neither.
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n'
    const uploaded = key.trimEnd().replaceAll('\n', '\r\n')
    const ssh = await add('ssh', 'Source', async () => {
      await page.getByRole('radio', { name: 'SSH key' }).check()
      await upload('id_ed25519', Buffer.from(uploaded))
      await enterSource()
    })
    expect(ssh).toEqual(expected('ssh', 'kubernetes.io/ssh-auth', { 'ssh-privatekey': base64(key) }, source))
  },
)
