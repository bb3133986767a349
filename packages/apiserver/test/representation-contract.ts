import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, aPod, configMap, widget } from './api-fixtures'

const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json'
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json'

/** Representations that clients request: metadata only. Tables have a separate contract. */
export function representationContract(target: () => Target): void {
  let api: Api
  let path: string
  let maps: string
  let widgets: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ path, maps, widgets } = await aNamespace(api))
    await api.post(maps, configMap('m', { a: '1', b: '2' }))
    await api.post(widgets, widget('w'))
    await api.post(`${path}/pods`, aPod('p', ['main']))
    await api.post(`${path}/secrets`, { metadata: { name: 's' }, stringData: { key: 'value' } })
  })
  const as = (accept: string, url: string) => api.call('GET', url, { headers: { accept } })

  describe('metadata only', () => {
    it('is available for an object, a list, and each event of a watch', async () => {
      const one = await as(partial, `${maps}/m`)
      const { body: whole } = await api.get(`${maps}/m`)
      const shown = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: whole.metadata }
      expect(one.body).toEqual(shown)
      const { body: list } = await as(partialList, maps)
      const { metadata } = list
      expect([list.kind, list.apiVersion]).toEqual(['PartialObjectMetadataList', 'meta.k8s.io/v1'])
      expect(list.items).toContainEqual(shown)
      const events = await api.watch(`${maps}?watch=true&resourceVersion=${metadata.resourceVersion}`, {
        accept: partial,
      })
      const { body: changed } = await api.patch(`${maps}/m`, 'merge', { data: { c: '3' } })
      expect(await events.next()).toEqual({ type: 'MODIFIED', object: { ...shown, metadata: changed.metadata } })
      events.close()
    })

    it('is also the form of a bookmark', async () => {
      const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
      const events = await api.watch(`${widgets}?watch=true&${query}`, { accept: partial })
      expect((await events.next()).object.metadata.name).toBe('w')
      const { type, object } = await events.next()
      expect([type, object.kind, object.apiVersion]).toEqual(['BOOKMARK', 'PartialObjectMetadata', 'meta.k8s.io/v1'])
      expect(object.metadata).toMatchObject({ annotations: { 'k8s.io/initial-events-end': 'true' } })
      events.close()
    })

    it('supports pages and selectors', async () => {
      const { body } = await as(partialList, `${maps}?fieldSelector=metadata.name%3Dm&limit=1`)
      expect(body.items.map(({ metadata }: Json) => metadata.name)).toEqual(['m'])
    })

    it.each([
      ['PartialObjectMetadata', 'a list', () => maps, partial],
      ['PartialObjectMetadataList', 'not a list', () => `${maps}/m`, partialList],
    ])('as %s is rejected for %s', async (requested, found, url, accept) => {
      const { code, body } = await as(accept, url())
      expect([code, body.reason, body.message]).toEqual([
        406,
        'NotAcceptable',
        expect.stringContaining(`you requested ${requested}, but the requested object is ${found} (`),
      ])
    })
  })

  it('every response has its audit id', async () => {
    const ids = [(await api.get(maps)).headers.get('audit-id'), (await api.get(`${maps}/none`)).headers.get('audit-id')]
    expect(ids.every((id) => id !== null && id.length > 8)).toBe(true)
    expect(ids[0]).not.toBe(ids[1])
    const { headers } = await api.call('GET', maps, { headers: { 'audit-id': 'of-the-client' } })
    expect(headers.get('audit-id')).toBe('of-the-client')
  })
}
