import { beforeAll, describe, expect, it } from 'vitest'
import { recordings } from './protobuf-recordings'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, configMap, eventually, widget, widgetDefinition } from './api-fixtures'
import { itOn } from './embedded-only'

const protobuf = 'application/vnd.kubernetes.protobuf'
const builtinTypes = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'

/** Media types of request and response bodies, and warnings. */
export function mediaTypesContract(target: () => Target): void {
  let api: Api
  let namespace: string
  let maps: string
  let widgets: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ name: namespace, maps, widgets } = await aNamespace(api))
    // The namespaces of the recorded objects.
    await api.post('/api/v1/namespaces', { metadata: { name: 'team-a' } })
  })

  describe('protobuf', () => {
    const pathOf: Record<string, string> = {
      Namespace: '/api/v1/namespaces',
      ConfigMap: '/api/v1/namespaces/team-a/configmaps',
      Secret: '/api/v1/namespaces/team-a/secrets',
      ServiceAccount: '/api/v1/namespaces/team-a/serviceaccounts',
      Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/roles',
      RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/rolebindings',
      ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      SelfSubjectAccessReview: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      SelfSubjectRulesReview: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      SelfSubjectReview: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    }
    const recorded = recordings.flatMap(({ command, body, object }): [string, string, Json][] => {
      const { kind }: Json = object
      // Skips a namespace that already exists, and a token for a missing pod.
      return kind === 'TokenRequest' || kind === 'Namespace' ? [] : [[command, body, object]]
    })
    it.each(recorded)('is accepted from kubectl %s, with a response in JSON', async (_, body, object) => {
      const { kind, metadata, status: _status, apiVersion: _version, ...rest } = object
      const { code, body: response } = await api.call('POST', `${pathOf[kind]}?dryRun=All`, {
        body: Buffer.from(body, 'base64'),
        type: protobuf,
      })
      expect([code, response.kind, response.metadata?.name]).toEqual([201, kind, metadata.name])
      // The rules review does not return its spec.
      if (kind !== 'SelfSubjectRulesReview') expect(response).toMatchObject(rest)
    })

    it('is accepted in a deletion', async () => {
      await api.post(maps, configMap('deleted'))
      const options = Buffer.from('azhzAAoTCgJ2MRINRGVsZXRlT3B0aW9ucxIMIgpCYWNrZ3JvdW5kGgAiAA==', 'base64')
      const { code, body } = await api.call('DELETE', `${maps}/deleted`, { body: options, type: protobuf })
      expect([code, body.status]).toEqual([200, 'Success'])
    })

    const closes = 'where the real server closes the connection'
    itOn(target, closes)('is rejected for custom kinds', async () => {
      const body = Buffer.from('azhzAAoaChBjb250cmFjdC50ZXN0L3YxEgZXaWRnZXQSABoAIgA=', 'base64')
      const response = await api.call('POST', widgets, { body, type: protobuf })
      expect([response.code, response.body.reason]).toEqual([415, 'UnsupportedMediaType'])
    })
  })

  const unknownFormat = 'the body of the request was in an unknown format - accepted media types include: '
  it.each<[string, string, () => string, string]>([
    ['POST', 'application/x-www-form-urlencoded', () => maps, unknownFormat + builtinTypes],
    ['POST', 'application/cbor', () => maps, unknownFormat + builtinTypes],
    ['POST', 'text/plain', () => widgets, unknownFormat + builtinTypes],
    [
      'PATCH',
      'application/strategic-merge-patch+json',
      () => `${widgets}/x`,
      `${unknownFormat}application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`,
    ],
    ['PATCH', 'application/json', () => `${maps}/x`, '415: Unsupported Media Type'],
  ])('a body of %s %s is rejected', async (method, type, path, message) => {
    const { code, body } = await api.call(method, path(), { body: 'a=b', type })
    const { details, ...status } = body
    expect([code, status]).toEqual([
      415,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        reason: 'UnsupportedMediaType',
        code: 415,
      },
    ])
    expect(details).toEqual(message.startsWith('415') ? {} : undefined)
  })

  it('a body without a media type is JSON, and media types are case-insensitive', async () => {
    const body = new TextEncoder().encode(JSON.stringify(configMap('untold')))
    const headers = { authorization: `Bearer ${target().token}` }
    const untold = await fetch(`${target().url}${maps}?dryRun=All`, { method: 'POST', headers, body })
    expect(untold.status).toBe(201)
    const told = { body: JSON.stringify(configMap('told')), type: 'Application/JSON; charset=utf-8' }
    expect((await api.call('POST', `${maps}?dryRun=All`, told)).code).toBe(201)
  })

  it('a response is in YAML if the client accepts nothing else, and 406 if it accepts neither', async () => {
    await api.post(maps, configMap('formed', { a: '1' }))
    const asking = (accept: string, path: string, method = 'GET', body?: unknown) =>
      api.call(method, path, { headers: { accept }, ...(body !== undefined && { body }) })
    for (const path of [`${maps}/formed`, maps, '/api/v1', '/apis']) {
      const { headers, body } = await asking('application/yaml', path)
      expect([path, headers.get('content-type'), body]).toEqual([
        path,
        'application/yaml',
        expect.stringMatching(/^(kind|apiVersion): /m),
      ])
    }
    for (const path of [`${widgets}/x`, '/apis']) {
      const { code, body } = await asking('text/html', path)
      expect([code, body.message]).toEqual([406, `only the following media types are accepted: ${builtinTypes}`])
    }
    const listTypes = `${builtinTypes}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`
    for (const [method, path, types, sent] of [
      ['GET', `${maps}/formed`, builtinTypes],
      ['GET', maps, listTypes],
      ['GET', `${maps}?watch=true`, listTypes],
      ['POST', maps, builtinTypes, configMap('unanswered')],
    ] as const) {
      const { code, body } = await asking('text/html', path, method, sent)
      expect([method, code, body.reason, body.message]).toEqual([
        method,
        406,
        'NotAcceptable',
        `406: Not Acceptable\n\nAvailable representations: ${types}`,
      ])
    }
    expect((await api.get(`${maps}/unanswered`)).code).toBe(404)
  })

  describe('warnings', () => {
    const group = () => `deprecated.${namespace}.test`
    const things = () => `/apis/${group()}/v1/namespaces/${namespace}/widgets`
    beforeAll(async () => {
      const [version] = widgetDefinition.spec.versions
      const versions = [
        { ...version, deprecated: true },
        { ...version, name: 'v1beta1', storage: false, deprecated: true, deprecationWarning: 'use v2 "now"' },
      ]
      await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        ...widgetDefinition,
        metadata: { name: `widgets.${group()}` },
        spec: { ...widgetDefinition.spec, group: group(), versions },
      })
      await eventually(async () => (await api.get(things())).code === 200)
    })

    it('are sent with every response of a deprecated version', async () => {
      const object = { ...widget('w'), apiVersion: `${group()}/v1` }
      const warning = `299 - "${group()}/v1 Widget is deprecated"`
      const responses = [
        await api.post(things(), object),
        await api.get(`${things()}/w`),
        await api.get(things()),
        await api.patch(`${things()}/w`, 'merge', { spec: { size: 2 } }),
        await api.get(`${things()}?watch=true&timeoutSeconds=1`),
        await api.delete(`${things()}/w`),
      ]
      expect(responses.map(({ headers }) => headers.get('warning'))).toEqual(responses.map(() => warning))
      const older = await api.get(things().replace('/v1/', '/v1beta1/'))
      expect(older.headers.get('warning')).toBe('299 - "use v2 \\"now\\""')
    })

    it('are sent for each unknown field', async () => {
      const odd = widget('odd', { size: 1, odd: true, strange: 1 })
      const { headers } = await api.post(`${widgets}?dryRun=All`, odd)
      expect(headers.get('warning')?.split(', ').sort()).toEqual([
        '299 - "unknown field \\"spec.odd\\""',
        '299 - "unknown field \\"spec.strange\\""',
      ])
    })
  })
}
