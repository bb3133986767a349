import { manualClock } from '@slipway/kube/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { memoryStorage } from '../src/storage/memory'
import { widgetDefinition } from './api-fixtures'
import { patienceMs } from '../../../scripts/lib/patience.mjs'

/**
 * Requests that no client should send. The response is never a 500, arrives soon, and is a Status if it is an error.
 * The seed is printed: `FUZZ_SEED` repeats a run, `FUZZ_REQUESTS` makes it longer.
 */

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 1_000)
/** CPU time, because a busy machine may take longer. */
const answerCpuMs = 2_000
const seed = Number(process.env['FUZZ_SEED'] ?? 15)

let server: ApiServer
const reported: unknown[] = []

const namespaced = '/api/v1/namespaces/default'
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const reviews = '/apis/authorization.k8s.io/v1'

const paths = [
  '/',
  '/api',
  '/apis',
  '/version',
  '/healthz',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/apis/contract.test/v1',
  '/apis/contract.test/v1',
  '/api/v1/namespaces',
  namespaced,
  `${namespaced}/status`,
  `${namespaced}/configmaps`,
  `${namespaced}/configmaps/held`,
  `${namespaced}/secrets`,
  `${namespaced}/secrets/held`,
  `${namespaced}/pods`,
  `${namespaced}/pods/held`,
  `${namespaced}/pods/held/status`,
  `${namespaced}/pods/held/log`,
  `${namespaced}/pods/held/exec`,
  `${namespaced}/events`,
  `${namespaced}/serviceaccounts/default`,
  `${namespaced}/serviceaccounts/default/token`,
  '/apis/contract.test/v1/namespaces/default/widgets',
  '/apis/contract.test/v1/namespaces/default/widgets/held',
  '/apis/contract.test/v1/namespaces/default/widgets/held/status',
  '/apis/contract.test/v1/widgets',
  `${rbac}/clusterroles`,
  `${rbac}/clusterroles/held`,
  `${rbac}/namespaces/default/rolebindings`,
  definitions,
  `${definitions}/widgets.contract.test`,
  `${definitions}/gadgets.contract.test`,
  `${reviews}/selfsubjectaccessreviews`,
  `${reviews}/selfsubjectrulesreviews`,
  `${reviews}/subjectaccessreviews`,
  `${reviews}/namespaces/default/localsubjectaccessreviews`,
  '/apis/authentication.k8s.io/v1/tokenreviews',
  '/apis/authentication.k8s.io/v1/selfsubjectreviews',
]
const oddSegments = ['..%2f', '%00', '%zz', '%', '%ff', '__proto__', 'constructor', '%F0%9F%9A%A2', 'a'.repeat(3_000)]

const aPath = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...paths) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...oddSegments)).map((p) => p.join('/')),
  },
  { weight: 1, arbitrary: fc.webPath() },
)

const oddValues = [
  '',
  '0',
  '1',
  '-1',
  '1e9',
  'NaN',
  '99999999999999999999',
  'true',
  'All',
  'abc',
  '\u0000',
  'null',
  '{}',
  '%',
]
const parameters: Record<string, string[]> = {
  watch: ['true', '1'],
  limit: ['1', '-5', '0.5'],
  continue: [
    'e30',
    btoa('{"v":"meta.k8s.io/v1","rv":-1,"start":"a"}'),
    btoa('null'),
    btoa('{"rv":1e99,"start":""}'),
    '!!!',
  ],
  resourceVersion: ['5', '1000000'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'toString'],
  labelSelector: ['a=b', 'a in (', '!', 'a>b', 'a,,b', '__proto__=x', ','.repeat(500)],
  fieldSelector: ['metadata.name=held', 'spec.x=1', 'metadata.name', '__proto__=x', 'constructor=x'],
  dryRun: ['All', 'Some'],
  fieldValidation: ['Strict', 'Warn', 'Ignore'],
  fieldManager: ['fuzz', 'x'.repeat(200), '\u0007'],
  force: ['true'],
  timeoutSeconds: ['1', '-1'],
  allowWatchBookmarks: ['true'],
  sendInitialEvents: ['true', 'false'],
  propagationPolicy: ['Foreground', 'Orphan', 'Odd'],
  gracePeriodSeconds: ['0', '-9'],
  includeObject: ['None', 'Object', 'toString'],
  container: ['a'],
  tailLines: ['5'],
  sinceTime: ['yesterday'],
  pretty: ['true'],
  hash: ['0'],
}
const aQuery = fc
  .array(
    fc
      .constantFrom(...Object.keys(parameters))
      .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(parameters[name] ?? []), ...oddValues))),
    { maxLength: 4 },
  )
  .map((pairs) => new URLSearchParams(pairs).toString())

const deep = (depth: number) => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`
const aliasBomb = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...'bcdefghi'.split('').map((name, index) => {
    const before = 'abcdefgh'[index] ?? 'a'
    return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`
  }),
].join('\n')

/** Values of the wrong shape, with keys that are dangerous in JavaScript. */
const oddJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, -1, 1.5, 1e308, 2 ** 53, '', 'x', 'held', '\u0000', '\ud800', '9'.repeat(400)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('a', 'constructor', 'toString', 'hasOwnProperty', 'length', '$patch', 'name', ''),
      tie('value'),
      { maxKeys: 3 },
    ),
  ),
})).value

const kinds = [
  ['v1', 'ConfigMap', 'data', 'binaryData', 'immutable'],
  ['v1', 'Secret', 'data', 'stringData', 'type'],
  ['v1', 'Namespace', 'spec', 'status', ''],
  ['v1', 'Pod', 'spec', 'status', ''],
  ['v1', 'Event', 'involvedObject', 'reason', 'count'],
  ['contract.test/v1', 'Widget', 'spec', 'status', ''],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'rules', 'aggregationRule', ''],
  ['rbac.authorization.k8s.io/v1', 'RoleBinding', 'roleRef', 'subjects', ''],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'spec', 'status', ''],
  ['authorization.k8s.io/v1', 'SelfSubjectAccessReview', 'spec', 'status', ''],
  ['authentication.k8s.io/v1', 'TokenReview', 'spec', 'status', ''],
  ['v1', 'DeleteOptions', 'preconditions', 'dryRun', 'propagationPolicy'],
] as const

const oddMetadata = fc.record(
  {
    name: fc.oneof(fc.constantFrom('held', 'other', '', 'A B', '..', '__proto__'), oddJson),
    generateName: fc.oneof(fc.constantFrom('x-', 'x'.repeat(300)), oddJson),
    namespace: fc.oneof(fc.constantFrom('default', ''), oddJson),
    uid: oddJson,
    resourceVersion: fc.oneof(fc.constantFrom('0', '1', '-1', 'abc'), oddJson),
    labels: fc.oneof(fc.constant({ constructor: 'x' }), oddJson),
    annotations: oddJson,
    finalizers: fc.oneof(fc.constantFrom(['a/b'], ['a/b', 'a/b'], ['']), oddJson),
    ownerReferences: fc.oneof(fc.constant([{ uid: 'x', name: 'y', kind: 'Widget', apiVersion: 'a/b/c' }]), oddJson),
    creationTimestamp: oddJson,
    deletionTimestamp: oddJson,
    generation: oddJson,
    managedFields: fc.oneof(fc.constant([{ manager: 'x', fieldsV1: { 'f:': 1, 'k:{': {} } }]), oddJson),
  },
  { requiredKeys: [] },
)

const anObject = fc
  .record({
    kind: fc.constantFrom(...kinds),
    metadata: fc.oneof(oddMetadata, oddJson),
    values: fc.array(oddJson, { minLength: 3 }),
  })
  .map(({ kind: [apiVersion, kind, ...members], metadata, values }) =>
    Object.fromEntries([
      ['apiVersion', apiVersion],
      ['kind', kind],
      ['metadata', metadata],
      ...members.map((member, index) => [member, values[index]]),
    ]),
  )
  .map((object) => JSON.stringify(object))

const pointers = [
  '',
  '/',
  '/metadata',
  '/metadata/labels/a',
  '/spec',
  '/data/x',
  '/-',
  '/data/-',
  '/~2',
  '/a/0/b',
  '/metadata/finalizers/99',
  '/__proto__',
  '/constructor/prototype/x',
  '/toString',
  '/kind',
]
const jsonPatch = fc
  .array(
    fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'odd', '__proto__'),
        path: fc.constantFrom(...pointers),
        from: fc.constantFrom(...pointers),
        value: oddJson,
      },
      { requiredKeys: ['op'] },
    ),
    { maxLength: 4 },
  )
  .map((operations) => JSON.stringify(operations))

const bytes = (text: string, ...more: number[]) => Uint8Array.from([...Buffer.from(text), ...more])

const aBody: fc.Arbitrary<string | Uint8Array<ArrayBuffer> | undefined> = fc.oneof(
  { weight: 6, arbitrary: anObject },
  { weight: 3, arbitrary: jsonPatch },
  { weight: 2, arbitrary: oddJson.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.constant(undefined) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '{',
      '[',
      'null',
      '{"__proto__":{"x":1}}',
      '{"metadata":{"__proto__":{"x":1},"name":"held"}}',
      '{"metadata":{"name":"n"},"data":{"\\u005f_proto__":"x"}}',
      '{"metadata":{"name":"n"},"data":{"a":1e999999}}',
      `{"metadata":{"name":"n","generation":${'9'.repeat(5_000)}}}`,
      deep(50),
      deep(20_000),
      `{"metadata":{"name":"deep"},"spec":{"size":1,"free":${deep(5_000)}}}`,
      `${'['.repeat(200_000)}`,
      aliasBomb,
      'a: &a\n  b: *a\nmetadata: *a\n',
      `${'- '.repeat(5_000)}x`,
      `${'{a: '.repeat(5_000)}`,
      'metadata: {name: !!binary "x"}\n? [1, 2]\n: x\n',
      '<<: {a: 1}\n',
      '--- a\n--- b\n',
      '!!js/function "x"',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      bytes('{"metadata":{"name":"', 0xff, 0xfe, 0x22, 0x7d, 0x7d),
      bytes('k8s\0'),
      bytes('k8s\0', 0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f),
      bytes('k8s\0', ...Array.from({ length: 300 }, () => 0x0b)),
      bytes('', 0xef, 0xbb, 0xbf, 0x7b, 0x7d),
    ),
  },
)

const types = [
  'application/json',
  'application/yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  ';;;',
  '',
]
const accepts = [
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/yaml',
  'text/html',
  ';q=x,,',
  '',
]
const headers = fc
  .record(
    {
      'content-type': fc.constantFrom(...types),
      accept: fc.constantFrom(...accepts),
      'impersonate-user': fc.constantFrom('', 'ann', 'system:serviceaccount:a:b', 'system:serviceaccount::'),
      'impersonate-group': fc.constantFrom('', 'a,b', 'system:masters'),
      'impersonate-extra-%zz': fc.constantFrom('x'),
      'accept-encoding': fc.constantFrom('gzip', 'odd', '*;q=0'),
      'if-none-match': fc.constantFrom('*', '"x"'),
      'content-length': fc.constantFrom('0', '-1', '99999999', 'x'),
      'audit-id': fc.constantFrom('', 'x'.repeat(100)),
    },
    { requiredKeys: ['content-type'] },
  )
  .map((given) => ({ authorization: 'Bearer x', ...given }))

const aRequest = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE', 'OPTIONS', 'ODD'),
  path: aPath,
  query: aQuery,
  headers,
  body: aBody,
})

async function respondTo(request: Request): Promise<{ response: Response; text: string }> {
  const response = await server.fetch(request)
  // The response to a stream that stays open arrives at its start.
  const isStream = /[?&](watch|follow)=/.test(request.url) && response.ok
  if (!isStream) return { response, text: await response.text() }
  await response.body?.cancel()
  return { response, text: '' }
}

const within = <T>(promise: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

beforeAll(async () => {
  server = await createApiServer({
    storage: memoryStorage(),
    clock: manualClock(),
    authenticate: () => ({ name: 'admin', groups: ['system:masters'] }),
    report: (error) => reported.push(error),
  })
  const create = async (path: string, object: object) => {
    const body = JSON.stringify(object)
    const { response } = await respondTo(
      new Request(`http://cluster.test${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        body,
      }),
    )
    expect(response.status).toBe(201)
  }
  await create(definitions, widgetDefinition)
  await create(`${namespaced}/configmaps`, {
    metadata: { name: 'held', finalizers: ['contract.test/hold'] },
    data: { x: 'y' },
  })
  await create(`${namespaced}/secrets`, { metadata: { name: 'held', finalizers: ['contract.test/hold'] } })
  await create(`${namespaced}/pods`, {
    metadata: { name: 'held', finalizers: ['contract.test/hold'] },
    spec: { containers: [{ name: 'a', image: 'a' }] },
  })
  await create('/apis/contract.test/v1/namespaces/default/widgets', {
    apiVersion: 'contract.test/v1',
    kind: 'Widget',
    metadata: { name: 'held', finalizers: ['contract.test/hold'] },
    spec: { size: 1 },
  })
  await create(`${rbac}/clusterroles`, { metadata: { name: 'held' }, rules: [] })
})
afterAll(() => server.close())

it(`${requests} malformed requests never cause a 500 (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(aRequest, async ({ method, path, query, headers, body }) => {
      const hasBody = method !== 'GET' && method !== 'HEAD' && body !== undefined
      const url = `http://cluster.test${path}${query && `?${query}`}`
      const request = new Request(url, { method, headers, ...(hasBody && { body }) })
      const started = process.cpuUsage()
      const { response, text } = await within(respondTo(request), patienceMs)
      const { user, system } = process.cpuUsage(started)
      expect((user + system) / 1_000).toBeLessThan(answerCpuMs)
      expect([response.status, reported.splice(0)]).toEqual([expect.any(Number), []])
      expect(response.status).not.toBe(500)
      const mediaType = response.headers.get('content-type')
      if (mediaType?.startsWith('text/plain') && response.status >= 400) {
        expect(['404 page not found\n', '400 Bad Request']).toContain(text)
      } else if (response.status >= 400 && method !== 'HEAD' && mediaType === 'application/json') {
        expect(JSON.parse(text)).toMatchObject({
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Failure',
          code: response.status,
        })
      }
      expect(({} as Record<string, unknown>)['x']).toBeUndefined()
    }),
    { numRuns: requests, seed },
  )
  await within(server.settled(), patienceMs)
  expect(reported).toEqual([])
})
