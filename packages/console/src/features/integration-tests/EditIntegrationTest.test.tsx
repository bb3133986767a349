import type { KubeObject } from '@slipway/kube/object'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
} from '@slipway/model/snapshots/integration-test-scenario'
import { aComponent, anApplication } from '@slipway/model/testing'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { holdWriteResponses, versionAfter } from '../../../test/held-responses'
import { renderElement } from '../../../test/render-element'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { EditContextsDialog } from './EditContextsDialog'
import { EditParametersDialog } from './EditParametersDialog'

const at = { namespace, application: 'shop', integrationTest: 'e2e' }
const application = anApplication({ metadata: { name: 'shop', namespace } })
const component = aComponent({ metadata: { name: 'web', namespace }, spec: { application: 'shop' } })

/** With what this form does not show, some of it from a later version of the API. */
const aTest = (spec: object = {}): IntegrationTestScenario =>
  ({
    ...anIntegrationTestScenario(),
    metadata: {
      name: 'e2e',
      namespace,
      labels: { team: 'shop', 'test.appstudio.openshift.io/optional': 'true' },
      annotations: { note: 'kept' },
    },
    spec: {
      application: 'shop',
      dependents: ['later'],
      resolverRef: {
        resolver: 'git',
        resourceKind: 'pipeline',
        params: [
          { name: 'url', value: 'https://git.example.com/shop/tests' },
          { name: 'revision', value: 'main' },
          { name: 'pathInRepo', value: 'pipelines/e2e.yaml' },
          { name: 'token', value: 'kept' },
        ],
      },
      contexts: [{ name: 'push', description: 'By hand' }, { name: 'group' }],
      params: [
        { name: 'first', value: 'a' },
        { name: 'second', values: ['b', 'c'] },
      ],
      ...spec,
    },
  }) as unknown as IntegrationTestScenario

const box = (name: string) => screen.getByRole('textbox', { name })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const submit = () => screen.getByRole('button', { name: /^Save/ })
const enabled = () => waitFor(() => expect(submit()).not.toHaveAttribute('aria-disabled', 'true'))
const disabled = () => waitFor(() => expect(submit()).toHaveAttribute('aria-disabled', 'true'))

interface Call {
  method: string
  path: string
  body?: unknown
}
const isReal = ({ path }: Call) => path.includes('integrationtestscenarios') && !path.includes('dryRun')

describe('the edit page', () => {
  async function scene(test = aTest(), options: Parameters<typeof renderRoute>[1] = {}) {
    const view = await renderRoute(paths.editIntegrationTest(at), {
      ...options,
      objects: [application, component, test, ...(options.objects ?? [])],
    })
    await screen.findByRole('heading', { name: 'Edit integration test', level: 1 })
    const { user, cluster, router } = view
    const stored = () => cluster.system.get(integrationTestScenarioType, 'e2e', { namespace })
    const save = async () => {
      await enabled()
      await user.click(submit())
      await waitFor(() => expect(router.state.location.pathname).toBe(paths.integrationTest(at)))
      return stored()
    }
    const changePath = async (path: string) => {
      await user.clear(box('Path in repository'))
      await user.type(box('Path in repository'), path)
    }
    const setRevision = (value: string) =>
      cluster.system.patch(
        integrationTestScenarioType,
        'e2e',
        [{ op: 'replace', path: '/spec/resolverRef/params/1/value', value }],
        { namespace },
      )
    return { ...view, stored, save, changePath, setRevision }
  }

  it('ITS-44 starts with the test, and returns to it', async () => {
    const { changePath, save } = await scene()
    expect(box('Git URL')).toHaveValue('https://git.example.com/shop/tests')
    expect(box('Revision')).toHaveValue('main')
    expect(screen.getByRole('radio', { name: 'Pipeline' })).toBeChecked()
    expect(screen.getByRole('checkbox', { name: /optional for release/ })).toBeChecked()
    expect(screen.getByRole('list', { name: 'Selected contexts' })).toHaveTextContent(/push.*group/)
    expect(screen.queryByRole('textbox', { name: 'Integration test name' })).not.toBeInTheDocument()
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    expect(screen.getByText('Nothing has been changed yet.')).toBeVisible()
    await changePath('pipelines/new.yaml')
    await save()
  })

  it('ITS-21 keeps every label, annotation and field that it does not show', async () => {
    const { user, changePath, save, cluster } = await scene()
    await changePath('pipelines/new.yaml')
    await user.click(screen.getByRole('checkbox', { name: /optional for release/ }))
    const { metadata, spec } = await save()
    const { spec: before } = aTest()
    expect(metadata.labels).toEqual({ team: 'shop', 'test.appstudio.openshift.io/optional': 'false' })
    expect(metadata.annotations).toEqual({ note: 'kept' })
    expect(spec).toEqual({
      ...before,
      resolverRef: {
        ...before.resolverRef,
        params: before.resolverRef.params.map((param) =>
          param.name === 'pathInRepo' ? { ...param, value: 'pipelines/new.yaml' } : param,
        ),
      },
    })
    const writes = cluster.calls.filter(({ method }) => method === 'PUT').map(({ path }) => path.includes('dryRun'))
    expect(writes).toEqual([true, false])
  })

  it('ITS-25 does not edit a test of another resolver, shows it and says why', async () => {
    await scene(aTest({ resolverRef: { resolver: 'bundles', params: [{ name: 'bundle', value: 'quay.io/a/b:1' }] } }))
    expect(screen.getByText(/^This integration test uses the bundles resolver\./)).toBeVisible()
    expect(screen.getByText('quay.io/a/b:1')).toBeVisible()
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^Save/ })).not.toBeInTheDocument()
  })

  it('tells the second of two users, who can compare, and then save both changes', async () => {
    const { user, changePath, setRevision, save, cluster } = await scene()
    await changePath('pipelines/mine.yaml')
    await setRevision('theirs')
    expect(await screen.findByText('This integration test has changed since you opened it')).toBeVisible()
    await enabled()
    await user.click(submit())
    expect(await screen.findByText(/the object has been modified/i)).toBeVisible()
    expect(box('Path in repository')).toHaveValue('pipelines/mine.yaml')
    await user.click(button('Show what changed'))
    const diff = await screen.findByRole('region', { name: 'Changes: since you opened this form' })
    expect(diff).toHaveTextContent('Removed: value: main')
    expect(diff).toHaveTextContent('Added: value: theirs')
    await user.click(button('Apply my changes to the current version'))
    expect(screen.queryByText('This integration test has changed since you opened it')).not.toBeInTheDocument()
    const { spec } = await save()
    expect(spec.resolverRef.params.map(({ value }) => value).slice(1, 3)).toEqual(['theirs', 'pipelines/mine.yaml'])
    expect(cluster.calls.filter(({ method }) => method === 'PUT').filter(isReal)).toHaveLength(1)
  })

  it('does not report an own save as the change of another user, even if the watch is faster than the response', async () => {
    const { user, changePath, cluster, router } = await scene()
    await changePath('pipelines/mine.yaml')
    const before = await cluster.system.get(integrationTestScenarioType, 'e2e', { namespace })
    const release = holdWriteResponses(cluster.faults, 'integrationtestscenarios')
    await enabled()
    await user.click(submit())
    await versionAfter(before, integrationTestScenarios.get(namespace, 'e2e'))
    expect(screen.queryByText(/since you opened it/)).not.toBeInTheDocument()
    release()
    await waitFor(() => expect(router.state.location.pathname).toBe(paths.integrationTest(at)))
  })

  it('can start again from the version of another user', async () => {
    const { user, changePath, setRevision } = await scene()
    await changePath('pipelines/mine.yaml')
    await setRevision('theirs')
    await user.click(await screen.findByRole('button', { name: 'Discard my changes and start again' }))
    await waitFor(() => expect(box('Revision')).toHaveValue('theirs'))
    expect(box('Path in repository')).toHaveValue('pipelines/e2e.yaml')
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
  })

  it('does not report a change of the status alone, which does not prevent saving', async () => {
    const { changePath, save, cluster, stored } = await scene()
    await changePath('pipelines/mine.yaml')
    const conditions = [{ type: 'IntegrationTestScenarioValid', status: 'True' as const, reason: 'Valid', message: '' }]
    await cluster.system.replaceStatus(integrationTestScenarioType, {
      ...(await stored()),
      status: { conditions: conditions.map((each) => ({ ...each, lastTransitionTime: '2026-01-01T00:00:00Z' })) },
    })
    await cluster.system.create(integrationTestScenarioType, {
      ...aTest(),
      metadata: { name: 'another', namespace },
    } as IntegrationTestScenario)
    const { spec } = await save()
    expect(spec.resolverRef.params[2]?.value).toBe('pipelines/mine.yaml')
    expect(screen.queryByText(/has changed since/)).not.toBeInTheDocument()
  })

  it('reports that the test was deleted, and keeps the input', async () => {
    const { user, changePath, cluster } = await scene()
    await changePath('pipelines/mine.yaml')
    await cluster.system.delete(integrationTestScenarioType, 'e2e', { namespace })
    expect(await screen.findByText('This integration test has been deleted')).toBeVisible()
    await enabled()
    await user.click(submit())
    expect(await screen.findByText(/not found/)).toBeVisible()
    expect(box('Path in repository')).toHaveValue('pipelines/mine.yaml')
  })

  it('ITS-07 is forbidden without permission to update integration tests', async () => {
    await renderRoute(paths.editIntegrationTest(at), { as: 'contributor', objects: [application, aTest()] })
    expect(await screen.findByRole('heading', { name: "Let's get you access" })).toBeVisible()
  })

  it.each([
    ['does not exist', []],
    ['belongs to another application', [aTest({ application: 'other' })]],
    [
      'is being deleted',
      [{ ...aTest(), metadata: { ...aTest().metadata, finalizers: ['example.com/wait'] } } as KubeObject],
    ],
  ])('is not found for a test that %s', async (state, objects) => {
    // React logs errors that its boundaries catch.
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { cluster, router } = await renderRoute(paths.applications({ namespace }), {
      objects: [application, ...objects],
    })
    if (state === 'is being deleted') await cluster.system.delete(integrationTestScenarioType, 'e2e', { namespace })
    await router.navigate(paths.editIntegrationTest(at))
    expect(await screen.findByText(/^Looks like that page doesn't exist/)).toBeVisible()
  })
})

const rejection = (field?: string) =>
  Response.json(
    {
      kind: 'Status',
      status: 'Failure',
      reason: 'Invalid',
      code: 422,
      message: 'the webhook says no',
      ...(field && { details: { causes: [{ field, message: 'wrong here' }] } }),
    },
    { status: 422 },
  )

describe('the dialog', () => {
  async function scene(Dialog: typeof EditContextsDialog, name: string, test = aTest()) {
    let isClosed = false
    const close = () => void (isClosed = true)
    const Live = () => {
      // As on the page of the test, which is live.
      const { data } = useQuery(integrationTestScenarios.get(namespace, 'e2e'))
      return data && <Dialog test={data} onClose={close} />
    }
    const view = await renderElement(<Live />, { objects: [application, component, test] })
    await screen.findByRole('dialog', { name })
    const { user, cluster } = view
    const save = async () => {
      await enabled()
      await user.click(submit())
      await waitFor(() => expect(isClosed).toBe(true))
      return cluster.calls.filter(({ method }) => method === 'PATCH').filter(isReal)
    }
    const reject = (field?: string) =>
      cluster.faults.intercept((_, { method }) => (method === 'PATCH' ? rejection(field) : undefined))
    return { ...view, save, reject, isClosed: () => isClosed }
  }
  const contexts = (test?: IntegrationTestScenario) => scene(EditContextsDialog, 'Edit contexts', test)
  const parameters = (test?: IntegrationTestScenario) => scene(EditParametersDialog, 'Edit parameters', test)
  const row = (name: string) => within(screen.getByRole('group', { name }))

  describe('for contexts', () => {
    it('ITS-35, ITS-46 sends one JSON patch that replaces the contexts', async () => {
      const { user, save } = await contexts()
      await user.click(button('Remove group'))
      await user.click(button(/^Contexts /))
      await user.click(await screen.findByRole('option', { name: /^component_web/ }))
      await user.keyboard('{Escape}')
      const [call, ...others] = await save()
      expect(others).toEqual([])
      expect(call?.body).toEqual([
        {
          op: 'replace',
          path: '/spec/contexts',
          value: [
            { name: 'push', description: 'By hand' },
            { name: 'component_web', description: 'Snapshots of a build of web.' },
          ],
        },
      ])
    })

    it('ITS-33 can be saved only when the contexts changed', async () => {
      const { user } = await contexts()
      await disabled()
      expect(screen.getByText('Nothing has been changed yet.')).toBeVisible()
      await user.click(button('Remove push'))
      await enabled()
      // Selecting it again is not a change.
      await user.click(button(/^Contexts /))
      await user.click(await screen.findByRole('option', { name: /^push/ }))
      await disabled()
    })

    it('ITS-34 cannot be saved without a context', async () => {
      const { user } = await contexts()
      await user.click(button('Remove push'))
      await user.click(button('Remove group'))
      await disabled()
      expect(await screen.findByText('Required')).toBeVisible()
      expect(button(/^Contexts /)).toHaveTextContent('You must select at least one context')
    })

    it('ERR-32 shows the message of the server and stays open', async () => {
      const { user, reject, isClosed } = await contexts()
      reject()
      await user.click(button('Remove push'))
      await enabled()
      await user.click(submit())
      const alert = await screen.findByText('An error occurred')
      expect(alert).toBeVisible()
      expect(screen.getByText('the webhook says no')).toBeVisible()
      expect(isClosed()).toBe(false)
      expect(screen.queryByRole('button', { name: 'Remove push' })).not.toBeInTheDocument()
    })
  })

  describe('for parameters', () => {
    it('ITS-19, ITS-36, ITS-38, ITS-46 adds, renames, moves and removes parameters and values', async () => {
      const { user, save } = await parameters()
      await user.click(button('Add parameter'))
      expect(row('Parameter 3').getByRole('textbox', { name: 'Name' })).toHaveValue('param3')
      expect(row('Parameter 3').getAllByRole('textbox', { name: 'Value' })).toHaveLength(1)
      expect(row('Parameter 3').getByRole('textbox', { name: 'Value' })).toHaveValue('')
      await user.click(button('Add value to Parameter 1'))
      await user.type(row('Value 2 of Parameter 1').getByRole('textbox', { name: 'Value' }), 'z')
      await user.click(button('Remove Value 1 of Parameter 2'))
      await user.type(row('Parameter 2').getByRole('textbox', { name: 'Name' }), '-renamed')
      await user.click(button('Move Parameter 2 up'))
      const [call, ...others] = await save()
      expect(others).toEqual([])
      expect(call?.body).toEqual([
        {
          op: 'replace',
          path: '/spec/params',
          value: [
            { name: 'second-renamed', values: ['c'] },
            { name: 'first', values: ['a', 'z'] },
            { name: 'param3', value: '' },
          ],
        },
      ])
    })

    it('ITS-37 the only value of a parameter cannot be removed', async () => {
      const { user } = await parameters()
      const remove = button('Remove Value 1 of Parameter 1')
      expect(remove).toHaveAttribute('aria-disabled', 'true')
      await user.click(remove)
      expect(row('Parameter 1').getByRole('textbox', { name: 'Value' })).toHaveValue('a')
    })

    it('can be saved only if they changed and have different names', async () => {
      const { user } = await parameters()
      await disabled()
      const name = row('Parameter 2').getByRole('textbox', { name: 'Name' })
      await user.clear(name)
      expect(await screen.findByText('Required')).toBeVisible()
      await user.type(name, 'first')
      expect(await screen.findByText('Another parameter has this name.')).toBeVisible()
      await user.type(name, ' !')
      expect(await screen.findByText(/^Must start with a letter or underscore\./)).toBeVisible()
      await disabled()
    })

    it('ERR-33 shows the message of the server and stays open', async () => {
      const { user, reject, isClosed } = await parameters()
      reject()
      await user.click(button('Remove Parameter 1'))
      await enabled()
      await user.click(submit())
      expect(await screen.findByText('An error occurred')).toBeVisible()
      expect(screen.getByText('the webhook says no')).toBeVisible()
      expect(isClosed()).toBe(false)
    })

    it('shows an error of the server at the value that it concerns', async () => {
      const { user, reject } = await parameters()
      reject('spec.params[1].values[1]')
      await user.click(button('Add value to Parameter 2'))
      await enabled()
      await user.click(submit())
      expect(await row('Value 2 of Parameter 2').findByText('wrong here')).toBeVisible()
    })
  })

  it.each([
    ['contexts', EditContextsDialog, 'Remove group'],
    ['parameters', EditParametersDialog, 'Remove Parameter 2'],
  ] as const)('for %s does not report an own save as the change of another user', async (noun, Dialog, mine) => {
    const { user, cluster, isClosed } = await scene(Dialog, `Edit ${noun}`)
    await user.click(button(mine))
    const before = await cluster.system.get(integrationTestScenarioType, 'e2e', { namespace })
    const release = holdWriteResponses(cluster.faults, 'integrationtestscenarios')
    await enabled()
    await user.click(submit())
    await versionAfter(before, integrationTestScenarios.get(namespace, 'e2e'))
    expect(screen.queryByText(/since you opened/)).not.toBeInTheDocument()
    release()
    await waitFor(() => expect(isClosed()).toBe(true))
  })

  it.each([
    ['contexts', EditContextsDialog, [{ name: 'override' }], 'Remove group', 'Remove override'],
    ['parameters', EditParametersDialog, [{ name: 'theirs', value: '' }], 'Remove Parameter 2', 'Remove Parameter 1'],
  ] as const)(
    'for %s says that another user has changed them, and can start again with those',
    async (noun, Dialog, value, mine, theirs) => {
      const { user, cluster } = await scene(Dialog, `Edit ${noun}`)
      await user.click(button(mine))
      const path = noun === 'contexts' ? '/spec/contexts' : '/spec/params'
      await cluster.system.patch(integrationTestScenarioType, 'e2e', [{ op: 'replace', path, value }], { namespace })
      expect(await screen.findByText(`The ${noun} have changed since you opened this dialog`)).toBeVisible()
      expect(screen.queryByRole('button', { name: mine })).not.toBeInTheDocument()
      await user.click(button(`Start again with the current ${noun}`))
      expect(await screen.findByRole('button', { name: theirs })).toBeVisible()
      expect(screen.queryByText(/have changed since/)).not.toBeInTheDocument()
      await disabled()
    },
  )

  it('says that the test has been deleted, and keeps the input', async () => {
    const { user, cluster } = await contexts()
    await user.click(button('Remove group'))
    await cluster.system.delete(integrationTestScenarioType, 'e2e', { namespace })
    expect(await screen.findByText('This integration test has been deleted')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Remove group' })).not.toBeInTheDocument()
  })
})
