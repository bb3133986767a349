import { roleType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import { buildPipelinesLocation } from '@slipway/model/import/build-pipelines'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { aComponent, aConfigMap, anApplication, aNamespace, aRoleBinding } from '@slipway/model/testing'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { publicInfo } from '../../resources/public-info'

const page = paths.createApplication({ namespace })
const shop = { namespace, application: 'shop' }
const inShop = paths.createComponent(shop)
const application = anApplication({ metadata: { name: 'shop', namespace } })
const url = 'https://github.com/shop/web'

const field = (name: string) => screen.findByRole('textbox', { name })
const valueOf = (input: HTMLElement) => (input instanceof HTMLInputElement ? input.value : '')
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const pipeline = () => screen.getByRole('button', { name: /^Pipeline/ })
async function pasteUrl(user: UserEvent, text: string) {
  await user.click(await field('Git repository URL'))
  await user.paste(text)
}

/** In one event, since a whole form is rendered for each. */
const enter = async (user: UserEvent, name: string, text: string) => {
  await user.clear(await field(name))
  fireEvent.change(await field(name), { target: { value: text } })
}

const reader = {
  apiVersion: `${roleType.group}/${roleType.version}`,
  metadata: { name: 'reader', namespace: buildPipelinesLocation.namespace },
}

/** The namespace of the build service, where all users may read config maps. */
const buildService: KubeObject[] = [
  aNamespace({ metadata: { name: buildPipelinesLocation.namespace } }),
  {
    ...reader,
    kind: roleType.kind,
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }],
  } as KubeObject,
  aRoleBinding({
    metadata: reader.metadata,
    roleRef: { kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'Group', apiGroup: roleType.group, name: 'system:authenticated' }],
  }),
]

const platform = (content: string): KubeObject =>
  aConfigMap({ metadata: buildPipelinesLocation, data: { 'config.yaml': content } })

describe('the component section', () => {
  it('IMP-06, IMP-23, IMP-26 is revealed by a button, and hidden again without its rules', async () => {
    const { user } = await renderRoute(page)
    await user.type(await field('Application name'), 'shop')
    expect(screen.queryByRole('textbox', { name: 'Git repository URL' })).not.toBeInTheDocument()
    await user.click(button('Add a component'))
    // The button is below the fields that it reveals.
    expect(await field('Git repository URL')).toHaveFocus()
    await waitFor(() => expect(button('Create application')).toHaveAttribute('aria-disabled', 'true'))
    await user.click(button('Leave out the component'))
    expect(screen.queryByRole('textbox', { name: 'Git repository URL' })).not.toBeInTheDocument()
    await waitFor(() => expect(button('Create application')).not.toHaveAttribute('aria-disabled', 'true'))
    expect(button('Cancel')).toBeVisible()
  })

  it('IMP-04, IMP-05, IMP-07, IMP-22 is shown at once for an application, whose name is locked', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    expect(await screen.findByRole('heading', { name: 'Create a Component', level: 1 })).toBeVisible()
    expect(await field('Application name')).toHaveValue('shop')
    expect(await field('Application name')).toHaveAttribute('readonly')
    expect(await field('Git repository URL')).toBeVisible()
    expect(button('Add component')).toHaveAttribute('aria-disabled', 'true')
    await user.click(button('Cancel'))
    await waitFor(() => expect(location.pathname).toBe(paths.components(shop)))
  })

  it('is not found for an application that does not exist', async () => {
    await renderRoute(inShop)
    expect(await screen.findByText('404: Page not found')).toBeVisible()
  })

  it('IMP-08, IMP-09, IMP-14, IMP-15 has fields with their help', async () => {
    await renderRoute(inShop, { objects: [application] })
    expect(await field('Git repository URL')).toBeRequired()
    expect(screen.getByRole('checkbox', { name: 'Should the image produced be private?' })).not.toBeChecked()
    expect(await field('Docker file path')).toBeVisible()
    expect(await field('Component name')).toHaveAccessibleDescription('Must be unique within tenant namespace')
  })

  it('IMP-10, IMP-11, IMP-12, IMP-13 has advanced git options', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    await user.click(await screen.findByRole('button', { name: 'Advanced git options' }))
    expect(await field('Git reference')).toHaveAttribute('placeholder', 'Optional branch.')
    expect(await field('Context directory')).toBeVisible()
    expect(button(/^Git provider annotation/)).toBeVisible()
    expect(await field('Git URL annotation')).toBeVisible()
  })

  it('IMP-20 says how the platform gets access to the repository', async () => {
    const { cluster, router } = await renderRoute(paths.applications({ namespace }), { objects: [application] })
    const integrations = { github: { application_url: 'https://github.com/apps/builder' } }
    const info = aConfigMap({ data: { 'info.json': JSON.stringify({ integrations }) } })
    cluster.faults.intercept((path) => (path.endsWith(publicInfoLocation.name) ? Response.json(info) : undefined))
    await act(() => queryClient.resetQueries({ queryKey: publicInfo.get().queryKey }))
    await router.navigate(inShop)
    const link = await screen.findByRole('link', { name: /^GitHub app/ })
    expect(link).toHaveAttribute('href', 'https://github.com/apps/builder')
    expect(screen.getByText(/For one on GitLab or Forgejo, add a source secret/)).toBeVisible()
  })

  it('has no accessibility problems', async () => {
    const { user, container } = await renderRoute(inShop, { objects: [application] })
    await user.click(await screen.findByRole('button', { name: 'Advanced git options' }))
    const { violations } = await axe.run(container.querySelector('main') ?? container, {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})

describe('the git URL', () => {
  it('IMP-27, IMP-29, IMP-30, IMP-31 is checked while it is typed', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    for (const [text, message] of [
      ['http://github.com/shop/web', 'Must include a protocol (https://)'],
      ['https://example.com/shop/web', 'Must include a domain (github/gitlab)'],
      ['https://github.com/shop', 'User or repository name is missing'],
    ] as const) {
      await enter(user, 'Git repository URL', text)
      expect(await screen.findByText(message)).toBeVisible()
    }
    await enter(user, 'Git repository URL', ` ${url} `)
    await waitFor(async () => expect(await field('Git repository URL')).toBeValid())
  })

  it('IMP-28, LIM-02 it and the paths of the form have at most 2,000 characters', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    await user.click(await screen.findByRole('button', { name: 'Advanced git options' }))
    for (const [name, start] of [
      ['Git repository URL', 'https://gitlab.com/group/'],
      ['Context directory', ''],
      ['Docker file path', ''],
      ['Git URL annotation', url],
    ] as const) {
      await user.clear(await field(name))
      await user.click(await field(name))
      await user.paste(`${start}${'x'.repeat(2_001)}`)
      await waitFor(async () =>
        expect(await field(name)).toHaveAccessibleDescription(/^Must be at most 2000 characters long\./),
      )
    }
  })

  it('IMP-34, IMP-35, IMP-36, IMP-37 generates the name of the component until the user edits it', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    await enter(user, 'Git repository URL', 'https://github.com/shop/3scale')
    const name = await field('Component name')
    await waitFor(() => expect(valueOf(name)).toMatch(/^component-3scale-[a-z0-9]{5}$/))
    await enter(user, 'Git repository URL', url)
    await waitFor(() => expect(valueOf(name)).toMatch(/^web-[a-z0-9]{5}$/))
    await enter(user, 'Component name', 'frontend')
    await enter(user, 'Git repository URL', 'https://github.com/shop/api')
    expect(name).toHaveValue('frontend')
  })

  it('IMP-39, IMP-40, IMP-41 sets the annotations of the provider', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    await user.click(await screen.findByRole('button', { name: 'Advanced git options' }))
    for (const [address, provider, host] of [
      [url, 'GitHub', 'https://github.com'],
      ['https://gitlab.example.com/shop/web', 'GitLab', 'https://gitlab.example.com'],
      ['https://codeberg.org/shop/web', 'Forgejo', 'https://codeberg.org'],
      ['https://bitbucket.org/shop/web', 'None', 'https://bitbucket.org'],
    ] as const) {
      await enter(user, 'Git repository URL', address)
      await waitFor(() => expect(button(/^Git provider annotation/)).toHaveTextContent(provider))
      expect(await field('Git URL annotation')).toHaveValue(host)
    }
  })

  it.each([
    ['FORM-22', 'ssh://git@github.com/shop/web.git'],
    ['FORM-23', 'git://github.com/shop/web.git'],
    ['FORM-24', 'http://github.com/shop/web'],
    ['FORM-25', 'git@github.com:shop/web.git'],
  ])('%s is accepted as %j when it is pasted', async (_, text) => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    await pasteUrl(user, text)
    expect(await field('Git repository URL')).toHaveValue(url)
    await waitFor(async () => expect(valueOf(await field('Component name'))).toMatch(/^web-[a-z0-9]{5}$/))
  })

  it('fills in the reference and directory of a pasted page, and says so', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    await pasteUrl(user, `${url}/tree/v2/services/cart`)
    expect(
      await screen.findByText(
        'Also filled in from the pasted address: git reference v2 and context directory services/cart.',
      ),
    ).toBeVisible()
    expect(await field('Git repository URL')).toHaveValue(url)
    expect(await field('Git reference')).toHaveValue('v2')
    expect(await field('Context directory')).toHaveValue('services/cart')
    // Another address in its place brings its own.
    await user.tripleClick(await field('Git repository URL'))
    await user.paste('https://gitlab.com/group/sub/api')
    expect(await field('Git repository URL')).toHaveValue('https://gitlab.com/group/sub/api')
    expect(await field('Git reference')).toHaveValue('')
    expect(await field('Context directory')).toHaveValue('')
  })

  it('fills in the reference and directory of a typed page once the field is left, and says so', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    await enter(user, 'Git repository URL', `${url}/tree/v2/services/cart`)
    await user.tab()
    expect(
      await screen.findByText('Also filled in from the address: git reference v2 and context directory services/cart.'),
    ).toBeVisible()
    expect(await field('Git repository URL')).toHaveValue(url)
    expect(await field('Git reference')).toHaveValue('v2')
    expect(await field('Context directory')).toHaveValue('services/cart')
  })

  it('fills them in when Enter is pressed, too, before the form is submitted', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    await enter(user, 'Git repository URL', `${url}/tree/v2/api`)
    await user.keyboard('{Enter}')
    expect(await field('Git repository URL')).toHaveValue(url)
    expect(await field('Git reference')).toHaveValue('v2')
    expect(await field('Context directory')).toHaveValue('api')
  })

  it('leaves text that is pasted into other text as it is', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    await user.type(await field('Git repository URL'), 'x')
    await user.paste('git@github.com:shop/web.git')
    expect(await field('Git repository URL')).toHaveValue('xgit@github.com:shop/web.git')
  })

  it('links to the component that has the same source, and does not prevent another', async () => {
    const twin = aComponent({
      metadata: { name: 'twin', namespace },
      spec: { application: 'shop', source: { git: { url: 'https://github.com/Shop/Web.git', context: undefined } } },
    })
    const { user } = await renderRoute(inShop, { objects: [application, twin] })
    await user.type(await field('Git repository URL'), url)
    const link = await screen.findByRole('link', { name: 'twin' })
    expect(link).toHaveAttribute('href', paths.component({ ...shop, component: 'twin' }))
    await waitFor(() => expect(button('Add component')).not.toHaveAttribute('aria-disabled', 'true'))
  })
})

describe('the name of the component', () => {
  it('IMP-32 meets the rules of names', async () => {
    const { user } = await renderRoute(inShop, { objects: [application] })
    await user.type(await field('Component name'), 'a')
    expect(await screen.findByText(/^Must be 2 to 45 characters long/)).toBeVisible()
    await enter(user, 'Component name', 'a_b')
    expect(await screen.findByText(/^Must start with a letter/)).toBeVisible()
  })

  it('IMP-67 is reported while it is typed if it is taken', async () => {
    const other = aComponent({ metadata: { name: 'web', namespace } })
    const { user } = await renderRoute(inShop, { objects: [application, other] })
    await user.type(await field('Component name'), 'Web')
    expect(
      await screen.findByText(
        'Component "web" already exists in this namespace. Edit the name to be unique and try again.',
      ),
    ).toBeVisible()
  })
})

describe('the pipelines', () => {
  const offered = async (user: UserEvent) => {
    await user.click(pipeline())
    return (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  }

  it('IMP-16, IMP-42, IMP-44, IMP-72 come from the platform, with its default selected', async () => {
    const config = platform(
      'default-pipeline-name: b\npipelines:\n- name: a\n- name: b\n  description: Builds everything.\n',
    )
    const { user } = await renderRoute(inShop, { as: 'admin', objects: [...buildService, config, application] })
    await field('Git repository URL')
    expect(pipeline()).toHaveTextContent('b')
    expect(await offered(user)).toEqual(['a', 'bBuilds everything.'])
  })

  it('IMP-45, IMP-46 are the built-in ones if the platform has no list', async () => {
    const { user } = await renderRoute(inShop, { objects: [...buildService, application] })
    await field('Git repository URL')
    expect(pipeline()).toHaveTextContent('docker-build-oci-ta')
    expect(await offered(user)).toEqual([
      'fbc-builder',
      'docker-build',
      'docker-build-oci-ta',
      'docker-build-multi-platform-oci-ta',
    ])
  })

  it('are the built-in ones if the list of the platform is not valid, and the form says so', async () => {
    await renderRoute(inShop, { objects: [...buildService, platform('{'), application] })
    expect(await screen.findByText(/The list of pipelines of this platform is not valid/)).toBeVisible()
    expect(pipeline()).toHaveTextContent('docker-build-oci-ta')
  })

  it('IMP-45 are the built-in ones for a user who may not read the list, and the form says so', async () => {
    await renderRoute(inShop, { objects: [application] })
    expect(await screen.findByText(/You do not have access to a list of this platform/)).toBeVisible()
    expect(pipeline()).toHaveTextContent('docker-build-oci-ta')
  })

  it('are the built-in ones while the list cannot be read, which the field says', async () => {
    const { user, cluster } = await renderRoute(paths.applications({ namespace }), { objects: [application] })
    cluster.faults.intercept((path) =>
      path.includes(buildPipelinesLocation.name)
        ? Response.json({ message: 'the server is busy' }, { status: 400 })
        : undefined,
    )
    await user.click(await screen.findByRole('link', { name: 'Create application' }))
    await user.click(await screen.findByRole('button', { name: 'Add a component' }))
    expect(await screen.findByText('Unable to load pipeline. the server is busy.')).toBeVisible()
    expect(pipeline()).toHaveTextContent('docker-build-oci-ta')
  })

  it('IMP-33 one is required', async () => {
    const config = platform('default-pipeline-name: gone\npipelines:\n- name: a\n')
    const { user } = await renderRoute(inShop, { objects: [...buildService, config, application] })
    await enter(user, 'Git repository URL', url)
    // All other fields are valid.
    await waitFor(async () => expect(valueOf(await field('Component name'))).toMatch(/^web-/))
    await user.click(pipeline())
    await screen.findByRole('option', { name: 'a' })
    await user.keyboard('{Escape}')
    expect(await screen.findByText('Required')).toBeVisible()
    expect(button('Add component')).toHaveAttribute('aria-disabled', 'true')
    await user.click(pipeline())
    await user.click(await screen.findByRole('option', { name: 'a' }))
    await waitFor(() => expect(button('Add component')).not.toHaveAttribute('aria-disabled', 'true'))
  })
})
