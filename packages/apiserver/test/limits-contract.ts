import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type ApiResponse, type Api, type Target } from './api-client'
import { aNamespace, configMap, widget } from './api-fixtures'
import { itOn } from './embedded-only'

const blamesItself = 'The real server returns 500 for some client errors'

/** Limits on the size and syntax of objects, and metadata that the server controls. */
export function limitsContract(target: () => Target): void {
  let api: Api
  let path: string
  let maps: string
  let widgets: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ path, maps, widgets } = await aNamespace(api))
  })
  const errorOf = ({ code, body }: ApiResponse) => [code, body.reason, body.message]
  const mapWith = (metadata: object) => api.post(`${maps}?dryRun=All`, { ...configMap('x'), metadata })
  const kibibytes = (count: number, character = 'x') => character.repeat(count * 1024)

  describe('sizes', () => {
    it('of a body are limited to 3 MiB', async () => {
      const response = await api.post(maps, configMap('huge', { a: kibibytes(3072) }))
      expect(errorOf(response)).toEqual([413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'])
    })

    it.each<[string, string]>([
      ['PUT', 'application/json'],
      ['PATCH', 'application/merge-patch+json'],
      ['PATCH', 'application/apply-patch+yaml'],
      ['DELETE', 'application/json'],
      ['POST', 'application/vnd.kubernetes.protobuf'],
    ])('of a body are limited to 3 MiB for %s %s, too', async (method, type) => {
      const at = method === 'POST' ? maps : `${maps}/huge?fieldManager=contract`
      const body = Buffer.alloc(3 * 1024 * 1024 + 1, ' ')
      const response = await api.call(method, at, { body, type })
      expect(errorOf(response)).toEqual([413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'])
    })

    it.each<[string, string]>([
      ['PUT', 'application/json'],
      ['PATCH', 'application/merge-patch+json'],
      ['PATCH', 'application/apply-patch+yaml'],
      ['DELETE', 'application/json'],
      ['POST', 'application/vnd.kubernetes.protobuf'],
    ])('of a body are limited to 3 MiB for %s %s, too', async (method, type) => {
      const at = method === 'POST' ? maps : `${maps}/huge?fieldManager=contract`
      const body = Buffer.alloc(3 * 1024 * 1024 + 1, ' ')
      const response = await api.call(method, at, { body, type })
      expect(errorOf(response)).toEqual([413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'])
    })

    it('of the data of a config map are limited to 1 MiB, in bytes rather than characters', async () => {
      const create = (name: string, data: Record<string, string>, more: object = {}) =>
        api.post(maps, { ...configMap(name, data), ...more })
      expect((await create('full', { a: kibibytes(1024) })).code).toBe(201)
      expect((await create('lines', { a: kibibytes(1024, '\n') })).code).toBe(201)
      const over: Record<string, string>[] = [
        { a: kibibytes(512), b: `${kibibytes(512)}x` },
        { a: kibibytes(600, 'ü') },
      ]
      for (const data of over) {
        expect(errorOf(await create('over', data))).toEqual([
          422,
          'Invalid',
          'ConfigMap "over" is invalid: []: Too long: may not be more than 1048576 bytes',
        ])
      }
      const binaryData = { b: Buffer.alloc(1024 * 1024).toString('base64') }
      expect((await create('binary', {}, { binaryData })).code).toBe(201)
      expect((await create('both', { a: 'x' }, { binaryData })).code).toBe(422)
    })

    it('of a secret are limited to 1 MiB of decoded data', async () => {
      const secret = (name: string, bytes: number) =>
        api.post(`${path}/secrets`, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name },
          data: { a: Buffer.alloc(bytes).toString('base64') },
        })
      expect((await secret('full', 1024 * 1024)).code).toBe(201)
      expect(errorOf(await secret('over', 1024 * 1024 + 1))).toEqual([
        422,
        'Invalid',
        'Secret "over" is invalid: data: Too long: may not be more than 1048576 bytes',
      ])
    })

    it('of annotations are limited to 256 KiB in total', async () => {
      const annotated = (a: number, b: number) =>
        mapWith({ name: 'x', annotations: { a: kibibytes(a), b: kibibytes(b) } })
      expect((await annotated(127, 128)).code).toBe(201)
      expect(errorOf(await annotated(128, 128))).toEqual([
        422,
        'Invalid',
        'ConfigMap "x" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes',
      ])
    })

    it('of a stored object are limited to 1.5 MiB, however it reaches that', async () => {
      const free = (size: number) => ({ size: 1, free: { text: kibibytes(size) } })
      expect((await api.post(widgets, widget('large', free(1500)))).code).toBe(201)
      const { code, body } = await api.post(widgets, widget('too-large', free(1537)))
      expect([code >= 400, body.message]).toEqual([true, expect.stringContaining('etcdserver: request is too large')])
      expect((await api.get(`${widgets}/too-large`)).code).toBe(404)
      const grown = await api.patch(`${widgets}/large`, 'merge', { spec: { free: { more: kibibytes(40) } } })
      expect(grown.code).toBeGreaterThanOrEqual(400)
      expect((await api.get(`${widgets}/large`)).body.spec.free.more).toBeUndefined()
    })

    itOn(target, blamesItself)('of a stored object above the limit are reported as a client error', async () => {
      const object = widget('too-large', { size: 1, free: { text: kibibytes(1537) } })
      const { code, body } = await api.post(widgets, object)
      expect([code, body.reason]).toEqual([413, 'RequestEntityTooLarge'])
    })
  })

  describe('names', () => {
    const subdomain = 'a lowercase RFC 1123 subdomain must consist of'
    it.each([
      ['a.b', 201, ''],
      ['a'.repeat(253), 201, ''],
      ['a'.repeat(254), 422, 'metadata.name: Invalid value: "aaa'],
      ['a'.repeat(254), 422, 'must be no more than 253 characters'],
      ['-a', 422, `metadata.name: Invalid value: "-a": ${subdomain}`],
      ['a_b', 422, `metadata.name: Invalid value: "a_b": ${subdomain}`],
      ['a..b', 422, subdomain],
    ])('of config maps: %s results in %d %s', async (name, code, message) => {
      const response = await mapWith({ name })
      expect([response.code, response.body.message ?? '']).toEqual([code, expect.stringContaining(message)])
    })

    it.each([
      ['a'.repeat(63), 201, ''],
      ['a'.repeat(64), 422, 'must be no more than 63 characters'],
      ['a.b', 422, 'metadata.name: Invalid value: "a.b": must not contain dots'],
    ])('of namespaces: %s results in %d %s', async (name, code, message) => {
      const response = await api.post('/api/v1/namespaces?dryRun=All', { metadata: { name } })
      expect([response.code, response.body.message ?? '']).toEqual([code, expect.stringContaining(message)])
    })

    it.each([
      ['system:a b', 201, ''],
      ['a/b', 422, `metadata.name: Invalid value: "a/b": may not contain '/'`],
      ['..', 422, `metadata.name: Invalid value: "..": may not be '..'`],
    ])('of roles: %s results in %d %s', async (name, code, message) => {
      const roles = path.replace('/api/v1', '/apis/rbac.authorization.k8s.io/v1')
      const response = await api.post(`${roles}/roles?dryRun=All`, { metadata: { name }, rules: [] })
      expect([response.code, response.body.message ?? '']).toEqual([code, expect.stringContaining(message)])
    })

    it('that are generated are truncated to leave room for five characters', async () => {
      const { body } = await mapWith({ generateName: `${'a'.repeat(70)}-` })
      expect(body.metadata.name).toMatch(/^a{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/)
      const both = await mapWith({ generateName: 'made-', name: 'given' })
      expect([both.body.metadata.name, both.body.metadata.generateName]).toEqual(['given', 'made-'])
      const odd = await mapWith({ generateName: 'Odd_' })
      expect(odd.body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
        'metadata.generateName',
        'metadata.name',
      ])
      expect((await mapWith({ generateName: 'a.b-' })).code).toBe(201)
    })
  })

  describe('labels and annotations', () => {
    const namePart = "name part must consist of alphanumeric characters, '-', '_' or '.'"
    it.each([
      [{ labels: { 'a b': '' } }, `metadata.labels: Invalid value: "a b": ${namePart}`],
      [{ labels: { '/a': '' } }, 'metadata.labels: Invalid value: "/a": prefix part must be non-empty'],
      [
        { labels: { 'A.b/c': '' } },
        'metadata.labels: Invalid value: "A.b/c": prefix part a lowercase RFC 1123 subdomain must consist of',
      ],
      [{ labels: { 'a/b/c': '' } }, 'metadata.labels: Invalid value: "a/b/c": a valid label key must consist of'],
      [{ labels: { 'a/': '' } }, 'name part must be non-empty'],
      [{ labels: { ['a'.repeat(64)]: '' } }, 'name part must be no more than 63 bytes'],
      [{ labels: { a: 'x'.repeat(64) } }, 'must be no more than 63 bytes'],
      [{ labels: { a: 'x y' } }, 'metadata.labels: Invalid value: "x y": a valid label must be an empty string or'],
      [{ annotations: { 'a b': 'any text' } }, `metadata.annotations: Invalid value: "a b": ${namePart}`],
    ])('are rejected: %j', async (metadata, message) => {
      const { code, body } = await mapWith({ name: 'x', ...metadata })
      expect([code, body.message]).toEqual([422, expect.stringContaining(message)])
    })

    it('accept valid values', async () => {
      const labels = { a: '', 'a.b/C_d.e': 'V-1_2.3', ['a'.repeat(63)]: 'x'.repeat(63) }
      expect((await mapWith({ name: 'x', labels, annotations: { 'A.b/c': 'x y' } })).code).toBe(201)
    })
  })

  describe('owners and finalizers', () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }
    it.each([
      [
        { ownerReferences: [{ ...owner, apiVersion: '' }] },
        'ownerReferences.apiVersion: Invalid value: "": version must',
      ],
      [{ ownerReferences: [{ ...owner, kind: '' }] }, 'ownerReferences.kind: Invalid value: "": must not be empty'],
      [{ ownerReferences: [{ ...owner, name: '' }] }, 'ownerReferences.name: Invalid value: "": must not be empty'],
      [{ ownerReferences: [{ ...owner, uid: '' }] }, 'ownerReferences.uid: Invalid value: "": must not be empty'],
      [{ ownerReferences: [{ ...owner, kind: 'Event' }] }, '/v1, Kind=Event is disallowed from being an owner'],
      [
        {
          ownerReferences: [
            { ...owner, controller: true },
            { ...owner, name: 'p', uid: 'v', controller: true },
          ],
        },
        'Only one reference can have Controller set to true. Found "true" in references for ConfigMap/o and ConfigMap/p',
      ],
      [{ finalizers: ['a b/c'] }, 'metadata.finalizers: Invalid value: "a b/c": prefix part'],
      [{ finalizers: ['mine'] }, 'metadata.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer'],
      [{ finalizers: ['orphan', 'foregroundDeletion'] }, 'finalizer orphan and foregroundDeletion cannot be both set'],
    ])('are rejected: %j', async (metadata, message) => {
      const { code, body } = await mapWith({ name: 'x', ...metadata })
      expect([code, body.message]).toEqual([422, expect.stringContaining(message)])
    })
  })

  describe("the server's own metadata", () => {
    it('is ignored in a creation', async () => {
      const given = {
        uid: 'mine',
        creationTimestamp: '2020-01-01T00:00:00Z',
        deletionTimestamp: '2020-01-01T00:00:00Z',
        generation: 7,
        selfLink: '/x',
      }
      const { body } = await api.post(widgets, widget('owned', { size: 1 }, given))
      expect(body.metadata).toMatchObject({ generation: 1 })
      expect(body.metadata.uid).not.toBe('mine')
      expect(body.metadata.creationTimestamp).not.toContain('2020')
      expect(body.metadata.deletionTimestamp).toBeUndefined()
      expect(body.metadata.selfLink).toBeUndefined()
      const updated = await api.patch(`${widgets}/owned`, 'merge', { metadata: { selfLink: '/x' } })
      expect(updated.body.metadata.selfLink).toBeUndefined()
    })

    it('rejects a version in a creation', async () => {
      const { code, body } = await api.post(maps, { ...configMap('x'), metadata: { name: 'x', resourceVersion: '1' } })
      expect([code >= 400, body.message]).toEqual([true, 'resourceVersion should not be set on objects to be created'])
    })
    itOn(target, blamesItself)('rejects a version in a creation as a client error', async () => {
      const { code, body } = await api.post(maps, { ...configMap('x'), metadata: { name: 'x', resourceVersion: '1' } })
      expect([code, body.reason]).toEqual([400, 'BadRequest'])
    })

    it.each([
      ['deletionTimestamp', '2020-01-01T00:00:00Z'],
      ['deletionGracePeriodSeconds', 5],
    ])('is immutable: %s', async (member, value) => {
      await api.post(maps, configMap('frozen'))
      const { code, body } = await api.patch(`${maps}/frozen`, 'merge', { metadata: { [member]: value } })
      expect([code, body.message]).toEqual([
        422,
        `ConfigMap "frozen" is invalid: metadata.${member}: Invalid value: ${JSON.stringify(value)}: field is immutable`,
      ])
    })

    it('ignores a changed creation timestamp in an update', async () => {
      const { body: created } = await api.post(maps, configMap('dated'))
      const change = { metadata: { creationTimestamp: '2020-01-01T00:00:00Z' } }
      const { code, body } = await api.patch(`${maps}/dated`, 'merge', change)
      expect([code, body]).toEqual([200, created])
    })

    it('may be omitted from an update, or repeated', async () => {
      const { body: created } = await api.post(maps, configMap('kept'))
      const { creationTimestamp, uid } = created.metadata
      const { body } = await api.put(`${maps}/kept`, configMap('kept', { a: '1' }))
      expect(body.metadata).toMatchObject({ creationTimestamp, uid })
      expect((await api.put(`${maps}/kept`, body)).code).toBe(200)
      const other = { ...body, metadata: { ...body.metadata, uid: '11111111-2222-4333-8444-555555555555' } }
      expect(errorOf(await api.put(`${maps}/kept`, other))).toEqual([
        409,
        'Conflict',
        expect.stringMatching(
          // The real server also names the key in etcd.
          `^Operation cannot be fulfilled on configmaps "kept": .*Precondition failed: UID in precondition: 11111111-2222-4333-8444-555555555555, UID in object meta: ${uid}$`,
        ),
      ])
    })
  })
}
