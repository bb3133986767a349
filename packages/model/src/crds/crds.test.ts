import { createApiServer, type ApiServer } from '@slipway/apiserver/api-server'
import { unknownFields } from '@slipway/apiserver/apiextensions/prune'
import { compileSchema } from '@slipway/apiserver/apiextensions/structural-schema'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { validateCrd } from '@slipway/apiserver/apiextensions/crd'
import type { KubeObject } from '@slipway/kube/object'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { customResourceDefinitions } from '../platform-objects'
import { aComponent, anApplication, aRelease, condition } from '../testing'

it.each(customResourceDefinitions)('$metadata.name is well-formed', (definition) =>
  expect(validateCrd(definition)).toEqual([]),
)

function schemaOf(object: KubeObject) {
  const [group, version] = (object.apiVersion ?? '').split('/')
  const definition = customResourceDefinitions.find(
    ({ spec }) => spec.group === group && spec.names.kind === object.kind,
  )
  return definition?.spec.versions.find(({ name }) => name === version)?.schema.openAPIV3Schema
}

/** The validation errors of a cluster, as `field: message`. */
function errorsOf(object: KubeObject): string[] {
  const schema = schemaOf(object)
  if (!schema) return [`${object.apiVersion} ${object.kind} is not defined`]
  return compileSchema(schema)
    .validate(object)
    .map(({ field, message }) => `${field}: ${message}`)
}

describe('accepts objects from builders', () => {
  it.each([
    anApplication(),
    anApplication({ status: { conditions: [condition('Created', 'True')] } }),
    aComponent(),
    aRelease(),
    aRelease({ status: { startTime: '2026-01-31T09:00:00Z', conditions: [condition('Released', 'True')] } }),
  ])('$kind $metadata.name', (object) => expect(errorsOf(object)).toEqual([]))
})

const a = (apiVersion: string, kind: string, spec: object, rest: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'it' },
  ...{ spec, ...rest },
})
const appstudio = 'appstudio.redhat.com/v1alpha1'
const componentGroups = 'appstudio.redhat.com/v1beta2'
const git = { resolver: 'git', params: [{ name: 'url', value: 'https://git.example.com/it' }] }

describe('accepts objects of kinds without a builder', () => {
  it.each([
    a(appstudio, 'Snapshot', { application: 'checkout', components: [{ name: 'api', containerImage: 'image' }] }),
    a('appstudio.redhat.com/v1beta2', 'IntegrationTestScenario', { application: 'checkout', resolverRef: git }),
    a('appstudio.redhat.com/v1beta1', 'IntegrationTestScenario', { application: 'checkout', resolverRef: git }),
    a(appstudio, 'IntegrationTestScenario', { application: 'checkout', bundle: 'image', pipeline: 'test' }),
    a(appstudio, 'ReleasePlan', { application: 'checkout', tenantPipeline: { pipelineRef: git }, unknown: 1 }),
    a(appstudio, 'ReleasePlanAdmission', { applications: ['checkout'], origin: 'team', policy: 'strict' }),
    a(appstudio, 'ImageRepository', { image: { name: 'team/api', visibility: 'private' } }),
    a(componentGroups, 'ComponentGroup', {
      components: [
        { name: 'api', componentVersion: { name: '3.12.4', version: 'release-3.12', context: 'api' } },
        { name: 'web', kind: 'ComponentGroup' },
      ],
      testGraph: { verify: [{ name: 'scan', failFast: true }, { name: 'e2e' }], e2e: [] },
    }),
    a(appstudio, 'EnterpriseContractPolicy', { sources: [{ policy: ['oci::policy'] }] }),
    a('tekton.dev/v1', 'PipelineRun', { pipelineRef: { name: 'build' }, params: [{ name: 'n', value: ['a'] }] }),
    a('tekton.dev/v1', 'TaskRun', { taskRef: { name: 'clone' } }, { status: { results: [{ name: 'r', value: {} }] } }),
    a('tekton.dev/v1', 'Pipeline', { tasks: [{ name: 'clone', taskRef: { name: 'clone' } }] }),
    a('tekton.dev/v1', 'Task', { steps: [{ name: 'run', image: 'image' }] }),
    a('pipelinesascode.tekton.dev/v1alpha1', 'Repository', { url: 'https://git.example.com/it' }),
    a('external-secrets.io/v1', 'ExternalSecret', { target: { name: 'it', creationPolicy: 'Owner' } }),
  ])('$apiVersion $kind', (object) => expect(errorsOf(object)).toEqual([]))
})

describe('rejects an object', () => {
  it.each<[string, KubeObject, string]>([
    ['APP-14 without a display name', anApplication({ spec: { displayName: undefined } }), 'spec.displayName'],
    ['without a spec', { ...anApplication(), ...{ spec: undefined } }, 'spec'],
    ['without a source', a(appstudio, 'Component', { application: 'checkout' }), 'spec.source'],
    ['with an invalid application name', aComponent({ spec: { application: 'Check Out' } }), 'spec.application'],
    ['without a release plan', aRelease({ spec: { releasePlan: undefined } }), 'spec.releasePlan'],
    ['without an application or component group', a(appstudio, 'ReleasePlan', {}), 'spec'],
    [
      'with both an application and a component group',
      a(appstudio, 'ReleasePlan', { application: 'a', componentGroup: 'b' }),
      'spec',
    ],
    ['without a pipeline', a('appstudio.redhat.com/v1beta2', 'IntegrationTestScenario', {}), 'spec.resolverRef'],
    ['without members', a(componentGroups, 'ComponentGroup', {}), 'spec.components'],
    [
      'with a member of an unknown kind',
      a(componentGroups, 'ComponentGroup', { components: [{ name: 'api', kind: 'application' }] }),
      'spec.components\\[0\\].kind',
    ],
    [
      'with a member in capitals',
      a(componentGroups, 'ComponentGroup', { components: [{ name: 'Api' }] }),
      'spec.components\\[0\\].name',
    ],
    [
      'with a version without a name',
      a(componentGroups, 'ComponentGroup', { components: [{ name: 'api', componentVersion: { version: 'main' } }] }),
      'spec.components\\[0\\].componentVersion.name',
    ],
    [
      'with a test that waits for a test without a name',
      a(componentGroups, 'ComponentGroup', { components: [], testGraph: { verify: [{ failFast: true }] } }),
      'spec.testGraph.verify\\[0\\].name',
    ],
    [
      'with an unknown visibility',
      a(appstudio, 'ImageRepository', { image: { visibility: 'x' } }),
      'spec.image.visibility',
    ],
    [
      'with an invalid time',
      a('tekton.dev/v1', 'PipelineRun', {}, { status: { startTime: 'yesterday' } }),
      'status.startTime',
    ],
  ])('%s', (_, object, field) => expect(errorsOf(object)).toEqual([expect.stringMatching(new RegExp(`^${field}: `))]))
})

describe('has no field that the platform does not define', () => {
  it.each<[string, KubeObject, string[]]>([
    ['an Application', anApplication({ spec: { nope: 1 } as object }), ['spec.nope']],
    [
      'a Component',
      aComponent({ spec: { source: { git: { url: 'https://x.test/y', branch: 'main' } } } as object }),
      ['spec.source.git.branch'],
    ],
    [
      'a ComponentGroup',
      // The sample of the platform has `revision`, which its definition does not.
      a(componentGroups, 'ComponentGroup', {
        components: [{ name: 'api', componentVersion: { name: 'v1', revision: 'v1branch' } }],
        testGraph: { verify: [{ name: 'scan', optional: true }] },
      }),
      ['spec.components[0].componentVersion.revision', 'spec.testGraph.verify[0].optional'],
    ],
    [
      'a PipelineRun',
      a('tekton.dev/v1', 'PipelineRun', { pipelineref: {}, taskRunTemplate: { serviceAccount: 'a' } }),
      ['spec.pipelineref', 'spec.taskRunTemplate.serviceAccount'],
    ],
    [
      'a Task',
      a('tekton.dev/v1', 'Task', { steps: [{ name: 'run', imagePullPolicies: 'Always' }] }),
      ['spec.steps[0].imagePullPolicies'],
    ],
    ['a Snapshot', a(appstudio, 'Snapshot', { application: 'it', artifact: {} }), ['spec.artifact']],
    ['a Release', aRelease({ status: { phase: 'done' } as object }), ['status.phase']],
  ])('%s', (_, object, fields) => expect(unknownFields(schemaOf(object) ?? {}, object)).toEqual(fields))
})

describe('preserves any field', () => {
  const any = { one: { two: [{ three: 3 }] } }
  it.each<[string, KubeObject]>([
    ['in the data of a release', aRelease({ spec: { data: any } })],
    ['in the artifacts of a release', aRelease({ status: { artifacts: any } })],
    [
      'in an embedded pipeline',
      a('tekton.dev/v1', 'PipelineRun', { pipelineSpec: any }, { status: { pipelineSpec: any } }),
    ],
    ['in an embedded task', a('tekton.dev/v1', 'TaskRun', { taskSpec: any })],
    ['in the value of a parameter', a('tekton.dev/v1', 'PipelineRun', { params: [{ name: 'n', value: any }] })],
    ['in unstable parts of a snapshot', a(appstudio, 'Snapshot', { artifacts: { unstableFields: any } })],
    ['in the data of rules', a(appstudio, 'EnterpriseContractPolicy', { sources: [{ policy: ['p'], ruleData: any }] })],
  ])('%s', (_, object) => expect(unknownFields(schemaOf(object) ?? {}, object)).toEqual([]))
})

describe('in a cluster', () => {
  let server: ApiServer
  beforeEach(async () => {
    server = await createApiServer({
      storage: memoryStorage(),
      authenticate: () => ({ name: 'admin', groups: ['system:masters'] }),
    })
  })
  afterEach(() => server.close())

  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await server.fetch(new Request(`http://cluster.test${path}`, init))
    return {
      status: response.status,
      body: (await response.json()) as KubeObject & { message?: string; spec?: object },
    }
  }
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const applications = '/apis/appstudio.redhat.com/v1alpha1/namespaces/default/applications'
  const definition = customResourceDefinitions.find(({ spec }) => spec.names.kind === 'Application')
  const misspelt = anApplication({ metadata: { name: 'it', namespace: 'default' }, spec: { nope: 1 } as object })

  it('a strict write with an unknown field is rejected in the words of Kubernetes, any other write drops the field', async () => {
    await call('POST', definitions, definition)
    const strict = await call('POST', `${applications}?fieldValidation=Strict`, misspelt)
    expect(strict.status).toBe(400)
    expect(strict.body.message).toContain('strict decoding error: unknown field "spec.nope"')
    const { status, body } = await call('POST', applications, misspelt)
    expect(status).toBe(201)
    expect(body.spec).not.toHaveProperty('nope')
  })

  it('an object that was stored before its fields were defined stays readable and can be changed', async () => {
    const earlier = structuredClone(definition)
    for (const { schema } of earlier?.spec.versions ?? []) {
      Object.assign(schema.openAPIV3Schema.properties?.spec ?? {}, { 'x-kubernetes-preserve-unknown-fields': true })
    }
    await call('POST', definitions, earlier)
    expect((await call('POST', applications, misspelt)).body.spec).toHaveProperty('nope', 1)
    const path = `${definitions}/${definition?.metadata.name ?? ''}`
    const { resourceVersion } = (await call('GET', path)).body.metadata
    const replacement = { ...definition, metadata: { ...definition?.metadata, resourceVersion } }
    expect((await call('PUT', path, replacement)).status).toBe(200)
    const { status, body } = await call('GET', `${applications}/it`)
    expect(status).toBe(200)
    const changed = await call('PUT', `${applications}/it`, { ...body, spec: { ...body.spec, description: 'new' } })
    expect(changed.status).toBe(200)
    expect(changed.body.spec).toMatchObject({ description: 'new' })
    expect(changed.body.spec).not.toHaveProperty('nope')
  })
})
