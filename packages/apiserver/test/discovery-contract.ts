import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'

const v2Protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'

/** Discovery: versions, health, kinds, and OpenAPI documents. */
export function discoveryContract(target: () => Target): void {
  let api: Api
  beforeAll(() => {
    api = apiOf(target())
  })
  const asking = (accept: string, path: string) => api.call('GET', path, { headers: { accept } })
  const named = (entries: Json[], name: string): Json => entries.find((entry) => entry.name === name)

  describe('without a token', () => {
    const request = (path: string) => fetch(`${target().url}${path}`)

    it('returns the version, 1.32 or later', async () => {
      const version: Json = await (await request('/version')).json()
      expect(version).toMatchObject({
        major: '1',
        minor: expect.stringMatching(/^(3[2-9]|[4-9]\d)/),
        gitVersion: expect.stringMatching(/^v1\.(3[2-9]|[4-9]\d)\.\d+/),
        platform: expect.stringMatching(/^\w+\/\w+$/),
      })
    })

    it.each(['healthz', 'livez', 'readyz'])('returns the health at /%s, briefly or verbosely', async (path) => {
      const short = await request(`/${path}`)
      expect([short.status, await short.text()]).toEqual([200, 'ok'])
      expect(short.headers.get('x-content-type-options')).toBe('nosniff')
      const long = await request(`/${path}?verbose`)
      expect(await long.text()).toMatch(new RegExp(`^\\[\\+\\]ping ok\\n[^]*${path} check passed\\n$`))
      expect((await api.get(`/${path}/ping`)).body).toBe('ok')
      expect((await api.get(`/${path}/nonsense`)).code).toBe(404)
    })

    it.each(['/api', '/apis', '/openapi/v2', '/openapi/v3'])('denies %s', async (path) => {
      expect((await request(path)).status).toBeGreaterThan(400)
    })
  })

  it.each(['/version', '/api', '/api/v1', '/apis', '/apis/contract.test', '/apis/contract.test/v1', '/openapi/v3'])(
    'serves %s to every authenticated user',
    async (path) => {
      const nobody = { headers: [['impersonate-user', 'nobody']] as [string, string][] }
      expect((await api.call('GET', path, nobody)).code).toBe(200)
    },
  )

  it('lists versions and groups', async () => {
    expect((await api.get('/api')).body).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: expect.any(String) }],
    })
    const { body } = await api.get('/apis')
    expect([body.kind, body.apiVersion]).toEqual(['APIGroupList', 'v1'])
    const version = { groupVersion: 'contract.test/v1', version: 'v1' }
    const group = { name: 'contract.test', versions: [version], preferredVersion: version }
    expect(named(body.groups, 'contract.test')).toEqual(group)
    expect((await api.get('/apis/contract.test')).body).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...group })
  })

  it('lists kinds with their names, verbs and subresources', async () => {
    const { body } = await api.get('/apis/contract.test/v1')
    expect([body.kind, body.groupVersion]).toEqual(['APIResourceList', 'contract.test/v1'])
    expect(body.resources.map(({ name }: Json) => name)).toEqual(['widgets', 'widgets/status'])
    const [widgets, status] = body.resources
    expect(widgets).toMatchObject({ singularName: 'widget', namespaced: true, kind: 'Widget', shortNames: ['wd'] })
    const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
    expect([...widgets.verbs].sort()).toEqual(verbs)
    expect([status.kind, [...status.verbs].sort()]).toEqual(['Widget', ['get', 'patch', 'update']])
    const core = (await api.get('/api/v1')).body
    expect(core.groupVersion).toBe('v1')
    expect(named(core.resources, 'pods')).toMatchObject({ shortNames: ['po'], categories: ['all'] })
    expect(named(core.resources, 'namespaces')).toMatchObject({ shortNames: ['ns'], namespaced: false })
  })

  it('returns the aggregated document with the requested media type', async () => {
    const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    const { body, headers } = await asking(`${type},application/json`, '/apis')
    expect(headers.get('content-type')).toBe(type)
    expect(body.items.map(({ metadata }: Json) => metadata.name)).toContain('contract.test')
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['public', expect.stringContaining('Accept')])
    const known = { accept: `${type},application/json`, 'if-none-match': headers.get('etag') ?? '' }
    expect((await api.call('GET', '/apis', { headers: known })).code).toBe(304)
  })

  describe('OpenAPI', () => {
    const documentOf = async (key: string): Promise<Json> => {
      const { body: index } = await api.get('/openapi/v3')
      return (await api.get(index.paths[key].serverRelativeURL)).body
    }
    const widgetKind = { group: 'contract.test', version: 'v1', kind: 'Widget' }
    const kindsIn = (schemas: object): Json[] =>
      Object.values<Json>(schemas).flatMap((schema) => schema['x-kubernetes-group-version-kind'] ?? [])
    /** Parameters common to all operations of a path may be declared once. */
    const queryOf = (path: Json, method: string): string[] =>
      [...(path.parameters ?? []), ...(path[method].parameters ?? [])]
        .filter((parameter: Json) => parameter.in === 'query')
        .map(({ name }: Json) => name)

    it('serves a document for each group version at the path in the index', async () => {
      const { body } = await api.get('/openapi/v3')
      for (const key of ['api/v1', 'apis/contract.test/v1']) {
        expect(body.paths[key].serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${key}\\?hash=\\w+$`))
      }
      const hashed = await api.get(body.paths['api/v1'].serverRelativeURL)
      expect([hashed.code, hashed.headers.get('etag')]).toEqual([200, expect.any(String)])
      expect(hashed.headers.get('cache-control')).toContain('immutable')
      expect((await api.get('/openapi/v3/api/v1?hash=stale')).code).toBe(301)
      expect((await api.get('/openapi/v3/apis/nobody.test/v1')).code).toBe(404)
    })

    it('describes each kind and its support for field validation and dry runs', async () => {
      const { components, paths } = await documentOf('apis/contract.test/v1')
      expect(kindsIn(components.schemas)).toContainEqual(widgetKind)
      const widget = paths['/apis/contract.test/v1/namespaces/{namespace}/widgets/{name}']
      expect(widget.patch['x-kubernetes-group-version-kind']).toEqual(widgetKind)
      expect(queryOf(widget, 'patch')).toEqual(expect.arrayContaining(['dryRun', 'fieldValidation', 'fieldManager']))
    })

    it('describes the subresources of pods and service accounts', async () => {
      const { paths, components } = await documentOf('api/v1')
      const logPath = paths['/api/v1/namespaces/{namespace}/pods/{name}/log']
      const log = logPath.get
      expect(log).toMatchObject({
        operationId: 'readCoreV1NamespacedPodLog',
        'x-kubernetes-action': 'get',
        'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'Pod' },
      })
      expect(log.responses['200'].content['text/plain'].schema).toEqual({ type: 'string' })
      expect(queryOf(logPath, 'get')).toEqual(
        expect.arrayContaining(['container', 'follow', 'limitBytes', 'previous', 'sinceSeconds', 'tailLines']),
      )
      const tokenPath = paths['/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token']
      const token = tokenPath.post
      const tokenRequest = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }
      expect(token).toMatchObject({
        operationId: 'createCoreV1NamespacedServiceAccountToken',
        'x-kubernetes-action': 'post',
        'x-kubernetes-group-version-kind': tokenRequest,
      })
      expect(queryOf(tokenPath, 'post')).toContain('dryRun')
      expect(JSON.stringify(token.requestBody)).toContain('io.k8s.api.authentication.v1.TokenRequest')
      expect(kindsIn(components.schemas)).toContainEqual(tokenRequest)
    })

    it('serves all kinds in one version 2 document, in JSON and in protobuf for older clients', async () => {
      const { body } = await api.get('/openapi/v2')
      expect(body.swagger).toBe('2.0')
      expect(kindsIn(body.definitions)).toContainEqual(widgetKind)
      expect(body.paths).toHaveProperty(['/api/v1/namespaces/{namespace}/pods/{name}/log', 'get'])
      expect(body.paths).toHaveProperty(['/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token', 'post'])
      const { code, headers, body: bytes } = await asking(v2Protobuf, '/openapi/v2')
      expect([code, headers.get('content-type')]).toEqual([
        200,
        'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      ])
      expect(bytes).toContain('2.0')
      expect(bytes).toContain('test.contract.v1.Widget')
      expect(bytes).toMatch(/kind"?: ?"?Widget/)
    })
  })

  it.each(['/api', '/apis', '/api/v1', '/apis/contract.test', '/openapi/v2', '/openapi/v3/api/v1'])(
    'returns 406 for other media types at %s',
    async (path) => {
      const { code, headers } = await asking('text/html', path)
      expect([code, headers.get('content-type') ?? '']).toEqual([406, expect.not.stringContaining('html')])
      expect((await asking('text/html,*/*;q=0.8', path)).code).toBe(200)
    },
  )

  it('serves the index of documents as JSON, whatever the Accept header', async () => {
    const { code, headers, body } = await asking('text/html', '/openapi/v3')
    expect([code, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(body.paths).toHaveProperty(['api/v1'])
  })

  it.each([
    '/nowhere',
    '/swaggerapi',
    '/apis/none.test/v1',
    '/apis/contract.test/v9',
    '/apis/contract.test/v1/gadgets',
  ])('returns 404 in plain text for %s', async (path) => {
    const { code, headers, body } = await api.get(path)
    expect([code, headers.get('content-type'), body]).toEqual([
      404,
      'text/plain; charset=utf-8',
      '404 page not found\n',
    ])
  })

  it.each([
    ['GET', '/version/nowhere', 404],
    ['GET', '/api/v2', 404],
    ['GET', '/apis/rbac.authorization.k8s.io/v9', 404],
    ['GET', '/apis/rbac.authorization.k8s.io/v1/gadgets', 404],
    ['GET', '/api/v1/namespaces/default/pods/p/exec', 404],
    ['DELETE', '/api/v1/namespaces', 405],
    ['POST', '/api/v1/namespaces/default/configmaps/named', 405],
    ['PUT', '/api/v1/namespaces/default/configmaps', 405],
    ['PATCH', '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%3Da', 405],
    ['GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 405],
  ])('rejects %s %s with a Status', async (method, path, code) => {
    const response = await api.call(method, path)
    expect([response.code, response.body.kind]).toEqual([code, 'Status'])
  })
}
