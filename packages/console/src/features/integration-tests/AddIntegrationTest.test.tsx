import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { aComponent, anApplication } from '@slipway/model/testing'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const at = { namespace, application: 'shop' }
const objects = [
  anApplication({ metadata: { name: 'shop', namespace } }),
  aComponent({ metadata: { name: 'web', namespace }, spec: { application: 'shop' } }),
  aComponent({ metadata: { name: 'other', namespace }, spec: { application: 'another' } }),
  anIntegrationTestScenario({ metadata: { name: 'taken', namespace }, spec: { application: 'shop' } }),
]

const box = (name: string) => screen.getByRole('textbox', { name })
const button = (name: string | RegExp) => screen.getByRole('button', { name })

async function scene(options: Parameters<typeof renderRoute>[1] = {}) {
  const view = await renderRoute(paths.addIntegrationTest(at), { objects, ...options })
  await screen.findByRole('heading', { name: 'Add integration test', level: 1 })
  const { user, cluster, router } = view
  const submit = () => button('Add integration test')
  const enabled = () => waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
  const fillIn = async (name = 'e2e') => {
    await user.type(box('Integration test name'), name)
    await user.type(box('Git URL'), 'https://git.example.com/shop/tests')
    await user.type(box('Revision'), 'main')
    await user.type(box('Path in repository'), 'pipelines/e2e.yaml')
  }
  const save = async () => {
    await enabled()
    await user.click(submit())
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.integrationTests(at)))
  }
  const posts = () =>
    cluster.calls.filter(({ method }) => method === 'POST').filter(({ path }) => path.includes('scenarios'))
  return { ...view, submit, enabled, fillIn, save, posts }
}

it('ITS-23, ITS-43 is validated by a dry run, written with all its fields, and then listed', async () => {
  const { user, cluster, fillIn, save, posts } = await scene()
  await fillIn()
  await user.click(screen.getByRole('radio', { name: 'PipelineRun' }))
  await user.click(screen.getByRole('checkbox', { name: /optional for release/ }))
  await user.click(button(/^Contexts /))
  await user.click(await screen.findByRole('option', { name: /^component_web/ }))
  await user.keyboard('{Escape}')
  await user.click(button('Add parameter'))
  const row = within(screen.getByRole('group', { name: 'Parameter 1' }))
  expect(row.getByRole('textbox', { name: 'Name' })).toHaveValue('param1')
  await user.type(row.getByRole('textbox', { name: 'Value' }), 'a')
  await save()
  expect(posts().map(({ path }) => path.replace(/^.*\?/, ''))).toEqual([
    'dryRun=All',
    expect.stringMatching(/integrationtestscenarios$/),
  ])
  expect(posts()[1]?.body).toEqual({
    apiVersion: 'appstudio.redhat.com/v1beta2',
    kind: 'IntegrationTestScenario',
    metadata: { name: 'e2e', namespace, labels: { 'test.appstudio.openshift.io/optional': 'true' } },
    spec: {
      application: 'shop',
      resolverRef: {
        resolver: 'git',
        resourceKind: 'pipelinerun',
        params: [
          { name: 'url', value: 'https://git.example.com/shop/tests' },
          { name: 'revision', value: 'main' },
          { name: 'pathInRepo', value: 'pipelines/e2e.yaml' },
        ],
      },
      params: [{ name: 'param1', value: 'a' }],
      contexts: [
        { name: 'application', description: expect.any(String) as string },
        { name: 'component_web', description: expect.any(String) as string },
      ],
    },
  })
  expect(await cluster.system.get(integrationTestScenarioType, 'e2e', { namespace })).toBeTruthy()
})

it('ITS-39, ITS-40 the defaults of the enterprise contract are one click away, and mark the test', async () => {
  const { user, save, posts } = await scene()
  await user.click(button('Use enterprise contract defaults'))
  expect(box('Git URL')).toHaveValue('https://github.com/konflux-ci/build-definitions')
  expect(box('Revision')).toHaveValue('main')
  expect(box('Path in repository')).toHaveValue('pipelines/enterprise-contract.yaml')
  expect(box('Integration test name')).toHaveValue('shop-enterprise-contract')
  expect(await screen.findByText(/^This test checks snapshots against the enterprise contract/)).toBeVisible()
  await save()
  expect(posts()[1]?.body).toMatchObject({
    metadata: { annotations: { 'test.appstudio.openshift.io/kind': 'enterprise-contract' } },
  })
})

describe('the name', () => {
  it.each([
    ['a', /^Must be 2 to 45 characters long/],
    ['E2E', /^Must start with a letter and end with a letter or number\./],
  ])('ITS-24 passes the shared rule and that of the cluster: %s', async (name, message) => {
    const { user } = await scene()
    await user.type(box('Integration test name'), name)
    expect(await screen.findByText(message)).toBeVisible()
  })

  it('ITS-45 is reported while it is typed if the list has it', async () => {
    const { user } = await scene()
    await user.type(box('Integration test name'), 'taken')
    expect(await screen.findByText('Integration test name already exists')).toBeVisible()
  })

  it('ITS-45 is reported at its field if another user was first', async () => {
    const { user, cluster, fillIn, submit, enabled } = await scene({ objects: objects.slice(0, 2) })
    // The list does not have it yet, as during an outage of the watch.
    cluster.faults.areSocketsBlocked = true
    await fillIn('late')
    await enabled()
    cluster.faults.intercept((path, { method }) =>
      method === 'POST' && path.includes('integrationtestscenarios')
        ? Response.json({ kind: 'Status', reason: 'AlreadyExists', code: 409, message: 'exists' }, { status: 409 })
        : undefined,
    )
    await user.click(submit())
    expect(await screen.findByText('Integration test name already exists')).toBeVisible()
    expect(box('Integration test name')).toHaveFocus()
    expect(screen.queryByText('An error occurred')).not.toBeInTheDocument()
  })
})

describe('the source', () => {
  it.each([
    ['Git URL', 'nonsense', /^Must be the URL of a git repository/],
    ['Git URL', 'https://ann:token@github.com/a/b', /^Must not contain credentials/],
    ['Git URL', `https://github.com/a/${'b'.repeat(2000)}`, 'Must be at most 2000 characters long.'],
    ['Revision', 'two words', 'Must be the name of a branch or tag, or a commit.'],
    ['Path in repository', '/pipelines/a.yaml', /^Must be a path from the root of the repository/],
    ['Path in repository', '../a.yaml', /^Must not contain spaces/],
    ['Path in repository', 'pipelines/a.json', 'Must be a YAML file (.yaml or .yml).'],
    ['Path in repository', `${'a'.repeat(2000)}.yaml`, 'Must be at most 2000 characters long.'],
  ])('LIM-02 is checked before it is saved: %s %.30s', async (label, text, message) => {
    const { user } = await scene()
    await user.click(box(label))
    // `paste` would read an address.
    await user.type(box(label), text.slice(0, 1))
    await user.paste(text.slice(1))
    await user.tab()
    expect(await screen.findByText(message)).toBeVisible()
  })

  it('is required', async () => {
    const { user } = await scene()
    await user.click(box('Git URL'))
    await user.tab()
    expect(await screen.findByText('Required')).toBeVisible()
  })

  it.each([
    [
      'https://github.com/shop/tests/blob/v2/pipelines/e2e.yaml',
      'https://github.com/shop/tests',
      'v2',
      'pipelines/e2e.yaml',
    ],
    ['https://gitlab.com/a/b/c/-/tree/dev', 'https://gitlab.com/a/b/c', 'dev', ''],
    ['git@github.com:shop/tests.git', 'https://github.com/shop/tests', '', ''],
  ])('FORM-25 is read from a pasted address: %s', async (address, url, revision, path) => {
    const { user } = await scene()
    await user.click(box('Git URL'))
    await user.paste(address)
    expect(box('Git URL')).toHaveValue(url)
    expect(box('Revision')).toHaveValue(revision)
    expect(box('Path in repository')).toHaveValue(path)
    if (path)
      expect(
        screen.getByText(`Also filled in from the pasted address: revision ${revision} and path ${path}.`),
      ).toBeVisible()
  })
})

it('the address of a file that was typed fills in the revision and the path once the field is left', async () => {
  const { user } = await scene()
  await user.type(box('Git URL'), 'https://github.com/shop/tests/blob/v2/pipelines/e2e.yaml')
  await user.tab()
  expect(box('Git URL')).toHaveValue('https://github.com/shop/tests')
  expect(box('Revision')).toHaveValue('v2')
  expect(box('Path in repository')).toHaveValue('pipelines/e2e.yaml')
  expect(screen.getByText('Also filled in from the address: revision v2 and path pipelines/e2e.yaml.')).toBeVisible()
})

describe('the contexts', () => {
  it('ITS-29, ITS-30, ITS-31 are the fixed ones and those of the components of the application', async () => {
    const { user } = await scene()
    expect(screen.getByRole('list', { name: 'Selected contexts' })).toHaveTextContent('application')
    await user.click(button(/^Contexts /))
    await screen.findByRole('option', { name: /^component_web/ })
    expect(
      screen.getAllByRole('option').map((option) => option.textContent.replace(/(Every|Snap|Turns).*/, '')),
    ).toEqual(['application', 'group', 'override', 'component', 'pull_request', 'push', 'disabled', 'component_web'])
  })

  it('ITS-26, ITS-27, ITS-28 need at least one', async () => {
    const { user } = await scene()
    expect(
      screen.getByText('Must select at least one context but you have option to pick more if needed.'),
    ).toBeVisible()
    await user.click(button('Remove application'))
    expect(await screen.findByText('Required')).toBeVisible()
    expect(button(/^Contexts /)).toHaveTextContent('You must select at least one context')
  })

  it('ITS-32 say that disabled turns the test off', async () => {
    const { user } = await scene()
    await user.click(button(/^Contexts /))
    await user.click(await screen.findByRole('option', { name: /^disabled/ }))
    expect(await screen.findByText(/^The context disabled has no effect/)).toBeVisible()
    await user.keyboard('{Escape}')
    await user.click(button('Remove application'))
    expect(await screen.findByText(/^This test is turned off/)).toBeVisible()
  })

  it('of components can be loaded again after a failure, and the fixed ones are offered meanwhile', async () => {
    const view = await renderRoute(paths.applications({ namespace }), { objects })
    const heal = view.cluster.faults.intercept((path) =>
      /\/components(\?|$)/.test(path) ? Response.json({ message: 'no' }, { status: 500 }) : undefined,
    )
    await view.router.navigate(paths.addIntegrationTest(at))
    await screen.findByText(/^Unable to load contexts/)
    heal()
    await view.user.click(button('Try again'))
    await view.user.click(button(/^Contexts /))
    expect(await screen.findByRole('option', { name: /^component_web/ })).toBeVisible()
  })
})

it('an error of the server is shown at the field that it concerns', async () => {
  const { user, cluster, fillIn, submit, enabled } = await scene()
  await fillIn()
  await enabled()
  const causes = [{ field: 'spec.resolverRef.params[1].value', message: 'unknown revision' }]
  cluster.faults.intercept((path, { method }) =>
    method === 'POST' && path.includes('integrationtestscenarios')
      ? Response.json(
          { kind: 'Status', status: 'Failure', reason: 'Invalid', code: 422, message: 'invalid', details: { causes } },
          { status: 422 },
        )
      : undefined,
  )
  await user.click(submit())
  expect(await screen.findByText('unknown revision')).toBeVisible()
  expect(box('Revision')).toHaveFocus()
  expect(box('Git URL')).toHaveValue('https://git.example.com/shop/tests')
})

it('ITS-05, APP-34 is forbidden without permission to create integration tests', async () => {
  await renderRoute(paths.addIntegrationTest(at), { as: 'contributor', objects })
  expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
})

it('has no accessibility problems', async () => {
  const { user, container } = await scene()
  await user.click(button('Add parameter'))
  const { violations } = await axe.run(container.querySelector('main') ?? container, {
    // jsdom has no layout.
    rules: { 'color-contrast': { enabled: false } },
  })
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
})
