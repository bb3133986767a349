import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiOf, named, type Api, type Json, type EventStream, type Target } from './api-client'
import { aNamespace, secret } from './api-fixtures'
import { itOn } from './embedded-only'

export function watchContract(target: () => Target): void {
  let api: Api
  let secrets: string
  beforeAll(() => {
    api = apiOf(target())
  })
  beforeEach(async () => {
    ;({ secrets } = await aNamespace(api))
  })
  const revision = async (): Promise<string> => (await api.get(secrets)).body.metadata.resourceVersion

  it.each(['False', 'false', '0'])('watch=%s lists', async (value) => {
    const { code, body } = await api.get(`${secrets}?watch=${value}`)
    expect([code, body.kind]).toEqual([200, 'SecretList'])
  })

  describe.each<[string, (path: string) => Promise<EventStream>]>([
    ['HTTP', (path) => api.watch(path)],
    ['a websocket', (path) => api.socket(path)],
  ])('a watch over %s', (_, watch) => {
    it('reports the changes after a given version', async () => {
      await api.post(secrets, secret('before'))
      const from = await revision()
      await api.post(secrets, secret('between'))
      const events = await watch(`${secrets}?watch=true&resourceVersion=${from}`)
      await api.patch(`${secrets}/before`, 'merge', { stringData: { a: '1' } })
      const { body: deleted } = await api.get(`${secrets}/between`)
      await api.delete(`${secrets}/between`)
      expect(await events.take(2)).toEqual(['ADDED between', 'MODIFIED before'])
      const { type, object } = await events.next()
      expect([type, object.metadata.uid, object.kind]).toEqual(['DELETED', deleted.metadata.uid, 'Secret'])
      expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(Number(deleted.metadata.resourceVersion))
      events.close()
    })

    it.each(['', '&resourceVersion=0'])('starts with the existing objects with the query %j', async (query) => {
      await api.post(secrets, secret('a'))
      await api.post(secrets, secret('b'))
      const events = await watch(`${secrets}?watch=true${query}`)
      await api.post(secrets, secret('c'))
      expect(await events.take(3)).toEqual(['ADDED a', 'ADDED b', 'ADDED c'])
      events.close()
    })

    it.each(['', '1', 'TRUE', 'f'])('opens with watch=%s', async (value) => {
      await api.post(secrets, secret('a'))
      const events = await watch(`${secrets}?watch=${value}`)
      expect(await events.take(1)).toEqual(['ADDED a'])
      events.close()
    })

    it('reports objects that start and stop matching', async () => {
      const events = await watch(`${secrets}?watch=true&labelSelector=app%3Dx&resourceVersion=${await revision()}`)
      await api.post(secrets, secret('m', { a: '1' }))
      await api.patch(`${secrets}/m`, 'merge', { metadata: { labels: { app: 'x' } } })
      await api.patch(`${secrets}/m`, 'merge', { stringData: { a: '2' } })
      const { body: last } = await api.patch(`${secrets}/m`, 'merge', { metadata: { labels: { app: 'y' } } })
      await api.delete(`${secrets}/m`)
      await api.post(secrets, secret('n', {}, { app: 'x' }))
      expect(await events.take(2)).toEqual(['ADDED m', 'MODIFIED m'])
      const { type, object } = await events.next()
      expect([type, object.metadata.labels, object.metadata.resourceVersion]).toEqual([
        'DELETED',
        { app: 'x' },
        last.metadata.resourceVersion,
      ])
      expect(await events.take(1)).toEqual(['ADDED n'])
      events.close()
    })

    it('follows one name', async () => {
      const events = await watch(`${secrets}?watch=true&fieldSelector=metadata.name%3Db`)
      for (const name of ['a', 'b', 'c']) await api.post(secrets, secret(name))
      await api.delete(`${secrets}/b`)
      expect(await events.take(2)).toEqual(['ADDED b', 'DELETED b'])
      events.close()
    })

    it('of one object from an earlier version reports all of its changes and no other', async () => {
      const from = await revision()
      for (const name of ['a', 'b', 'bb']) await api.post(secrets, secret(name))
      for (const value of ['1', '2']) {
        for (const name of ['a', 'b']) await api.patch(`${secrets}/${name}`, 'merge', { stringData: { value } })
      }
      await api.delete(`${secrets}/b`)
      const events = await watch(`${secrets}?watch=true&resourceVersion=${from}&fieldSelector=metadata.name%3Db`)
      await api.post(secrets, secret('b'))
      expect(await events.take(5)).toEqual(['ADDED b', 'MODIFIED b', 'MODIFIED b', 'DELETED b', 'ADDED b'])
      events.close()
    })

    it('does not report writes without changes or dry runs', async () => {
      await api.post(secrets, secret('a'))
      const events = await watch(`${secrets}?watch=true&resourceVersion=${await revision()}`)
      await api.patch(`${secrets}/a`, 'merge', {})
      await api.patch(`${secrets}/a?dryRun=All`, 'merge', { stringData: { a: '1' } })
      await api.post(secrets, secret('b'))
      expect(await events.take(1)).toEqual(['ADDED b'])
      events.close()
    })

    it('ends at its timeout, after a bookmark if requested', async () => {
      // Other servers send it two seconds before the end.
      const seconds = target().isEmbedded ? 1 : 5
      const events = await watch(`${secrets}?watch=true&timeoutSeconds=${seconds}&allowWatchBookmarks=true`)
      const received: Json[] = []
      for (let event = await events.next(); event !== undefined; event = await events.next()) received.push(event)
      expect(received.length).toBeGreaterThan(0)
      for (const { type, object } of received) {
        expect([type, object.kind]).toEqual(['BOOKMARK', 'Secret'])
        expect(object.metadata.resourceVersion).toMatch(/^\d+$/)
      }
    })

    it('starts without initial events if requested', async () => {
      await api.post(secrets, secret('a'))
      const query = 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
      const events = await watch(`${secrets}?watch=true&${query}`)
      await api.post(secrets, secret('b'))
      expect(await events.take(1)).toEqual(['ADDED b'])
      events.close()
    })

    it('marks the end of the initial events', async () => {
      await api.post(secrets, secret('a'))
      const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
      const events = await watch(`${secrets}?watch=true&${query}`)
      expect(named(await events.next())).toBe('ADDED a')
      const { type, object } = await events.next()
      expect([type, object.metadata.annotations]).toEqual(['BOOKMARK', { 'k8s.io/initial-events-end': 'true' }])
      events.close()
    })
  })

  describe('a websocket', () => {
    it('selects the offered protocol', async () => {
      const events = await api.socket(`${secrets}?watch=true`, { protocols: ['base64.binary.k8s.io'] })
      expect(events.protocol).toBe('base64.binary.k8s.io')
      await api.post(secrets, secret('plain'))
      expect(await events.take(1)).toEqual(['ADDED plain'])
      events.close()
    })

    it('accepts a token as a protocol', async () => {
      const token = `base64url.bearer.authorization.k8s.io.${Buffer.from(target().token).toString('base64url')}`
      const events = await api.socket(`${secrets}?watch=true`, {
        protocols: [token, 'base64.binary.k8s.io'],
        token: '',
      })
      expect(events.protocol).toBe('base64.binary.k8s.io')
      events.close()
    })

    it.each<[string, (carrier: string) => string[]]>([
      ['without another protocol', (carrier) => [carrier]],
      ['if there are several', (carrier) => [carrier, `${carrier}a`, 'base64.binary.k8s.io']],
      ['that is not valid', () => ['base64url.bearer.authorization.k8s.io.AAAA', 'base64.binary.k8s.io']],
    ])('rejects a token %s', async (_, protocolsWith) => {
      const carrier = `base64url.bearer.authorization.k8s.io.${Buffer.from(target().token).toString('base64url')}`
      const response = api.socket(`${secrets}?watch=true`, { protocols: protocolsWith(carrier), token: '' })
      await expect(response).rejects.toMatchObject({ code: 401, body: { kind: 'Status', message: 'Unauthorized' } })
    })

    it('is rejected with the error response of the watch', async () => {
      const refused = (path: string, options = {}) => api.socket(path, options).catch((error: unknown) => error)
      expect(await refused(`${secrets}?watch=true&labelSelector=%21%21`)).toMatchObject({ code: 400 })
      for (const origin of ['', 'null']) {
        expect(await refused(`${secrets}?watch=true`, { origin })).toMatchObject({ code: 403 })
      }
      expect(await refused(`${secrets}?watch=true`, { protocols: ['a', 'b'] })).toMatchObject({ code: 400 })
    })

    itOn(target, 'everything else is 401 without a token')('requires a token, and a watch or log', async () => {
      const anonymous = api.socket(`${secrets}?watch=true`, { token: '' })
      await expect(anonymous).rejects.toMatchObject({ code: 401, body: { kind: 'Status' } })
      await expect(api.socket(secrets)).rejects.toMatchObject({ code: 400, body: { kind: 'Status' } })
    })
  })
}
