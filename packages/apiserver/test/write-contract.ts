import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type ApiResponse, type Json, type Target } from './api-client'
import { aNamespace, aPod, configMap, eventually, widget } from './api-fixtures'
import { itOn } from './embedded-only'

export function writeContract(target: () => Target): void {
  let api: Api
  let path: string
  let maps: string
  let widgets: string
  let namespace: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ name: namespace, maps, widgets, path } = await aNamespace(api))
  })

  const codesOf = (responses: ApiResponse[]) => responses.map(({ code }) => code).sort()

  describe('create', () => {
    it('returns the object with the fields that the server adds', async () => {
      const { code, body } = await api.post(maps, configMap('created', { a: '1' }))
      expect(code).toBe(201)
      expect(body).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } })
      expect(body.metadata).toMatchObject({
        name: 'created',
        namespace,
        uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
      })
      expect((await api.get(`${maps}/created`)).body).toEqual(body)
    })

    it('generates names from generateName', async () => {
      const { body } = await api.post(maps, { ...configMap(''), metadata: { generateName: 'made-' } })
      expect(body.metadata.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    })

    it('rejects an existing name', async () => {
      await api.post(maps, configMap('taken'))
      const { code, body } = await api.post(maps, configMap('taken'))
      expect(code).toBe(409)
      expect(body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'configmaps "taken" already exists',
        reason: 'AlreadyExists',
        details: { name: 'taken', kind: 'configmaps' },
        code: 409,
      })
    })

    it.each([
      ['Upper', /^ConfigMap "Upper" is invalid: metadata.name: Invalid value: "Upper": a lowercase RFC 1123 subdomain/],
      ['', /^ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required$/],
    ])('rejects the name %j', async (name, message) => {
      const { code, body } = await api.post(maps, configMap(name))
      expect([code, body.reason]).toEqual([422, 'Invalid'])
      expect(body.message).toMatch(message)
      expect(body.details.causes[0].field).toBe('metadata.name')
    })

    it('rejects a namespace that differs from the path', async () => {
      const object = { ...configMap('elsewhere'), metadata: { name: 'elsewhere', namespace: 'default' } }
      const { code, body } = await api.post(maps, object)
      expect([code, body.message]).toEqual([
        400,
        'the namespace of the provided object does not match the namespace sent on the request',
      ])
    })

    it('rejects a missing namespace', async () => {
      const { code, body } = await api.post('/api/v1/namespaces/nowhere/configmaps', configMap('x'))
      expect([code, body.message]).toEqual([404, 'namespaces "nowhere" not found'])
    })

    it('accepts YAML, and JSON without a media type', async () => {
      const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata: {a: b}\n'
      expect((await api.call('POST', maps, { body: yaml, type: 'application/yaml' })).body.data).toEqual({ a: 'b' })
      expect((await api.call('POST', maps, { body: JSON.stringify(configMap('untyped')), type: '' })).code).toBe(201)
    })

    it.each([
      ['no object', '[1]', 400],
      ['no JSON', '{', 400],
      ['another kind', JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } }), 400],
      [
        'labels that are no texts',
        JSON.stringify({ ...configMap('x'), metadata: { name: 'x', labels: { a: 1 } } }),
        400,
      ],
      ['more than three mebibytes', JSON.stringify(configMap('big', { a: 'x'.repeat(3 * 1024 * 1024) })), 413],
    ])('rejects a body that is %s', async (_, body, expected) => {
      const response = await api.call('POST', maps, { body })
      expect([response.code, response.body.kind, response.body.code]).toEqual([expected, 'Status', expected])
    })

    itOn(target, 'A member named `__proto__` is rejected')('rejects a body with a __proto__ member', async () => {
      const body = '{"metadata":{"name":"x"},"data":{"__proto__":"x"}}'
      const response = await api.call('POST', maps, { body })
      expect([response.code, response.body.reason]).toEqual([400, 'BadRequest'])
    })

    it('rejects unknown media types', async () => {
      const { code, body } = await api.call('POST', maps, { body: 'a=b', type: 'application/x-www-form-urlencoded' })
      expect([code, body.reason]).toEqual([415, 'UnsupportedMediaType'])
    })
  })

  describe('custom kinds', () => {
    it('are pruned, defaulted and validated by their schema', async () => {
      const { code, body } = await api.post(widgets, widget('pruned', { size: 1, odd: true, free: { kept: [1] } }))
      expect([code, body.spec]).toEqual([201, { size: 1, color: 'grey', free: { kept: [1] } }])
      expect(body.metadata.generation).toBe(1)
      const { code: refused, body: status } = await api.post(widgets, widget('bad', { size: 'big' }))
      expect(refused).toBe(422)
      expect(status.message).toMatch(/^Widget.contract.test "bad" is invalid: spec.size: Invalid value: "string"/)
      expect(status.details).toMatchObject({ name: 'bad', group: 'contract.test', kind: 'Widget' })
    })

    it('report unknown fields as errors under strict validation, and as warnings otherwise', async () => {
      const odd = widget('odd', { size: 1, odd: true })
      const strict = await api.post(`${widgets}?fieldValidation=Strict`, odd)
      expect([strict.code, strict.body.message]).toEqual([
        400,
        'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.odd"',
      ])
      const warned = await api.post(`${widgets}?dryRun=All`, odd)
      expect(warned.headers.get('warning')).toBe('299 - "unknown field \\"spec.odd\\""')
      expect((await api.post(`${widgets}?dryRun=All&fieldValidation=Ignore`, odd)).headers.get('warning')).toBeNull()
      const { body: plain } = await api.post(widgets, widget('plain'))
      const put = await api.put(`${widgets}/plain?fieldValidation=Strict`, { ...plain, spec: odd.spec })
      const operation = { op: 'add', path: '/spec/odd', value: true }
      const patched = await api.patch(`${widgets}/plain?fieldValidation=Strict`, 'json', [operation])
      expect([put.code, put.body.message]).toEqual([strict.code, strict.body.message])
      expect([patched.code, patched.body.message]).toEqual([
        422,
        expect.stringMatching(/^ "" is invalid: patch: .*: strict decoding error: unknown field "spec.odd"$/),
      ])
    })

    it('report unknown fields of owners, and do not store them', async () => {
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: randomUUID(), odd: 1 }
      const owned = widget('owned', { size: 1 }, { ownerReferences: [owner], odd: 1 })
      const strict = await api.post(`${widgets}?fieldValidation=Strict`, owned)
      expect([strict.code, strict.body.message]).toEqual([
        400,
        'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "metadata.odd", unknown field "metadata.ownerReferences[0].odd"',
      ])
      const { odd: _, ...known } = owner
      for (const fieldValidation of ['Warn', 'Ignore']) {
        const { code, body } = await api.post(`${widgets}?dryRun=All&fieldValidation=${fieldValidation}`, owned)
        expect([code, body.metadata.ownerReferences]).toEqual([201, [known]])
      }
    })

    it('have a separate status', async () => {
      const { body: created } = await api.post(widgets, { ...widget('apart'), status: { phase: 'ignored' } })
      expect(created.status).toBeUndefined()
      const withStatus = { ...created, spec: { size: 9 }, status: { phase: 'Ready' } }
      const { body: updated } = await api.put(`${widgets}/apart/status`, withStatus)
      expect([updated.spec.size, updated.status, updated.metadata.generation]).toEqual([1, { phase: 'Ready' }, 1])
      const { body: grown } = await api.put(`${widgets}/apart`, { ...updated, spec: { size: 2 }, status: {} })
      expect([grown.spec.size, grown.status, grown.metadata.generation]).toEqual([2, { phase: 'Ready' }, 2])
    })
  })

  describe('the status of an object', () => {
    it('can be written without permission to write the rest', async () => {
      const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
      const rules = [{ verbs: ['update', 'patch'], apiGroups: ['contract.test'], resources: ['widgets/status'] }]
      await api.post(`${rbac}/roles`, { metadata: { name: 'reporter' }, rules })
      await api.post(`${rbac}/rolebindings`, {
        metadata: { name: 'reporter' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reporter' },
        subjects: [{ kind: 'User', name: 'reporter' }],
      })
      const { body: created } = await api.post(widgets, widget('reported'))
      const headers = { 'impersonate-user': 'reporter' }
      const at = `${widgets}/reported`
      const put = (to: string) => api.call('PUT', to, { headers, body: { ...created, status: { phase: 'Ready' } } })
      await eventually(async () => (await put(`${at}/status`)).body.status?.phase === 'Ready')
      expect((await put(at)).code).toBe(403)
    })

    it('may be written with labels and annotations for pods, but not for custom kinds', async () => {
      const metadata = { labels: { a: 'b' }, annotations: { c: 'd' } }
      await api.post(`${path}/pods`, aPod('labelled'))
      const pod = await api.patch(`${path}/pods/labelled/status`, 'merge', { metadata, status: { phase: 'Running' } })
      expect([pod.code, pod.body.metadata.labels, pod.body.metadata.annotations]).toEqual([200, { a: 'b' }, { c: 'd' }])
      await api.post(widgets, widget('labelled'))
      const custom = await api.patch(`${widgets}/labelled/status`, 'merge', { metadata, status: { phase: 'Ready' } })
      expect([custom.code, custom.body.metadata.labels, custom.body.status]).toEqual([
        200,
        undefined,
        { phase: 'Ready' },
      ])
    })
  })

  it('increases the generation on changes outside metadata and status', async () => {
    await api.post(widgets, widget('counted'))
    const generation = async (at: string, change: object) =>
      (await api.patch(`${widgets}/counted${at}`, 'merge', change)).body.metadata.generation
    expect(await generation('', { metadata: { labels: { a: 'b' } } })).toBe(1)
    expect(await generation('/status', { status: { phase: 'Ready' } })).toBe(1)
    expect(await generation('', { spec: { size: 2 } })).toBe(2)
  })

  describe('replace', () => {
    it('requires the current version for custom kinds', async () => {
      await api.post(widgets, widget('versioned'))
      const { code, body } = await api.put(`${widgets}/versioned`, widget('versioned', { size: 2 }))
      expect(code).toBe(422)
      expect(body.message).toContain(
        'widgets.contract.test "versioned" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      )
    })

    it('rejects an outdated version', async () => {
      const { body: first } = await api.post(widgets, widget('stale'))
      await api.put(`${widgets}/stale`, { ...first, spec: { size: 2 } })
      const { code, body } = await api.put(`${widgets}/stale`, { ...first, spec: { size: 3 } })
      expect([code, body.reason]).toEqual([409, 'Conflict'])
      expect(body.message).toBe(
        'Operation cannot be fulfilled on widgets.contract.test "stale": the object has been modified; please apply your changes to the latest version and try again',
      )
    })

    it('accepts built-in kinds without a version', async () => {
      await api.post(maps, configMap('free', { a: '1' }))
      expect((await api.put(`${maps}/free`, configMap('free', { a: '2' }))).body.data).toEqual({ a: '2' })
    })

    it('stores nothing without changes', async () => {
      const { body: first } = await api.post(widgets, widget('same'))
      const { code, body } = await api.put(`${widgets}/same`, first)
      expect([code, body]).toEqual([200, first])
    })

    it('rejects a missing name, another name, another uid and a missing object', async () => {
      const { body: first } = await api.post(maps, configMap('this'))
      const nameless = { ...configMap('this'), metadata: {} }
      for (const refused of [
        await api.put(`${maps}/this`, nameless),
        await api.patch(`${maps}/this`, 'merge', { metadata: { name: null } }),
        await api.patch(`${maps}/new?fieldManager=me`, 'apply', nameless),
      ]) {
        const { code, body } = refused
        expect([code, body.message]).toEqual([
          400,
          expect.stringMatching(
            /^the name of the object \((this|new) based on URL\) was undeterminable: name must be provided$/,
          ),
        ])
      }
      expect((await api.patch(`${maps}/this?fieldManager=me&dryRun=All`, 'apply', nameless)).code).toBe(200)
      const rename = await api.put(`${maps}/this`, configMap('that'))
      expect([rename.code, rename.body.message]).toEqual([
        400,
        'the name of the object (that) does not match the name on the URL (this)',
      ])
      const other = await api.put(`${maps}/this`, { ...first, metadata: { ...first.metadata, uid: 'other' } })
      expect([other.code, other.body.message]).toEqual([409, expect.stringContaining('Precondition failed: UID')])
      expect((await api.put(`${maps}/missing`, configMap('missing'))).code).toBe(404)
    })
  })

  describe('patch', () => {
    it('applies operations of RFC 6902, all of them or none', async () => {
      await api.post(maps, configMap('patched', { a: '1' }))
      const add = await api.patch(`${maps}/patched`, 'json', [{ op: 'add', path: '/data/b', value: '2' }])
      expect(add.body.data).toEqual({ a: '1', b: '2' })
      const failing = [
        { op: 'remove', path: '/data/a' },
        { op: 'test', path: '/data/b', value: 'other' },
      ]
      expect((await api.patch(`${maps}/patched`, 'json', failing)).code).toBe(422)
      expect((await api.get(`${maps}/patched`)).body.data).toEqual({ a: '1', b: '2' })
    })

    it('rejects operations on missing targets', async () => {
      await api.post(maps, configMap('bare'))
      const missing = [{ op: 'add', path: '/metadata/annotations/a', value: 'b' }]
      expect((await api.patch(`${maps}/bare`, 'json', missing)).code).toBe(422)
      expect((await api.patch(`${maps}/missing`, 'json', [])).code).toBe(404)
    })

    it.each(['/__proto__/x', '/constructor/prototype/x', 'data'])('rejects the pointer %s', async (pointer) => {
      await api.post(maps, configMap('pointed'))
      const { code } = await api.patch(`${maps}/pointed`, 'json', [{ op: 'add', path: pointer, value: 'x' }])
      expect(code).toBe(422)
      expect(({} as Record<string, unknown>).x).toBeUndefined()
    })

    it('merges according to RFC 7396', async () => {
      await api.post(widgets, widget('merged', { size: 1, free: { a: { b: 1, c: 2 }, list: [1, 2] } }))
      const patch = { spec: { free: { a: { b: null, d: 3 }, list: [3] } } }
      const { body } = await api.patch(`${widgets}/merged`, 'merge', patch)
      expect(body.spec.free).toEqual({ a: { c: 2, d: 3 }, list: [3] })
    })

    it('merges lists of built-in kinds by their key', async () => {
      const pods = `${path}/pods`
      const containers = [
        { name: 'a', image: 'a:1' },
        { name: 'b', image: 'b:1' },
      ]
      await api.post(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } })
      const patch = { spec: { containers: [{ name: 'b', image: 'b:2' }] } }
      const { body } = await api.patch(`${pods}/p`, 'strategic', patch)
      expect(body.spec.containers.map(({ name, image }: Json) => `${name} ${image}`).sort()).toEqual(['a a:1', 'b b:2'])
    })

    it('rejects a strategic merge patch of a custom kind', async () => {
      await api.post(widgets, widget('unstrategic'))
      expect((await api.patch(`${widgets}/unstrategic`, 'strategic', {})).code).toBe(415)
    })

    it('applies a configuration, creating a missing object', async () => {
      const config = widget('applied', { size: 4 })
      expect((await api.patch(`${widgets}/applied`, 'apply', config)).code).toBe(422)
      expect((await api.patch(`${widgets}/applied?fieldManager=contract`, 'apply', config)).code).toBe(201)
      const again = { ...widget('applied', { size: 5 }) }
      const { code, body } = await api.patch(`${widgets}/applied?fieldManager=contract`, 'apply', again)
      expect([code, body.spec]).toEqual([200, { size: 5, color: 'grey' }])
    })

    it('succeeds despite concurrent writers', async () => {
      await api.post(maps, configMap('busy'))
      const patches = Array.from({ length: 40 }, (_, index) =>
        api.patch(`${maps}/busy`, 'merge', { data: { [`k${index}`]: 'v' } }),
      )
      expect(codesOf(await Promise.all(patches))).toEqual(patches.map(() => 200))
      expect(Object.keys((await api.get(`${maps}/busy`)).body.data)).toHaveLength(40)
    })

    it('replaces an object without a version despite concurrent writers', async () => {
      await api.post(maps, configMap('replaced'))
      const puts = Array.from({ length: 20 }, (_, index) =>
        api.put(`${maps}/replaced`, configMap('replaced', { a: String(index) })),
      )
      expect(codesOf(await Promise.all(puts))).toEqual(puts.map(() => 200))
    })

    it('applies a new object several times at once, creating it once', async () => {
      for (const name of ['race-a', 'race-b', 'race-c']) {
        const applies = ['w', 'x', 'y', 'z'].map((manager) =>
          api.patch(`${maps}/${name}?fieldManager=${manager}`, 'apply', configMap(name, { [manager]: 'v' })),
        )
        expect(codesOf(await Promise.all(applies))).toEqual([200, 200, 200, 201])
        const { body } = await api.get(`${maps}/${name}`)
        expect(body.data).toEqual({ w: 'v', x: 'v', y: 'v', z: 'v' })
        const owned = body.metadata.managedFields.map(({ manager, operation, fieldsV1 }: Json) => [
          manager,
          operation,
          Object.keys(fieldsV1['f:data']),
        ])
        expect(owned.sort()).toEqual(['w', 'x', 'y', 'z'].map((manager) => [manager, 'Apply', [`f:${manager}`]]))
      }
    })

    it('rejects all but one of several patches at once with the same version', async () => {
      const { body } = await api.post(maps, configMap('versioned'))
      const metadata = { resourceVersion: body.metadata.resourceVersion }
      const patches = Array.from({ length: 5 }, (_, index) =>
        api.patch(`${maps}/versioned`, 'merge', { metadata, data: { a: String(index) } }),
      )
      expect(codesOf(await Promise.all(patches))).toEqual([200, 409, 409, 409, 409])
    })
  })

  describe('a dry run', () => {
    const all = '?dryRun=All'

    it('returns what the write would, and stores nothing', async () => {
      await api.post(maps, { ...configMap('wet', { a: '1' }) })
      const before = (await api.get(maps)).body.items
      expect((await api.post(`${maps}${all}`, configMap('dry'))).code).toBe(201)
      expect((await api.post(`${maps}${all}`, { metadata: { generateName: 'dry-' } })).body.metadata.name).toMatch(
        /^dry-/,
      )
      expect((await api.put(`${maps}/wet${all}`, configMap('wet', { a: '2' }))).body.data).toEqual({ a: '2' })
      expect((await api.patch(`${maps}/wet${all}`, 'merge', { data: { b: '2' } })).body.data).toEqual({
        a: '1',
        b: '2',
      })
      expect((await api.delete(`${maps}/wet${all}`)).body.status).toBe('Success')
      expect((await api.delete(`${maps}${all}`)).code).toBe(200)
      expect((await api.get(maps)).body.items).toEqual(before)
    })

    it('evaluates a review as usual', async () => {
      const spec = { resourceAttributes: { verb: 'list', resource: 'pods' } }
      const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
      expect((await api.post(`${reviews}${all}`, { spec })).body.status.allowed).toBe(true)
    })

    it('rejects what the write would reject', async () => {
      await api.post(maps, configMap('here'))
      expect((await api.post(`${maps}${all}`, configMap('here'))).code).toBe(409)
      expect((await api.post(`${widgets}${all}`, widget('bad', {}))).code).toBe(422)
      expect((await api.delete(`${maps}/missing${all}`)).code).toBe(404)
      expect((await api.post(`${maps}?dryRun=Some`, configMap('x'))).code).toBe(422)
    })
  })

  it('encodes the stringData of a secret and keeps its type', async () => {
    const secrets = `${path}/secrets`
    const { body } = await api.post(secrets, { metadata: { name: 's' }, stringData: { a: 'ü' } })
    expect([body.type, body.data, body.stringData]).toEqual(['Opaque', { a: 'w7w=' }, undefined])
    const { code, body: status } = await api.patch(`${secrets}/s`, 'merge', { type: 'other' })
    expect([code, status.message]).toEqual([
      422,
      expect.stringContaining('type: Invalid value: "other": field is immutable'),
    ])
  })
}
