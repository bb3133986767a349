import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type ApiResponse, type Api, type Json, type Target } from './api-client'
import { aNamespace, configMap, widget } from './api-fixtures'

/** Server-side apply, and field ownership after any write. */
export function applyContract(target: () => Target): void {
  let api: Api
  let path: string
  let maps: string
  let widgets: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ path, maps, widgets } = await aNamespace(api))
  })

  const apply = (at: string, manager: string, config: Json, more = ''): Promise<ApiResponse> =>
    api.patch(`${at}/${config.metadata.name}?fieldManager=${manager}${more}`, 'apply', config)
  const pod = (name: string, containers: Json[]): Json => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers },
  })
  const entries = ({ body }: ApiResponse): Json[] => body.metadata.managedFields ?? []
  const entryOf = (response: ApiResponse, manager: string): Json =>
    entries(response).find((entry) => entry.manager === manager)

  describe('an apply', () => {
    it('requires a manager', async () => {
      const { code, body } = await api.patch(`${maps}/nobody`, 'apply', configMap('nobody'))
      expect([code, body.message]).toEqual([
        422,
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      ])
    })

    it('creates a missing object and records its owners', async () => {
      const created = await apply(maps, 'ann', configMap('created', { a: '1' }, { app: 'x' }))
      expect(created.code).toBe(201)
      expect(entries(created)).toEqual([
        {
          manager: 'ann',
          operation: 'Apply',
          apiVersion: 'v1',
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { 'f:a': {} }, 'f:metadata': { 'f:labels': { 'f:app': {} } } },
        },
      ])
      expect((await api.get(`${maps}/created`)).body).toEqual(created.body)
    })

    it('accepts YAML', async () => {
      const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata: {a: b}\n'
      const type = 'application/apply-patch+yaml'
      const { code, body } = await api.call('PATCH', `${maps}/yaml?fieldManager=ann`, { body: yaml, type })
      expect([code, body.data]).toEqual([201, { a: 'b' }])
    })

    it('removes fields that the applier drops, unless another manager applied them', async () => {
      await apply(maps, 'ann', configMap('less', { a: '1', b: '2', c: '3' }))
      await apply(maps, 'bob', configMap('less', { b: '2' }))
      const less = await apply(maps, 'ann', configMap('less', { a: '1' }))
      expect(less.body.data).toEqual({ a: '1', b: '2' })
      expect([entryOf(less, 'ann').fieldsV1, entryOf(less, 'bob').fieldsV1]).toEqual([
        { 'f:data': { 'f:a': {} } },
        { 'f:data': { 'f:b': {} } },
      ])
    })

    it('conflicts with the owner of a different value', async () => {
      await api.post(`${maps}?fieldManager=kubectl-create`, configMap('mine', { key: '1' }))
      const { code, body } = await apply(maps, 'ann', configMap('mine', { key: '2' }))
      expect([code, body]).toEqual([
        409,
        {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'Apply failed with 1 conflict: conflict with "kubectl-create" using v1: .data.key',
          reason: 'Conflict',
          details: {
            causes: [
              {
                reason: 'FieldManagerConflict',
                message: 'conflict with "kubectl-create" using v1',
                field: '.data.key',
              },
            ],
          },
          code: 409,
        },
      ])
      const forced = await apply(maps, 'ann', configMap('mine', { key: '2' }), '&force=true')
      expect([forced.code, forced.body.data]).toEqual([200, { key: '2' }])
      expect(entryOf(forced, 'kubectl-create').fieldsV1).toEqual({ 'f:data': {} })
    })

    it('reports every conflict, by manager', async () => {
      await apply(maps, 'bob', configMap('ours', { b: '1' }))
      await apply(maps, 'ann', configMap('ours', { a: '1', c: '1' }))
      const { body } = await apply(maps, 'eve', configMap('ours', { a: '2', b: '2', c: '2' }))
      expect(body.message).toBe(
        'Apply failed with 3 conflicts: conflicts with "ann":\n- .data.a\n- .data.c\nconflicts with "bob":\n- .data.b',
      )
      expect(body.details.causes).toHaveLength(3)
    })

    it('shares ownership of fields applied with the same value', async () => {
      await apply(maps, 'ann', configMap('shared', { a: '1' }))
      const shared = await apply(maps, 'bob', configMap('shared', { a: '1' }))
      // A manager that changes nothing gets no time, and so is first.
      expect(entries(shared).map(({ manager, time }) => [manager, time])).toEqual([
        ['bob', undefined],
        ['ann', expect.any(String)],
      ])
    })

    it('without changes keeps even the version', async () => {
      const first = await apply(maps, 'ann', configMap('calm', { a: '1' }))
      expect((await apply(maps, 'ann', configMap('calm', { a: '1' }))).body).toEqual(first.body)
    })

    it('merges lists by the keys of their items', async () => {
      const accounts = `${path}/serviceaccounts`
      const account = (secret: object) => ({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'merged' },
        secrets: [secret],
      })
      await apply(accounts, 'ann', account({ name: 'a' }))
      const both = await apply(accounts, 'bob', account({ name: 'b' }))
      expect(both.body.secrets.map(({ name }: Json) => name).sort()).toEqual(['a', 'b'])
      expect(entryOf(both, 'bob').fieldsV1).toEqual({ 'f:secrets': { 'k:{"name":"b"}': {} } })
      const { body } = await apply(accounts, 'eve', account({ name: 'a', namespace: 'other' }))
      expect(body.message).toContain('conflict with "ann": .secrets[name="a"]')
    })

    it('rejects an item without an identity', async () => {
      const twice = [
        { name: 'a', image: 'a' },
        { name: 'a', image: 'b' },
      ]
      const { code, body } = await apply(`${path}/pods`, 'ann', pod('twice', twice))
      expect([code >= 400, body.message]).toEqual([true, expect.stringContaining('duplicate entries for key')])
    })

    it('rejects fields that the schema does not declare', async () => {
      const { code, body } = await apply(widgets, 'ann', widget('odd', { size: 1, odd: true }))
      expect(code).toBeGreaterThanOrEqual(400)
      expect(body.message).toMatch(
        /^failed to create typed patch object \(.*odd; contract.test\/v1, Kind=Widget\): .spec.odd: field not declared/,
      )
    })

    it.each<[string, object, string]>([
      ['another kind', { kind: 'Secret' }, 'invalid object type: /v1, Kind=Secret'],
      ['owners', { metadata: { name: 'bad', managedFields: [] } }, 'metadata.managedFields must be nil'],
    ])('rejects %s', async (_, change, message) => {
      const { code, body } = await apply(maps, 'ann', {
        ...configMap('bad'),
        ...change,
        metadata: { name: 'bad', ...('metadata' in change ? (change.metadata as object) : {}) },
      })
      expect([code, body.message]).toEqual([400, message])
    })

    it('to the status subresource owns only the status', async () => {
      await apply(widgets, 'ann', widget('stated', { size: 1 }))
      const config = { ...widget('stated'), status: { phase: 'Ready' } }
      const stated = await api.patch(`${widgets}/stated/status?fieldManager=bob`, 'apply', config)
      expect([stated.code, stated.body.status]).toEqual([200, { phase: 'Ready' }])
      expect(entryOf(stated, 'bob')).toMatchObject({
        operation: 'Apply',
        subresource: 'status',
        fieldsV1: { 'f:status': { 'f:phase': {} } },
      })
      const other = await api.patch(`${widgets}/stated/status?fieldManager=eve`, 'apply', {
        ...config,
        status: { phase: 'Failed' },
      })
      expect(other.body.message).toBe(
        'Apply failed with 1 conflict: conflict with "bob" with subresource "status": .status.phase',
      )
    })

    it('stores nothing in a dry run', async () => {
      expect((await apply(maps, 'ann', configMap('dry', { a: '1' }), '&dryRun=All')).code).toBe(201)
      expect((await api.get(`${maps}/dry`)).code).toBe(404)
    })

    it('takes over what kubectl applied client-side', async () => {
      const last = JSON.stringify(configMap('moved', { a: '1', b: '1' }))
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': last }
      const client = { ...configMap('moved', { a: '1', b: '1' }), metadata: { name: 'moved', annotations } }
      await api.post(`${maps}?fieldManager=kubectl-client-side-apply`, client)
      const config = configMap('moved', { a: '2', b: '1' })
      expect((await apply(maps, 'ann', config)).body.message).toBe(
        'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.a',
      )
      const moved = await apply(maps, 'kubectl', config)
      expect([moved.code, moved.body.data]).toEqual([200, { a: '2', b: '1' }])
    })
  })

  describe('a write other than an apply', () => {
    it('owns what it changes, under its field manager or the program in its user agent', async () => {
      const headers = { 'user-agent': 'contract/1.0 (linux/amd64)' }
      const created = await api.call('POST', maps, { body: configMap('agent', { a: '1', b: '1' }), headers })
      expect(entries(created)).toMatchObject([
        {
          manager: 'contract',
          operation: 'Update',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } },
        },
      ])
      const patched = await api.patch(`${maps}/agent?fieldManager=other`, 'merge', { data: { a: '2' } })
      expect(entryOf(patched, 'contract').fieldsV1).toEqual({ 'f:data': { '.': {}, 'f:b': {} } })
      expect(entryOf(patched, 'other').fieldsV1).toEqual({ 'f:data': { 'f:a': {} } })
    })

    it('takes over fields from their appliers', async () => {
      await apply(maps, 'ann', configMap('taken', { a: '1' }))
      const patched = await api.patch(`${maps}/taken?fieldManager=bob`, 'merge', { data: { a: '2' } })
      expect(entries(patched).map(({ manager }) => manager)).toEqual(['bob'])
    })

    it.each([
      ['an empty list', []],
      ['an empty entry', [{}]],
    ])('resets all ownership with %s', async (_, managedFields) => {
      const { body } = await api.post(maps, { ...configMap('', { a: '1' }), metadata: { generateName: 'reset-' } })
      const at = `${maps}/${body.metadata.name}`
      const reset = await api.patch(at, 'merge', { metadata: { managedFields } })
      expect(reset.body.metadata.managedFields).toBeUndefined()
      const config = configMap(body.metadata.name, { a: '2' })
      expect((await apply(maps, 'ann', config)).body.message).toContain('conflict with "before-first-apply" using v1')
    })

    it('keeps the owners if it sends none or invalid ones', async () => {
      const created = await api.post(`${maps}?fieldManager=ann`, configMap('kept', { a: '1' }))
      expect(entries(await api.put(`${maps}/kept`, configMap('kept', { a: '1' })))).toEqual(entries(created))
      const nonsense = [{ manager: 'x', operation: 'Own', fieldsType: 'FieldsV1', fieldsV1: { a: 1 } }]
      const put = { ...configMap('kept', { a: '1' }), metadata: { name: 'kept', managedFields: nonsense } }
      expect(entries(await api.put(`${maps}/kept`, put))).toEqual(entries(created))
    })

    it('accepts a manager of at most 128 characters', async () => {
      const { code, body } = await api.post(`${maps}?fieldManager=${'x'.repeat(129)}`, configMap('long'))
      expect([code, body.message]).toEqual([
        422,
        'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
      ])
    })

    it('cannot be forced', async () => {
      const { code, body } = await api.patch(`${maps}/kept?force=true`, 'merge', {})
      expect([code, body.message]).toEqual([
        422,
        'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
      ])
    })
  })

  describe('field validation', () => {
    const twice = '{"metadata":{"name":"twice"},"data":{"a":"1","a":"2"},"odd":1}'
    const strict = '?fieldValidation=Strict'

    it('reports duplicate members', async () => {
      const refused = await api.call('POST', `${maps}${strict}`, { body: twice })
      expect([refused.code, refused.body.message]).toEqual([
        400,
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a", unknown field "odd"',
      ])
      const warned = await api.call('POST', `${maps}?dryRun=All`, { body: twice })
      expect([warned.code, warned.body.data, warned.headers.get('warning')]).toEqual([
        201,
        { a: '2' },
        '299 - "duplicate field \\"data.a\\"", 299 - "unknown field \\"odd\\""',
      ])
      const ignored = await api.call('POST', `${maps}?dryRun=All&fieldValidation=Ignore`, { body: twice })
      expect(ignored.headers.get('warning')).toBeNull()
    })

    it('reports duplicate YAML keys', async () => {
      const yaml = 'metadata: {name: twice}\ndata:\n  a: "1"\n  a: "2"\n'
      const type = 'application/yaml'
      const refused = await api.call('POST', `${maps}${strict}`, { body: yaml, type })
      expect([refused.code, refused.body.message]).toEqual([
        400,
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 4: key "a" already set in map',
      ])
      expect((await api.call('POST', `${maps}?dryRun=All`, { body: yaml, type })).body.data).toEqual({ a: '2' })
    })

    it('applies to patches', async () => {
      await api.post(widgets, widget('strict'))
      const body = '{"spec":{"size":2,"size":3,"odd":1}}'
      const type = 'application/merge-patch+json'
      const merged = await api.call('PATCH', `${widgets}/strict${strict}`, { body, type })
      expect([merged.code, merged.body.reason, merged.body.message]).toEqual([
        422,
        'Invalid',
        expect.stringMatching(
          /^ "" is invalid: patch: Invalid value: "{.*}": strict decoding error: duplicate field "spec.size", unknown field "spec.odd"$/,
        ),
      ])
      const operation = { op: 'replace', path: '/spec/size', value: 2, odd: 1 }
      const patched = await api.patch(`${widgets}/strict${strict}`, 'json', [operation])
      expect([patched.code, patched.body.message]).toEqual([
        422,
        expect.stringMatching(/strict decoding error: json patch unknown field "\[0\]\.odd"$/),
      ])
    })

    it('reports field names in any script', async () => {
      const { code, headers } = await api.post(`${widgets}?dryRun=All`, widget('script', { size: 1, 中: 1 }))
      expect([code, headers.get('warning')]).toEqual([201, expect.stringContaining('unknown field')])
    })
  })

  it('warns of finalizer names that may clash with others', async () => {
    const held = widget('held', { size: 1 }, { finalizers: ['mine', 'contract.test', 'contract.test/mine'] })
    const warnings = (await api.post(`${widgets}?dryRun=All`, held)).headers.get('warning')?.split(', ').sort()
    const others = 'to avoid accidental conflicts with other finalizer writers'
    expect(warnings).toEqual([
      `299 - "metadata.finalizers: \\"contract.test\\": prefer a domain-qualified finalizer name including a path (/) ${others}"`,
      `299 - "metadata.finalizers: \\"mine\\": prefer a domain-qualified finalizer name ${others}"`,
    ])
  })

  describe('a JSON patch', () => {
    const patch = (body: unknown) => api.patch(`${maps}/operated`, 'json', body)
    beforeAll(async () => {
      await api.post(maps, configMap('operated', { a: '1' }))
    })

    it('may have at most 10,000 operations', async () => {
      const operation = { op: 'test', path: '/data/a', value: '1' }
      const { code, body } = await patch(Array.from({ length: 10_001 }, () => operation))
      expect([code, body.reason, body.message]).toEqual([
        413,
        'RequestEntityTooLarge',
        'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
      ])
    })

    it.each<[string, unknown]>([
      ['a failing test', [{ op: 'test', path: '/data/a', value: '2' }]],
      ['a missing target', [{ op: 'remove', path: '/data/b' }]],
      ['an unknown operation', [{ op: 'own', path: '/data/a' }]],
      ['no path', [{ op: 'remove' }]],
      ['a move without a source', [{ op: 'move', path: '/data/b' }]],
    ])('cannot be applied with %s', async (_, operations) => {
      const { code, body } = await patch(operations)
      expect([code, body.reason, body.message]).toEqual([
        422,
        'Invalid',
        'the server rejected our request due to an error in our request',
      ])
    })

    it('must be a list of operations', async () => {
      const text = 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'
      const { code, body } = await patch({ op: 'remove' })
      expect([code, body.message]).toEqual([400, text])
      const merged = await api.patch(`${maps}/operated`, 'merge', [])
      expect([merged.code, merged.body.message]).toEqual([
        400,
        'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
      ])
    })
  })
}
