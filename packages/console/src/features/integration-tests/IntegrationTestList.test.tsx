import { type KubeObject, nameOf } from '@slipway/kube/object'
import { annotations, labels } from '@slipway/model/labels'
import { integrationTestScenarioType, scenarioValidCondition } from '@slipway/model/snapshots/integration-test-scenario'
import { anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'shop' }
const page = paths.integrationTests(at)
const application = anApplication({ metadata: { name: 'shop', namespace } })
const git = (url: string, revision: string) => ({
  resolver: 'git',
  resourceKind: 'pipeline' as const,
  params: [
    { name: 'url', value: url },
    { name: 'revision', value: revision },
    { name: 'pathInRepo', value: 'pipelines/e2e.yaml' },
  ],
})
const test = (name: string, { application = 'shop', metadata = {}, ...rest } = {} as Given) =>
  anIntegrationTestScenario({
    metadata: { name, namespace, ...metadata },
    spec: { application, resolverRef: git('https://github.com/shop/tests.git', 'v2') },
    ...rest,
  })
interface Given {
  application?: string
  metadata?: object
  status?: object
}

const run = (name: string, scenario: string, started: string, reason: 'Failed' | 'Succeeded') =>
  aPipelineRun({
    metadata: {
      name,
      namespace,
      creationTimestamp: started,
      labels: { [labels.application]: 'shop', [labels.pipelineType]: 'test', [labels.scenario]: scenario },
    },
    status: {
      startTime: started,
      completionTime: started,
      conditions: [condition('Succeeded', reason === 'Failed' ? 'False' : 'True', reason)],
    },
  })

const objects = [
  application,
  test('e2e', { metadata: { labels: { [labels.optional]: 'true' } } }),
  test('contract', { metadata: { annotations: { [annotations.testKind]: 'enterprise-contract' } } }),
  test('foreign', { application: 'another' }),
  run('e2e-1', 'e2e', '2026-01-01T10:00:00Z', 'Succeeded'),
  run('e2e-2', 'e2e', '2026-01-01T11:00:00Z', 'Failed'),
]

const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(`(^| )${name}( |$)`) }))

describe('the integration tests of an application', () => {
  it('LIST-23 have more than six columns, so that users choose among them', async () => {
    const { user } = await renderRoute(page, { objects })
    await row('e2e')
    await user.click(screen.getByRole('button', { name: 'Manage columns' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('checkbox', { name: 'Git URL' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Git URL' })).not.toBeInTheDocument())
  })

  it('ITS-01, ITS-04, ITS-15 are listed with their columns, source and newest result', async () => {
    const { container } = await renderRoute(page, { objects })
    const e2e = await row('e2e')
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual(
      expect.arrayContaining(['Latest result', 'Name', 'Git URL', 'Optional for release', 'Revision', 'Latest run']),
    )
    expect(await e2e.findByText('Failed')).toBeVisible()
    expect(e2e.getByRole('link', { name: 'e2e-2' })).toHaveAttribute(
      'href',
      `${paths.pipelineRun({ ...at, pipelineRun: 'e2e-2' })}?integrationTestName=e2e`,
    )
    expect(e2e.getByRole('link', { name: 'e2e' })).toHaveAttribute(
      'href',
      paths.integrationTest({ ...at, integrationTest: 'e2e' }),
    )
    expect(e2e.getByRole('link', { name: /^github.com\/shop\/tests/ })).toHaveAttribute(
      'href',
      'https://github.com/shop/tests',
    )
    expect(e2e.getByText('Optional')).toBeVisible()
    expect(e2e.getByRole('link', { name: /^v2/ })).toHaveAttribute('href', 'https://github.com/shop/tests/tree/v2')
    const contract = await row('contract')
    expect(contract.getByText('No recent run')).toBeVisible()
    expect(contract.getByText('Required')).toBeVisible()
    expect(contract.getByText('Enterprise contract')).toBeVisible()
    expect(screen.queryByRole('rowheader', { name: /foreign/ })).not.toBeInTheDocument()
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id }) => id)).toEqual([])
  })

  it.each([
    ['FAILURE', '(Test Failures)'],
    ['ERROR', '(Test Failures)'],
    ['WARNING', '(Test Warnings)'],
    ['SUCCESS', 'Succeeded'],
    ['nonsense', 'Succeeded'],
  ])('have the result that their run reports, although it succeeded: %s', async (result, shown) => {
    const taskRun = aTaskRun({
      metadata: { name: 'e2e-1-check', labels: { [labels.pipelineRun]: 'e2e-1', [labels.pipelineTask]: 'check' } },
      status: {
        conditions: [condition('Succeeded', 'True')],
        results: [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result }) }],
      },
    })
    await renderRoute(page, { objects: [...objects.slice(0, 5), taskRun] })
    expect(await (await row('e2e')).findByText(shown)).toBeVisible()
  })

  it('APP-19 are loaded before the tab renders', async () => {
    const { user, router } = await renderRoute(paths.components(at), { objects })
    await user.click(await screen.findByRole('tab', { name: 'Integration tests' }))
    await screen.findByRole('table', { name: 'Integration tests' })
    expect(screen.queryByText('Loading Integration tests')).not.toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'contract' })).toBeVisible()
    expect(router.state.location.pathname).toBe(page)
  })

  it('ITS-02 are filtered by name', async () => {
    const { user } = await renderRoute(page, { objects })
    await row('e2e')
    await user.type(screen.getByPlaceholderText('Filter by name...'), 'contr')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'e2e' })).not.toBeInTheDocument())
    expect(screen.getByRole('link', { name: 'contract' })).toBeVisible()
  })

  it('are listed beside one that an older version of its API has stored without a spec', async () => {
    const bare = { ...test('bare'), spec: undefined } as unknown as KubeObject
    await renderRoute(page, { objects: [...objects, bare] })
    expect((await row('e2e')).getByText('Optional')).toBeVisible()
    expect(screen.queryByRole('rowheader', { name: /bare/ })).not.toBeInTheDocument()
  })

  it('show a commit by its short SHA', async () => {
    const sha = 'f3ac40bbc0230eccb8d98a4d54dabd55a4943c5d'
    const pinned = anIntegrationTestScenario({
      metadata: { name: 'pinned', namespace },
      spec: { application: 'shop', resolverRef: git('https://github.com/shop/tests', sha) },
    })
    await renderRoute(page, { objects: [application, pinned] })
    expect((await row('pinned')).getByRole('link', { name: /^f3ac40b(?!bc)/ })).toHaveAttribute(
      'href',
      `https://github.com/shop/tests/tree/${sha}`,
    )
  })

  it('are marked when the platform does not run them', async () => {
    const conditions = [condition(scenarioValidCondition, 'False', 'Invalid')]
    await renderRoute(page, { objects: [application, test('broken', { status: { conditions } })] })
    expect((await row('broken')).getByText('Invalid')).toBeVisible()
  })

  it('show the bundle of a resolver other than git', async () => {
    const bundles = anIntegrationTestScenario({
      metadata: { name: 'bundled', namespace },
      spec: {
        application: 'shop',
        resolverRef: { resolver: 'bundles', params: [{ name: 'bundle', value: 'quay.io/shop/tests:1' }] },
      },
    })
    const { user } = await renderRoute(page, { objects: [application, bundles] })
    expect((await row('bundled')).getByText('Bundle quay.io/shop/tests:1')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Actions for bundled' }))
    const edit = screen.getByRole('menuitem', { name: /^Edit/ })
    expect(edit).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, edit, /Only tests that use the git resolver can be edited/)
  })

  it('ITS-03 can be added from an empty list', async () => {
    const { user, router } = await renderRoute(page, { objects: [application] })
    expect(await screen.findByRole('heading', { name: 'No integration tests yet' })).toBeVisible()
    const [add] = await screen.findAllByRole('link', { name: 'Add integration test' })
    if (!add) throw new Error('no link')
    await user.click(add)
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.addIntegrationTest(at)))
  })

  it('ITS-10, ITS-11, APP-34 say which permissions are missing', async () => {
    const { user } = await renderRoute(page, { objects, as: 'contributor' })
    await row('e2e')
    await seeTooltip(
      user,
      await screen.findByRole('button', { name: 'Add integration test' }),
      "You don't have access to add an integration test",
    )
    for (const [name, reason] of [
      ['Edit', "You don't have access to edit this integration test"],
      ['Delete', "You don't have access to delete this integration test"],
    ] as const) {
      await user.click(screen.getByRole('button', { name: 'Actions for e2e' }))
      const item = await screen.findByRole('menuitem', { name })
      expect(item).toHaveAttribute('aria-disabled', 'true')
      await seeTooltip(user, item, reason)
      await user.keyboard('{Escape}')
    }
  })

  it('APP-24 are forbidden without permission to list them', async () => {
    await renderRoute(page, { objects: [...objects, ...grantTo()], as: 'outsider' })
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
  })

  it('stay listed when their runs cannot be read, which is said', async () => {
    // A page that reads no runs: those that are known would be shown.
    const { cluster, router } = await renderRoute(paths.about(), { objects })
    await screen.findByRole('heading', { level: 1 })
    const heal = cluster.faults.intercept((path) =>
      path.includes('/pipelineruns?') ? Response.json({ message: 'no runs' }, { status: 422 }) : undefined,
    )
    await router.navigate(page)
    expect((await row('e2e')).getByRole('link', { name: 'e2e' })).toBeVisible()
    expect(await (await row('e2e')).findByText('Unknown')).toBeVisible()
    expect(await screen.findByText(/(Could not read|Retrying) pipeline runs: no runs/)).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Partial' })).toBeVisible()
    heal()
  })

  it('ITS-15 appear, change and disappear live', async () => {
    const { cluster } = await renderRoute(page, { objects: [application] })
    await screen.findByRole('heading', { name: 'No integration tests yet' })
    await cluster.system.create(integrationTestScenarioType, test('late'))
    expect((await row('late')).getByText('Required')).toBeVisible()
    await cluster.system.delete(integrationTestScenarioType, 'late', { namespace })
    expect(await screen.findByRole('heading', { name: 'No integration tests yet' })).toBeVisible()
  })

  it('ITS-12, ITS-15 are deleted once their name is typed', async () => {
    const { user, cluster } = await renderRoute(page, { objects })
    await row('e2e')
    await user.click(screen.getByRole('button', { name: 'Actions for e2e' }))
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
    await user.type(await screen.findByRole('textbox', { name: 'Type e2e to confirm' }), 'e2e')
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    expect(screen.getByRole('dialog', { name: /Delete integration test\?$/ })).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    const { items } = await cluster.system.list(integrationTestScenarioType, { namespace })
    expect(items.map(nameOf)).toEqual(['contract', 'foreign'])
  })
})
