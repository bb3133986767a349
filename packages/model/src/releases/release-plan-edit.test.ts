import { describe, expect, it, test } from 'vitest'
import { releasePlanType, type ReleasePlan } from './release-plan'
import {
  buildReleasePlan,
  contentOf,
  editReleasePlan,
  foreignResolver,
  type ReleasePlanContent,
  tenantPipelineOf,
  toCurrentShape,
} from './release-plan-edit'

const at = { namespace: 'team-shop', name: 'to-production' }
const flags = (isAutomatic: boolean, hasStandingAttribution: boolean) => ({
  'release.appstudio.openshift.io/auto-release': String(isAutomatic),
  'release.appstudio.openshift.io/standing-attribution': String(hasStandingAttribution),
})
const source = { url: 'https://github.com/shop/release', revision: 'main', path: 'pipelines/release.yaml' }
const sourceParams = [
  { name: 'url', value: source.url },
  { name: 'revision', value: source.revision },
  { name: 'pathInRepo', value: source.path },
]
const tenant: ReleasePlanContent = {
  ...source,
  application: 'shop',
  location: 'current',
  target: '',
  serviceAccount: 'releaser',
  params: [
    { name: 'token', value: 'git-token' },
    { name: 'org', value: 'shop' },
  ],
  data: { releaseNotes: { topic: 'News' } },
  labels: { team: 'shop' },
  isAutomatic: true,
  hasStandingAttribution: false,
}
const managed: ReleasePlanContent = {
  ...tenant,
  location: 'target',
  target: 'managed',
  url: '',
  revision: '',
  path: '',
  serviceAccount: '',
  params: [],
  data: undefined,
  labels: {},
  isAutomatic: false,
}

const planWith = (spec: object, metadata: object = {}): ReleasePlan =>
  ({ metadata: { ...at, ...metadata }, spec }) as ReleasePlan

describe('a new release plan', () => {
  it('PLAN-43, PLAN-49, PLAN-51, PLAN-53 for the current namespace has every member of the payload, and no other', () => {
    expect(releasePlanType.version).toBe('v1alpha1')
    expect(buildReleasePlan(at, tenant)).toEqual({
      metadata: { ...at, labels: { team: 'shop', ...flags(true, false) } },
      spec: {
        application: 'shop',
        target: 'team-shop',
        tenantPipeline: {
          pipelineRef: {
            resolver: 'git',
            // The further parameters are first.
            params: [{ name: 'token', value: 'git-token' }, { name: 'org', value: 'shop' }, ...sourceParams],
          },
          serviceAccountName: 'releaser',
        },
        data: { releaseNotes: { topic: 'News' } },
      },
    })
  })

  it('PLAN-42, PLAN-51 for a target namespace has no pipeline unless one is entered', () => {
    expect(buildReleasePlan(at, managed)).toEqual({
      metadata: { ...at, labels: flags(false, false) },
      spec: { application: 'shop', target: 'managed' },
    })
    expect(buildReleasePlan(at, { ...managed, ...source }).spec.tenantPipeline).toEqual({
      pipelineRef: { resolver: 'git', params: sourceParams },
    })
  })

  it('PLAN-51 the flags win over typed labels of the same key', () => {
    const typed = { ...flags(false, true), team: 'shop' }
    expect(buildReleasePlan(at, { ...tenant, labels: typed }).metadata.labels).toEqual({
      team: 'shop',
      ...flags(true, false),
    })
  })
})

const pipelineRef = { resolver: 'git', params: [{ name: 'token', value: 'git-token', note: 'kept' }, ...sourceParams] }
const shapes: Record<string, { stored: object; moved: string[] }> = {
  old: { stored: { pipelineRef, serviceAccount: 'releaser' }, moved: ['pipelineRef', 'serviceAccount'] },
  'middle with serviceAccount': {
    stored: { pipeline: { pipelineRef, serviceAccount: 'releaser', timeouts: { pipeline: '1h' } } },
    moved: ['pipeline'],
  },
  'middle with serviceAccountName': {
    stored: { pipeline: { pipelineRef, serviceAccountName: 'releaser', timeouts: { pipeline: '1h' } } },
    moved: ['pipeline'],
  },
  current: {
    stored: { tenantPipeline: { pipelineRef, serviceAccountName: 'releaser', timeouts: { pipeline: '1h' } } },
    moved: [],
  },
}
const common = {
  application: 'shop',
  target: 'team-shop',
  data: { a: 1 },
  releaseGracePeriodDays: 3,
  finalPipeline: { pipelineRef: { resolver: 'git', params: [] } },
  collectors: { items: [] },
  future: { kept: true },
}

describe.each(Object.entries(shapes))('a plan of the %s shape', (_, { stored, moved }) => {
  const plan = planWith(
    { ...common, ...stored },
    {
      resourceVersion: '7',
      labels: { team: 'shop', ...flags(true, true), 'release.appstudio.openshift.io/author': 'ann' },
      annotations: { note: 'kept' },
    },
  )

  it('PLAN-44, PLAN-55 is read', () => {
    expect(contentOf(plan)).toEqual({
      ...source,
      application: 'shop',
      location: 'current',
      target: '',
      serviceAccount: 'releaser',
      params: [{ name: 'token', value: 'git-token', stored: 0 }],
      data: { a: 1 },
      labels: { team: 'shop', 'release.appstudio.openshift.io/author': 'ann' },
      isAutomatic: true,
      hasStandingAttribution: true,
    })
  })

  it('PLAN-44 is written in the current shape, with everything else as it was', () => {
    const edited = editReleasePlan(plan, plan, { ...contentOf(plan), revision: 'v2', isAutomatic: false })
    expect(edited.metadata).toEqual({
      ...plan.metadata,
      labels: { ...plan.metadata.labels, ...flags(false, true) },
    })
    const { tenantPipeline, ...others } = edited.spec
    expect(others).toEqual(common)
    expect(tenantPipeline).toMatchObject({
      pipelineRef: {
        resolver: 'git',
        params: pipelineRef.params.map((param) => (param.name === 'revision' ? { ...param, value: 'v2' } : param)),
      },
      serviceAccountName: 'releaser',
    })
    if (!moved.includes('pipelineRef')) expect(tenantPipeline?.timeouts).toEqual({ pipeline: '1h' })
  })

  it('PLAN-29 keeps the other members of parameters that are renamed, and puts added ones before the source', () => {
    const params = [
      { name: 'added', value: 'x' },
      { name: 'secret', value: 'git-token', stored: 0 },
    ]
    const edited = editReleasePlan(plan, plan, { ...contentOf(plan), params })
    expect(edited.spec.tenantPipeline?.pipelineRef.params).toEqual([
      { name: 'added', value: 'x' },
      { name: 'secret', value: 'git-token', note: 'kept' },
      ...sourceParams,
    ])
  })

  it('writes only what the user changed to a version that another user has changed', () => {
    const theirs = planWith(
      { ...common, ...stored, application: 'theirs', data: { theirs: true } },
      { labels: { ...plan.metadata.labels, added: 'theirs', ...flags(false, true) } },
    )
    const edited = editReleasePlan(theirs, plan, { ...contentOf(plan), path: 'mine.yaml', labels: { team: 'mine' } })
    expect(edited.spec).toMatchObject({ application: 'theirs', data: { theirs: true } })
    expect(contentOf(edited).path).toBe('mine.yaml')
    expect(edited.metadata.labels).toEqual({ team: 'mine', added: 'theirs', ...flags(false, true) })
  })

  it('loses its pipeline if it is released by a target namespace without one', () => {
    const edited = editReleasePlan(plan, plan, { ...managed, params: [] })
    expect(edited.spec.target).toBe('managed')
    expect(tenantPipelineOf(edited)).toBeUndefined()
    for (const member of ['tenantPipeline', ...moved]) expect(edited.spec).not.toHaveProperty(member)
  })
})

test.each<[string, object, Partial<ReleasePlanContent>]>([
  ['without target and pipeline', {}, { location: 'current', target: '' }],
  ['with a tenant pipeline only', { tenantPipeline: { pipelineRef } }, { location: 'current', url: source.url }],
  ['with a target', { target: 'managed' }, { location: 'target', target: 'managed', url: '' }],
  [
    'with a target and a tenant pipeline',
    { target: 'managed', tenantPipeline: { pipelineRef } },
    { location: 'target', target: 'managed', url: source.url },
  ],
  // An admission of the same namespace has the pipeline.
  ['with its own namespace as the target', { target: 'team-shop' }, { location: 'target', target: 'team-shop' }],
  [
    'with an old reference that leads nowhere',
    { target: 'managed', pipelineRef: { resolver: 'git', params: [{ name: 'url', value: '' }] }, serviceAccount: 'a' },
    { location: 'target', url: '', serviceAccount: 'a' },
  ],
])('PLAN-25, PLAN-55 a plan %s is read', (_, spec, expected) => {
  expect(contentOf(planWith({ application: 'shop', ...spec }))).toMatchObject(expected)
})

it('PLAN-53 a plan without a target keeps none if its location does not change', () => {
  const plan = planWith({ application: 'shop', tenantPipeline: { pipelineRef } })
  expect(editReleasePlan(plan, plan, { ...contentOf(plan), isAutomatic: true }).spec).toEqual(plan.spec)
})

it('a pipeline replaces an old reference that leads nowhere', () => {
  const plan = planWith({ application: 'shop', target: 'managed', pipelineRef: {}, serviceAccount: 'a', kept: 1 })
  const unchanged = editReleasePlan(plan, plan, { ...contentOf(plan), isAutomatic: true })
  expect(unchanged.spec).toEqual(plan.spec)
  expect(editReleasePlan(plan, plan, { ...contentOf(plan), ...source }).spec).toEqual({
    application: 'shop',
    target: 'managed',
    kept: 1,
    tenantPipeline: { pipelineRef: { resolver: 'git', params: sourceParams }, serviceAccountName: 'a' },
  })
})

it('parameters whose values are not texts are kept, and not edited', () => {
  const list = { name: 'list', value: ['a', 'b'] }
  const plan = planWith({ tenantPipeline: { pipelineRef: { resolver: 'git', params: [list, ...sourceParams] } } })
  expect(contentOf(plan).params).toEqual([])
  const edited = editReleasePlan(plan, plan, { ...contentOf(plan), params: [{ name: 'token', value: 't' }] })
  expect(edited.spec.tenantPipeline?.pipelineRef.params).toEqual([{ name: 'token', value: 't' }, list, ...sourceParams])
})

it('a pipeline that another user has deleted meanwhile is written again as a whole', () => {
  const plan = planWith({ application: 'shop', tenantPipeline: { pipelineRef, serviceAccountName: 'releaser' } })
  const edited = editReleasePlan(planWith({ application: 'shop' }), plan, { ...contentOf(plan), revision: 'v2' })
  expect(contentOf(edited)).toMatchObject({ ...source, revision: 'v2', serviceAccount: 'releaser' })
})

it('removed data is removed', () => {
  const plan = planWith({ application: 'shop', data: { a: 1 } })
  expect(editReleasePlan(plan, plan, { ...contentOf(plan), data: undefined }).spec).toEqual({ application: 'shop' })
})

test.each<[string, object, string | undefined]>([
  ['git', { tenantPipeline: { pipelineRef } }, undefined],
  ['no pipeline', {}, undefined],
  ['another resolver', { tenantPipeline: { pipelineRef: { resolver: 'bundles' } } }, 'bundles'],
  ['another resolver in the old shape', { pipelineRef: { resolver: 'cluster' } }, 'cluster'],
  ['no resolver', { tenantPipeline: { pipelineRef: { name: 'release' } } }, 'unknown'],
])('a plan with %s has the foreign resolver %s', (_, spec, expected) => {
  expect(foreignResolver(planWith(spec))).toBe(expected)
})

it('a pipeline of another resolver is kept', () => {
  const tenantPipeline = { pipelineRef: { resolver: 'bundles', params: [{ name: 'bundle', value: 'quay.io/a/b' }] } }
  const plan = planWith({ application: 'shop', tenantPipeline })
  const edited = editReleasePlan(plan, plan, { ...contentOf(plan), data: { a: 1 } })
  expect(edited.spec).toEqual({ application: 'shop', tenantPipeline, data: { a: 1 } })
})

test.each<[string, unknown]>([
  ['no spec', undefined],
  ['an empty spec', {}],
  ['members of other types', { application: 5, target: [], pipelineRef: 'x', serviceAccount: {}, pipeline: [] }],
  ['a pipeline without a reference', { tenantPipeline: {} }],
  ['parameters that are no list', { tenantPipeline: { pipelineRef: { resolver: 'git', params: {} } } }],
  ['parameters that are no objects', { tenantPipeline: { pipelineRef: { resolver: 'git', params: [null, 'x'] } } }],
])('a plan with %s is read and written', (_, spec) => {
  const plan = planWith(spec as object)
  const content = contentOf(plan)
  expect(content).toMatchObject({ application: '', url: '', params: [] })
  expect(editReleasePlan(plan, plan, { ...content, application: 'shop' }).spec.application).toBe('shop')
  expect(toCurrentShape(plan)).toBe(plan)
})
