import { type ComponentGroup, componentGroupType } from '@slipway/model/builds/component-group'
import { aComponent } from '@slipway/model/testing'
import { aComponentGroup } from '@slipway/model/testing/build-services'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it, test } from 'vitest'
import { isDryRun, namespace } from '../../../test/cluster'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'
import { type ComponentGroupInput, createWrites, groupErrorFields, groupSchema } from './component-group-form'

const create = paths.createComponentGroup({ namespace })
const editOf = (componentGroup: string) => paths.editComponentGroup({ namespace, componentGroup })
const pageOf = (componentGroup: string) => paths.componentGroup({ namespace, componentGroup })

const member = (name: string, rest: Partial<ComponentGroupInput['members'][number]> = {}) => ({
  name,
  kind: 'component' as const,
  version: 'main',
  branch: '',
  context: '',
  ...rest,
})
const nested = (name: string) => member(name, { kind: 'componentGroup' as never, version: '' })
const after = (test: string, ...names: string[]) => ({
  test,
  parents: names.map((name) => ({ name, failFast: false })),
})
const all = [
  aComponentGroup({ metadata: { name: 'web' }, spec: { components: [{ name: 'shop', kind: 'componentGroup' }] } }),
]

const errorsOf = (input: Partial<ComponentGroupInput>, isNew = true) =>
  (groupSchema(all, isNew).safeParse({ name: 'shop', members: [], tests: [], ...input }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )

test.each<[string, Partial<ComponentGroupInput>, string[]]>([
  ['nothing but a name', {}, []],
  ['a taken name', { name: 'web' }, ['name: Component group name already exists']],
  ['two versions of a component', { members: [member('api'), member('api', { version: 'v1' })] }, []],
  ['a group and a component of one name', { members: [member('api'), nested('api')] }, []],
  ['a member twice', { members: [member('api'), member(' api ')] }, ['members.1.name: This member is listed already.']],
  ['a member without a name', { members: [member('')] }, ['members.0.name: Required']],
  [
    'a branch without a version',
    { members: [member('api', { version: '', branch: 'main' })] },
    ['members.0.version: Required'],
  ],
  [
    'a context outside of the repository',
    { members: [member('api', { context: '../other' })] },
    ['members.0.context: Must be a path from the root of the repository, without a leading slash and “..”.'],
  ],
  [
    'a group that contains it',
    { members: [nested('web')] },
    ['members: These groups would contain each other: shop contains web contains shop. Remove one of them.'],
  ],
  ['itself', { members: [nested('shop')] }, [expect.stringContaining('shop contains shop')]],
  ['an order of tests', { tests: [after('e2e', 'unit', 'scan'), after('scan', 'unit')] }, []],
  ['a test without a name', { tests: [after('', 'unit')] }, ['tests.0.test: Required']],
  [
    'a test twice',
    { tests: [after('e2e', 'unit'), after('e2e', 'scan')] },
    ['tests.1.test: Another row has this test.'],
  ],
  ['an earlier test without a name', { tests: [after('e2e', '')] }, ['tests.0.parents.0.name: Required']],
  [
    'an earlier test twice',
    { tests: [after('e2e', 'a', 'a')] },
    ['tests.0.parents.1.name: It waits for this test already.'],
  ],
  [
    'a test that waits for itself',
    { tests: [after('e2e', 'e2e')] },
    ['tests.0.parents.0.name: e2e cannot wait for itself.'],
  ],
  [
    'tests that wait for each other',
    { tests: [after('a', 'b'), after('b', 'c'), after('c', 'a')] },
    [
      'tests: These tests would wait for each other: b waits for c waits for a waits for b. None of them could start. Remove one of these rows.',
    ],
  ],
])('a group with %s', (_, input, expected) => expect(errorsOf(input)).toEqual(expected))

it('an existing group keeps its name', () => expect(errorsOf({ name: 'web' }, false)).toEqual([]))

it('errors of the server belong to the fields that they come from', () => {
  const input = { name: 'shop', members: [member('api')], tests: [after('e2e', 'unit')] }
  const [write] = createWrites(namespace, input)
  expect(write && groupErrorFields(write)).toEqual({
    'metadata.name': 'name',
    'spec.components': 'members',
    'spec.components.0.componentVersion.name': 'members.0.version',
    'spec.components.0.componentVersion.version': 'members.0.branch',
    'spec.components.0.componentVersion.context': 'members.0.context',
    'spec.testGraph': 'tests',
    'spec.testGraph.e2e': 'tests.0.parents',
  })
})

const stored: ComponentGroup = aComponentGroup({
  metadata: { name: 'shop' },
  spec: {
    components: [{ name: 'checkout-api', kind: 'component', componentVersion: { name: 'main' } }],
    testGraph: { e2e: [{ name: 'unit' }] },
  },
})

it('a component group is created with its members and the order of its tests, after a dry run', async () => {
  const { user, cluster, router } = await renderRoute(create, { objects: [aComponent()] })
  await user.type(await screen.findByRole('textbox', { name: /^Component group name/ }), 'shop')
  const row = within(screen.getByRole('group', { name: 'Member 1' }))
  await user.type(row.getByRole('combobox', { name: 'Name' }), 'checkout-api{Escape}')
  await user.type(row.getByRole('combobox', { name: 'Version' }), 'v1{Escape}')
  await user.type(row.getByRole('textbox', { name: /^Branch/ }), 'release-1')
  await user.click(screen.getByRole('button', { name: 'Add test' }))
  const order = within(screen.getByRole('group', { name: 'Test 1' }))
  await user.type(order.getByRole('combobox', { name: 'Integration test' }), 'e2e{Escape}')
  await user.type(order.getByRole('combobox', { name: 'Earlier test' }), 'unit{Escape}')
  await user.click(order.getByRole('checkbox', { name: 'Skip if that fails' }))
  await user.click(screen.getByRole('button', { name: 'Create component group' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(paths.componentGroups({ namespace })))
  expect((await cluster.system.get(componentGroupType, 'shop', { namespace })).spec).toEqual({
    components: [{ name: 'checkout-api', kind: 'component', componentVersion: { name: 'v1', version: 'release-1' } }],
    testGraph: { e2e: [{ name: 'unit', failFast: true }] },
  })
  const writes = cluster.calls.filter(({ method, path }) => method === 'POST' && path.includes('/componentgroups'))
  expect(writes.map(isDryRun)).toEqual([true, false])
})

it('a component group is edited: other fields stay, and its page follows', async () => {
  const { user, cluster, router } = await renderRoute(editOf('shop'), {
    objects: [
      stored,
      anIntegrationTestScenario({
        metadata: { name: 'e2e' },
        spec: { application: undefined, componentGroup: 'shop' },
      }),
    ],
  })
  expect(await screen.findByText(/This group has no integration test unit\./)).toBeVisible()
  const version = screen.getByRole('combobox', { name: 'Version' })
  await user.clear(version)
  await user.type(version, 'v2{Escape}')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(pageOf('shop')))
  expect((await cluster.system.get(componentGroupType, 'shop', { namespace })).spec).toEqual({
    components: [{ name: 'checkout-api', kind: 'component', componentVersion: { name: 'v2' } }],
    testGraph: { e2e: [{ name: 'unit', failFast: false }] },
  })
})

it('a cycle of groups is refused before it is sent', async () => {
  const objects = [
    stored,
    aComponentGroup({ metadata: { name: 'web' }, spec: { components: [{ name: 'shop', kind: 'componentGroup' }] } }),
  ]
  const { user, cluster } = await renderRoute(editOf('shop'), { objects })
  await user.click(await screen.findByRole('button', { name: 'Add member' }))
  const row = within(screen.getByRole('group', { name: 'Member 2' }))
  await user.click(row.getByRole('button', { name: /Kind/ }))
  await user.click(await screen.findByRole('option', { name: 'Component group' }))
  await user.type(row.getByRole('combobox', { name: 'Name' }), 'web{Escape}')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText(/shop contains web contains shop/)).toBeVisible()
  expect(cluster.calls.filter(({ method }) => method === 'PUT')).toEqual([])
})
