import { randomUUID } from 'node:crypto'
import { createApiServer, type ApiServer } from '@slipway/apiserver/api-server'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import type { KubeObject } from '@slipway/kube/object'
import type { Status } from '@slipway/kube/status'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { clusterSetting } from '../../../../scripts/lib/cluster-setting'
import { customResourceDefinitions } from '../../src/platform-objects'
import { aComponent, anApplication, aRelease, aTaskRun } from '../../src/testing'

/** Strict creations of the platform's kinds get the same response from the embedded cluster and from kube-apiserver. */

type Send = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ code: number; body: KubeObject & Partial<Status> }>

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const namespace = `strict-${randomUUID().slice(0, 8)}`
/** Definitions that this test added to the real cluster. */
const added: string[] = []
let embedded: ApiServer

const sendReal: Send = async (method, path, body) =>
  responseOf(await fetch(clusterSetting('CONTROL_PLANE_URL') + path, request(method, body)))
const sendEmbedded: Send = async (method, path, body) =>
  responseOf(await embedded.fetch(new Request(`http://cluster.test${path}`, request(method, body))))

function request(method: string, body?: object): RequestInit {
  const headers = {
    authorization: `Bearer ${clusterSetting('CONTROL_PLANE_TOKEN')}`,
    'content-type': 'application/json',
  }
  return { method, headers, ...(body && { body: JSON.stringify(body) }) }
}

async function responseOf(response: Response): ReturnType<Send> {
  // Written by an API server.
  return { code: response.status, body: (await response.json()) as KubeObject & Partial<Status> }
}

const listPath = ({ apiVersion = '', kind = '' }: KubeObject): string => {
  const [group = ''] = apiVersion.split('/')
  const definition = customResourceDefinitions.find(({ spec }) => spec.group === group && spec.names.kind === kind)
  return `/apis/${apiVersion}/namespaces/${namespace}/${definition?.spec.names.plural}`
}

beforeAll(async () => {
  embedded = await createApiServer({
    storage: memoryStorage(),
    authenticate: () => ({ name: 'admin', groups: ['system:masters'] }),
  })
  const ofNamespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
  for (const send of [sendReal, sendEmbedded]) {
    await send('POST', '/api/v1/namespaces', ofNamespace)
    for (const definition of customResourceDefinitions) {
      const { code } = await send('POST', definitionsPath, definition)
      if (code === 201 && send === sendReal) added.push(definition.metadata.name ?? '')
    }
  }
  for (const sample of Object.values(samples)) {
    await vi.waitFor(async () => expect((await sendReal('GET', `${listPath(sample)}?limit=1`)).code).toBe(200))
  }
})

afterAll(async () => {
  await sendReal('DELETE', `/api/v1/namespaces/${namespace}`)
  for (const name of added) await sendReal('DELETE', `${definitionsPath}/${name}`)
  await embedded.close()
})

const a = (apiVersion: string, kind: string, spec: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'it' },
  ...{ spec },
})
const appstudio = 'appstudio.redhat.com/v1alpha1'
const git = { resolver: 'git', params: [{ name: 'url', value: 'https://git.example.com/it' }] }

const samples: Record<string, KubeObject> = {
  Application: anApplication(),
  Component: aComponent(),
  Snapshot: a(appstudio, 'Snapshot', {
    application: 'checkout',
    components: [{ name: 'api', containerImage: 'image', source: { git: { url: 'https://git.example.com/it' } } }],
  }),
  IntegrationTestScenario: a('appstudio.redhat.com/v1beta2', 'IntegrationTestScenario', {
    application: 'checkout',
    contexts: [{ name: 'application', description: 'any' }],
    resolverRef: git,
  }),
  'an earlier IntegrationTestScenario': a(appstudio, 'IntegrationTestScenario', {
    application: 'checkout',
    bundle: 'image',
    pipeline: 'test',
  }),
  ReleasePlan: a(appstudio, 'ReleasePlan', { application: 'checkout', target: 'managed', releaseGracePeriodDays: 7 }),
  ReleasePlanAdmission: a(appstudio, 'ReleasePlanAdmission', {
    applications: ['checkout'],
    origin: 'team',
    policy: 'strict',
    pipeline: { pipelineRef: git },
  }),
  Release: aRelease(),
  ImageRepository: a(appstudio, 'ImageRepository', { image: { name: 'team/api', visibility: 'private' } }),
  EnterpriseContractPolicy: a(appstudio, 'EnterpriseContractPolicy', {
    sources: [{ policy: ['oci::policy'], config: { include: ['@slsa3'] } }],
  }),
  PipelineRun: a('tekton.dev/v1', 'PipelineRun', {
    pipelineRef: { name: 'build' },
    params: [{ name: 'n', value: ['a'] }],
    taskRunTemplate: { serviceAccountName: 'builder' },
    workspaces: [{ name: 'source', emptyDir: {} }],
  }),
  TaskRun: aTaskRun(),
  Pipeline: a('tekton.dev/v1', 'Pipeline', { tasks: [{ name: 'clone', taskRef: { name: 'clone' } }] }),
  Task: a('tekton.dev/v1', 'Task', { steps: [{ name: 'run', image: 'image', env: [{ name: 'A', value: 'b' }] }] }),
  Repository: a('pipelinesascode.tekton.dev/v1alpha1', 'Repository', { url: 'https://git.example.com/it' }),
}

type Part = Record<string, unknown>

/** Every object in a value, the value itself first, and those in lists. */
function partsOf(value: unknown): Part[] {
  if (Array.isArray(value)) return value.flatMap(partsOf)
  if (typeof value !== 'object' || value === null) return []
  return [value as Part, ...Object.values(value).flatMap(partsOf)]
}

const specOf = (object: KubeObject): Part => (object as KubeObject & { spec: Part }).spec

const changes: Record<string, (object: KubeObject) => void> = {
  'as it is': () => undefined,
  'with an unknown member': (object) => void Object.assign(object, { nope: 1 }),
  'with an unknown field in the spec': (object) => void Object.assign(specOf(object), { nope: { more: 1 } }),
  'with unknown fields everywhere in the spec': (object) => {
    for (const part of partsOf(specOf(object))) part['nope'] = 1
  },
  'with unknown fields everywhere in the metadata': (object) => {
    Object.assign(object.metadata, { nope: 1, ownerReferences: [{ nope: 1 }] })
  },
  'without a spec': (object) => void delete (object as Partial<{ spec: unknown }>).spec,
  'with an empty spec': (object) => void Object.assign(object, { spec: {} }),
  'with a list for the spec': (object) => void Object.assign(object, { spec: [] }),
  'with a number for every text': (object) => replaceEvery(object, 'string', 7),
  'with a text for every number': (object) => replaceEvery(object, 'number', '7'),
  'with a text for every object of the spec': (object) => {
    const spec = specOf(object)
    for (const [name, value] of Object.entries(spec)) if (typeof value === 'object') spec[name] = 'text'
  },
  'with null for every field of the spec': (object) => {
    for (const name of Object.keys(specOf(object))) specOf(object)[name] = null
  },
}

function replaceEvery(object: KubeObject, type: 'string' | 'number', replacement: unknown): void {
  for (const part of partsOf(specOf(object))) {
    for (const [name, value] of Object.entries(part)) if (typeof value === type) part[name] = replacement
  }
}

/**
 * The real server validates the fields of an object in random order, so causes are compared sorted, and messages
 * without the texts of causes.
 */
function outcomeOf({ code, body: { reason, message = '', details } }: Awaited<ReturnType<Send>>) {
  if (code < 400) return { code }
  const causes = (details?.causes ?? []).map((cause) => ({ ...cause, text: `${cause.field}: ${cause.message}` }))
  // The longest first, since a text can be part of another.
  causes.sort((a, b) => b.text.length - a.text.length || (a.text < b.text ? -1 : 1))
  const frame = causes.reduce((rest, { text }) => rest.replace(text, () => ''), message)
  return { code, reason, frame, causes }
}

const cases = Object.entries(samples).flatMap(([name, sample]) =>
  Object.entries(changes).map(([change, apply]) => [name, change, sample, apply] as const),
)

describe('a strict creation', () => {
  it.each(cases)('of %s %s', async (_name, _change, sample, apply) => {
    const object = structuredClone(sample)
    object.metadata = { ...object.metadata, namespace }
    apply(object)
    const path = `${listPath(sample)}?fieldValidation=Strict&dryRun=All`
    const [real, ours] = await Promise.all([sendReal('POST', path, object), sendEmbedded('POST', path, object)])
    expect(outcomeOf(ours)).toEqual(outcomeOf(real))
  })
})
