import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, secret, widget } from './api-fixtures'

export function readContract(target: () => Target): void {
  let api: Api
  let secrets: string
  let widgets: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ secrets, widgets } = await aNamespace(api))
    for (const [name, labels] of [
      ['a', { app: 'x', tier: 'web' }],
      ['b', { app: 'x' }],
      ['c', { app: 'y' }],
      ['d', {}],
      ['e', { app: 'x', n: '5' }],
    ] as const) {
      await api.post(secrets, secret(name, {}, labels))
    }
  })
  const names = (list: Json): string => list.items.map(({ metadata }: Json) => metadata.name).join('')
  const list = async (query = '') => (await api.get(`${secrets}?${query}`)).body

  it('lists in name order, at a resource version', async () => {
    const body = await list()
    expect([body.kind, body.apiVersion, names(body)]).toEqual(['SecretList', 'v1', 'abcde'])
    expect(body.metadata.resourceVersion).toMatch(/^\d+$/)
    expect(body.metadata.continue).toBeUndefined()
  })

  it.each([
    ['labelSelector', 'app=x', 'abe'],
    ['labelSelector', 'app!=x', 'cd'],
    ['labelSelector', 'app in (x,y),!tier', 'bce'],
    ['labelSelector', 'app notin (x)', 'cd'],
    ['labelSelector', 'tier', 'a'],
    ['labelSelector', 'n>4', 'e'],
    ['labelSelector', 'app=none', ''],
    ['fieldSelector', 'metadata.name=b', 'b'],
    ['fieldSelector', 'metadata.name!=b', 'acde'],
  ])('selects by %s %s', async (kind, selector, expected) => {
    expect(names(await list(`${kind}=${encodeURIComponent(selector)}`))).toBe(expected)
  })

  it.each([
    ['labelSelector=app in', /unable to parse requirement/],
    ['fieldSelector=spec.x=1', /field label not supported: spec.x/],
    [
      'resourceVersion=abc',
      /^invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax$/,
    ],
    ['continue=nonsense', /continue key is not valid/],
    ['limit=many', /^strconv.ParseInt: parsing "many": invalid syntax$/],
  ])('rejects %s', async (query, message) => {
    const { code, body } = await api.get(`${secrets}?${encodeURI(query)}`)
    expect([code, body.message]).toEqual([400, expect.stringMatching(message)])
  })

  describe('one object', () => {
    it.each(['', '0', '1'])('is returned at a version of at least %j', async (version) => {
      const { code, body } = await api.get(`${secrets}/a?resourceVersion=${version}`)
      expect([code, body.metadata.name]).toEqual([200, 'a'])
    })

    it.each(['a', 'missing'])('is not returned before a future version: %s', async (name) => {
      const { code, body } = await api.get(`${secrets}/${name}?resourceVersion=99999999`)
      expect([code, body]).toEqual([
        504,
        {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: expect.stringMatching(/^Timeout: Too large resource version: 99999999, current: \d+$/),
          reason: 'Timeout',
          details: {
            causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
            retryAfterSeconds: 1,
          },
          code: 504,
        },
      ])
    })

    // Of events, which the real server does not cache: for other kinds it returns 500.
    it.each(['abc', '-1', '1.5'])('is not returned at the version %s', async (version) => {
      const events = secrets.replace(/secrets$/, 'events')
      const { code, body } = await api.get(`${events}/missing?resourceVersion=${version}`)
      expect([code, body.reason, body.message]).toEqual([
        400,
        'BadRequest',
        `invalid resource version: resourceVersion: Invalid value: "${version}": strconv.ParseUint: parsing "${version}": invalid syntax`,
      ])
    })
  })

  describe.each(['', 'watch=true&'])('with the query %j', (watch) => {
    const cases: [string, string][] = watch
      ? [
          ['sendInitialEvents=true', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'],
          [
            'resourceVersionMatch=NotOlderThan',
            'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
          ],
        ]
      : [
          ['resourceVersionMatch=NotOlderThan', 'resourceVersionMatch is forbidden unless resourceVersion is provided'],
          [
            'resourceVersionMatch=Exact&resourceVersion=0',
            'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
          ],
          [
            'resourceVersionMatch=Exact&resourceVersion=1&continue=x',
            'resourceVersionMatch is forbidden when continue is provided',
          ],
          ['sendInitialEvents=true', 'sendInitialEvents is forbidden for list'],
        ]
    it.each(cases)('rejects %s', async (query, detail) => {
      const { code, body } = await api.get(`${secrets}?${watch}${query}`)
      const [field] = detail.split(' ')
      expect([code, body]).toEqual([
        422,
        {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: `ListOptions.meta.k8s.io "" is invalid: ${field === 'sendInitialEvents' && watch ? 'resourceVersionMatch' : field}: Forbidden: ${detail}`,
          reason: 'Invalid',
          details: {
            group: 'meta.k8s.io',
            kind: 'ListOptions',
            causes: [
              {
                reason: 'FieldValueForbidden',
                message: `Forbidden: ${detail}`,
                field: field === 'sendInitialEvents' && watch ? 'resourceVersionMatch' : field,
              },
            ],
          },
          code: 422,
        },
      ])
    })
  })

  it('lists an exact version, or at least as new as a version', async () => {
    const other = await aNamespace(api)
    await api.post(other.secrets, secret('a'))
    const { body: then } = await api.get(other.secrets)
    const version = then.metadata.resourceVersion
    await api.post(other.secrets, secret('b'))
    const { body: exact } = await api.get(`${other.secrets}?resourceVersion=${version}&resourceVersionMatch=Exact`)
    expect([names(exact), exact.metadata.resourceVersion]).toEqual(['a', version])
    const fresh = await api.get(`${other.secrets}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan`)
    expect(names(fresh.body)).toBe('ab')
    expect(names((await api.get(`${other.secrets}?resourceVersion=${version}&limit=5`)).body)).toBe('a')
    expect(names((await api.get(`${other.secrets}?resourceVersion=0`)).body)).toBe('ab')
  })

  it('lists everything at resourceVersion 0, ignoring the limit', async () => {
    const other = await aNamespace(api)
    for (const name of ['a', 'b', 'c']) await api.post(other.secrets, secret(name))
    const { body } = await api.get(`${other.secrets}?limit=1&resourceVersion=0`)
    expect([names(body), body.metadata.continue]).toEqual(['abc', undefined])
  })

  it.each(['false', 'False', '0'])('lists if watch is %s', async (watch) => {
    expect((await api.get(`${secrets}?watch=${watch}`)).body.kind).toBe('SecretList')
  })

  it('continues after names with any characters', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
    const label = `contract.test/letters=${secrets.length}`
    for (const name of ['船', '港']) {
      await api.delete(`${roles}/${encodeURIComponent(name)}`)
      const labels = { 'contract.test/letters': String(secrets.length) }
      expect((await api.post(roles, { metadata: { name, labels }, rules: [] })).code).toBe(201)
    }
    const query = `labelSelector=${encodeURIComponent(label)}&limit=1`
    const { body: first } = await api.get(`${roles}?${query}`)
    const { body: second } = await api.get(`${roles}?${query}&continue=${first.metadata.continue}`)
    expect(`${names(first)}${names(second)}`).toBe('港船'.split('').sort().join(''))
  })

  it('pages through one version despite concurrent writes', async () => {
    const other = await aNamespace(api)
    for (const name of ['a', 'b', 'c', 'd', 'e']) await api.post(other.secrets, secret(name))
    const { body: first } = await api.get(`${other.secrets}?limit=2`)
    expect([names(first), first.metadata.remainingItemCount]).toEqual(['ab', 3])
    await api.delete(`${other.secrets}/c`)
    await api.post(other.secrets, secret('bb'))
    const page = async (token: string) => (await api.get(`${other.secrets}?limit=2&continue=${token}`)).body
    const second = await page(first.metadata.continue)
    expect([names(second), second.metadata.resourceVersion]).toEqual(['cd', first.metadata.resourceVersion])
    const third = await page(second.metadata.continue)
    expect([names(third), third.metadata.continue]).toEqual(['e', undefined])
  })

  it('pages through the matches of a selector, without a remaining count', async () => {
    const first = await list('limit=2&labelSelector=app%3Dx')
    expect([names(first), first.metadata.remainingItemCount]).toEqual(['ab', undefined])
    const second = await list(`limit=2&labelSelector=app%3Dx&continue=${first.metadata.continue}`)
    expect([names(second), second.metadata.continue]).toEqual(['e', undefined])
  })

  it('rejects a future version', async () => {
    const { code, body } = await api.get(`${secrets}?resourceVersion=999999999`)
    expect([code, body.details.causes[0].reason]).toEqual([504, 'ResourceVersionTooLarge'])
  })

  it('returns 404 with the name for a missing object', async () => {
    const { code, body } = await api.get(`${widgets}/none`)
    expect([code, body.message, body.details]).toEqual([
      404,
      'widgets.contract.test "none" not found',
      { name: 'none', group: 'contract.test', kind: 'widgets' },
    ])
  })

  it('returns tables and metadata only on request', async () => {
    await api.post(widgets, widget('tabled', { size: 3 }))
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
    const { body: table } = await api.call('GET', widgets, { headers: { accept } })
    expect(table.kind).toBe('Table')
    expect(table.columnDefinitions.map(({ name }: Json) => name)).toEqual(['Name', 'Size'])
    expect(table.rows[0].cells).toEqual(['tabled', 3])
    const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
    const { body } = await api.call('GET', widgets, { headers: { accept: partial } })
    expect([body.kind, body.items[0].spec]).toEqual(['PartialObjectMetadataList', undefined])
    expect((await api.call('GET', widgets, { headers: { accept: 'text/html' } })).code).toBe(406)
  })
}
