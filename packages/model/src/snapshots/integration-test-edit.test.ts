import { describe, expect, it } from 'vitest'
import { annotations, labels } from '../labels'
import { anIntegrationTestScenario } from '../testing/tests-and-releases'
import {
  buildIntegrationTest,
  componentContext,
  contentOf,
  contextNames,
  contextsPatch,
  disabledNote,
  editIntegrationTest,
  enterpriseContractKind,
  enterpriseContractSource,
  fixedContexts,
  type IntegrationTestContent,
  newParam,
  paramsPatch,
  testParams,
  uneditableReason,
} from './integration-test-edit'
import { hasSameDefinition } from '../builds/definition'
import { type IntegrationTestScenario, integrationTestScenarioType } from './integration-test-scenario'

const at = { namespace: 'team-payments', application: 'checkout', name: 'e2e' }
const content: IntegrationTestContent = {
  url: 'https://github.com/shop/tests',
  revision: 'v1',
  path: 'pipelines/e2e.yaml',
  resourceKind: 'pipelinerun',
  isOptional: true,
  contexts: ['push', 'component_web'],
  params: [
    { name: 'one', values: ['a'] },
    { name: 'several', values: ['b', 'c'] },
  ],
}

describe('a new integration test', () => {
  it('ITS-16, ITS-18, ITS-23, ITS-42 has every member of the payload, and no other', () => {
    expect(integrationTestScenarioType.version).toBe('v1beta2')
    expect(buildIntegrationTest(at, content)).toEqual({
      metadata: { name: 'e2e', namespace: 'team-payments', labels: { 'test.appstudio.openshift.io/optional': 'true' } },
      spec: {
        application: 'checkout',
        resolverRef: {
          resolver: 'git',
          resourceKind: 'pipelinerun',
          params: [
            { name: 'url', value: 'https://github.com/shop/tests' },
            { name: 'revision', value: 'v1' },
            { name: 'pathInRepo', value: 'pipelines/e2e.yaml' },
          ],
        },
        params: [
          { name: 'one', value: 'a' },
          { name: 'several', values: ['b', 'c'] },
        ],
        contexts: [
          { name: 'push', description: 'Snapshots of push events.' },
          { name: 'component_web', description: 'Snapshots of a build of web.' },
        ],
      },
    })
  })

  it('ITS-21 that is required for releases has no label', () =>
    expect(buildIntegrationTest(at, { ...content, isOptional: false }).metadata).toEqual({
      name: 'e2e',
      namespace: 'team-payments',
    }))

  it.each([
    ['all three are the defaults', {}, { [annotations.testKind]: 'enterprise-contract' }],
    ['the URL differs', { url: 'https://github.com/other/build-definitions' }, undefined],
    ['the revision differs', { revision: 'v2' }, undefined],
    ['the path differs', { path: 'pipelines/other.yaml' }, undefined],
  ])('ITS-22, ITS-39, ITS-40 is marked as enterprise contract exactly if %s', (_, change, expected) =>
    expect(
      buildIntegrationTest(at, { ...content, ...enterpriseContractSource, ...change }).metadata.annotations,
    ).toEqual(expected),
  )
})

/** As a later version of the API or another client may have stored it. */
const stored = {
  ...anIntegrationTestScenario(),
  metadata: {
    ...anIntegrationTestScenario().metadata,
    resourceVersion: '7',
    labels: { team: 'shop', [labels.optional]: 'true' },
    annotations: { note: 'kept', [annotations.testKind]: 'custom' },
    finalizers: ['example.com/finalizer'],
  },
  spec: {
    application: 'checkout',
    dependents: ['later'],
    future: { retries: 2 },
    resolverRef: {
      resolver: 'git',
      futureField: true,
      params: [
        { name: 'token', value: 'kept' },
        { name: 'url', value: 'https://github.com/shop/tests', note: 'kept' },
        { name: 'pathInRepo', value: 'a.yaml' },
        { name: 'revision', value: 'main' },
      ],
    },
    params: [
      { name: 'single', value: 'a', type: 'later' },
      { name: 'list', values: ['b'] },
      { name: 'many', values: ['c', 'd'] },
    ],
    contexts: [{ name: 'push', description: 'Written by hand', weight: 3 }, { name: 'group' }],
  },
  status: { conditions: [] },
} as unknown as IntegrationTestScenario

const edit = (change: Partial<IntegrationTestContent>, { current = stored, original = stored } = {}) =>
  editIntegrationTest(current, original, { ...contentOf(original), ...change })

describe('an edited integration test', () => {
  it('is the same if nothing was changed', () => expect(edit({})).toEqual(stored))

  it('ITS-21 keeps all labels but the one that says whether it is optional', () =>
    expect(edit({ isOptional: false }).metadata).toEqual({
      ...stored.metadata,
      labels: { team: 'shop', [labels.optional]: 'false' },
    }))

  it('ITS-18 changes one member of the resolver and keeps its others and their order', () =>
    expect(edit({ path: 'b.yaml' })).toEqual({
      ...stored,
      spec: {
        ...stored.spec,
        resolverRef: {
          ...stored.spec.resolverRef,
          params: stored.spec.resolverRef.params.map((param) =>
            param.name === 'pathInRepo' ? { ...param, value: 'b.yaml' } : param,
          ),
        },
      },
    }))

  it('gets the members of the resolver that it does not have', () => {
    const bare = { ...stored, spec: { application: 'checkout', resolverRef: { resolver: 'git', params: [] } } }
    expect(edit({ revision: 'main', resourceKind: 'pipelinerun' }, { original: bare, current: bare }).spec).toEqual({
      application: 'checkout',
      resolverRef: { resolver: 'git', resourceKind: 'pipelinerun', params: [{ name: 'revision', value: 'main' }] },
    })
  })

  it.each([
    ['gets the mark with the defaults', { note: 'a' }, enterpriseContractSource, { note: 'a', kind: true }],
    ['loses the mark with another source', { kind: enterpriseContractKind }, { url: 'https://x.org/a/b' }, {}],
    ['keeps the mark if the source stays', { kind: enterpriseContractKind }, { isOptional: false }, { kind: true }],
    ['keeps the mark of another kind', { kind: 'custom' }, { url: 'https://x.org/a/b' }, { kind: 'custom' }],
  ])('ITS-22 %s', (_, before, change, after) => {
    const named = (map: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(map).map(([key, value]) => [
          key === 'kind' ? annotations.testKind : key,
          value === true ? 'enterprise-contract' : value,
        ]),
      ) as Record<string, string>
    const test = { ...stored, metadata: { ...stored.metadata, annotations: named(before) } }
    expect(edit(change, { original: test, current: test }).metadata.annotations).toEqual(named(after))
  })

  it('ITS-19 keeps unknown fields of a renamed, moved parameter, and how it contains its values', () => {
    const [single, list, many] = testParams(stored)
    if (!single || !list || !many) throw new Error('The test has three parameters.')
    const params = [{ ...many, values: ['d'] }, { ...single, name: 'renamed' }, list, { name: 'new', values: [''] }]
    expect(edit({ params }).spec.params).toEqual([
      { name: 'many', values: ['d'] },
      { name: 'renamed', value: 'a', type: 'later' },
      { name: 'list', values: ['b'] },
      { name: 'new', value: '' },
    ])
    expect(edit({ params: [{ ...single, values: ['a', 'b'] }] }).spec.params).toEqual([
      { name: 'single', values: ['a', 'b'], type: 'later' },
    ])
  })

  it('ITS-20 keeps the stored contexts as they are and describes those that are added', () =>
    expect(edit({ contexts: ['group', 'push', 'override'] }).spec.contexts).toEqual([
      { name: 'group' },
      { name: 'push', description: 'Written by hand', weight: 3 },
      { name: 'override', description: 'Snapshots that override the global candidate list.' },
    ]))

  it('only what the user changed is written to the version of another user', () => {
    const current = {
      ...stored,
      metadata: { ...stored.metadata, resourceVersion: '8', labels: { theirs: 'yes' } },
      spec: { ...stored.spec, contexts: [{ name: 'override' }] },
    }
    expect(edit({ path: 'mine.yaml' }, { current })).toEqual({
      ...current,
      spec: { ...current.spec, resolverRef: edit({ path: 'mine.yaml' }).spec.resolverRef },
    })
  })
})

it('ITS-19 a parameter keeps its own unknown fields when another user has removed one in front of it', () => {
  const [single, ...others] = testParams(stored)
  if (!single) throw new Error('The test has parameters.')
  const current = { ...stored, spec: { ...stored.spec, params: stored.spec.params?.slice(1) } }
  const params = [{ ...single, name: 'renamed' }, ...others]
  expect(edit({ params }, { current }).spec.params?.[0]).toEqual({ name: 'renamed', value: 'a', type: 'later' })
})

describe('the patches of the dialogs', () => {
  it('ITS-20, ITS-35 replace the contexts by names with descriptions', () =>
    expect(contextsPatch(stored, ['push', 'application'])).toEqual([
      {
        op: 'replace',
        path: '/spec/contexts',
        value: [
          { name: 'push', description: 'Written by hand', weight: 3 },
          { name: 'application', description: 'Every snapshot of the application. This is the default.' },
        ],
      },
    ]))

  it('ITS-19, ITS-36 replace the parameters', () =>
    expect(
      paramsPatch(stored, [
        { name: 'a', values: ['1'] },
        { name: 'b', values: ['2', '3'] },
      ]),
    ).toEqual([
      {
        op: 'replace',
        path: '/spec/params',
        value: [
          { name: 'a', value: '1' },
          { name: 'b', values: ['2', '3'] },
        ],
      },
    ]))

  it('add what a test does not have', () => {
    const bare = anIntegrationTestScenario()
    expect(contextsPatch(bare, ['push'])).toMatchObject([{ op: 'add', path: '/spec/contexts' }])
    expect(paramsPatch(bare, [])).toEqual([{ op: 'add', path: '/spec/params', value: [] }])
  })
})

it('ITS-29, ITS-30, ITS-31 offers the fixed contexts, of which application is the default, and one per component', () => {
  expect(fixedContexts.map(({ name }) => name)).toEqual([
    'application',
    'group',
    'override',
    'component',
    'pull_request',
    'push',
    'disabled',
  ])
  expect(contextNames(anIntegrationTestScenario())).toEqual(['application'])
  expect(componentContext('web').name).toBe('component_web')
})

it.each([
  [['push'], undefined],
  [['disabled'], 'This test is turned off: it does not run for any snapshot.'],
  [['disabled', 'push'], 'The context disabled has no effect while there are other contexts.'],
])('ITS-32 says what disabled does: %j', (contexts, note) => expect(disabledNote(contexts)).toBe(note))

it.each([
  [[], 'param1'],
  [['a'], 'param2'],
  [['param2'], 'param3'],
  [['param2', 'param3'], 'param4'],
])('ITS-38 a parameter after %j is named %s and has one empty value', (names, name) =>
  expect(newParam(names.map((each) => ({ name: each })))).toEqual({ name, values: [''] }),
)

it('ITS-17, ITS-25 only a test with the git resolver can be edited', () => {
  expect(uneditableReason(stored)).toBeUndefined()
  const resolverRef = { resolver: 'bundles', params: [{ name: 'bundle', value: 'quay.io/x/y:1' }] }
  expect(uneditableReason({ ...stored, spec: { ...stored.spec, resolverRef } })).toBe(
    'This integration test uses the bundles resolver. Only tests that use the git resolver can be edited.',
  )
})

it('two versions have the same definition if only the status differs', () => {
  const other = { ...stored, metadata: { ...stored.metadata, resourceVersion: '8' }, status: {} }
  expect(hasSameDefinition(stored, other)).toBe(true)
  expect(hasSameDefinition(stored, { ...other, spec: { ...other.spec, contexts: [] } })).toBe(false)
})
