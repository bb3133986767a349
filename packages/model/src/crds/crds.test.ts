import { compileSchema } from '@slipway/apiserver/apiextensions/structural-schema'
import { validateCrd } from '@slipway/apiserver/apiextensions/crd'
import type { KubeObject } from '@slipway/kube/object'
import { describe, expect, it } from 'vitest'
import { customResourceDefinitions } from '../platform/platform'
import { aComponent, anApplication, aRelease, condition } from '../testing'

it.each(customResourceDefinitions)('$metadata.name is well-formed', (definition) =>
  expect(validateCrd(definition)).toEqual([]),
)

/** The validation errors of a cluster, as `field: message`. */
function errorsOf(object: KubeObject): string[] {
  const [group, version] = (object.apiVersion ?? '').split('/')
  const definition = customResourceDefinitions.find(
    ({ spec }) => spec.group === group && spec.names.kind === object.kind,
  )
  const schema = definition?.spec.versions.find(({ name }) => name === version)?.schema.openAPIV3Schema
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
