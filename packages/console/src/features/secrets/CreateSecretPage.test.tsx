import type { KubeClient } from '@slipway/kube/client'
import { secretType, serviceAccountType, type Secret } from '@slipway/kube/core-types'
import { aComponent } from '@slipway/model/testing'
import { aServiceAccount } from '@slipway/model/testing/build-services'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { isDryRun, namespace, writeLine, type Call } from '../../../test/cluster'
import { linkTasksEnded } from '../../../test/link-tasks'
import { renderRoute } from '../../../test/render-route'
import { expectNoTrace, holdAfterSecretWrite } from '../../../test/traces'
import { paths } from '../../paths'

const createPage = paths.createSecret({ namespace })
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')
const taken: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'taken', namespace }, type: 'Opaque' }

const writes = (calls: Call[]) =>
  calls
    .filter(({ method, path }) => method !== 'GET' && path.includes('/secrets'))
    .map((call) => writeLine(call, /^.*secrets\/?/))

const radio = (name: string) => screen.getByRole('radio', { name })
const box = (name: string) => screen.getByRole('textbox', { name })
const name = () => screen.getByRole('combobox', { name: 'Secret name' })
const submit = () => screen.getByRole('button', { name: /^Add secret/ })
const enabled = () => waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))

async function scene(options: Parameters<typeof renderRoute>[1] = {}) {
  const view = await renderRoute(createPage, { objects: [taken], ...options })
  await screen.findByRole('heading', { name: 'Add secret', level: 1 })
  await screen.findByRole('textbox', { name: 'Value' })
  const { user, cluster, router } = view
  const type = async (field: string, text: string) => {
    await user.clear(box(field))
    await user.type(box(field), text.replace(/[{[]/g, '$&$&'))
  }
  const password = (text: string) => user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), text)
  /** Submits the form and returns the new secret. */
  const create = async () => {
    await enabled()
    await user.click(submit())
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.secrets({ namespace })))
    const { items } = await cluster.system.list(secretType, { namespace })
    const created = items.find(({ metadata }) => metadata.name !== 'taken') ?? expect.fail('There is no new secret.')
    const { name, labels, annotations } = created.metadata
    return { metadata: { name, labels, annotations }, type: created.type, data: created.data }
  }
  return { ...view, type, password, create }
}

/** Uploads a file into a field, found by the text next to its button. */
async function upload(user: Awaited<ReturnType<typeof scene>>['user'], field: string, content: BlobPart, file: string) {
  const input = screen
    .getByRole('textbox', { name: `${field}: no file` })
    .closest('.pf-v6-c-file-upload')
    ?.querySelector<HTMLInputElement>('input[type=file]')
  await user.upload(input ?? expect.fail('There is no input.'), new File([content], file))
}

describe('the page', () => {
  it('SEC-04 is forbidden without permission to create secrets', async () => {
    await renderRoute(createPage, { as: 'maintainer' })
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
  })

  it('SEC-03, SEC-22, SEC-24 is Add secret and offers three types; the name says that it must be unique', async () => {
    await scene()
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent(/Secrets.*Add secret/)
    const types = within(screen.getByRole('radiogroup', { name: /^Secret type/ }))
    expect(types.getAllByRole('radio').map((each) => (each as HTMLInputElement).labels?.[0]?.textContent)).toEqual([
      'Key/value',
      'Image pull',
      'Source',
    ])
    expect(name()).toHaveAccessibleDescription(/Must be unique/)
  })

  it('SEC-72 Cancel leads to the list and writes nothing', async () => {
    const { user, router, cluster } = await scene()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.secrets({ namespace })))
    expect(writes(cluster.calls)).toEqual([])
  })

  it('SEC-72 shows why the server rejects the dry run in the footer, and keeps the input', async () => {
    const { user, cluster, type } = await scene()
    cluster.faults.intercept((path, { method, body }) =>
      method === 'POST' && path.includes('/secrets') && isDryRun({ path, body })
        ? Response.json({ message: 'exceeded quota: secrets' }, { status: 403 })
        : undefined,
    )
    await user.type(name(), 'new')
    await type('Key', 'k')
    await type('Value', 'v')
    await enabled()
    await user.click(submit())
    expect(await screen.findByText(/exceeded quota: secrets/)).toBeVisible()
    expect(name()).toHaveValue('new')
    expect(box('Value')).toHaveValue('v')
    expect(writes(cluster.calls)).toEqual(['POST  (dry run)'])
  })
})

describe('the name', () => {
  it.each([
    ['SEC-40', `a${'b'.repeat(63)}`, 'Must be no more than 63 characters.'],
    [
      'SEC-41',
      'Token',
      'Must start with a letter and end with a letter or number. Valid characters include lowercase letters from a to z, numbers from 0 to 9, and hyphens ( - ).',
    ],
    ['SEC-41', '1a', /^Must start with a letter and end/],
    ['SEC-41', 'a-', /^Must start with a letter and end/],
    ['SEC-42', 'taken', 'Secret already exists'],
  ])('%s %s is rejected while typing', async (_, text, message) => {
    const { user } = await scene()
    await user.click(name())
    await user.paste(text)
    expect(await screen.findByText(message)).toBeVisible()
    expect(name()).toBeInvalid()
  })

  it('SEC-39 is required', async () => {
    const { user } = await scene()
    await user.click(name())
    await user.tab()
    expect(await screen.findByText('Required')).toBeVisible()
  })

  it('SEC-42 says that it is taken when another user was faster', async () => {
    const { user, cluster, type } = await scene()
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.includes('/secrets')
        ? Response.json(
            { kind: 'Status', reason: 'AlreadyExists', code: 409, message: 'secrets "new" already exists' },
            { status: 409 },
          )
        : undefined,
    )
    await user.type(name(), 'new')
    await type('Key', 'k')
    await type('Value', 'v')
    await enabled()
    await user.click(submit())
    expect(await screen.findByText('Secret already exists')).toBeVisible()
    expect(name()).toBeInvalid()
  })
})

/** The objects of two components and their service accounts. */
const twoComponents = ['cart', 'web'].flatMap((component) => [
  aComponent({ metadata: { name: component, namespace }, spec: { application: 'shop' } }),
  aServiceAccount({ metadata: { name: `build-pipeline-${component}`, namespace } }),
])

const linkedIn = async ({ system }: { system: KubeClient }, account: string) => {
  const { secrets = [], imagePullSecrets = [] } = await system.get(serviceAccountType, account, { namespace })
  return [secrets, imagePullSecrets].map((links) => links.map(({ name: secret }) => secret))
}

describe('a key/value secret', () => {
  it('SEC-28, SEC-38, SEC-62, SEC-65 is sent as a dry run and then created, with its labels', async () => {
    const { user, cluster, type, create } = await scene()
    await user.type(name(), 'token')
    await type('Key', 'config.yaml')
    await type('Value', 'Grüße\n\tß')
    await user.click(screen.getByRole('button', { name: 'Add label' }))
    const label = within(screen.getByRole('group', { name: 'Label 1' }))
    await user.type(label.getByRole('textbox', { name: 'Key' }), 'team')
    await user.type(label.getByRole('textbox', { name: 'Value' }), 'shop')
    expect(await create()).toEqual({
      metadata: { name: 'token', labels: { team: 'shop' }, annotations: undefined },
      type: 'Opaque',
      data: { 'config.yaml': base64('Grüße\n\tß') },
    })
    expect(writes(cluster.calls)).toEqual(['POST  (dry run)', 'POST '])
  })

  it('SEC-29 takes a large binary file byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 700_000 }, (_, index) => (index * 7) % 256)
    const { user, type, create } = await scene()
    await user.type(name(), 'keystore')
    await type('Key', 'store.p12')
    await upload(user, 'Value', bytes, 'store.p12')
    await screen.findByRole('textbox', { name: 'File of value' })
    const { data } = await create()
    expect(data?.['store.p12'] === base64(bytes)).toBe(true)
  })

  it('SEC-43, SEC-44 needs a key and a value', async () => {
    const { user } = await scene()
    await user.type(name(), 'token')
    await user.click(await screen.findByRole('button', { name: 'Go to the first one' }))
    await waitFor(() => expect(screen.getAllByText('Required')).toHaveLength(2))
    expect(box('Key')).toHaveFocus()
    expect(box('Key')).toBeInvalid()
    expect(box('Value')).toBeInvalid()
  })

  it('SEC-53, SEC-54, SEC-55, SEC-57 a change of the type resets a preset, the rows and the components', async () => {
    const { user } = await scene({ objects: [taken, ...twoComponents] })
    await user.type(name(), 'snyk-secret')
    expect(await screen.findByDisplayValue('snyk_token')).toHaveAttribute('readonly')
    await user.click(radio('Image pull'))
    expect(name()).toHaveValue('')
    await user.click(await screen.findByRole('radio', { name: 'Selected components' }))
    await user.click(radio('Source'))
    expect(await screen.findByRole('radio', { name: 'None' })).toBeChecked()
    await user.click(radio('Key/value'))
    expect(await screen.findByRole('textbox', { name: 'Key' })).toHaveValue('')
    expect(box('Key')).not.toHaveAttribute('readonly')
  })

  it('SEC-53 a change of the type keeps any other name', async () => {
    const { user } = await scene()
    await user.type(name(), 'token')
    await user.click(radio('Source'))
    expect(name()).toHaveValue('token')
  })

  it('SEC-25 for deployments is labelled as such and cannot be linked', async () => {
    const { user, type, create } = await scene()
    await user.type(name(), 'token')
    await type('Key', 'k')
    await type('Value', 'v')
    await user.click(radio('Image pull'))
    expect(screen.getByRole('radiogroup', { name: /^Link to components/ })).toBeVisible()
    await user.click(radio('Deployment'))
    expect(screen.queryByRole('radiogroup', { name: /^Link to components/ })).not.toBeInTheDocument()
    await user.click(radio('Key/value'))
    await type('Key', 'k')
    await type('Value', 'v')
    expect((await create()).metadata.labels).toEqual({ 'ui.appstudio.redhat.com/secret-for': 'Deployment' })
  })
})

describe('an image pull secret', () => {
  it('SEC-30, SEC-31, SEC-32, SEC-60 of credentials has an entry per registry', async () => {
    const { user, create } = await scene()
    await user.type(name(), 'registries')
    await user.click(radio('Image pull'))
    expect(await screen.findByRole('radio', { name: 'Image registry credentials' })).toBeChecked()
    await user.click(screen.getByRole('button', { name: 'Add another credentials' }))
    for (const [row, registry, email] of [
      [1, 'quay.io/team', 'j@example.com'],
      [2, 'ghcr.io', ''],
    ] as const) {
      const fields = within(screen.getByRole('group', { name: `Credentials ${row}` }))
      await user.type(fields.getByRole('textbox', { name: 'Registry' }), registry)
      await user.type(fields.getByRole('textbox', { name: 'Username' }), 'jörg')
      await user.type(fields.getByLabelText(/^Password/), 'pä:ss')
      if (email) await user.type(fields.getByRole('textbox', { name: 'Email' }), email)
    }
    const { type, data, metadata } = await create()
    expect([type, metadata.labels]).toEqual(['kubernetes.io/dockerconfigjson', undefined])
    const auth = base64('jörg:pä:ss')
    expect(JSON.parse(Buffer.from(data?.['.dockerconfigjson'] ?? '', 'base64').toString())).toEqual({
      auths: {
        'quay.io/team': { username: 'jörg', password: 'pä:ss', email: 'j@example.com', auth },
        'ghcr.io': { username: 'jörg', password: 'pä:ss', auth },
      },
    })
  })

  it('stores the name of a registry as tools look it up, says so, and rejects a username with a colon', async () => {
    const { user, create } = await scene()
    await user.type(name(), 'registries')
    await user.click(radio('Image pull'))
    await user.type(await screen.findByRole('textbox', { name: 'Registry' }), 'https://docker.io/')
    expect(await screen.findByText('Stored as https://index.docker.io/v1/, which tools look up.')).toBeVisible()
    await user.type(box('Username'), 'team:bot')
    expect(await screen.findByText('Must not contain a colon ( : ).')).toBeVisible()
    await user.clear(box('Username'))
    await user.type(box('Username'), 'bot')
    await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'x')
    const { data } = await create()
    expect(JSON.parse(Buffer.from(data?.['.dockerconfigjson'] ?? '', 'base64').toString())).toEqual({
      auths: { 'https://index.docker.io/v1/': { username: 'bot', password: 'x', auth: base64('bot:x') } },
    })
  })

  it('SEC-45, SEC-46 needs a registry, a username and a password, but no email', async () => {
    const { user } = await scene()
    await user.type(name(), 'registries')
    await user.click(radio('Image pull'))
    await user.click(await screen.findByRole('button', { name: 'Go to the first one' }))
    await waitFor(() => expect(screen.getAllByText('Required')).toHaveLength(3))
    const fields = [box('Registry'), box('Username'), screen.getByLabelText(/^Password/, { selector: 'input' })]
    for (const field of fields) {
      expect(field).toBeInvalid()
      expect(field).toBeRequired()
    }
    expect(box('Email')).toBeValid()
    expect(box('Email')).not.toBeRequired()
  })

  it.each([
    [
      'SEC-33, SEC-60',
      'config.json',
      'kubernetes.io/dockerconfigjson',
      '.dockerconfigjson',
      { auths: { r: { auth: 'dTpw' } } },
    ],
    ['SEC-33, SEC-61', '.dockercfg', 'kubernetes.io/dockercfg', '.dockercfg', { r: { auth: 'dTpw' } }],
  ])('%s of a %s file is the file', async (_, file, type, key, config) => {
    const { user, create } = await scene()
    await user.type(name(), 'registries')
    await user.click(radio('Image pull'))
    await user.click(await screen.findByRole('radio', { name: 'Upload configuration file' }))
    await screen.findByRole('textbox', { name: 'Configuration file' })
    const text = `${JSON.stringify(config, null, 2)}\r\n`
    await upload(user, 'Configuration file', text, file)
    expect(await create()).toMatchObject({ type, data: { [key]: base64(text) } })
  })

  it('SEC-47, SEC-48, SEC-49 rejects a missing file, one that is not JSON, and one without credentials', async () => {
    const { user, type } = await scene()
    await user.type(name(), 'registries')
    await user.click(radio('Image pull'))
    await user.click(await screen.findByRole('radio', { name: 'Upload configuration file' }))
    await user.click(await screen.findByRole('button', { name: 'Go to the first one' }))
    expect(await screen.findByText('Required')).toBeVisible()
    await type('Configuration file', '{"auths"')
    expect(await screen.findByText('Configuration file should be in JSON format.')).toBeVisible()
    await type('Configuration file', '{"quay.io":{}}')
    expect(await screen.findByText('Configuration file should contain a registry with its credentials.')).toBeVisible()
  })

  it('is filled in by a pasted docker login command, which is not shown in the field', async () => {
    const { user, create } = await scene()
    await user.type(name(), 'robot')
    await user.click(radio('Image pull'))
    await user.click(await screen.findByRole('textbox', { name: 'Registry' }))
    await user.paste('docker login -u="org+robot" -p="s3cret" quay.io')
    expect(await screen.findByDisplayValue('org+robot')).toBeVisible()
    expect(box('Registry')).toHaveValue('quay.io')
    await waitFor(() => expect(box('Registry')).toHaveFocus())
    expect(screen.getByText('Filled in from the pasted text: 1 registry')).toBeInTheDocument()
    const { data } = await create()
    expect(JSON.parse(Buffer.from(data?.['.dockerconfigjson'] ?? '', 'base64').toString())).toEqual({
      auths: { 'quay.io': { username: 'org+robot', password: 's3cret', auth: base64('org+robot:s3cret') } },
    })
  })

  it('warns about an expired token, and records when it expires', async () => {
    const { user, create } = await scene()
    const token = `e30.${Buffer.from('{"exp":1600000000}').toString('base64url')}.x`
    await user.type(name(), 'robot')
    await user.click(radio('Image pull'))
    await user.click(await screen.findByRole('textbox', { name: 'Registry' }))
    await user.paste(`podman login -u bot -p ${token} quay.io`)
    expect(await screen.findByText(/^This token expired on .*2020/)).toBeVisible()
    expect((await create()).metadata.annotations).toMatchObject({
      'slipway.dev/credential-expires': '2020-09-13T12:26:40Z',
    })
  })
})

describe('a source secret', () => {
  it('SEC-34, SEC-36, SEC-37, SEC-64 of basic authentication says which host and repository it is for', async () => {
    const { user, type, password, create } = await scene()
    await user.type(name(), 'git')
    await user.click(radio('Source'))
    expect(await screen.findByRole('radio', { name: 'Basic authentication' })).toBeChecked()
    await type('Username', 'jörg')
    await password('pä ss')
    await type('Host', 'gitlab.example.com')
    await type('Repository', 'shop/cart')
    expect(await create()).toEqual({
      metadata: {
        name: 'git',
        labels: { 'appstudio.redhat.com/credentials': 'scm', 'appstudio.redhat.com/scm.host': 'gitlab.example.com' },
        annotations: { 'appstudio.redhat.com/scm.repository': 'shop/cart' },
      },
      type: 'kubernetes.io/basic-auth',
      data: { username: base64('jörg'), password: base64('pä ss') },
    })
  })

  it('SEC-35, SEC-59 of SSH has the private key as it was uploaded', async () => {
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n'
    const { user, create } = await scene()
    await user.type(name(), 'git')
    await user.click(radio('Source'))
    await user.click(await screen.findByRole('radio', { name: 'SSH key' }))
    await screen.findByRole('textbox', { name: 'Private key' })
    await upload(user, 'Private key', key, 'id_ed25519')
    expect(await create()).toMatchObject({ type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': base64(key) } })
  })

  it.each([
    ['SEC-50, SEC-51', 'Basic authentication', 2],
    ['SEC-52', 'SSH key', 1],
  ])('%s needs its credentials: %s', async (_, input, count) => {
    const { user } = await scene()
    await user.type(name(), 'git')
    await user.click(radio('Source'))
    await user.click(await screen.findByRole('radio', { name: input }))
    await user.click(await screen.findByRole('button', { name: 'Go to the first one' }))
    await waitFor(() => expect(screen.getAllByText('Required')).toHaveLength(count))
  })

  it.each([
    'https://gitlab.example.com/shop/cart',
    'git@gitlab.example.com:shop/cart.git',
    'ssh://git@gitlab.example.com:2222/shop/cart.git',
  ])('FORM-22, FORM-24, FORM-25 takes host and repository from a pasted URL: %s', async (url) => {
    const { user } = await scene()
    await user.click(radio('Source'))
    await user.click(await screen.findByRole('textbox', { name: 'Repository' }))
    await user.paste(url)
    await waitFor(() => expect(box('Host')).toHaveValue('gitlab.example.com'))
    expect(box('Repository')).toHaveValue('shop/cart')
  })

  it.each([
    ['SEC-36', 'Host', 'https://gitlab.com', /^Must be a host/],
    ['LIM-02', 'Repository', 'x'.repeat(2001), 'Must be at most 2000 characters long.'],
  ])('%s rejects an invalid %s', async (_, field, text, message) => {
    const { user } = await scene()
    await user.click(radio('Source'))
    await user.click(await screen.findByRole('textbox', { name: field }))
    await user.paste(text)
    expect(await screen.findByText(message)).toBeVisible()
  })
})

describe('linking', () => {
  const fill = async ({ user }: Awaited<ReturnType<typeof scene>>) => {
    await user.type(name(), 'robot')
    await user.click(radio('Image pull'))
    await user.click(await screen.findByRole('textbox', { name: 'Registry' }))
    await user.paste('docker login -u bot -p x quay.io')
  }

  it('SEC-26, SEC-66, SEC-67 to all labels the secret and links it after it was created', async () => {
    const view = await scene({ objects: [taken, ...twoComponents] })
    await fill(view)
    await view.user.click(radio('All'))
    const { metadata } = await view.create()
    expect(metadata.labels).toEqual({ 'build.appstudio.openshift.io/common-secret': 'true' })
    await waitFor(async () =>
      expect(await linkedIn(view.cluster, 'build-pipeline-web')).toEqual([['robot'], ['robot']]),
    )
    expect(await linkedIn(view.cluster, 'build-pipeline-cart')).toEqual([['robot'], ['robot']])
    await linkTasksEnded()
  })

  it('SEC-26, SEC-27, SEC-73 to selected components links it to those only', async () => {
    const view = await scene({ objects: [taken, ...twoComponents] })
    await fill(view)
    await view.user.click(radio('Selected components'))
    await view.user.click(await screen.findByRole('button', { name: 'Components Select…' }))
    await view.user.click(await screen.findByRole('option', { name: /^cart/ }))
    await view.user.keyboard('{Escape}')
    const { metadata } = await view.create()
    expect(metadata.labels).toBeUndefined()
    await waitFor(async () =>
      expect(await linkedIn(view.cluster, 'build-pipeline-cart')).toEqual([['robot'], ['robot']]),
    )
    await linkTasksEnded()
    expect(await linkedIn(view.cluster, 'build-pipeline-web')).toEqual([[], []])
  })

  it('SEC-26, SEC-66 to none starts no task', async () => {
    const view = await scene({ objects: [taken, ...twoComponents] })
    await fill(view)
    expect(radio('None')).toBeChecked()
    const { metadata } = await view.create()
    expect(metadata).toEqual({ name: 'robot', labels: undefined, annotations: undefined })
    expect(view.cluster.calls.filter(({ method }) => method === 'PATCH')).toEqual([])
  })

  it('SEC-27 needs at least one component', async () => {
    const view = await scene({ objects: [taken, ...twoComponents] })
    await fill(view)
    await view.user.click(radio('Selected components'))
    await view.user.click(await screen.findByRole('button', { name: 'Go to the first one' }))
    expect(await screen.findByText('Required')).toBeVisible()
  })
})

describe('values', () => {
  const value = 's3cret-välue'

  it('are hidden until revealed, are not suggested by the browser, and are not in the preview', async () => {
    const { user, container } = await scene()
    await user.type(name(), 'token')
    await user.type(box('Key'), 'k')
    await user.type(box('Value'), value)
    const isHidden = () => box('Value').closest('.slipway-field__hidden-text') !== null
    expect(isHidden()).toBe(true)
    expect(box('Value')).toHaveAttribute('autocomplete', 'off')
    await user.click(screen.getByRole('button', { name: 'Show value' }))
    expect(isHidden()).toBe(false)
    await enabled()
    await user.click(screen.getByRole('button', { name: 'Show change' }))
    await user.click(await screen.findByRole('tab', { name: 'Requests' }))
    expect(await screen.findByText(/"k": "<k, in base64>"/)).toBeVisible()
    const shown = container.textContent.replaceAll(box('Value').textContent, '')
    expect(shown).not.toContain(base64(value))
  })

  it('leave no trace in the document, the URL, the storage or the cache once the secret is saved', async () => {
    const view = await scene({ objects: [taken, ...twoComponents] })
    await view.user.type(name(), 'token')
    await view.user.click(radio('Source'))
    await view.user.type(await screen.findByRole('textbox', { name: 'Username' }), 'u')
    await view.password(value)
    await view.user.click(radio('All'))
    await view.create()
    await waitFor(async () => expect((await linkedIn(view.cluster, 'build-pipeline-web'))[0]).toEqual(['token']))
    await linkTasksEnded()
    expectNoTrace(value)
  })

  it.each<[string, (view: Awaited<ReturnType<typeof scene>>) => Promise<void>]>([
    [
      'a key/value secret',
      async ({ type }) => {
        await type('Key', 'k')
        await type('Value', value)
      },
    ],
    [
      'credentials of a registry',
      async ({ user }) => {
        await user.click(radio('Image pull'))
        await user.click(await screen.findByRole('textbox', { name: 'Registry' }))
        await user.paste(`docker login -u bot -p ${value} quay.io`)
      },
    ],
    [
      'a configuration file',
      async ({ user }) => {
        await user.click(radio('Image pull'))
        await user.click(await screen.findByRole('radio', { name: 'Upload configuration file' }))
        await screen.findByRole('textbox', { name: 'Configuration file' })
        await upload(
          user,
          'Configuration file',
          `{"auths":{"r":{"username":"u","password":"${value}"}}}`,
          'config.json',
        )
      },
    ],
    [
      'basic authentication, after an SSH key was entered',
      async ({ user, password }) => {
        await user.click(radio('Source'))
        await user.click(await screen.findByRole('radio', { name: 'SSH key' }))
        await user.type(await screen.findByRole('textbox', { name: 'Private key' }), value)
        await user.click(screen.getByRole('radio', { name: 'Basic authentication' }))
        await user.type(await screen.findByRole('textbox', { name: 'Username' }), 'u')
        await password(value)
      },
    ],
  ])('of %s are dropped when it is saved, not when the next page has loaded', async (_, fill) => {
    const view = await scene()
    await view.user.type(name(), 'token')
    await fill(view)
    await enabled()
    const release = holdAfterSecretWrite(view.cluster.faults)
    await view.user.click(submit())
    await waitFor(() => expect(view.router.state.navigation.state).toBe('loading'))
    expectNoTrace(value)
    expect(screen.getByText(/^Saved\./)).toBeVisible()
    release()
    expect(await screen.findByRole('heading', { name: 'Secrets', level: 1 })).toBeVisible()
  })
})
