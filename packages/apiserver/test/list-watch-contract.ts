import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, secret } from './api-fixtures'
import { itOn } from './embedded-only'

/** Resource versions, and edge cases of lists and watches. */
export function listWatchContract(target: () => Target): void {
  let api: Api
  let path: string
  let secrets: string
  beforeAll(() => {
    api = apiOf(target())
  })
  beforeEach(async () => {
    ;({ path, secrets } = await aNamespace(api))
  })
  const versionOf = ({ body }: { body: Json }): number => Number(body.metadata.resourceVersion)
  const names = ({ body }: { body: Json }): string[] => body.items.map(({ metadata }: Json) => metadata.name)
  const errorOf = ({ code, body }: { code: number; body: Json }) => [code, body.reason, body.message]

  describe('a version', () => {
    it('is a number that increases with every write of any kind', async () => {
      const written = [
        await api.post(secrets, secret('a')),
        await api.post(`${path}/serviceaccounts`, { metadata: { name: 'robot' } }),
        await api.patch(`${secrets}/a`, 'merge', { stringData: { x: '1' } }),
        await api.post(secrets, secret('b')),
      ]
      for (const { body } of written) expect(body.metadata.resourceVersion).toMatch(/^[1-9]\d*$/)
      const versions = written.map(versionOf)
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
      // An object has the version of its last write; a list has the version at which it was read.
      expect(versionOf(await api.get(`${secrets}/a`))).toBe(versions[2])
      expect(versionOf(await api.get(secrets))).toBeGreaterThanOrEqual(versions[3] ?? Infinity)
    })

    it('is unchanged by any kind of write without changes', async () => {
      const { body } = await api.post(secrets, secret('a', { x: '1' }))
      const events = await api.watch(`${secrets}?watch=true&resourceVersion=${body.metadata.resourceVersion}`)
      const same = [
        await api.put(`${secrets}/a`, body),
        await api.patch(`${secrets}/a`, 'merge', { type: 'Opaque' }),
        await api.patch(`${secrets}/a`, 'strategic', { metadata: { labels: {} } }),
        await api.patch(`${secrets}/a`, 'json', [{ op: 'test', path: '/type', value: 'Opaque' }]),
      ]
      for (const response of same) {
        expect([response.code, response.body.metadata.resourceVersion]).toEqual([200, body.metadata.resourceVersion])
      }
      await api.post(secrets, secret('next'))
      expect(await events.take(1)).toEqual(['ADDED next'])
      events.close()
    })

    it('of the last event is that of the deletion', async () => {
      const { body } = await api.post(secrets, secret('a', { x: '1' }, { app: 'x' }))
      const events = await api.watch(`${secrets}?watch=true&resourceVersion=${body.metadata.resourceVersion}`)
      await api.delete(`${secrets}/a`)
      const after = versionOf(await api.post(secrets, secret('b')))
      const { type, object } = await events.next()
      expect([type, object.data, object.metadata.labels]).toEqual(['DELETED', body.data, { app: 'x' }])
      const version = Number(object.metadata.resourceVersion)
      expect([version > versionOf({ body }), version < after]).toEqual([true, true])
      events.close()
    })
  })

  describe('a list', () => {
    it('cannot be continued at a version other than that of its first page', async () => {
      for (const name of ['a', 'b']) await api.post(secrets, secret(name))
      const { body: first } = await api.get(`${secrets}?limit=1`)
      const next = `${secrets}?limit=1&continue=${first.metadata.continue}`
      expect(errorOf(await api.get(`${next}&resourceVersion=${first.metadata.resourceVersion}`))).toEqual([
        400,
        'BadRequest',
        'specifying resource version is not allowed when using continue',
      ])
      expect(names(await api.get(`${next}&resourceVersion=0`))).toEqual(['b'])
    })

    it.each(['nonsense', '!!!', 'e30', btoa('null'), btoa('{"v":"meta.k8s.io/v1","rv":"x","start":"a"}')])(
      'is not read on with %j',
      async (token) => {
        const response = await api.get(`${secrets}?limit=1&continue=${encodeURIComponent(token)}`)
        expect(errorOf(response)).toEqual([
          400,
          'BadRequest',
          expect.stringMatching(/^invalid continue token: continue key is not valid/),
        ])
      },
    )

    it('rejects an unknown resourceVersionMatch', async () => {
      const { code, body } = await api.get(`${secrets}?resourceVersion=1&resourceVersionMatch=Odd`)
      expect([code, body.details.causes]).toEqual([
        422,
        [
          {
            reason: 'FieldValueNotSupported',
            message: 'Unsupported value: "Odd": supported values: "Exact", "NotOlderThan", ""',
            field: 'resourceVersionMatch',
          },
        ],
      ])
    })

    it('at a future version returns a retryable error', async () => {
      const { code, body, headers } = await api.get(`${secrets}?resourceVersion=999999999999`)
      expect([code, body.status, body.reason, body.code]).toEqual([504, 'Failure', 'Timeout', 504])
      expect(body.message).toMatch(/^Timeout: Too large resource version: 999999999999, current: \d+$/)
      expect(body.details).toEqual({
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      })
      expect(headers.get('retry-after')).toBe('1')
    })
  })

  describe('a selector', () => {
    beforeEach(async () => {
      await api.post(secrets, secret('low', {}, { n: '5', app: 'x' }))
      await api.post(secrets, secret('high', {}, { n: '10' }))
      await api.post(secrets, secret('word', {}, { n: 'many', 'a.b/c': '' }))
    })
    const own = (found: string[]) => found.filter((name) => ['low', 'high', 'word'].includes(name))
    const select = async (selector: string) =>
      own(names(await api.get(`${secrets}?labelSelector=${encodeURIComponent(selector)}`)))

    it.each([
      ['n>5', ['high']],
      ['n<10', ['low']],
      ['n != 5', ['high', 'word']],
      ['app!=x', ['high', 'word']],
      ['app notin (x, y)', ['high', 'word']],
      ['app==x', ['low']],
      ['!app , n', ['high', 'word']],
      ['a.b/c=', ['word']],
      ['a.b/c in ()', ['word']],
      ['app in (x,,y)', ['low']],
      [' n\tin ( 5 , 10 ) ', ['high', 'low']],
    ])('%j selects the matching objects', async (selector, expected) => {
      expect(await select(selector)).toEqual(expected)
    })

    it('is decoded once', async () => {
      expect(own(names(await api.get(`${secrets}?labelSelector=app%3Dx`)))).toEqual(['low'])
      expect(own(names(await api.get(`${secrets}?labelSelector=n+in+(5)`)))).toEqual(['low'])
      const twice = await api.get(`${secrets}?labelSelector=app%253Dx`)
      expect([twice.code, twice.body.message]).toEqual([
        400,
        expect.stringContaining(
          'unable to parse requirement: <nil>: Invalid value: "app%3Dx": name part must consist of',
        ),
      ])
    })

    it.each([
      ['app in', "unable to parse requirement: found '' expected: '('"],
      ['app=x=y', "found '=', expected: ',' or 'end of string'"],
      ['app,', "found '', expected: identifier after ','"],
      [
        'n>x',
        `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
      ],
      [`app=${'x'.repeat(64)}`, 'must be no more than 63'],
    ])('%j is rejected in a list, a watch and a deletion', async (selector, message) => {
      const query = `labelSelector=${encodeURIComponent(selector)}`
      for (const response of [
        await api.get(`${secrets}?${query}`),
        await api.get(`${secrets}?watch=true&${query}`),
        await api.delete(`${secrets}?${query}`),
      ]) {
        expect(errorOf(response)).toEqual([400, 'BadRequest', expect.stringContaining(message)])
      }
      expect((await api.get(`${secrets}/low`)).code).toBe(200)
    })

    it.each([
      ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
      ['metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
    ])('on fields is rejected: %j', async (selector, message) => {
      const response = await api.get(`${secrets}?fieldSelector=${encodeURIComponent(selector)}`)
      expect(errorOf(response)).toEqual([400, 'BadRequest', message])
    })
  })

  describe('a watch', () => {
    it('responds before the first event, and sends each line without delay', async () => {
      const { body } = await api.get(secrets)
      const from = body.metadata.resourceVersion
      for (const accept of ['application/json', 'application/json;stream=watch', '*/*']) {
        const ended = new AbortController()
        const response = await fetch(`${target().url}${secrets}?watch=true&resourceVersion=${from}`, {
          headers: { accept, authorization: `Bearer ${target().token}` },
          signal: ended.signal,
        })
        expect([response.status, response.headers.get('content-type')]).toEqual([
          200,
          expect.stringMatching(/^application\/json(;stream=watch)?$/),
        ])
        expect([response.headers.get('content-length'), response.headers.get('transfer-encoding')]).toEqual([
          null,
          'chunked',
        ])
        ended.abort()
      }
    })

    it('works over all namespaces as over one', async () => {
      const other = await aNamespace(api)
      const { body } = await api.get('/api/v1/secrets?limit=1')
      const selector = `labelSelector=${encodeURIComponent('contract.test/everywhere')}`
      const from = body.metadata.resourceVersion
      const events = await api.watch(`/api/v1/secrets?watch=true&resourceVersion=${from}&${selector}`)
      const labels = { 'contract.test/everywhere': 'yes' }
      await api.post(secrets, secret('here', {}, labels))
      await api.post(other.secrets, secret('there', {}, labels))
      expect(await events.take(2)).toEqual(['ADDED here', 'ADDED there'])
      events.close()
    })

    it('of missed changes reports every one, in order', async () => {
      const from = versionOf(await api.post(secrets, secret('a')))
      for (const x of ['1', '2', '3']) await api.patch(`${secrets}/a`, 'merge', { stringData: { x } })
      await api.delete(`${secrets}/a`)
      await api.post(secrets, secret('a'))
      const events = await api.watch(`${secrets}?watch=true&resourceVersion=${from}`)
      const seen = []
      for (let count = 0; count < 5; count++) seen.push(await events.next())
      expect(seen.map(({ type, object }) => [type, object.data?.x && atob(object.data.x)])).toEqual([
        ['MODIFIED', '1'],
        ['MODIFIED', '2'],
        ['MODIFIED', '3'],
        ['DELETED', '3'],
        ['ADDED', undefined],
      ])
      const versions = seen.map(({ object }) => Number(object.metadata.resourceVersion))
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
      events.close()
    })

    // A real server waits a few seconds for that version before it returns the error.
    itOn(target, 'the data folder was emptied, so waiting would be pointless')(
      'at a future version returns a retryable error',
      async () => {
        const { code, body } = await api.get(`${secrets}?watch=true&resourceVersion=999999999999`)
        expect([code, body.reason, body.details.causes[0].reason]).toEqual([504, 'Timeout', 'ResourceVersionTooLarge'])
      },
    )
  })
}
