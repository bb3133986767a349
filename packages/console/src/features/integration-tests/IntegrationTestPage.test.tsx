import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { integrationTestScenarioType, scenarioValidCondition } from '@slipway/model/snapshots/integration-test-scenario'
import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'shop', integrationTest: 'e2e' }
const page = paths.integrationTest(at)
const application = anApplication({ metadata: { name: 'shop', namespace } })
const resolverRef = {
  resolver: 'git',
  resourceKind: 'pipelinerun' as const,
  params: [
    { name: 'url', value: 'https://github.com/shop/tests' },
    { name: 'revision', value: 'main' },
    { name: 'pathInRepo', value: 'pipelines/e2e.yaml' },
  ],
}
const aTest = (spec: object = {}, metadata: object = {}, status?: object) =>
  anIntegrationTestScenario({
    metadata: {
      name: 'e2e',
      namespace,
      labels: { [labels.optional]: 'true' },
      annotations: { [annotations.testKind]: 'enterprise-contract' },
      ...metadata,
    },
    spec: {
      application: 'shop',
      resolverRef,
      contexts: [{ name: 'push', description: 'Pushes' }, { name: 'component_web' }],
      params: [
        { name: 'browsers', values: ['chromium', 'firefox'] },
        { name: 'retries', value: '3' },
      ],
      ...spec,
    },
    ...(status && { status }),
  })
const scenarioRun = (name: string, scenario: string) =>
  aPipelineRun({
    metadata: {
      name,
      namespace,
      labels: { [labels.application]: 'shop', [labels.pipelineType]: 'test', [labels.scenario]: scenario },
    },
  })

const fact = (term: string) => {
  const group = screen.getByText(term, { selector: 'dt *' }).closest('div')
  if (!group) throw new Error(`no fact ${term}`)
  return within(group)
}
const opened = async (test = aTest(), options: Parameters<typeof renderRoute>[1] = {}) => {
  const view = await renderRoute(page, { objects: [application, test], ...options })
  await screen.findByRole('heading', { name: 'e2e', level: 1 })
  await screen.findByRole('button', { name: 'Edit contexts' })
  return view
}

describe('the page of an integration test', () => {
  it('ITS-08, ITS-16, ITS-18, ITS-42 shows what it runs, for which application', async () => {
    const { cluster } = await opened()
    expect(screen.getByRole('tab', { name: 'Overview' })).toBeVisible()
    expect(screen.getByRole('tab', { name: 'Pipeline runs' })).toHaveAttribute(
      'href',
      paths.integrationTestPipelineRuns(at),
    )
    expect(fact('Git URL').getByRole('link')).toHaveAttribute('href', 'https://github.com/shop/tests')
    expect(fact('Revision').getByRole('link')).toHaveAttribute('href', 'https://github.com/shop/tests/tree/main')
    expect(fact('Path in repository').getByText('pipelines/e2e.yaml')).toBeVisible()
    expect(fact('Resource kind').getByText('PipelineRun')).toBeVisible()
    expect(fact('Application').getByRole('link', { name: 'shop' })).toBeVisible()
    expect(cluster.calls.map(({ path }) => path)).toContainEqual(
      expect.stringContaining('/apis/appstudio.redhat.com/v1beta2/'),
    )
  })

  it('ITS-19, ITS-20, ITS-21, ITS-22 shows parameters, contexts, and what sets it apart', async () => {
    await opened()
    expect(fact('Parameters').getByText('browsers: [chromium, firefox]')).toBeVisible()
    expect(fact('Parameters').getByText('retries: 3')).toBeVisible()
    expect(fact('Contexts').getByText(/push, component_web/)).toBeVisible()
    expect(fact('Optional for release').getByText('Optional')).toBeVisible()
    expect(screen.getByText('Enterprise contract')).toBeVisible()
  })

  it('shows its newest result, with the run and the snapshot that it tested', async () => {
    const run = scenarioRun('e2e-1', 'e2e')
    run.metadata.labels = { ...run.metadata.labels, [labels.snapshot]: 'shop-1' }
    run.status = { startTime: '2026-01-01T10:00:00Z', conditions: [condition('Succeeded', 'False', 'Failed')] }
    const { cluster } = await opened(aTest(), { objects: [application, aTest(), run, scenarioRun('other-1', 'other')] })
    const result = fact('Latest result')
    expect(await result.findByText('Failed')).toBeVisible()
    expect(result.getByRole('link', { name: 'e2e-1' })).toHaveAttribute(
      'href',
      `${paths.pipelineRun({ ...at, pipelineRun: 'e2e-1' })}?integrationTestName=e2e`,
    )
    expect(result.getByRole('link', { name: 'shop-1' })).toHaveAttribute(
      'href',
      paths.snapshot({ ...at, snapshot: 'shop-1' }),
    )
    await cluster.system.delete(pipelineRunType, 'e2e-1', { namespace })
    expect(await result.findByText('No recent run')).toBeVisible()
  })

  it('ITS-17 shows a bundle, which cannot be edited', async () => {
    const params = [{ name: 'bundle', value: 'quay.io/shop/tests:1' }]
    const { user } = await opened(aTest({ resolverRef: { resolver: 'bundles', params } }))
    expect(fact('Bundle').getByText('quay.io/shop/tests:1')).toBeVisible()
    const edit = screen.getByRole('button', { name: 'Edit contexts' })
    expect(edit).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, edit, /Only tests that use the git resolver can be edited/)
  })

  it('says why the platform does not run it', async () => {
    const conditions = [
      { ...condition(scenarioValidCondition, 'False', 'Invalid'), message: 'the application does not exist' },
    ]
    await opened(aTest({}, {}, { conditions }))
    expect(screen.getByText('The platform does not run this integration test')).toBeVisible()
    expect(screen.getByText('the application does not exist')).toBeVisible()
  })

  it('survives nonsense of other clients', async () => {
    await opened(
      aTest({
        contexts: [],
        params: [{ name: 'a' }, { name: 'a', value: '' }],
        resolverRef: { resolver: 'hub', params: [] },
      }),
    )
    expect(fact('Contexts').getByText(/application/)).toBeVisible()
    expect(fact('Parameters').getAllByText('a: (empty)')).toHaveLength(2)
    expect(fact('Resolver').getByText('hub')).toBeVisible()
  })

  it('has no accessibility problems', async () => {
    const { container } = await opened()
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })

  it('ITS-13 is not found if it belongs to another application', async () => {
    await renderRoute(page, { objects: [application, aTest({ application: 'another' })] })
    expect(await screen.findByRole('heading', { name: /404/ })).toBeVisible()
  })

  it('ITS-14 is not found while it is being deleted', async () => {
    const held = aTest({}, { finalizers: ['slipway.test/keep'] })
    const { cluster, router } = await renderRoute(paths.about(), { objects: [application, held] })
    await screen.findByRole('heading', { name: 'About Slipway' })
    await cluster.system.delete(integrationTestScenarioType, 'e2e', { namespace })
    await router.navigate(page)
    expect(await screen.findByRole('heading', { name: /404/ })).toBeVisible()
  })

  it('ITS-06 is forbidden without permission to read it', async () => {
    await renderRoute(page, { objects: [application, aTest(), ...grantTo()], as: 'outsider' })
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
  })
})

describe('the actions of an integration test', () => {
  it('ITS-09, ITS-12 lead to its form, and back to the list once it is deleted', async () => {
    const { user, router } = await opened()
    await user.click(screen.getByRole('button', { name: 'Actions for e2e' }))
    await user.click(screen.getByRole('menuitem', { name: 'Edit' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.editIntegrationTest(at)))
    await router.navigate(page)
    await user.click(await screen.findByRole('button', { name: 'Actions for e2e' }))
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
    await user.type(await screen.findByRole('textbox', { name: 'Type e2e to confirm' }), 'e2e')
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.integrationTests(at)))
  })

  it('ITS-33, ITS-46 change its contexts in a dialog, and the page follows', async () => {
    const { user, cluster } = await opened()
    await user.click(screen.getByRole('button', { name: 'Edit contexts' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit contexts' }))
    await user.click(dialog.getByRole('button', { name: 'Remove push' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(await fact('Contexts').findByText(/^component_web/)).toBeVisible()
    const { spec } = await cluster.system.get(integrationTestScenarioType, 'e2e', { namespace })
    expect(spec.contexts).toEqual([{ name: 'component_web' }])
  })

  it('change its parameters in a dialog', async () => {
    const { user } = await opened()
    await user.click(screen.getByRole('button', { name: 'Edit parameters' }))
    expect(await screen.findByRole('dialog', { name: 'Edit parameters' })).toBeVisible()
  })

  it.each([
    ['ITS-46 say that the permission to edit is missing', ['get', 'list', 'watch', 'patch']],
    ['say that the permission to patch, which saving needs too, is missing', ['get', 'list', 'watch', 'update']],
  ])('%s', async (_, verbs) => {
    const rule = (resource: string, of: string[]) => ({
      apiGroups: ['appstudio.redhat.com'],
      resources: [resource],
      verbs: of,
    })
    const granted = grantTo(rule('applications', ['*']), rule('integrationtestscenarios', verbs))
    const { user } = await opened(aTest(), { as: 'outsider', objects: [application, aTest(), ...granted] })
    for (const name of ['Edit contexts', 'Edit parameters']) {
      const button = screen.getByRole('button', { name })
      await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'true'))
      await seeTooltip(user, button, "You don't have access to edit this integration test")
    }
  })
})

describe('the runs of an integration test', () => {
  it('ITS-41, PREF-12, ACT-19, RUN-04 are listed, and lead back to it', async () => {
    const runs = [scenarioRun('e2e-1', 'e2e'), scenarioRun('other-1', 'other')]
    const { user, router } = await renderRoute(paths.integrationTestPipelineRuns(at), {
      objects: [application, aTest(), ...runs],
    })
    const link = await screen.findByRole('link', { name: 'e2e-1' })
    expect(screen.queryByRole('link', { name: 'other-1' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Manage columns' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('checkbox', { name: 'Type' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(
        localStorage.getItem(`integration-test-pipeline-runs-columns-${namespace}/shop/e2e@admin@slipway.test`),
      ).not.toContain('type'),
    )
    await user.click(link)
    await waitFor(() => expect(router.state.location.search).toBe('?integrationTestName=e2e'))
    await user.click(await screen.findByRole('tab', { name: 'Task runs' }))
    await waitFor(() => expect(router.state.location.pathname).toMatch(/taskruns$/))
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    await user.click(crumbs.getByRole('link', { name: 'e2e' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.integrationTestPipelineRuns(at)))
  })

  it('RUN-34 name the test, its pipeline and the snapshot, with links', async () => {
    const run = scenarioRun('e2e-1', 'e2e')
    run.metadata.labels = { ...run.metadata.labels, [labels.snapshot]: 'shop-1' }
    run.spec = { pipelineRef: { resolver: 'git', params: resolverRef.params } }
    await renderRoute(paths.pipelineRun({ ...at, pipelineRun: 'e2e-1' }), { objects: [application, aTest(), run] })
    expect(await screen.findByRole('link', { name: 'e2e' })).toHaveAttribute('href', page)
    expect(fact('Snapshot').getByRole('link', { name: 'shop-1' })).toHaveAttribute(
      'href',
      paths.snapshot({ ...at, snapshot: 'shop-1' }),
    )
    expect(fact('Pipeline').getByText(/e2e/)).toBeVisible()
  })
})
