import type { KubeObject } from '@slipway/kube/object'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { componentType } from '@slipway/model/builds/component'
import { aComponent, anApplication, aPipelineRun, aRelease, condition } from '@slipway/model/testing'
import { aNudgeConfig } from '@slipway/model/testing/build-services'
import { aReleasePlan, anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { columnGaps } from '../../../test/column-gaps'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const build = aPipelineRun({
  metadata: { name: 'api-on-push-1', labels: { [labels.component]: 'api', [labels.eventType]: 'push' } },
  status: {
    startTime: '2026-01-31T09:00:00Z',
    completionTime: '2026-01-31T09:01:00Z',
    conditions: [condition('Succeeded', 'False', 'Failed')],
  },
})
const objects: KubeObject[] = [
  anApplication(),
  aComponent({ metadata: { name: 'api' } }),
  aComponent({
    metadata: {
      name: 'web',
      annotations: { [annotations.buildStatus]: JSON.stringify({ pac: { state: 'enabled' } }) },
    },
  }),
  build,
  anIntegrationTestScenario({ metadata: { name: 'unit' } }),
  aReleasePlan({ metadata: { name: 'prod' } }),
  aRelease({
    spec: { releasePlan: 'prod' },
    status: { conditions: [condition('Released', 'True', 'Succeeded')] },
  }),
]

const graph = () => screen.findByRole('application', { name: 'Workflow of checkout' })
const nodeNames = async () =>
  within(await graph())
    .getAllByRole('button', { pressed: false })
    .map((node) => node.getAttribute('aria-label'))

describe('the workflow', () => {
  it('GRAPH-01, GRAPH-06, GRAPH-25, APP-40 has one node per stage once it is collapsed, in the address', async () => {
    const { user } = await renderRoute(paths.application(at), { objects })
    await graph()
    await user.click(screen.getByRole('switch', { name: 'Expanded' }))
    expect(await nodeNames()).toEqual([
      '2 components',
      '2 builds, Failed, 1 of 2',
      '1 integration test, Idle',
      '1 release, Succeeded',
    ])
    expect(columnGaps(await graph())).toEqual([10])
    await waitFor(() => expect(location.search).toBe('?workflow=collapsed'))
  })

  it('GRAPH-01, GRAPH-02 begins collapsed only if it has more nodes than can be read at once', async () => {
    const many = Array.from({ length: 21 }, (_, index) => aComponent({ metadata: { name: `part-${index}` } }))
    const { user } = await renderRoute(paths.application(at), { objects: [anApplication(), ...many] })
    expect((await nodeNames())[0]).toBe('21 components')
    await user.click(screen.getByRole('switch', { name: 'Expanded' }))
    await waitFor(() => expect(location.search).toBe('?workflow=expanded'))
  })

  it('GRAPH-02, GRAPH-06, GRAPH-09, GRAPH-26, APP-40 begins with everything, and more room between ranks', async () => {
    await renderRoute(paths.application(at), { objects })
    expect(await nodeNames()).toEqual([
      'api, main',
      'web, main',
      'Build api, Failed, 1 minute',
      'Build web, PR needs merge',
      'Test unit, Idle',
      'Release prod, Succeeded',
    ])
    expect(columnGaps(await graph())).toEqual([95])
  })

  it('APP-43 leaves out the components, tests and release plans of other applications', async () => {
    const spec = { application: 'ledger' }
    const others = [
      anApplication({ metadata: { name: 'ledger' } }),
      aComponent({ metadata: { name: 'books' }, spec }),
      anIntegrationTestScenario({ metadata: { name: 'audit' }, spec }),
      aReleasePlan({ metadata: { name: 'archive' }, spec }),
    ]
    await renderRoute(`${paths.application(at)}`, { objects: [...others, ...objects] })
    const names = await nodeNames()
    expect(names).toEqual(expect.arrayContaining(['api, main', 'Test unit, Idle', 'Release prod, Succeeded']))
    expect(names.filter((name) => /books|audit|archive/.test(name ?? ''))).toEqual([])
  })

  it('opens a panel with a link to the run of a build', async () => {
    const { user } = await renderRoute(`${paths.application(at)}`, { objects })
    await graph()
    await user.click(screen.getByRole('button', { name: /^Build api,/ }))
    const panel = await screen.findByRole('region', { name: 'Build api' })
    expect(within(panel).getByRole('link', { name: 'api-on-push-1' })).toHaveAttribute(
      'href',
      paths.pipelineRun({ ...at, pipelineRun: 'api-on-push-1' }),
    )
  })

  it('GRAPH-06 shows the commit of a build, and how long ago it ended', async () => {
    const { metadata, ...rest } = build
    const ofCommit = {
      ...rest,
      metadata: { ...metadata, labels: { ...metadata.labels, [labels.commitSha]: 'a'.repeat(40) } },
    }
    await renderRoute(paths.application(at), {
      objects: [anApplication(), aComponent({ metadata: { name: 'api' } }), ofCommit],
    })
    const node = within(await graph()).getByRole('button', { name: 'Build api, Failed, commit aaaaaaa, 1 minute' })
    expect(within(node).getByText('aaaaaaa')).toBeVisible()
    expect(within(node).getByText(/ago|\d{4}|[A-Z][a-z]{2} \d+/, { selector: 'time' })).toHaveAttribute(
      'datetime',
      build.status?.completionTime,
    )
  })

  it('TIME-05 shows no duration for a waiting build', async () => {
    const waiting = { ...build, status: { startTime: '2026-01-31T09:00:00Z', conditions: [] } }
    await renderRoute(`${paths.application(at)}?selected=build/api`, {
      objects: [anApplication(), aComponent({ metadata: { name: 'api' } }), waiting],
    })
    const panel = within(await screen.findByRole('region', { name: 'Build api' }))
    expect(panel.getByText('Pending')).toBeVisible()
    expect(panel.getByText('Duration').closest('div')).toHaveTextContent(/^Duration-$/)
    const node = within(await graph()).getByRole('button', { name: 'Build api, Pending' })
    expect(node).toHaveTextContent(/^BuildapiPending$/)
  })

  it('opens a panel with the members of a stage', async () => {
    await renderRoute(`${paths.application(at)}?workflow=collapsed&selected=stage/build`, { objects })
    const panel = await screen.findByRole('region', { name: '2 builds' })
    expect(
      within(panel)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['apiFailed1m1 minute', 'webPR needs merge'])
  })

  it('links a test that has not run to its page', async () => {
    await renderRoute(`${paths.application(at)}?workflow=collapsed&selected=stage/test`, { objects })
    const panel = await screen.findByRole('region', { name: '1 integration test' })
    expect(within(panel).getByRole('link', { name: 'unit' })).toHaveAttribute(
      'href',
      paths.integrationTest({ ...at, integrationTest: 'unit' }),
    )
  })

  it('is also available as a list', async () => {
    await renderRoute(`${paths.application(at)}?view=list`, { objects })
    const list = await screen.findByRole('list', { name: 'Workflow of checkout' })
    expect(within(list).getAllByRole('listitem')[2]).toHaveTextContent('Build apiafter apiFailed1m')
  })
})

describe('relationships in the workflow', () => {
  const nudging = (name: string, nudges: string[], application = 'checkout') =>
    aComponent({ metadata: { name }, spec: { application, 'build-nudges-ref': nudges } })
  const related = [
    anApplication(),
    nudging('api', ['web', 'proxy', 'gone']),
    nudging('web', []),
    nudging('proxy', [], 'edge'),
    nudging('base', ['api'], 'edge'),
  ]

  it('are in the names of its components, in both directions, and counted on their nodes', async () => {
    await renderRoute(`${paths.application(at)}`, { objects: related })
    expect(await nodeNames()).toEqual([
      'api, main, nudges web, proxy, gone; nudged by base',
      'web, main, nudged by api',
      'Build api, PipelineNotStarted',
      'Build web, PipelineNotStarted',
    ])
    expect(within(await graph()).getByText('nudges 3, nudged by 1')).toBeVisible()
    expect(within(await graph()).getByText('nudged by 1')).toBeVisible()
  })

  it('are those of the NudgeConfig, if there is one, and not those that components name themselves', async () => {
    const config = aNudgeConfig({ spec: { nudges: [{ from: 'web', to: 'api', mode: 'validated' }] } })
    await renderRoute(`${paths.application(at)}`, { objects: [...related, config] })
    expect((await nodeNames()).slice(0, 2)).toEqual(['api, main, nudged by web', 'web, main, nudges api'])
  })

  it('are said to be unknown to a user who may not read NudgeConfigs', async () => {
    await renderRoute(`${paths.application(at)}`, { as: 'contributor', objects: related })
    expect(await screen.findByText(/^Which components nudge others: Unknown: you may not read/)).toBeVisible()
  })

  it('are links to both ends in the panel of a component, except to one that does not exist', async () => {
    await renderRoute(`${paths.application(at)}?selected=component/api`, { objects: related })
    const panel = within(await screen.findByRole('region', { name: 'api' }))
    const hrefs = (term: string) =>
      within(panel.getByText(term).closest('div') as HTMLElement)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href'))
    expect(hrefs('Nudges')).toEqual([
      paths.component({ ...at, component: 'web' }),
      paths.component({ namespace, application: 'edge', component: 'proxy' }),
    ])
    expect(panel.getByText('gone')).toBeVisible()
    expect(hrefs('Is nudged by')).toEqual([paths.component({ namespace, application: 'edge', component: 'base' })])
  })

  it('are in the list view', async () => {
    await renderRoute(`${paths.application(at)}?view=list`, { objects: related })
    const list = await screen.findByRole('list', { name: 'Workflow of checkout' })
    const rows = within(list).getAllByRole('listitem')
    expect(rows[0]).toHaveTextContent(/^api.*nudges web, proxy, gone; nudged by base$/)
    expect(rows[1]).toHaveTextContent(/^web.*nudged by api$/)
  })

  it('are counted on the stage of components, whose panel names them', async () => {
    await renderRoute(`${paths.application(at)}?workflow=collapsed&selected=stage/component`, { objects: related })
    expect(
      within(await graph()).getByRole('button', { name: '2 components, 4 relationships', pressed: true }),
    ).toBeVisible()
    const panel = await screen.findByRole('region', { name: '2 components' })
    expect(
      within(panel)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['apinudges web, proxy, gone; nudged by base', 'webnudged by api'])
  })
})

describe('the messages of the workflow', () => {
  it('say that a list has not responded', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await renderRoute(paths.application(at), {
      objects: [anApplication()],
      prepare: ({ intercept }) =>
        void intercept((path) => (path.includes('/releaseplans?') ? new Promise<Response>(() => {}) : undefined)),
    })
    await screen.findByText('Loading the workflow')
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(await screen.findByText('Still waiting for the workflow')).toBeVisible()
    expect(screen.queryByRole('heading', { name: 'No components yet' })).not.toBeInTheDocument()
  })

  it('say that there is nothing yet', async () => {
    await renderRoute(paths.application(at), { objects: [anApplication()] })
    expect(await screen.findByRole('heading', { name: 'No components yet' })).toBeVisible()
  })

  const answering = (part: string, code: number) => (path: string) =>
    path.includes(`/${part}?`)
      ? Response.json(
          {
            kind: 'Status',
            status: 'Failure',
            code,
            reason: code === 403 ? 'Forbidden' : '',
            message: `told ${code}`,
            metadata: {},
          },
          { status: code },
        )
      : undefined

  it('name the parts that could not be read, above the rest', async () => {
    const { cluster, router } = await renderRoute(paths.applications(at), { objects })
    cluster.faults.intercept(answering('integrationtestscenarios', 403))
    await router.navigate(`${paths.application(at)}?workflow=collapsed`)
    expect(await screen.findByText(/Integration tests could not be loaded and are not shown/)).toBeVisible()
    expect(await nodeNames()).toContain('? integration tests, Unknown')
  })

  it('GRAPH-06 do not come with a status of tests and builds while their runs cannot be read', async () => {
    const archive = await fakeArchive()
    const { cluster, router } = await renderRoute(paths.applications(at), {
      objects,
      archives: { kubeArchive: archive.plugin },
    })
    const refuse = answering('pipelineruns', 403)
    cluster.faults.intercept((path) => (path.includes('/plugins/') ? undefined : refuse(path)))
    await router.navigate(`${paths.application(at)}`)
    expect(await screen.findByText(/Some pipeline runs could not be loaded and are not shown/)).toBeVisible()
    expect(await nodeNames()).toEqual(
      expect.arrayContaining(['Build api, Unknown', 'Build web, Unknown', 'Test unit, Unknown']),
    )
  })

  it('say that the components cannot be loaded, and offer a retry', async () => {
    const { cluster, router, user } = await renderRoute(paths.createApplication(at), { objects })
    const heal = cluster.faults.intercept(answering('components', 400))
    await router.navigate(paths.application(at))
    expect(await screen.findByText(/Unable to load components/)).toBeVisible()
    heal()
    await user.click(screen.getByRole('button', { name: /again/i }))
    await graph()
  })

  it('requests only the fields that it shows, and each kind once, for the workflow and the table of plans', async () => {
    const { cluster } = await renderRoute(paths.application(at), { objects })
    await graph()
    const lists = () =>
      cluster.calls
        .map(({ path }) => path)
        .filter((path) => /\/(components|integrationtestscenarios|releaseplans|releases|pipelineruns)\?/.test(path))
    const kindOf = (path: string) => /\/(\w+)\?/.exec(path)?.[1]
    await waitFor(() =>
      expect(lists().map(kindOf).sort()).toEqual([
        'components',
        'integrationtestscenarios',
        'pipelineruns',
        'releaseplans',
        'releases',
      ]),
    )
    for (const path of lists())
      expect(new URL(path, 'http://x').searchParams.get('fieldMask')).toContain('metadata.name')
  })
})

describe('the pull request with the build pipeline', () => {
  const mergeUrl = 'https://github.com/payments/api/pull/4'
  const api = (status?: object) =>
    aComponent({
      metadata: {
        name: 'api',
        namespace,
        annotations: status
          ? { [annotations.buildStatus]: JSON.stringify({ pac: status }) }
          : { [annotations.buildRequest]: 'configure-pac' },
      },
    })

  it('is announced, linked once it is there, and no longer shown once it is merged', async () => {
    const { cluster } = await renderRoute(paths.application(at), { objects: [anApplication(), api()] })
    expect(await screen.findByText('The platform is sending a pull request with the build pipeline')).toBeVisible()
    const current = await cluster.system.get(componentType, 'api', { namespace })
    const { metadata } = api({ state: 'enabled', 'merge-url': mergeUrl })
    await cluster.system.replace(componentType, {
      ...current,
      metadata: { ...current.metadata, annotations: metadata.annotations },
    })
    const link = await screen.findByRole('link', { name: /^Pull request/ })
    expect(link).toHaveAttribute('href', mergeUrl)
    await cluster.system.create(pipelineRunType, build)
    await waitFor(() => expect(screen.queryByRole('link', { name: /^Pull request/ })).not.toBeInTheDocument())
  })

  it('is not mentioned if the platform proposed none', async () => {
    await renderRoute(paths.application(at), { objects: [anApplication(), api({ state: 'disabled' })] })
    await graph()
    expect(screen.queryByText(/pull request with the build pipeline/)).not.toBeInTheDocument()
  })
})

it('APP-32 an application without components leads to the import of one', async () => {
  await renderRoute(paths.application(at), { objects: [anApplication()] })
  const workflow = within(await screen.findByRole('region', { name: 'Workflow' }))
  const link = await workflow.findByRole('link', { name: 'Add component' })
  expect(link).toHaveAttribute('href', paths.createComponent(at))
})
