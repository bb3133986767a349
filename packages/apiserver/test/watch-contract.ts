import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiOf, named, type Api, type EventStream, type Target } from './api-client'
import { aNamespace, configMap } from './api-fixtures'

export function watchContract(target: () => Target): void {
  let api: Api
  let maps: string
  beforeAll(() => {
    api = apiOf(target())
  })
  beforeEach(async () => {
    ;({ maps } = await aNamespace(api))
  })
  const revision = async (): Promise<string> => (await api.get(maps)).body.metadata.resourceVersion

  describe.each<[string, (path: string) => Promise<EventStream>]>([
    ['HTTP', (path) => api.watch(path)],
    ['a websocket', (path) => api.socket(path)],
  ])('a watch over %s', (_, watch) => {
    it('tells what happens after the revision it is given', async () => {
      await api.post(maps, configMap('before'))
      const from = await revision()
      await api.post(maps, configMap('between'))
      const events = await watch(`${maps}?watch=true&resourceVersion=${from}`)
      await api.patch(`${maps}/before`, 'merge', { data: { a: '1' } })
      const { body: gone } = await api.get(`${maps}/between`)
      await api.delete(`${maps}/between`)
      expect(await events.take(2)).toEqual(['ADDED between', 'MODIFIED before'])
      const { type, object } = await events.next()
      expect([type, object.metadata.uid, object.kind]).toEqual(['DELETED', gone.metadata.uid, 'ConfigMap'])
      expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(Number(gone.metadata.resourceVersion))
      events.close()
    })

    it.each(['', '&resourceVersion=0'])('begins with what is there when asked with %j', async (query) => {
      await api.post(maps, configMap('a'))
      await api.post(maps, configMap('b'))
      const events = await watch(`${maps}?watch=true${query}`)
      await api.post(maps, configMap('c'))
      expect(await events.take(3)).toEqual(['ADDED a', 'ADDED b', 'ADDED c'])
      events.close()
    })

    it('tells of objects that begin and cease to match', async () => {
      const events = await watch(`${maps}?watch=true&labelSelector=app%3Dx&resourceVersion=${await revision()}`)
      await api.post(maps, configMap('m', { a: '1' }))
      await api.patch(`${maps}/m`, 'merge', { metadata: { labels: { app: 'x' } } })
      await api.patch(`${maps}/m`, 'merge', { data: { a: '2' } })
      const { body: last } = await api.patch(`${maps}/m`, 'merge', { metadata: { labels: { app: 'y' } } })
      await api.delete(`${maps}/m`)
      await api.post(maps, configMap('n', {}, { app: 'x' }))
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
      const events = await watch(`${maps}?watch=true&fieldSelector=metadata.name%3Db`)
      for (const name of ['a', 'b', 'c']) await api.post(maps, configMap(name))
      await api.delete(`${maps}/b`)
      expect(await events.take(2)).toEqual(['ADDED b', 'DELETED b'])
      events.close()
    })

    it('says nothing of writes that change nothing, nor of dry runs', async () => {
      await api.post(maps, configMap('a'))
      const events = await watch(`${maps}?watch=true&resourceVersion=${await revision()}`)
      await api.patch(`${maps}/a`, 'merge', {})
      await api.patch(`${maps}/a?dryRun=All`, 'merge', { data: { a: '1' } })
      await api.post(maps, configMap('b'))
      expect(await events.take(1)).toEqual(['ADDED b'])
      events.close()
    })

    it('ends after its time, with a bookmark before when asked', async () => {
      const events = await watch(`${maps}?watch=true&timeoutSeconds=1&allowWatchBookmarks=true`)
      const bookmark = await events.next()
      expect([bookmark.type, bookmark.object.kind]).toEqual(['BOOKMARK', 'ConfigMap'])
      expect(bookmark.object.metadata.resourceVersion).toMatch(/^\d+$/)
      expect(await events.next()).toBeUndefined()
    })

    it('begins with nothing when told so', async () => {
      await api.post(maps, configMap('a'))
      const query = 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
      const events = await watch(`${maps}?watch=true&${query}`)
      await api.post(maps, configMap('b'))
      expect(await events.take(1)).toEqual(['ADDED b'])
      events.close()
    })

    it('marks the end of the list that it begins with', async () => {
      await api.post(maps, configMap('a'))
      const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
      const events = await watch(`${maps}?watch=true&${query}`)
      expect(named(await events.next())).toBe('ADDED a')
      const { type, object } = await events.next()
      expect([type, object.metadata.annotations]).toEqual(['BOOKMARK', { 'k8s.io/initial-events-end': 'true' }])
      events.close()
    })
  })

  describe('a websocket', () => {
    it('chooses the protocol that is offered', async () => {
      const events = await api.socket(`${maps}?watch=true`, { protocols: ['base64.binary.k8s.io'] })
      expect(events.protocol).toBe('base64.binary.k8s.io')
      await api.post(maps, configMap('plain'))
      expect(await events.take(1)).toEqual(['ADDED plain'])
      events.close()
    })

    it('takes the token as a protocol', async () => {
      const token = `base64url.bearer.authorization.k8s.io.${Buffer.from(target().token).toString('base64url')}`
      const events = await api.socket(`${maps}?watch=true`, { protocols: [token, 'base64.binary.k8s.io'], token: '' })
      expect(events.protocol).toBe('base64.binary.k8s.io')
      events.close()
    })

    it.each<[string, (carrier: string) => string[]]>([
      ['alone', (carrier) => [carrier]],
      ['of several', (carrier) => [carrier, `${carrier}a`, 'base64.binary.k8s.io']],
      ['that is none', () => ['base64url.bearer.authorization.k8s.io.AAAA', 'base64.binary.k8s.io']],
    ])('takes no token %s', async (_, protocolsWith) => {
      const carrier = `base64url.bearer.authorization.k8s.io.${Buffer.from(target().token).toString('base64url')}`
      const answer = api.socket(`${maps}?watch=true`, { protocols: protocolsWith(carrier), token: '' })
      await expect(answer).rejects.toMatchObject({ code: 401, body: { kind: 'Status', message: 'Unauthorized' } })
    })

    it('is refused with the answer that the watch would get', async () => {
      const refused = (path: string, options = {}) => api.socket(path, options).catch((error: unknown) => error)
      expect(await refused(`${maps}?watch=true`, { token: '' })).toMatchObject({ code: 401, body: { kind: 'Status' } })
      expect(await refused(`${maps}?watch=true&labelSelector=%21%21`)).toMatchObject({ code: 400 })
      expect(await refused(maps)).toMatchObject({ code: 400 })
      for (const origin of ['', 'null']) {
        expect(await refused(`${maps}?watch=true`, { origin })).toMatchObject({ code: 403 })
      }
      expect(await refused(`${maps}?watch=true`, { protocols: ['a', 'b'] })).toMatchObject({ code: 400 })
    })
  })
}
