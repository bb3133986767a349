import { type Secret, secretType, serviceAccountType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { aConfigMap, aComponent, anApplication } from '@slipway/model/testing'
import { aServiceAccount } from '@slipway/model/testing/build-services'
import { act, fireEvent, type queries, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { linkTasksEnded } from '../../../test/link-tasks'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { expectNoTrace, holdAfterSecretWrite } from '../../../test/traces'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { components } from '../../resources/components'
import { publicInfo } from '../../resources/public-info'

const page = paths.createApplication({ namespace })
const shop = { namespace, application: 'shop' }
const inShop = paths.createComponent(shop)
const application = anApplication({ metadata: { name: 'shop', namespace } })
const account = aServiceAccount({ metadata: { name: 'build-pipeline-web', namespace } })

const field = (name: string) => screen.findByRole('textbox', { name })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const footer = { selector: '.slipway-page__footer .pf-m-danger *' }
const steps = () =>
  within(screen.getByRole('list', { name: 'Progress' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

/** Writes of the console, such as `POST components (dry run)`. */
const writesIn = (calls: { method: string; path: string }[]) =>
  calls.flatMap(({ method, path }) => {
    const [, plural] = /\/namespaces\/[^/]+\/(\w+)/.exec(path) ?? []
    const isWrite = (method === 'POST' || method === 'PUT' || method === 'DELETE') && plural && !/review/.test(path)
    return isWrite ? [`${method} ${plural}${path.includes('dryRun') ? ' (dry run)' : ''}`] : []
  })

/** In one event, since a whole form is rendered for each. */
const fill = async (user: UserEvent, name: string, text: string) => {
  await user.clear(await field(name))
  fireEvent.change(await field(name), { target: { value: text } })
}

async function submit(user: UserEvent, name: string) {
  await waitFor(() => expect(button(name)).not.toHaveAttribute('aria-disabled', 'true'))
  await user.click(button(name))
}

/** Opens the page for a new application, and enters one with a component. */
async function newImport() {
  const scene = await renderRoute(page, { objects: [account] })
  const { user } = scene
  await fill(user, 'Application name', 'shop')
  await user.click(button('Add a component'))
  await fill(user, 'Git repository URL', 'https://github.com/shop/web')
  await fill(user, 'Component name', 'web')
  return scene
}

async function addSecret(
  user: UserEvent,
  name: string,
  key: string,
  value: string,
  choose?: (dialog: ReturnType<typeof within<typeof queries>>) => Promise<void>,
) {
  await user.click(button('Add secret'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create new build secret' }))
  await user.type(await dialog.findByRole('combobox', { name: 'Secret name' }), name)
  await user.click(dialog.getByRole('radio', { name: /^Source/ }))
  await user.type(await dialog.findByRole('textbox', { name: 'Username' }), key)
  await user.type(dialog.getByLabelText(/^Password/), value)
  await choose?.(dialog)
  await user.click(dialog.getByRole('button', { name: 'Add secret' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
}

describe('an import', () => {
  it('IMP-48, IMP-50, IMP-64, IMP-65 checks everything, then creates it in order, and links the secret', async () => {
    const { user, cluster, router } = await newImport()
    await addSecret(user, 'git-token', 'ann', 'hünter2')
    expect(screen.getByText(/^git-token/)).toBeVisible()
    expect(document.body.innerHTML).not.toContain('hünter2')
    await submit(user, 'Create application')
    expect(await screen.findByRole('heading', { name: 'shop', level: 1 })).toBeVisible()
    expect(router.state.location.pathname).toBe(paths.application(shop))
    const kinds = ['applications', 'integrationtestscenarios', 'components', 'imagerepositories', 'secrets']
    expect(writesIn(cluster.calls)).toEqual([
      ...kinds.map((kind) => `POST ${kind} (dry run)`),
      ...kinds.map((kind) => `POST ${kind}`),
    ])
    const { type, data, stringData } = await cluster.system.get(secretType, 'git-token', { namespace })
    expect(type).toBe('kubernetes.io/basic-auth')
    expect(stringData).toBeUndefined()
    expect(Buffer.from(data?.['password'] ?? '', 'base64').toString()).toBe('hünter2')
    await waitFor(async () => {
      const { secrets } = await cluster.system.get(serviceAccountType, 'build-pipeline-web', { namespace })
      expect(secrets).toEqual([{ name: 'git-token' }])
    })
    await linkTasksEnded()
  })

  it('drops the values of a secret when everything is created, not when the next page has loaded', async () => {
    const { user, cluster, router } = await newImport()
    await addSecret(user, 'git-token', 'ann', 's3cret-välue')
    expectNoTrace('s3cret-välue')
    const release = holdAfterSecretWrite(cluster.faults)
    await submit(user, 'Create application')
    await waitFor(() => expect(router.state.navigation.state).toBe('loading'))
    expectNoTrace('s3cret-välue')
    expect(screen.getByText(/^Saved\./)).toBeVisible()
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
    release()
    expect(await screen.findByRole('heading', { name: 'shop', level: 1 })).toBeVisible()
    await linkTasksEnded()
  })

  it('IMP-51, IMP-52, IMP-53, IMP-54 creates the application with its first test', async () => {
    const { user, cluster } = await newImport()
    await submit(user, 'Create application')
    await screen.findByRole('heading', { name: 'shop', level: 1 })
    expect((await cluster.system.get(applicationType, 'shop', { namespace })).spec).toEqual({ displayName: 'shop' })
    const test = await cluster.system.get(integrationTestScenarioType, 'shop-enterprise-contract', { namespace })
    expect(test.metadata.labels).toBeUndefined()
    expect(test.metadata.annotations).toEqual({ 'test.appstudio.openshift.io/kind': 'enterprise-contract' })
    expect(test.spec).toEqual({
      application: 'shop',
      resolverRef: {
        resolver: 'git',
        resourceKind: 'pipeline',
        params: [
          { name: 'url', value: 'https://github.com/konflux-ci/build-definitions' },
          { name: 'revision', value: 'main' },
          { name: 'pathInRepo', value: 'pipelines/enterprise-contract.yaml' },
        ],
      },
    })
  })

  it('IMP-55, IMP-56, IMP-57, IMP-58 creates the component from the fields', async () => {
    const { user, cluster } = await newImport()
    await user.click(button('Advanced git options'))
    await fill(user, 'Git repository URL', ' https://gitlab.com/shop/web ')
    await fill(user, 'Git reference', 'v2')
    await fill(user, 'Context directory', 'server')
    await fill(user, 'Docker file path', 'Containerfile')
    await user.click(button(/^Pipeline/))
    await user.click(await screen.findByRole('option', { name: 'docker-build' }))
    await submit(user, 'Create application')
    await screen.findByRole('heading', { name: 'shop', level: 1 })
    const { metadata, spec } = await cluster.system.get(componentType, 'web', { namespace })
    expect(metadata.annotations).toEqual({
      'git-provider': 'gitlab',
      'git-provider-url': 'https://gitlab.com',
      'build.appstudio.openshift.io/pipeline': '{"name":"docker-build","bundle":"latest"}',
      'build.appstudio.openshift.io/request': 'configure-pac',
    })
    expect(spec).toEqual({
      componentName: 'web',
      application: 'shop',
      source: {
        git: {
          url: 'https://gitlab.com/shop/web',
          revision: 'v2',
          context: 'server',
          dockerfileUrl: 'Containerfile',
        },
      },
    })
  })

  it('IMP-60, IMP-61, IMP-62, IMP-63 creates the image repository, private and with notifications', async () => {
    const { user, cluster, router } = await renderRoute(paths.applications({ namespace }), { objects: [application] })
    const sbom = { title: 'SBOM', event: 'repo_push', method: 'webhook', config: { url: 'https://sbom.example.com' } }
    const integrations = { image_controller: { enabled: true, notifications: [sbom] } }
    const info = aConfigMap({ data: { 'info.json': JSON.stringify({ integrations }) } })
    cluster.faults.intercept((path) => (path.endsWith(publicInfoLocation.name) ? Response.json(info) : undefined))
    await act(() => queryClient.resetQueries({ queryKey: publicInfo.get().queryKey }))
    await router.navigate(inShop)
    await fill(user, 'Git repository URL', 'https://github.com/shop/web')
    await fill(user, 'Component name', 'web')
    await user.click(screen.getByRole('checkbox', { name: 'Should the image produced be private?' }))
    await submit(user, 'Add component')
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.components(shop)))
    const [repository] = (await cluster.system.list(imageRepositoryType, { namespace })).items
    expect(repository?.metadata.name).toBe('imagerepository-for-shop-web')
    expect(repository?.metadata.labels).toEqual({
      'appstudio.redhat.com/application': 'shop',
      'appstudio.redhat.com/component': 'web',
    })
    expect(repository?.metadata.annotations).toEqual({
      'image-controller.appstudio.redhat.com/update-component-image': 'true',
    })
    expect(repository?.spec).toEqual({ image: { visibility: 'private' }, notifications: [sbom] })
  })

  it('IMP-38, IMP-62, IMP-70 into an application creates a component with a public image only', async () => {
    const { user, cluster, router } = await renderRoute(inShop, { objects: [application, account] })
    await fill(user, 'Git repository URL', 'https://github.com/shop/web')
    await fill(user, 'Component name', 'My Web.App')
    expect(await screen.findByText(/It is written as my-web-app\.$/)).toBeVisible()
    await submit(user, 'Add component')
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.components(shop)))
    expect(writesIn(cluster.calls)).toEqual([
      'POST components (dry run)',
      'POST imagerepositories (dry run)',
      'POST components',
      'POST imagerepositories',
    ])
    expect((await cluster.system.get(componentType, 'my-web-app', { namespace })).spec.componentName).toBe('my-web-app')
    const [repository] = (await cluster.system.list(imageRepositoryType, { namespace })).items
    expect(repository?.spec.image).toEqual({ visibility: 'public' })
  })

  it('IMP-17, IMP-18, IMP-66 links a secret that exists without creating it', async () => {
    const existing: Secret = {
      metadata: { name: 'registry', namespace },
      type: 'kubernetes.io/dockerconfigjson',
      data: { '.dockerconfigjson': btoa('{"auths":{}}') },
    }
    const { user, cluster } = await newImport()
    await cluster.system.create(secretType, existing)
    await user.click(button('Add secret'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Create new build secret' }))
    await user.click(await dialog.findByRole('button', { name: /^Suggestions/ }))
    expect(dialog.getByRole('textbox', { name: 'Key' })).toBeVisible()
    await user.click(await screen.findByRole('option', { name: /^registry/ }))
    expect(await dialog.findByText('registry exists. Its values stay as they are.')).toBeVisible()
    expect(dialog.queryByRole('textbox', { name: 'Key' })).not.toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Add secret' }))
    expect(await screen.findByText('registry (existing secret)')).toBeVisible()
    await submit(user, 'Create application')
    await screen.findByRole('heading', { name: 'shop', level: 1 })
    expect(writesIn(cluster.calls).filter((write) => write.includes('secrets'))).toEqual([])
    await waitFor(async () => {
      const { imagePullSecrets } = await cluster.system.get(serviceAccountType, 'build-pipeline-web', { namespace })
      expect(imagePullSecrets).toEqual([{ name: 'registry' }])
    })
    await linkTasksEnded()
  })

  it.each([
    ['None', ['web']],
    ['All', ['api', 'web']],
    ['Selected components', ['api', 'web']],
    ['Deployment', []],
  ])('SEC-25, SEC-26, SEC-27 links a new secret to the chosen components too: %s', async (choice, expected) => {
    const others = ['api', 'docs'].map((name) =>
      aServiceAccount({ metadata: { name: `build-pipeline-${name}`, namespace } }),
    )
    const { user, cluster } = await renderRoute(page, {
      objects: [account, ...others, aComponent({ metadata: { name: 'api', namespace } })],
    })
    await fill(user, 'Application name', 'shop')
    await user.click(button('Add a component'))
    await fill(user, 'Git repository URL', 'https://github.com/shop/web')
    await fill(user, 'Component name', 'web')
    await addSecret(user, 'git-token', 'ann', 'hunter2', async (dialog) => {
      await user.click(await dialog.findByRole('radio', { name: new RegExp(`^${choice}`) }))
      if (choice !== 'Selected components') return
      await user.click(await dialog.findByRole('button', { name: /^Components/ }))
      await user.click(await screen.findByRole('option', { name: /^api/ }))
      await user.keyboard('{Escape}')
    })
    await submit(user, 'Create application')
    await screen.findByRole('heading', { name: 'shop', level: 1 })
    await linkTasksEnded()
    const { items } = await cluster.system.list(serviceAccountType, { namespace })
    const linked = items.filter(({ secrets = [] }) => secrets.some(({ name }) => name === 'git-token')).map(nameOf)
    expect(linked.sort()).toEqual(expected.map((name) => `build-pipeline-${name}`))
  })

  it('does not create a secret that was removed from the form', async () => {
    const { user, cluster } = await newImport()
    await addSecret(user, 'git-token', 'ann', 'hunter2')
    await user.click(button('Remove secret git-token'))
    await submit(user, 'Create application')
    await screen.findByRole('heading', { name: 'shop', level: 1 })
    expect((await cluster.system.list(secretType, { namespace })).items.map(nameOf)).toEqual([])
  })
})

describe('an import that fails', () => {
  it('IMP-68, IMP-69, IMP-71 says what exists, keeps the input and continues from there', async () => {
    const { user, cluster } = await newImport()
    await addSecret(user, 'git-token', 'ann', 'hunter2')
    const heal = cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.endsWith('/components')
        ? Response.json({ message: 'the quota is used up' }, { status: 403 })
        : undefined,
    )
    await submit(user, 'Create application')
    expect(
      await screen.findByText(
        'the quota is used up. Already done: Application shop was created, IntegrationTestScenario shop-enterprise-contract was created.',
        footer,
      ),
    ).toBeVisible()
    expect(steps()).toEqual([
      'Application shopCreated',
      'Integration test shop-enterprise-contractCreated',
      'Component webFailed: not created',
      'Image repository imagerepository-for-shop-webNot created',
      'Secret git-tokenNot created',
    ])
    // What exists can no longer be renamed, although other clients see its name as taken.
    expect(await field('Application name')).toHaveAttribute('readonly')
    await waitFor(async () => expect(await field('Application name')).toBeValid())
    expect(await field('Component name')).toHaveValue('web')
    heal()
    cluster.calls.length = 0
    await submit(user, 'Create application')
    await screen.findByRole('heading', { name: 'shop', level: 1 })
    const rest = ['components', 'imagerepositories', 'secrets']
    expect(writesIn(cluster.calls)).toEqual([
      ...rest.map((kind) => `POST ${kind} (dry run)`),
      ...rest.map((kind) => `POST ${kind}`),
    ])
  })

  it('IMP-59 changes the component if it was edited after it had been created', async () => {
    const { user, cluster } = await newImport()
    const heal = cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.endsWith('/imagerepositories') ? Response.json({}, { status: 503 }) : undefined,
    )
    await submit(user, 'Create application')
    expect(await screen.findByText(/^Service Unavailable/, footer)).toBeVisible()
    expect(await field('Git repository URL')).toHaveAttribute('readonly')
    expect(await field('Component name')).toHaveAttribute('readonly')
    expect(screen.queryByRole('button', { name: 'Leave out the component' })).not.toBeInTheDocument()
    heal()
    cluster.calls.length = 0
    await fill(user, 'Docker file path', 'Containerfile')
    await submit(user, 'Create application')
    await screen.findByRole('heading', { name: 'shop', level: 1 })
    expect(writesIn(cluster.calls)).toEqual([
      'PUT components (dry run)',
      'POST imagerepositories (dry run)',
      'PUT components',
      'POST imagerepositories',
    ])
    const { spec } = await cluster.system.get(componentType, 'web', { namespace })
    expect(spec.source.git?.dockerfileUrl).toBe('Containerfile')
  })

  it('succeeds once an overloaded cluster responds again', async () => {
    const { user, cluster } = await newImport()
    let failures = 0
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.includes('/components?') && ++failures <= 2
        ? Response.json({ message: `busy ${failures}` }, { status: 503 })
        : undefined,
    )
    await submit(user, 'Create application')
    expect(await screen.findByText('busy 1', footer)).toBeVisible()
    expect((await cluster.system.list(applicationType, { namespace })).items).toEqual([])
    await submit(user, 'Create application')
    expect(await screen.findByText('busy 2', footer)).toBeVisible()
    await submit(user, 'Create application')
    expect(await screen.findByRole('heading', { name: 'shop', level: 1 })).toBeVisible()
  })

  it('IMP-67, IMP-69 names a component that only the cluster knows to exist', async () => {
    const other = aComponent({ metadata: { name: 'web', namespace } })
    const { user, cluster } = await renderRoute(inShop, { objects: [application, other] })
    cluster.faults.intercept((path, { method = 'GET' }) =>
      method === 'GET' && /\/components\?/.test(path) ? Response.json({}, { status: 403 }) : undefined,
    )
    await act(() => queryClient.resetQueries({ queryKey: components.sources(namespace).queryKey }))
    await fill(user, 'Git repository URL', 'https://github.com/shop/web')
    await fill(user, 'Component name', 'web')
    await submit(user, 'Add component')
    const message = 'Component "web" already exists in this namespace. Edit the name to be unique and try again.'
    expect(await screen.findByText(message, footer)).toBeVisible()
    expect(writesIn(cluster.calls)).toEqual(['POST components (dry run)'])
  })

  it('IMP-68, IMP-69 names an application that only the cluster knows to exist, at its field and in the alert', async () => {
    const { user, cluster, router } = await renderRoute(paths.about(), { objects: [application] })
    cluster.faults.intercept((path, { method = 'GET' }) =>
      method === 'GET' && /\/applications\?/.test(path) ? Response.json({}, { status: 403 }) : undefined,
    )
    await router.navigate(paths.createApplication({ namespace }))
    await fill(user, 'Application name', 'shop')
    await submit(user, 'Create application')
    await waitFor(async () =>
      expect(await field('Application name')).toHaveAccessibleDescription(/Application shop already exists/),
    )
    expect(await screen.findByText(/applications\.appstudio\.redhat\.com "shop" already exists/, footer)).toBeVisible()
  })

  it('IMP-68 shows what the cluster says about a field next to it', async () => {
    const { user, cluster } = await newImport()
    await user.click(button('Advanced git options'))
    const causes = [{ field: 'spec.source.git.revision', message: 'no such branch' }]
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.includes('/components?')
        ? Response.json(
            { kind: 'Status', apiVersion: 'v1', code: 422, message: 'invalid', reason: 'Invalid', details: { causes } },
            { status: 422 },
          )
        : undefined,
    )
    await submit(user, 'Create application')
    await waitFor(async () => expect(await field('Git reference')).toHaveAccessibleDescription(/^no such branch/))
    expect(await field('Git reference')).toHaveFocus()
    // The application, which was created to check the rest, is removed again.
    expect((await cluster.system.list(applicationType, { namespace })).items).toEqual([])
  })

  it('IMP-49 removes the application that was created early if a later check fails', async () => {
    const { user, cluster } = await newImport()
    cluster.faults.intercept((path, init) => {
      if (!path.includes('dryRun')) return undefined
      if (path.includes('/integrationtestscenarios'))
        return cluster.system.get(applicationType, 'shop', { namespace }).then(
          () => cluster.faults.pass(path, init),
          () => Response.json({ message: 'no application shop' }, { status: 403 }),
        )
      return path.includes('/imagerepositories')
        ? Response.json({ message: 'no more images' }, { status: 403 })
        : undefined
    })
    await submit(user, 'Create application')
    expect(await screen.findByText('no more images. All changes were undone.', footer)).toBeVisible()
    expect(steps()[0]).toBe('Application shopCreated for the check of the next step, and removed again')
    expect((await cluster.system.list(applicationType, { namespace })).items).toEqual([])
    expect(await field('Application name')).not.toHaveAttribute('readonly')
  })
})

describe('the preview of an import', () => {
  it('shows every object, and after a failure only what is left', async () => {
    const { user, cluster } = await newImport()
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.endsWith('/imagerepositories') ? Response.json({}, { status: 503 }) : undefined,
    )
    await submit(user, 'Create application')
    await screen.findByText(/^Service Unavailable/, footer)
    await user.click(button('Show change'))
    expect(
      await screen.findByRole('region', { name: 'Changes: Create ImageRepository imagerepository-for-shop-web' }),
    ).toBeVisible()
    expect(screen.queryByRole('region', { name: /^Changes: Create Component/ })).not.toBeInTheDocument()
  })
})

describe('permissions', () => {
  const mayCreate = (...resources: string[]) =>
    grantTo({ apiGroups: ['appstudio.redhat.com'], resources, verbs: ['create', 'get', 'list', 'watch'] })

  it.each([
    ['applications', ['components', 'imagerepositories']],
    ['components', ['applications', 'imagerepositories']],
    ['image repositories', ['applications', 'components']],
  ])('IMP-02 the page is forbidden without permission to create %s', async (_, resources) => {
    await renderRoute(page, { as: 'outsider', objects: mayCreate(...resources) })
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
  })

  it('IMP-02 a component can be added without permission to create applications', async () => {
    const [role, binding] = grantTo(
      { apiGroups: ['appstudio.redhat.com'], resources: ['components', 'imagerepositories'], verbs: ['create'] },
      { apiGroups: ['appstudio.redhat.com'], resources: ['applications'], verbs: ['get'] },
    )
    const objects = [application, ...(role && binding ? [role, binding] : [])]
    await renderRoute(inShop, { as: 'outsider', objects })
    expect(await field('Git repository URL')).toBeVisible()
  })

  it('IMP-19 secrets cannot be added without permission to create them', async () => {
    const { user } = await renderRoute(inShop, { as: 'maintainer', objects: [application] })
    const add = await screen.findByRole('button', { name: 'Add secret' })
    expect(add).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, add, "You don't have access to add a secret")
  })
})
