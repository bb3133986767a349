import { isNotFound } from '@slipway/kube/status'
import { type ComponentGroup, componentGroupType, type GroupMember } from '@slipway/model/builds/component-group'
import { labels } from '@slipway/model/labels'
import { aComponent, aPipelineRun, condition } from '@slipway/model/testing'
import { aComponentGroup } from '@slipway/model/testing/build-services'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { type Faults, namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { client } from '../../api/client'
import { startDiscovery } from '../../api/served-types'
import { paths } from '../../paths'

const list = paths.componentGroups({ namespace })
const pageOf = (componentGroup: string) => paths.componentGroup({ namespace, componentGroup })
const testsOf = (componentGroup: string) => paths.componentGroupTests({ namespace, componentGroup })

const component = (name: string, version = 'main'): GroupMember => ({ name, componentVersion: { name: version } })
const nested = (name: string): GroupMember => ({ name, kind: 'componentGroup' })
const group = (name: string, components: GroupMember[], rest: Partial<ComponentGroup['spec']> = {}) =>
  aComponentGroup({ metadata: { name }, spec: { components, ...rest } })
const scenario = (name: string, componentGroup?: string) =>
  anIntegrationTestScenario({
    metadata: { name },
    spec: { ...(componentGroup ? { application: undefined, componentGroup } : {}) },
  })

const image = `registry.slipway.test/payments/checkout-api@sha256:${'a'.repeat(64)}`
const shop: ComponentGroup = {
  ...group('shop', [component('checkout-api'), component('lost', 'v1'), nested('web')], {
    testGraph: { verify: [{ name: 'scan', failFast: true }], e2e: [{ name: 'verify' }, { name: 'gone' }] },
  }),
  status: {
    globalCandidateList: [
      {
        name: 'checkout-api',
        version: 'main',
        lastPromotedImage: image,
        lastPromotedBuildTime: '2026-01-31T09:00:00Z',
      },
    ],
  },
}
const objects = [
  aComponent(),
  aComponent({
    metadata: { name: 'web-ui' },
    spec: { source: { versions: [{ name: 'v1', revision: 'release-1' }] } },
  }),
  shop,
  group('web', [component('web-ui'), nested('missing')]),
  group('loop', [nested('loop')], { testGraph: { a: [{ name: 'b' }], b: [{ name: 'a' }] } }),
  ...['verify', 'scan', 'e2e', 'lint'].map((name) => scenario(name, 'shop')),
  scenario('of-an-application'),
  aPipelineRun({
    metadata: { name: 'scan-x4k2p', labels: { [labels.scenario]: 'scan', [labels.pipelineType]: 'test' } },
    status: { startTime: '2026-01-31T09:00:00Z', conditions: [condition('Succeeded', 'False')] },
  }),
]
const rowOf = async (name: string | RegExp) =>
  within((await screen.findByRole('rowheader', { name })).closest('tr') ?? expect.fail('a header outside of a row'))

/** The kind is in none of the groups of the cluster. */
const withoutKind = (faults: Faults) => {
  faults.intercept((path) => (/\/apis\/[^/]+\/v1beta2$/.test(path) ? Response.json({ resources: [] }) : undefined))
  onTestFinished(startDiscovery(client.request))
}

describe('the component groups of a namespace', () => {
  it('have their members, what is promoted, nested groups and ordered tests', async () => {
    await renderRoute(list, { objects })
    const row = await rowOf('shop')
    expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
      '2',
      '1 of 2',
      'web',
      '4 in 3 steps',
      expect.stringMatching(/\d|now/),
      '',
    ])
    expect(row.getByRole('link', { name: 'shop' })).toHaveAttribute('href', pageOf('shop'))
    expect(row.getByRole('link', { name: 'web' })).toHaveAttribute('href', pageOf('web'))
    const loop = await rowOf('loop')
    expect(loop.getByText(/contains itself/)).toBeVisible()
    expect(loop.getByText('2, in a cycle')).toBeVisible()
    expect((await rowOf('web')).getByText('None: all at once')).toBeVisible()
  })

  it('may be none', async () => {
    await renderRoute(list)
    expect(await screen.findByRole('heading', { name: 'No component groups yet' })).toBeVisible()
  })

  it('are said not to exist on a cluster without the kind, whatever the user may do', async () => {
    const { cluster } = await renderRoute(list, { as: 'contributor', prepare: withoutKind })
    expect(await screen.findByRole('heading', { name: 'This cluster has no component groups' })).toBeVisible()
    expect(screen.queryByText("Let's get you access")).not.toBeInTheDocument()
    expect(cluster.calls.filter(({ path }) => path.includes('componentgroups'))).toEqual([])
  })

  it('may not be read with the roles of the platform alone, and the page says why', async () => {
    await renderRoute(list, { as: 'contributor', objects })
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
    expect(screen.getByText(/^You need permission to list componentgroups\b/)).toBeVisible()
  })

  it('are reached from the applications, but only where the cluster has the kind', async () => {
    await renderRoute(paths.applications({ namespace }))
    expect(await screen.findByRole('link', { name: 'View component groups' })).toHaveAttribute('href', list)
  })

  it('are not linked from the applications where the cluster does not have the kind', async () => {
    await renderRoute(paths.applications({ namespace }), { prepare: withoutKind })
    await screen.findByRole('link', { name: 'View all components' })
    await waitFor(() => expect(screen.queryByRole('link', { name: 'View component groups' })).toBeNull())
  })

  test.each([
    ['where the cluster has the kind', undefined, 1],
    ['and not where it does not', withoutKind, 0],
  ])('are a command of the palette %s', async (_, prepare, count) => {
    const { user } = await renderRoute(paths.applications({ namespace }), { ...(prepare && { prepare }) })
    await screen.findByRole('heading', { name: 'Applications', level: 1 })
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox', { name: /command|search/i }), 'Compon')
    await screen.findByRole('option', { name: /Components of all applications/ })
    await waitFor(() => expect(screen.queryAllByRole('option', { name: /Component groups/ })).toHaveLength(count))
  })
})

describe('a component group', () => {
  it('has its members and those of nested groups, with what was last promoted', async () => {
    await renderRoute(pageOf('shop'), { objects })
    const api = await rowOf(/^checkout-api/)
    expect(await api.findByRole('link', { name: 'checkout-api' })).toHaveAttribute(
      'href',
      paths.component({ namespace, application: 'checkout', component: 'checkout-api' }),
    )
    expect(api.getByTitle(image)).toHaveTextContent(`checkout-api@sha256:${'a'.repeat(12)}`)
    expect((await rowOf(/^lost \(not found\)/)).getByText('Not promoted yet')).toBeVisible()
    const deep = await rowOf(/^web-ui/)
    expect(deep.getByText('main (not found)')).toBeVisible()
    expect(api.getByText('main')).toBeVisible()
    expect(deep.getByRole('link', { name: 'web' })).toHaveAttribute('href', pageOf('web'))
    expect(screen.getByText(/^missing: there is no component group of this name/)).toBeVisible()
  })

  it('says which groups it is a member of, and that groups contain each other', async () => {
    await renderRoute(pageOf('loop'), { objects })
    expect(await screen.findByText(/^loop contains loop\./)).toBeVisible()
    const details = await screen.findByRole('heading', { name: 'Component group details' })
    expect(within(details.closest('section') ?? expect.fail()).getAllByRole('link', { name: 'loop' })).toHaveLength(2)
  })

  it('has its own members where other groups and components may not be listed', async () => {
    const rights = grantTo({ apiGroups: [componentGroupType.group], resources: ['componentgroups'], verbs: ['get'] })
    await renderRoute(pageOf('shop'), { as: 'outsider', objects: [...objects, ...rights] })
    expect(await rowOf('checkout-api')).toBeDefined()
    expect(await screen.findByText(/The members of nested groups are unknown/)).toBeVisible()
    expect(screen.queryByText(/not found/)).toBeNull()
    expect(screen.queryByText(/there is no component group/)).toBeNull()
  })

  it('has its tests in their order, as a graph or a list, with results and what a failure skips', async () => {
    const { user } = await renderRoute(`${testsOf('shop')}?view=list`, { objects })
    expect(await screen.findByText('This group has no integration test gone.')).toBeVisible()
    const items = within(await screen.findByRole('list', { name: 'Tests of shop' })).getAllByRole('listitem')
    expect(items.map((item) => within(item).getByRole('button').textContent)).toEqual([
      ...['lint', 'scan', 'gone', 'verify', 'e2e'],
    ])
    expect(items[3]).toHaveTextContent(/after scan.*skipped if scan fails/)
    expect(await screen.findByText('Failed')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'scan' }))
    const panel = within(await screen.findByRole('region', { name: 'scan' }))
    expect(panel.getByText('Skipped: verify, e2e')).toBeVisible()
    expect(panel.getByText('At once')).toBeVisible()
    expect(panel.getByRole('link', { name: 'scan-x4k2p' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'verify' }))
    expect(await screen.findByText('After scan, unless that fails')).toBeVisible()
  })

  it('says which tests wait for each other', async () => {
    await renderRoute(testsOf('loop'), { objects })
    expect(await screen.findByText(/: none of them can start\.$/)).toHaveTextContent(
      'b waits for a waits for b: none of them can start.',
    )
  })

  it('says that its snapshots are not tested if no integration test names it', async () => {
    await renderRoute(testsOf('web'), { objects })
    expect(await screen.findByRole('heading', { name: 'No integration tests' })).toBeVisible()
  })

  it('shows the tests of its graph where integration tests and runs may not be read', async () => {
    const rights = grantTo({ apiGroups: [componentGroupType.group], resources: ['componentgroups'], verbs: ['get'] })
    await renderRoute(`${testsOf('shop')}?view=list`, { as: 'outsider', objects: [...objects, ...rights] })
    expect(await screen.findByText(/Only those in the test graph are shown/)).toBeVisible()
    expect(await screen.findByText(/Unable to load the latest results/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'gone' })).toBeVisible()
    expect(screen.queryByText(/not found/)).toBeNull()
  })

  it('is deleted by users who may, from its page', async () => {
    const { user, cluster, router } = await renderRoute(pageOf('web'), { objects })
    await user.click(await screen.findByRole('button', { name: 'Actions for web' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(await dialog.findByRole('textbox'), 'web')
    await user.click(dialog.getByRole('button', { name: /^Delete/ }))
    await waitFor(() => expect(router.state.location.pathname).toBe(list))
    const read = cluster.system.get(componentGroupType, 'web', { namespace })
    await expect(read).rejects.toSatisfy(isNotFound)
  })

  it('cannot be deleted by users who may only read it', async () => {
    const { user } = await renderRoute(list, { as: 'maintainer', objects: [group('web', [])] })
    await user.click(await screen.findByRole('button', { name: 'Actions for web' }))
    const item = await screen.findByRole('menuitem', { name: /^Delete/ })
    expect(item).toHaveAttribute('aria-disabled', 'true')
  })
})
