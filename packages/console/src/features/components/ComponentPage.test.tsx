import { configMapType } from '@slipway/kube/core-types'
import { type Component, componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { aComponent, anApplication, aPipelineRun, condition, type Overrides } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { publicInfo } from '../../resources/public-info'
import { rememberedActivity } from './activity-memory'

const at = { namespace, application: 'checkout', component: 'api' }
const page = paths.component(at)
const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'
const pac = (pac: object) => ({ [annotations.buildStatus]: JSON.stringify({ pac }) })

const component = (marks: Record<string, string> = {}, over: Overrides<Component> = {}) =>
  aComponent({
    ...over,
    metadata: { name: 'api', labels: { team: 'payments' }, annotations: marks, ...over.metadata },
  })
const build = (name: string, own: Record<string, string> = {}, word: 'True' | 'False' = 'True'): PipelineRun =>
  aPipelineRun({
    metadata: {
      name,
      labels: { [labels.component]: 'api', [labels.eventType]: 'push', [labels.commitSha]: sha, ...own },
      annotations: { [annotations.pacSender]: 'ada', [annotations.pacShaTitle]: `Commit of ${name}` },
    },
    status: {
      startTime: '2026-01-31T09:01:00Z',
      completionTime: '2026-01-31T09:05:00Z',
      conditions: [condition('Succeeded', word)],
    },
  })
const application = anApplication()
const detail = async (term: string) => {
  const found = await screen.findByText(term, { selector: 'dt *' })
  return within(found.closest('div') as HTMLElement).getByRole('definition')
}
const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
const notFound = () => screen.findByText(/Looks like that page doesn't exist/)
const activity = (activityTab: string) => paths.componentActivityTab({ ...at, activityTab })

describe('the page of a component', () => {
  it('has no command to log in if its image has no address that is safe in one', async () => {
    const hostile = component({}, { spec: { containerImage: '$(reboot).test/api' } })
    await renderRoute(page, { objects: [application, hostile] })
    expect(await detail('Image')).toHaveTextContent('$(reboot).test/api')
    expect(screen.queryByText(/podman login/)).not.toBeInTheDocument()
  })

  describe('of one that has been built', () => {
    const api = component(
      { ...pac({ state: 'enabled' }), [annotations.gitProvider]: 'gitlab' },
      {
        spec: {
          source: {
            git: { url: 'https://code.test/payments/api.git', revision: 'release/1', context: 'services/api' },
          },
          containerImage: 'registry.slipway.test/payments/api',
          'build-nudges-ref': ['web', 'worker'],
        },
        status: {
          lastPromotedImage: 'registry.slipway.test/payments/api@sha256:aa',
          'build-nudged-by': ['base'],
          devfile: 'schemaVersion: 2.2.0',
        },
      },
    )
    const others = ['web', 'worker', 'base'].map((name) => aComponent({ metadata: { name } }))
    const objects = [application, api, ...others, build('api-1')]
    const link = async (term: string, name: RegExp | string) => within(await detail(term)).findByRole('link', { name })

    it('has the command that logs in to the registry of its image, to be copied', async () => {
      const { user } = await renderRoute(page, { objects })
      expect(await detail('Registry login')).toHaveTextContent('podman login registry.slipway.test')
      await user.click(screen.getByRole('button', { name: 'Copy command to log in' }))
      expect(await navigator.clipboard.readText()).toBe('podman login registry.slipway.test')
    })

    it('CMP-21, CMP-23 has the name of the component, and its two tabs in front of those of dependency updates and vulnerabilities', async () => {
      await renderRoute(page, { objects })
      expect(await screen.findByRole('heading', { name: 'api', level: 1 })).toBeVisible()
      expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
        'Component details',
        'Activity',
        'Dependency updates',
        'Vulnerabilities',
      ])
      expect(await detail('Name')).toHaveTextContent('api')
      expect(await detail('Labels')).toHaveTextContent('teampayments')
      expect(await detail('Annotations')).toHaveTextContent('git-providergitlab')
      expect(screen.getByRole('button', { name: 'Events' })).toBeVisible()
      const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
      expect(crumbs.getByRole('link', { name: 'Components' })).toHaveAttribute('href', paths.components(at))
      const { violations } = await axe.run(screen.getByRole('main'), {
        rules: { 'color-contrast': { enabled: false } },
      })
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    })

    it('CMP-19 shows its application, source and image', async () => {
      await renderRoute(page, { objects })
      expect(await link('Application', 'checkout')).toHaveAttribute('href', paths.application(at))
      expect(await link('Source', /^code.test\/payments\/api/)).toHaveAttribute(
        'href',
        'https://code.test/payments/api',
      )
      expect(await link('Revision', /^release\/1/)).toHaveAttribute(
        'href',
        'https://code.test/payments/api/-/tree/release/1',
      )
      expect(await detail('Context')).toHaveTextContent('services/api')
      expect(await detail('Image')).toHaveTextContent('registry.slipway.test/payments/api')
    })

    it('CMP-20, CMP-27 shows its latest image, its devfile, and what it nudges', async () => {
      await renderRoute(page, { objects })
      expect(await detail('Latest image')).toHaveTextContent('@sha256:aa')
      expect(await detail('Devfile')).toHaveTextContent('schemaVersion: 2.2.0')
      expect(await link('Nudges', 'worker')).toHaveAttribute('href', paths.component({ ...at, component: 'worker' }))
      expect(await link('Is nudged by', 'base')).toHaveAttribute('href', paths.component({ ...at, component: 'base' }))
    })

    it('CMP-16, CMP-29 shows its latest build, and how it is built', async () => {
      await renderRoute(page, { objects })
      await waitFor(async () => expect(await detail('Latest build')).toHaveTextContent('Succeeded'))
      expect(await link('Latest build', 'faef902')).toHaveAttribute('href', paths.commit({ ...at, commit: sha }))
      expect(await link('Latest build', /View build logs/)).toHaveAttribute(
        'href',
        paths.pipelineRunLogs({ ...at, pipelineRun: 'api-1' }),
      )
      expect(await detail('Build trigger')).toHaveTextContent('Automatic')
      expect(await detail('Build pipeline')).toHaveTextContent('Custom')
      expect(screen.queryByText('No successful build pipeline available')).not.toBeInTheDocument()
    })
  })

  it('CMP-09, CMP-28, NUDGE-23 says what a component that was never set up lacks', async () => {
    await renderRoute(page, { objects: [application, component()] })
    expect(await detail('Build trigger')).toHaveTextContent('Manual')
    expect(await detail('Build pipeline')).toHaveTextContent('Default')
    expect(await detail('Nudges')).toHaveTextContent('No dependencies found')
    const alert = (await screen.findByText('No successful build pipeline available')).closest('.pf-v6-c-alert')
    expect(alert).toHaveClass('pf-m-danger')
  })

  it('CMP-09 says that none of its builds has succeeded', async () => {
    await renderRoute(page, { objects: [application, component(), build('api-1', {}, 'False')] })
    expect(await screen.findByText('No successful build pipeline available')).toBeVisible()
    expect(screen.getByText('None of its latest push builds has succeeded.')).toBeVisible()
  })

  it('ACT-24 says that its builds cannot be read, with the message of the server', async () => {
    const { cluster, router } = await renderRoute(paths.about(), { objects: [application, component()] })
    cluster.faults.intercept((path) =>
      path.includes('/pipelineruns?')
        ? Response.json({ message: 'the cluster is unavailable' }, { status: 422 })
        : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(page)
    const alert = (await screen.findByText('Error while fetching pipeline runs')).closest('.pf-v6-c-alert')
    expect(alert).toHaveClass('pf-m-warning')
    expect(alert).toHaveTextContent('the cluster is unavailable')
    expect(screen.queryByText('No successful build pipeline available')).not.toBeInTheDocument()
  })

  it('PAC-34, PAC-35, PAC-36, PAC-37 says why the pull request failed', async () => {
    const marks = pac({ state: 'error', 'error-message': 'GitHub Application is not installed' })
    const { cluster } = await renderRoute(page, { objects: [application, component(marks)] })
    expect(await screen.findByText('Pull request failed to reach its destination')).toBeVisible()
    expect(screen.getByText('GitHub Application is not installed')).toBeVisible()
    expect(screen.queryByRole('link', { name: /Install GitHub Application/ })).not.toBeInTheDocument()
    // A first read that is still in flight would be shared instead of repeated.
    await waitFor(() => expect(queryClient.getQueryData(publicInfo.get().queryKey)).toBeDefined())
    const { namespace: place, name } = publicInfoLocation
    const info = await cluster.system.get(configMapType, name, { namespace: place })
    const changedInfo = { integrations: { github: { application_url: 'https://github.com/apps/acme' } } }
    await cluster.system.replace(configMapType, { ...info, data: { 'info.json': JSON.stringify(changedInfo) } })
    await queryClient.invalidateQueries({ queryKey: publicInfo.get().queryKey })
    expect(await screen.findByRole('link', { name: /Install GitHub Application/ })).toHaveAttribute(
      'href',
      'https://github.com/apps/acme',
    )
  })

  it('CMP-17, CMP-33 requests one archived build of a component that the cluster has not built lately', async () => {
    const old = build('api-old')
    const archive = await fakeArchive([
      { ...old, metadata: { ...old.metadata, namespace, uid: 'old', creationTimestamp: '2026-01-31T09:00:00Z' } },
    ])
    await renderRoute(page, {
      objects: [application, component()],
      archives: { kubeArchive: archive.plugin },
    })
    await waitFor(() => expect(archive.requests).not.toHaveLength(0))
    const { searchParams } = archive.requests[0] ?? new URL('http://none')
    expect(searchParams.get('limit')).toBe('1')
    expect(searchParams.get('labelSelector')).toContain(`${labels.eventType} in (push,Push,incoming)`)
    expect(searchParams.get('labelSelector')).toContain(`${labels.component} in (api)`)
  })

  it('survives invalid annotations', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    const marks = {
      [annotations.buildStatus]: '{"pac":',
      [annotations.lastApplied]: '[]',
      [annotations.buildRequest]: '?',
    }
    await renderRoute(page, { objects: [application, component(marks, { spec: { source: { git: undefined } } })] })
    expect(await detail('Build pipeline')).toHaveTextContent('Default')
    expect(await detail('Source')).toHaveTextContent('-')
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('The build status of component api could not be read'))
  })
})

describe('a missing component', () => {
  it('shows the not-found page', async () => {
    await renderRoute(page, { objects: [application] })
    expect(await notFound()).toBeVisible()
  })

  it('CMP-18 shows the not-found page while it is being deleted', async () => {
    const held = component({}, { metadata: { finalizers: ['slipway.test/keep'] } })
    const { cluster, router } = await renderRoute(paths.about(), { objects: [application, held] })
    await screen.findByRole('heading', { name: 'About Slipway' })
    await cluster.system.delete(componentType, 'api', { namespace })
    await router.navigate(page)
    expect(await notFound()).toBeVisible()
  })

  it('shows the not-found page if it belongs to another application', async () => {
    await renderRoute(page, { objects: [application, component({}, { spec: { application: 'ledger' } })] })
    expect(await notFound()).toBeVisible()
  })

  it('CMP-18 stays on screen, marked, if it is deleted while shown', async () => {
    const held = component({}, { metadata: { finalizers: ['slipway.test/keep'] } })
    const { cluster } = await renderRoute(page, { objects: [application, held] })
    await detail('Name')
    await screen.findByRole('button', { name: 'Live' })
    await cluster.system.delete(componentType, 'api', { namespace })
    expect(await screen.findByText('This component was deleted')).toBeVisible()
    expect(await detail('Name')).toBeVisible()
  })
})

describe('its activity', () => {
  const objects = [
    application,
    component(),
    build('api-1'),
    build('web-1', { [labels.component]: 'web', [labels.commitSha]: 'abc' }),
  ]

  it('CMP-24, CMP-32, CMP-34 shows only the runs of this component', async () => {
    const { user } = await renderRoute(page, { objects })
    await user.click(await screen.findByRole('tab', { name: 'Activity' }))
    await waitFor(() => expect(location.pathname).toBe(activity('latest-commits')))
    await waitFor(() => expect(rowNames()).toEqual(['faef902 Commit of api-1']))
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Component details',
      'Activity',
      'Dependency updates',
      'Vulnerabilities',
      'Commits',
      'Pipeline runs',
    ])
    await user.click(screen.getByRole('tab', { name: 'Pipeline runs' }))
    await waitFor(() => expect(rowNames()).toEqual(['Commit of api-1 api-1 ada']))
    expect(location.pathname).toBe(activity('pipelineruns'))
    expect(location.pathname).toMatch(/\/components\/api\/activity\/pipelineruns$/)
  })

  it('CMP-25, CMP-26 opens on the subtab that was viewed last, for each component', async () => {
    const { user, router } = await renderRoute(activity('pipelineruns'), {
      objects: [...objects, aComponent({ metadata: { name: 'web' } })],
    })
    await waitFor(() => expect(rowNames()).toEqual(['Commit of api-1 api-1 ada']))
    expect(localStorage.getItem(`${namespace}/api_activity-secondary-tab`)).toBe('pipelineruns')
    await user.click(screen.getByRole('tab', { name: 'Component details' }))
    await detail('Name')
    await user.click(screen.getByRole('tab', { name: 'Activity' }))
    await waitFor(() => expect(location.pathname).toBe(activity('pipelineruns')))
    const web = { ...at, component: 'web' }
    await router.navigate(paths.componentActivity(web))
    await waitFor(() =>
      expect(location.pathname).toBe(paths.componentActivityTab({ ...web, activityTab: 'latest-commits' })),
    )
  })

  it('CMP-25 remembers the subtab for the component of this namespace only', () => {
    rememberedActivity(at).set('pipelineruns')
    expect(rememberedActivity({ ...at, namespace: 'elsewhere' }).get()).toBe('latest-commits')
    expect(rememberedActivity(at).get()).toBe('pipelineruns')
  })

  it('PREF-10 has columns of its own', async () => {
    const { user } = await renderRoute(activity('pipelineruns'), { objects })
    await waitFor(() => expect(rowNames()).toEqual(['Commit of api-1 api-1 ada']))
    await user.click(screen.getByRole('button', { name: 'Manage columns' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('checkbox', { name: 'Type' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Type' })).not.toBeInTheDocument())
    expect(localStorage.getItem(`pipeline-runs-columns-${namespace}/checkout/api@admin@slipway.test`)).not.toContain(
      'type',
    )
    expect(localStorage.getItem(`pipeline-runs-columns-${namespace}/checkout@admin@slipway.test`)).toBeNull()
  })

  it('is not found under an unknown name', async () => {
    await renderRoute(activity('nothing'), { objects })
    expect(await notFound()).toBeVisible()
  })
})

describe('the actions on a component', () => {
  const openMenu = async (user: Awaited<ReturnType<typeof renderRoute>>['user']) =>
    user.click(await screen.findByRole('button', { name: 'Actions for api' }))
  const item = (label: string) => screen.findByRole('menuitem', { name: label })

  it('CMP-12 start a new build from the menu and from the palette', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [application, component()] })
    await openMenu(user)
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Start new build',
      'Edit build pipeline plan',
      'Manage linked secrets',
      'Delete component',
      'View YAML',
    ])
    await user.click(await item('Start new build'))
    expect(await screen.findByText(/New build requested/)).toBeVisible()
    const { metadata } = await cluster.system.get(componentType, 'api', { namespace })
    expect(metadata.annotations?.[annotations.buildRequest]).toBe('trigger-pac-build')
    await user.keyboard('{Control>}k{/Control}')
    expect(await screen.findByRole('option', { name: /Start new build/ })).toBeInTheDocument()
  })

  it('CMP-14, CMP-15, CMP-35 delete it once its name was typed, and return to the list', async () => {
    const { user, cluster } = await renderRoute(page, {
      objects: [application, component(), aComponent({ metadata: { name: 'web' } })],
    })
    await openMenu(user)
    await user.click(await item('Delete component'))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByRole('textbox'), 'api')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(location.pathname).toBe(paths.components(at)))
    expect(await screen.findByRole('row', { name: /web/ })).toBeVisible()
    await expect(cluster.system.get(componentType, 'api', { namespace })).rejects.toMatchObject({ code: 404 })
  })

  it('CMP-11, CMP-14 say why when they are not permitted', async () => {
    const { user } = await renderRoute(page, { as: 'contributor', objects: [application, component()] })
    await openMenu(user)
    for (const [label, words] of [
      ['Start new build', "You don't have access to start a new build"],
      ['Delete component', "You don't have access to delete a component"],
    ] as const) {
      expect(await item(label)).toHaveAttribute('aria-disabled', 'true')
      await seeTooltip(user, await item(label), words)
    }
  })
})
