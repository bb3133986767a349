import { buildsForState } from '@slipway/model/builds/build-pipeline-state'
import { type Component, componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { aComponent, anApplication, aPipelineRun, condition, type Overrides } from '@slipway/model/testing'
import axe from 'axe-core'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const page = paths.components(at)
const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'
const enabled = (mergeUrl = 'https://github.com/payments/api/pull/4') => ({
  [annotations.buildStatus]: JSON.stringify({
    pac: { state: 'enabled', 'merge-url': mergeUrl, 'configuration-time': 'Sat, 31 Jan 2026 08:00:00 UTC' },
  }),
})
const component = (name: string, marks: Record<string, string> = enabled(), spec: Overrides<Component['spec']> = {}) =>
  aComponent({ metadata: { name, annotations: marks }, spec })

interface Given {
  of?: string
  minute?: number
  sender?: string
  labels?: Record<string, string>
  status?: Overrides<PipelineRun['status']>
}
const build = (name: string, { of = 'api', minute = 1, sender = 'ada', labels: own = {}, status }: Given = {}) =>
  aPipelineRun({
    metadata: {
      name,
      labels: { [labels.component]: of, [labels.eventType]: 'push', [labels.commitSha]: sha, ...own },
      annotations: { [annotations.pacSender]: sender },
    },
    status: {
      startTime: `2026-01-31T09:${String(minute).padStart(2, '0')}:00Z`,
      completionTime: `2026-01-31T09:${String(minute + 2).padStart(2, '0')}:00Z`,
      conditions: [condition('Succeeded', 'True')],
      ...status,
    },
  })
const kept = (run: PipelineRun): PipelineRun => ({
  ...run,
  metadata: {
    ...run.metadata,
    namespace,
    uid: run.metadata.name ?? '',
    creationTimestamp: run.status?.startTime ?? '',
  },
})
const failed = { conditions: [condition('Succeeded', 'False', 'Failed')] }
const running = { completionTime: undefined, conditions: [condition('Succeeded', 'Unknown', 'Running')] }
const application = anApplication()
const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.querySelector('a')?.textContent)
const rowOf = async (name: string) => {
  const header = await screen.findByRole('rowheader', { name: new RegExp(`^${name}( |$)`) })
  return within(header.closest('tr') ?? expect.fail('a header outside of a row'))
}
const isBuildList = (path: string) => path.includes('/pipelineruns?') && !path.includes('watch=true')
const logsLink = (name: string) => `View build logs of ${name}`

describe('the components of an application', () => {
  it('LIST-23 have more than six columns, so that users choose among them', async () => {
    const { user } = await renderRoute(page, { objects: [application, component('api')] })
    await rowOf('api')
    await user.click(screen.getByRole('button', { name: 'Manage columns' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('checkbox', { name: 'Build pipeline' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Build pipeline' })).not.toBeInTheDocument())
  })

  describe('with builds', () => {
    const objects = [
      application,
      component('api', enabled(), {
        source: { git: { url: 'https://github.com/payments/api.git', revision: 'main' } },
        containerImage: 'registry.slipway.test/payments/api',
      }),
      component('web', enabled(), { application: 'ledger' }),
      build('api-old', { minute: 1, status: failed }),
      build('api-new', { minute: 5, labels: { [labels.pullRequestNumber]: '4' } }),
      build('api-proposal', {
        minute: 9,
        labels: { [labels.eventType]: 'pull_request', [labels.pullRequestNumber]: '5' },
      }),
    ]

    it('CMP-19, CMP-30, CMP-31 are listed with their source and image', async () => {
      const { cluster } = await renderRoute(page, { objects })
      const row = await rowOf('api')
      expect(rowNames()).toEqual(['api'])
      expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(
        'Status,Component,Latest push build,Source,Image,Build pipeline,Actions'.split(','),
      )
      expect(row.getByRole('link', { name: 'api' })).toHaveAttribute(
        'href',
        paths.component({ ...at, component: 'api' }),
      )
      expect(row.getByRole('link', { name: /github.com\/payments\/api/ })).toHaveAttribute(
        'href',
        'https://github.com/payments/api',
      )
      expect(row.getByRole('link', { name: /^main/ })).toHaveAttribute(
        'href',
        'https://github.com/payments/api/tree/main',
      )
      expect(row.getByText('registry.slipway.test/payments/api')).toBeVisible()
      expect(cluster.calls.map(({ path }) => path.split('?')[0])).toContain(
        `/api/k8s/apis/appstudio.redhat.com/v1alpha1/namespaces/${namespace}/components`,
      )
    })

    it('CMP-05, CMP-16, CMP-33 show their latest push build', async () => {
      const { cluster } = await renderRoute(page, { objects })
      const row = await rowOf('api')
      expect(await row.findByText('Succeeded')).toBeVisible()
      expect(row.getByRole('link', { name: 'faef902' })).toHaveAttribute('href', paths.commit({ ...at, commit: sha }))
      expect(row.getByRole('link', { name: logsLink('api') })).toHaveAttribute(
        'href',
        paths.pipelineRunLogs({ ...at, pipelineRun: 'api-new' }),
      )
      expect(await row.findByText('Custom')).toBeVisible()
      expect(screen.queryByText(/build pipeline definition/)).not.toBeInTheDocument()
      expect(cluster.calls.filter(({ path }) => isBuildList(path))).toHaveLength(1)
      const { violations } = await axe.run(screen.getByRole('main'), {
        rules: { 'color-contrast': { enabled: false } },
      })
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    })
  })

  it('APP-18 are loaded before the tab renders', async () => {
    const { user } = await renderRoute(paths.activity(at), { objects: [application, component('api')] })
    await user.click(await screen.findByRole('tab', { name: 'Components' }))
    await screen.findByRole('table', { name: 'Components' })
    expect(screen.queryByText('Loading Components')).not.toBeInTheDocument()
    expect(rowNames()).toEqual(['api'])
    expect(location.pathname).toBe(page)
    expect(screen.getByRole('tab', { name: 'Components' })).toHaveAttribute('aria-selected', 'true')
  })

  it('PAC-13, PAC-33, CMP-06 show the state of their build pipelines', async () => {
    const pac = (state: string) => ({ [annotations.buildStatus]: JSON.stringify({ pac: { state } }) })
    const objects = [
      application,
      component('asked', { [annotations.buildRequest]: 'configure-pac' }),
      component('broken', pac('error')),
      component('leaving', { [annotations.buildRequest]: 'unconfigure-pac' }),
      component('plain', pac('disabled')),
      component('proposed'),
      component('sample', { [annotations.sample]: 'true' }),
      build('by-bot', { of: 'proposed', sender: 'konflux-staging[bot]' }),
    ]
    const { user } = await renderRoute(page, { objects })
    for (const [name, label] of [
      ['asked', 'Sending pull request'],
      ['broken', 'Pull request failed'],
      ['leaving', 'Rolling back'],
      ['plain', 'Default'],
      ['proposed', 'Merge pull request'],
    ] as const) {
      expect(await (await rowOf(name)).findByText(label)).toBeVisible()
    }
    expect((await rowOf('proposed')).getByRole('link', { name: /^Pull request/ })).toHaveAttribute(
      'href',
      'https://github.com/payments/api/pull/4',
    )
    const banner = screen.getByText('2 components lack a build pipeline definition').closest('.pf-v6-c-alert')
    expect(banner).toHaveClass('pf-m-warning')
    await user.click(screen.getByRole('button', { name: /Components without a build pipeline definition/ }))
    expect(
      within(banner as HTMLElement)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['broken', 'plain'])
  })

  it('PAC-13 have a pipeline that a user has pushed, although the newest builds are of the bot that proposes changes', async () => {
    const byBot = Array.from({ length: 12 }, (_, at) =>
      build(`by-bot-${at}`, { minute: 20 + at, sender: 'red-hat-konflux[bot]' }),
    )
    const objects = [application, component('api'), build('merged', { minute: 9, sender: 'ada' }), ...byBot]
    await renderRoute(page, { objects })
    const row = await rowOf('api')
    expect(await row.findByText('Custom')).toBeVisible()
    expect(row.getByRole('link', { name: logsLink('api') })).toHaveAttribute(
      'href',
      paths.pipelineRunLogs({ ...at, pipelineRun: 'by-bot-11' }),
    )
  })

  it('CMP-06 come with a warning about a single one that has no build pipeline', async () => {
    await renderRoute(page, { objects: [application, component('api', {}), component('web')] })
    expect(await screen.findByText('1 component lacks a build pipeline definition')).toBeVisible()
  })

  it('CMP-07, CMP-08 come with a warning that leads to their build pipeline plans', async () => {
    const { user } = await renderRoute(page, { objects: [application, component('api', {}), component('web')] })
    await user.click(await screen.findByRole('button', { name: 'Edit build pipeline plans' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Manage build pipeline' }))
    expect((await dialog.findAllByRole('rowheader')).map((cell) => cell.textContent)).toEqual(['api', 'web'])
  })

  it('CMP-08 come with a warning that says why their build pipeline plans cannot be edited', async () => {
    const { user } = await renderRoute(page, { as: 'contributor', objects: [application, component('api', {})] })
    const edit = await screen.findByRole('button', { name: 'Edit build pipeline plans' })
    expect(edit).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, edit, "You don't have access to edit the build pipeline plans")
  })

  it('do not show a build as running that was deleted before it ended', async () => {
    const left = { completionTime: undefined, conditions: [condition('Succeeded', 'Unknown', 'Started')] }
    const archive = await fakeArchive([kept(build('api-kept', { status: left }))])
    await renderRoute(page, {
      objects: [application, component('api')],
      archives: { kubeArchive: archive.plugin },
    })
    const row = await rowOf('api')
    await waitFor(() => expect(row.getByRole('link', { name: logsLink('api') })).toBeVisible())
    expect(row.getByText('Unknown')).toBeVisible()
    expect(row.queryByText('Running')).not.toBeInTheDocument()
  })

  it('show no time of a build that has not started', async () => {
    const waiting = { startTime: undefined, completionTime: undefined, conditions: undefined }
    await renderRoute(page, { objects: [application, component('api'), build('first', { status: waiting })] })
    const logs = await (await rowOf('api')).findByRole('link', { name: logsLink('api') })
    expect(logs.closest('td')).not.toHaveTextContent('-')
  })

  it('say that a component was never built', async () => {
    const { user } = await renderRoute(page, { objects: [application, component('api')] })
    const row = await rowOf('api')
    expect(await row.findByText('PipelineNotStarted')).toBeVisible()
    expect(await row.findByText('Merge pull request')).toBeVisible()
    const logs = row.getByRole('button', { name: logsLink('api') })
    expect(logs).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, logs, 'It has not been built yet')
  })

  it('survive invalid annotations', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    const objects = [
      application,
      component('no-json', { [annotations.buildStatus]: '{"pac": {"state": "enab' }),
      component('odd', {
        [annotations.buildStatus]: '{"pac":{"state":7,"merge-url":["x"]}}',
        [annotations.gitProvider]: 'constructor',
      }),
      aComponent({ metadata: { name: 'sourceless' }, spec: { source: { git: undefined }, containerImage: undefined } }),
      component('scripted', enabled(['java', 'script:alert(1)'].join('')), {
        source: { git: { url: ['java', 'script:alert(1)'].join('') } },
      }),
    ]
    await renderRoute(page, { objects })
    for (const name of ['no-json', 'odd', 'sourceless'])
      expect(await (await rowOf(name)).findByText('Default')).toBeVisible()
    expect(await (await rowOf('scripted')).findByText('Merge pull request')).toBeVisible()
    expect(document.querySelector('a[href^="javascript"]')).toBeNull()
  })

  it('follow changes', async () => {
    const { cluster } = await renderRoute(page, { objects: [application, component('api'), build('first')] })
    const row = await rowOf('api')
    expect(await row.findByText('Succeeded')).toBeVisible()
    await screen.findByRole('button', { name: 'Live' })
    await waitFor(() => expect(cluster.openSockets().filter((path) => path.endsWith('/pipelineruns'))).toHaveLength(1))
    await cluster.system.create(pipelineRunType, build('second', { minute: 9, status: {} }))
    expect(await row.findByText('Pending')).toBeVisible()
    await cluster.system.create(componentType, component('web'))
    await waitFor(() => expect(rowNames()).toEqual(['api', 'web']))
    await cluster.system.delete(componentType, 'api', { namespace })
    await waitFor(() => expect(rowNames()).toEqual(['web']))
  })

  it('APP-32, CMP-04 have a button that leads to the import of another', async () => {
    await renderRoute(page, { objects: [application, component('api')] })
    const link = await screen.findByRole('link', { name: 'Add component' })
    expect(link).toHaveAttribute('href', paths.createComponent(at))
  })

  it('APP-33 cannot be added without permission', async () => {
    const { user } = await renderRoute(page, { objects: [application, component('api')], as: 'contributor' })
    const add = await screen.findByRole('button', { name: 'Add component' })
    expect(add).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, add, "You don't have access to add a component")
  })

  it('APP-33 can be added with permission to create components, and no other', async () => {
    const verbs = ['get', 'list', 'watch']
    const rights = grantTo(
      { apiGroups: [componentType.group], resources: ['applications'], verbs },
      { apiGroups: [componentType.group], resources: ['components'], verbs: [...verbs, 'create'] },
    )
    await renderRoute(page, { objects: [...rights, application, component('api')], as: 'outsider' })
    expect(await screen.findByRole('link', { name: 'Add component' })).toBeVisible()
  })

  it('APP-32 are replaced by an empty state with the same button if there are none', async () => {
    await renderRoute(page, { objects: [application] })
    expect(await screen.findByRole('heading', { name: 'No components yet' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Add component' })).toHaveAttribute('href', paths.createComponent(at))
  })
})

describe('filters', () => {
  it('CMP-01, CMP-02, CMP-03, LIST-03 match the name and the outcome of the latest build', async () => {
    const objects = [
      application,
      ...['done', 'broken', 'busy', 'new'].map((name) => component(name)),
      build('done-1', { of: 'done' }),
      build('broken-1', { of: 'broken', status: failed }),
      build('busy-1', { of: 'busy', status: running }),
    ]
    const { user } = await renderRoute(page, { objects })
    await waitFor(() => expect(rowNames()).toEqual(['broken', 'busy', 'done', 'new']))
    expect(screen.getByRole('table', { name: 'Components' })).toBeVisible()
    expect(location.search).toBe('')
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'BU{Enter}')
    await waitFor(() => expect(rowNames()).toEqual(['busy']))
    await user.click(screen.getByRole('button', { name: 'Clear filter by name' }))
    await user.click(screen.getByRole('button', { name: /^Status/ }))
    const choices = await screen.findAllByRole('checkbox')
    expect(choices.map((choice) => choice.closest('label, li')?.textContent?.replace(/ *\d+$/, ''))).toEqual([
      'completed',
      'failed',
      'running',
      'not started',
    ])
    await user.click(await screen.findByRole('checkbox', { name: /^failed/ }))
    await waitFor(() => expect(rowNames()).toEqual(['broken']))
    await user.click(screen.getByRole('checkbox', { name: /^not started/ }))
    await waitFor(() => expect(rowNames()).toEqual(['broken', 'new']))
  })
})

describe('archived builds', () => {
  it('CMP-33, PAC-18 are requested together, without those of pull requests', async () => {
    const proposal = build('web-proposal', { of: 'web', minute: 8, labels: { [labels.eventType]: 'pull_request' } })
    const archive = await fakeArchive(
      [build('api-kept', { minute: 3 }), build('web-kept', { of: 'web', minute: 2, status: failed }), proposal].map(
        kept,
      ),
    )
    await renderRoute(page, {
      objects: [application, component('api'), component('web', {}), component('now'), build('now-1', { of: 'now' })],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await (await rowOf('api')).findByText('Custom')).toBeVisible()
    expect(await (await rowOf('web')).findByText('Failed')).toBeVisible()
    expect((await rowOf('web')).getByRole('link', { name: logsLink('web') })).toHaveAttribute(
      'href',
      paths.pipelineRunLogs({ ...at, pipelineRun: 'web-kept' }),
    )
    const ofBuilds = archive.requests.filter(({ pathname }) => pathname.endsWith('/pipelineruns'))
    expect(ofBuilds).toHaveLength(1)
    const { searchParams } = ofBuilds[0] ?? new URL('http://none')
    expect(searchParams.get('labelSelector')).toContain(`${labels.component} in (api,web)`)
    expect(searchParams.get('labelSelector')).toContain(`${labels.eventType} in (push,Push,incoming)`)
    expect(searchParams.get('limit')).toBe(String(buildsForState + 1))
  })

  it('CMP-33 are requested without those of pull requests when nothing was ever pushed', async () => {
    const archive = await fakeArchive()
    await renderRoute(page, {
      objects: [application, component('api', {})],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await (await rowOf('api')).findByText('PipelineNotStarted')).toBeVisible()
    await waitFor(() => expect(archive.requests).toHaveLength(2))
    expect(archive.requests[1]?.searchParams.get('labelSelector')).toContain(`,!${labels.pullRequestNumber}`)
  })
})

describe('a failed read', () => {
  const refusal = (message: string) =>
    Response.json({ kind: 'Status', status: 'Failure', code: 422, message }, { status: 422 })
  const opened = async (
    fails: (path: string) => boolean,
    objects = [application, component('api'), component('web', {})],
  ) => {
    const view = await renderRoute(paths.overview(), { objects })
    view.cluster.faults.intercept((path) => (fails(path) ? refusal('the cluster is unavailable') : undefined))
    await screen.findByRole('heading', { name: 'Overview' })
    await view.router.navigate(page)
    return view
  }

  it('is reported in place of the list', async () => {
    await opened((path) => /\/components\?/.test(path))
    expect(await screen.findByText('the cluster is unavailable')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  })

  it('is reported in place of a build, and the rest is shown', async () => {
    await opened((path) => /\/pipelineruns\?/.test(path))
    const row = await rowOf('api')
    expect(await row.findByText('Failed to load builds')).toBeVisible()
    expect(row.getByText('Unknown')).toBeVisible()
    expect(await (await rowOf('web')).findByText('Default')).toBeVisible()
  })
})

describe('a component whose archived builds cannot be read', () => {
  it('is not said to wait for a pull request that may have been merged', async () => {
    const archive = await fakeArchive()
    archive.failure = 422
    await renderRoute(page, { objects: [application, component('api')], archives: { kubeArchive: archive.plugin } })
    const row = await rowOf('api')
    expect(await row.findByText('Failed to load builds')).toBeVisible()
    expect(row.getByText('Unknown')).toBeVisible()
    expect(row.queryByText('Merge pull request')).not.toBeInTheDocument()
  })
})

describe('the actions on a component', () => {
  const openMenu = async (user: Awaited<ReturnType<typeof renderRoute>>['user'], name = 'api') =>
    user.click((await rowOf(name)).getByRole('button', { name: `Actions for ${name}` }))
  const item = (label: string) => screen.findByRole('menuitem', { name: label })

  it('CMP-11, CMP-12, PAC-23, PAC-27 start a new build and confirm it', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [application, component('api')] })
    await openMenu(user)
    await user.click(await item('Start new build'))
    expect(await screen.findByText(/New build requested/)).toBeVisible()
    const { metadata } = await cluster.system.get(componentType, 'api', { namespace })
    expect(metadata.annotations?.[annotations.buildRequest]).toBe('trigger-pac-build')
    const patches = cluster.calls.filter(({ method }) => method === 'PATCH')
    expect(patches.at(-1)?.body).toEqual([
      { op: 'add', path: '/metadata/annotations/build.appstudio.openshift.io~1request', value: 'trigger-pac-build' },
    ])
  })

  it('CMP-10 edit the build pipeline plan of that component only', async () => {
    const { user } = await renderRoute(page, { objects: [application, component('api'), component('web')] })
    await openMenu(user)
    await user.click(await item('Edit build pipeline plan'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Manage build pipeline' }))
    expect((await dialog.findAllByRole('rowheader')).map((cell) => cell.textContent)).toEqual(['api'])
  })

  it('report a rejection in a toast that names the component, and can be dismissed', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [application, component('api')] })
    cluster.faults.intercept((_, { method }) =>
      method === 'PATCH' ? Response.json({ message: 'a webhook says no' }, { status: 422 }) : undefined,
    )
    await openMenu(user)
    await user.click(await item('Start new build'))
    const toasts = within(await screen.findByRole('list', { name: 'Notices' }))
    expect(await toasts.findByText(/Couldn't start a new build/)).toBeVisible()
    expect(toasts.getByText('a webhook says no')).toBeVisible()
    await user.click(toasts.getByRole('button', { name: /^Close/ }))
    expect(screen.queryByText('a webhook says no')).not.toBeInTheDocument()
  })

  it('CMP-14, CMP-15, CMP-35, FORM-11 delete it once its name was typed', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [application, component('api'), component('web')] })
    await openMenu(user)
    await user.click(await item('Delete component'))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByRole('textbox'), 'ap')
    expect(dialog.getByText('Component name does not match')).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
    await user.type(dialog.getByRole('textbox'), 'i')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(rowNames()).toEqual(['web']))
    const deletes = cluster.calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
    expect(deletes.at(-1)).toMatch(`/namespaces/${namespace}/components/api`)
  })

  it.each([
    ['CMP-10, CMP-11', 'patch', ['Start new build', 'Edit build pipeline plan']],
    ['CMP-14', 'delete', ['Delete component']],
  ])('%s permission to %s components enables %s', async (_, verb, labels) => {
    const read = ['get', 'list', 'watch']
    const rights = grantTo(
      { apiGroups: [componentType.group], resources: ['applications'], verbs: read },
      { apiGroups: [componentType.group], resources: ['components'], verbs: [...read, verb] },
      { apiGroups: [pipelineRunType.group], resources: ['pipelineruns'], verbs: read },
    )
    const { user } = await renderRoute(page, {
      as: 'outsider',
      objects: [...rights, application, component('api')],
    })
    await openMenu(user)
    const items = await screen.findAllByRole('menuitem')
    const enabled = items.filter((each) => each.getAttribute('aria-disabled') !== 'true')
    expect(enabled.map(({ textContent }) => textContent)).toEqual(labels)
  })

  it('CMP-10, CMP-11, CMP-14 say why when they are not permitted', async () => {
    const { user } = await renderRoute(page, { as: 'contributor', objects: [application, component('api')] })
    await openMenu(user)
    for (const [label, words] of [
      ['Start new build', "You don't have access to start a new build"],
      ['Edit build pipeline plan', "You don't have access to edit the build pipeline plan"],
      ['Delete component', "You don't have access to delete a component"],
    ] as const) {
      expect(await item(label)).toHaveAttribute('aria-disabled', 'true')
      await seeTooltip(user, await item(label), words)
    }
  })
})
