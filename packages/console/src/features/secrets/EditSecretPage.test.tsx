import { secretType, serviceAccountType, type Secret, type ServiceAccount } from '@slipway/kube/core-types'
import { aComponent } from '@slipway/model/testing'
import { aServiceAccount } from '@slipway/model/testing/build-services'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { holdWriteResponses, versionAfter } from '../../../test/held-responses'
import { linkTasksEnded } from '../../../test/link-tasks'
import { renderRoute } from '../../../test/render-route'
import { expectNoTrace, holdAfterSecretWrite } from '../../../test/traces'
import { paths } from '../../paths'
import { secrets } from '../../resources/secrets'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const editPage = paths.editSecret({ namespace, secret: 'token' })

const aSecret = (secret: Partial<Secret> = {}, metadata: Secret['metadata'] = {}): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'token', namespace, ...metadata },
  type: 'Opaque',
  data: { first: base64('one'), second: base64('two') },
  ...secret,
})
const pullSecret = (metadata?: Secret['metadata']) =>
  aSecret({ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('{"auths":{}}') } }, metadata)
const account = (component: string, isLinked: boolean): ServiceAccount => {
  const links = isLinked ? [{ name: 'token' }] : []
  return {
    ...aServiceAccount({ metadata: { name: `build-pipeline-${component}`, namespace } }),
    secrets: links,
    imagePullSecrets: links,
  }
}

const box = (name: string) => screen.getByRole('textbox', { name })
const submit = () => screen.getByRole('button', { name: /^Save changes/ })
const enabled = () => waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))

async function scene(secret: Secret, options: Parameters<typeof renderRoute>[1] = {}) {
  const view = await renderRoute(editPage, { ...options, objects: [secret, ...(options.objects ?? [])] })
  await screen.findByRole('heading', { name: 'Edit secret', level: 1 })
  const { user, cluster, router } = view
  const choose = async (key: string, action: RegExp) => {
    await user.click(screen.getByRole('button', { name: new RegExp(`^${key} `) }))
    await user.click(await screen.findByRole('option', { name: action }))
  }
  const save = async () => {
    await enabled()
    await user.click(submit())
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.secrets({ namespace })))
    const { metadata, data, type } = await cluster.system.get(secretType, 'token', { namespace })
    return { labels: metadata.labels, annotations: metadata.annotations, data, type }
  }
  /** The real patches of the secret. */
  const patches = () =>
    cluster.calls
      .filter(({ method, path }) => method === 'PATCH' && path.includes('/secrets/') && !path.includes('dryRun'))
      .map(({ body }) => body)
  return { ...view, choose, save, patches }
}

describe('values', () => {
  it('are listed without their content, and each can be kept, replaced or removed', async () => {
    const { user, container, choose, save, patches } = await scene(
      aSecret({ data: { a: base64('s3cret'), b: '', c: '' } }),
    )
    expect(container).not.toHaveTextContent(/s3cret/)
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    await choose('b', /^Replace/)
    await user.type(await screen.findByRole('textbox', { name: 'New value' }), 'nëw')
    await choose('c', /^Remove/)
    await user.click(screen.getByRole('button', { name: 'Add key/value pair' }))
    await user.type(await screen.findByRole('textbox', { name: 'Key' }), 'd')
    await user.type(box('Value'), 'added')
    const { data } = await save()
    expect(data).toEqual({ a: base64('s3cret'), b: base64('nëw'), d: base64('added') })
    expect(patches()).toEqual([
      [
        { op: 'replace', path: '/metadata/resourceVersion', value: expect.any(String) },
        { op: 'replace', path: '/data/b', value: base64('nëw') },
        { op: 'remove', path: '/data/c' },
        { op: 'add', path: '/data/d', value: base64('added') },
      ],
    ])
  })

  it('are dropped when they are saved, not when the next page has loaded', async () => {
    const { user, cluster, router, choose } = await scene(aSecret())
    await choose('first', /^Replace/)
    await user.type(await screen.findByRole('textbox', { name: 'New value' }), 's3cret-välue')
    await user.click(screen.getByRole('button', { name: 'Add key/value pair' }))
    await user.type(await screen.findByRole('textbox', { name: 'Key' }), 'third')
    await user.type(box('Value'), 's3cret-välue')
    await enabled()
    const release = holdAfterSecretWrite(cluster.faults)
    await user.click(submit())
    await waitFor(() => expect(router.state.navigation.state).toBe('loading'))
    expectNoTrace('s3cret-välue')
    expect(screen.getByText(/^Saved\./)).toBeVisible()
    release()
    expect(await screen.findByRole('heading', { name: 'Secrets', level: 1 })).toBeVisible()
  })

  it('need a replacement once they are to be replaced, and new keys must be new', async () => {
    const { user, choose } = await scene(aSecret())
    await choose('first', /^Replace/)
    await user.click(screen.getByRole('button', { name: 'Add key/value pair' }))
    await user.type(await screen.findByRole('textbox', { name: 'Key' }), 'second')
    expect(await screen.findByText('This key exists.')).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Go to the first one' }))
    expect((await screen.findAllByText('Required')).length).toBeGreaterThan(0)
  })

  it('that their type requires cannot be removed', async () => {
    const basic = aSecret({ type: 'kubernetes.io/basic-auth', data: { username: '', password: '' } })
    const { user, choose, save } = await scene(basic)
    await user.click(screen.getByRole('button', { name: /^username / }))
    await screen.findByRole('option', { name: /^Replace/ })
    expect(screen.queryByRole('option', { name: /^Remove/ })).not.toBeInTheDocument()
    await user.keyboard('{Escape}')
    await choose('password', /^Replace/)
    const token = `e30.${Buffer.from('{"exp":1900000000}').toString('base64url')}.x`
    await user.type(await screen.findByRole('textbox', { name: 'New value' }), token)
    const saved = await save()
    expect(saved.data).toEqual({ username: '', password: base64(token) })
    expect(saved.annotations).toEqual({ 'slipway.dev/credential-expires': '2030-03-17T17:46:40Z' })
  })

  it('of registries are replaced as a whole, and the expiry of the old ones is forgotten', async () => {
    const old = pullSecret({ annotations: { 'slipway.dev/credential-expires': '2020-01-01T00:00:00Z' } })
    const { user, save } = await scene(old)
    await user.click(screen.getByRole('radio', { name: 'Replace them by image registry credentials' }))
    await user.click(await screen.findByRole('textbox', { name: 'Registry' }))
    await user.paste('docker login -u bot -p x quay.io')
    const { data, annotations } = await save()
    expect(JSON.parse(Buffer.from(data?.['.dockerconfigjson'] ?? '', 'base64').toString())).toEqual({
      auths: { 'quay.io': { username: 'bot', password: 'x', auth: base64('bot:x') } },
    })
    expect(annotations).toBeUndefined()
  })

  it('of an older type keep its format', async () => {
    const old = aSecret({ type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('{}') } })
    const { user, save } = await scene(old)
    await user.click(screen.getByRole('radio', { name: 'Replace them by a configuration file' }))
    await user.click(await screen.findByRole('textbox', { name: 'Configuration file' }))
    await user.paste('{"auths":{"quay.io":{"auth":"dTpw"}}}')
    expect(await screen.findByText('This secret needs the format of a .dockercfg file.')).toBeVisible()
    await user.clear(box('Configuration file'))
    await user.click(box('Configuration file'))
    await user.paste('{"quay.io":{"auth":"dTpw"}}')
    expect((await save()).data).toEqual({ '.dockercfg': base64('{"quay.io":{"auth":"dTpw"}}') })
  })

  it('of an immutable secret cannot be changed, which the page says, but its labels can', async () => {
    const { user, save } = await scene(aSecret({ immutable: true }))
    expect(screen.getByText(/^This secret is immutable/)).toBeVisible()
    expect(screen.queryByRole('group', { name: 'Stored keys' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Add label' }))
    await user.type(box('Key'), 'team')
    await user.type(box('Value'), 'shop')
    expect((await save()).labels).toEqual({ team: 'shop' })
  })

  it('that are replaced are shown as new in the preview, without their content', async () => {
    const { user, choose } = await scene(aSecret())
    await choose('first', /^Replace/)
    await user.type(await screen.findByRole('textbox', { name: 'New value' }), 'xyzzy')
    await enabled()
    await user.click(screen.getByRole('button', { name: 'Show change' }))
    const change = await screen.findByRole('region', { name: 'Changes: Change Secret token' })
    expect(change).toHaveTextContent('Added: first: "<new first>"')
    expect(change).not.toHaveTextContent('xyzzy')
    await user.click(screen.getByRole('tab', { name: 'Requests' }))
    expect(await screen.findByText(/"value": "<first, in base64>"/)).toBeVisible()
  })
})

describe('metadata', () => {
  const labels = { team: 'shop', old: 'x', 'build.appstudio.openshift.io/common-secret': 'true' }

  it('labels can be changed, added and removed, and those of the platform stay', async () => {
    const { user, save } = await scene(aSecret({}, { labels }))
    const row = (index: number) => within(screen.getByRole('group', { name: `Label ${index}` }))
    expect(row(1).getByRole('textbox', { name: 'Key' })).toHaveValue('team')
    await user.type(row(1).getByRole('textbox', { name: 'Value' }), '-2')
    await user.click(screen.getByRole('button', { name: 'Remove Label 2' }))
    await user.click(screen.getByRole('button', { name: 'Add label' }))
    await user.type(row(2).getByRole('textbox', { name: 'Key' }), 'example.com/new')
    expect((await save()).labels).toEqual({
      team: 'shop-2',
      'example.com/new': '',
      'build.appstudio.openshift.io/common-secret': 'true',
    })
  })

  it('SEC-64 host and repository of a source secret can be changed and removed', async () => {
    const basic = aSecret(
      { type: 'kubernetes.io/basic-auth', data: { username: '', password: '' } },
      {
        labels: { 'appstudio.redhat.com/credentials': 'scm', 'appstudio.redhat.com/scm.host': 'github.com' },
        annotations: { 'appstudio.redhat.com/scm.repository': 'shop/cart' },
      },
    )
    const { user, save } = await scene(basic)
    expect(box('Repository')).toHaveValue('shop/cart')
    await user.clear(box('Host'))
    await user.type(box('Host'), 'gitlab.com')
    await user.clear(box('Repository'))
    const { labels: saved, annotations } = await save()
    expect(saved).toEqual({ 'appstudio.redhat.com/credentials': 'scm', 'appstudio.redhat.com/scm.host': 'gitlab.com' })
    expect(annotations ?? {}).toEqual({})
  })
})

describe('links', () => {
  const objects = [
    ...['cart', 'web'].map((name) => aComponent({ metadata: { name, namespace }, spec: { application: 'shop' } })),
    account('cart', true),
    account('web', false),
  ]
  it('start from the components that it is linked to, and are changed in the background', async () => {
    const { user, cluster, save, patches } = await scene(pullSecret(), { objects })
    expect(screen.getByRole('radio', { name: 'Selected components' })).toBeChecked()
    await user.click(screen.getByRole('button', { name: 'Remove cart' }))
    const components = screen.getByRole('button', { name: /^Components / })
    // Disabled while the components are loading.
    await waitFor(() => expect(components).toBeEnabled())
    await user.click(components)
    await user.click(await screen.findByRole('option', { name: /^web/ }))
    await user.keyboard('{Escape}')
    await save()
    const linked = async (component: string) =>
      (await cluster.system.get(serviceAccountType, `build-pipeline-${component}`, { namespace })).secrets ?? []
    await waitFor(async () => expect(await linked('web')).toEqual([{ name: 'token' }]))
    await waitFor(async () => expect(await linked('cart')).toEqual([]))
    await linkTasksEnded()
    // The form itself had nothing to write: the patches are those of the link task.
    expect(patches().every((body) => JSON.stringify(body).includes('linking-secret-action-status'))).toBe(true)
  })

  it('cannot be edited if the service accounts cannot be read, which the page says', async () => {
    const view = await renderRoute(paths.secrets({ namespace }), { objects: [pullSecret()] })
    view.cluster.faults.intercept((path) =>
      path.includes('/serviceaccounts') ? Response.json({ message: 'no' }, { status: 403 }) : undefined,
    )
    await view.router.navigate(editPage)
    expect(await screen.findByText(/^Links to components cannot be edited/)).toBeVisible()
    expect(screen.getByText('no. Reload the page to try again.')).toBeVisible()
  })
})

it('a username of basic authentication is not replaced by one with a colon', async () => {
  const { user, choose } = await scene(
    aSecret({ type: 'kubernetes.io/basic-auth', data: { username: base64('bot'), password: base64('x') } }),
  )
  await choose('username', /^Replace/)
  await user.type(await screen.findByRole('textbox', { name: 'New value' }), 'team:bot')
  expect(await screen.findByText('Must not contain a colon ( : ).')).toBeVisible()
})

describe('while the form is open', () => {
  it('another change is reported, a save meanwhile is rejected, and the input can be applied to the new version', async () => {
    const { user, cluster, choose, save } = await scene(aSecret())
    await choose('first', /^Replace/)
    await user.type(await screen.findByRole('textbox', { name: 'New value' }), 'mine')
    const added = { op: 'add' as const, path: '/data/third', value: base64('theirs') }
    await cluster.system.patch(secretType, 'token', [added], { namespace })
    expect(await screen.findByText('This secret has changed since you opened it')).toBeVisible()
    await enabled()
    await user.click(submit())
    expect(await screen.findByText(/the object has been modified/i)).toBeVisible()
    expect(box('New value')).toHaveValue('mine')
    await user.click(screen.getByRole('button', { name: 'Apply my changes to the current version' }))
    expect(screen.queryByText('This secret has changed since you opened it')).not.toBeInTheDocument()
    expect((await save()).data).toEqual({ first: base64('mine'), second: base64('two'), third: base64('theirs') })
  })

  it('an own save is not reported as the change of another user, even if the watch is faster than the response', async () => {
    const { user, cluster, router, choose } = await scene(aSecret())
    await choose('first', /^Replace/)
    await user.type(await screen.findByRole('textbox', { name: 'New value' }), 'mine')
    const before = await cluster.system.get(secretType, 'token', { namespace })
    const release = holdWriteResponses(cluster.faults, 'secrets')
    await enabled()
    await user.click(submit())
    await versionAfter(before, secrets.get(namespace, 'token'))
    expect(screen.queryByText(/since you opened it/)).not.toBeInTheDocument()
    release()
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.secrets({ namespace })))
  })

  it('a change that another user has made in the meantime is reported once the own save is rejected', async () => {
    const { user, cluster, choose } = await scene(aSecret())
    await choose('first', /^Replace/)
    await user.type(await screen.findByRole('textbox', { name: 'New value' }), 'mine')
    cluster.faults.intercept((path, init) => {
      if (init.method !== 'PATCH') return undefined
      const added = { op: 'add' as const, path: '/data/third', value: base64('theirs') }
      return cluster.system
        .patch(secretType, 'token', [added], { namespace })
        .then(() => cluster.faults.pass(path, init))
    })
    await enabled()
    await user.click(submit())
    expect(await screen.findByText('This secret has changed since you opened it')).toBeVisible()
    expect(await screen.findByText(/the object has been modified/i)).toBeVisible()
  })

  it('a deletion is reported, and the input stays', async () => {
    const { user, cluster, choose } = await scene(aSecret())
    await choose('first', /^Replace/)
    await user.type(await screen.findByRole('textbox', { name: 'New value' }), 'mine')
    await cluster.system.delete(secretType, 'token', { namespace })
    expect(await screen.findByText('This secret has been deleted')).toBeVisible()
    await enabled()
    await user.click(submit())
    expect(await screen.findByText(/not found/)).toBeVisible()
    expect(box('New value')).toHaveValue('mine')
  })
})

describe('the page', () => {
  it('is forbidden without permission to change secrets', async () => {
    await renderRoute(editPage, { as: 'maintainer', objects: [aSecret()] })
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
  })

  it('is not found for a secret that does not exist', async () => {
    // React logs errors that its boundaries catch.
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await renderRoute(editPage)
    expect(await screen.findByText(/^Looks like that page doesn't exist/)).toBeVisible()
  })
})
