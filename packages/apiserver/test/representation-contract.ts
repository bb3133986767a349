import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Json, type Target } from './api-client'
import { aNamespace, aPod, configMap, widget } from './api-fixtures'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json'
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json'

/** Objects as clients ask to see them: as rows of a table, or their metadata alone. */
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
  const columns = ({ body }: { body: Json }): string[] => body.columnDefinitions.map(({ name }: Json) => name)
  const rbac = '/apis/rbac.authorization.k8s.io/v1'

  describe('a Table', () => {
    it.each([
      ['configmaps', () => maps, ['Name', 'Data', 'Age']],
      ['secrets', () => `${path}/secrets`, ['Name', 'Type', 'Data', 'Age']],
      ['namespaces', () => '/api/v1/namespaces', ['Name', 'Status', 'Age']],
      ['cluster roles', () => `${rbac}/clusterroles`, ['Name', 'Created At']],
      ['definitions', () => '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', ['Name', 'Created At']],
    ])('of %s has the columns of Kubernetes', async (_, url, expected) => {
      expect(columns(await as(table, url()))).toEqual(expected)
    })

    it.each([
      ['pods', () => `${path}/pods`, ['Name', 'Ready', 'Status', 'Restarts', 'Age']],
      ['service accounts', () => `${path}/serviceaccounts`, ['Name', 'Age']],
      ['role bindings', () => `${rbac}/rolebindings`, ['Name', 'Role', 'Age']],
    ])('of %s begins as people know it', async (_, url, expected) => {
      expect(columns(await as(table, url()))).toEqual(expect.arrayContaining(expected))
    })

    it('has a row for each object, with its metadata unless asked otherwise', async () => {
      const { body } = await as(table, maps)
      expect([body.kind, body.apiVersion]).toEqual(['Table', 'meta.k8s.io/v1'])
      const row = body.rows.find(({ cells }: Json) => cells[0] === 'm')
      expect(row.cells.slice(0, 2)).toEqual(['m', 2])
      expect([row.object.kind, row.object.metadata.name, row.object.data]).toEqual([
        'PartialObjectMetadata',
        'm',
        undefined,
      ])
      const whole = await as(table, `${maps}/m?includeObject=Object`)
      expect(whole.body.rows[0].object).toMatchObject({ kind: 'ConfigMap', data: { a: '1' } })
      const bare = await as(table, `${maps}/m?includeObject=None`)
      expect(bare.body.rows[0].object ?? null).toBeNull()
      expect((await as(table, `${maps}/m?includeObject=Nonsense`)).code).toBe(400)
    })

    it('has the columns of its definition for a custom kind', async () => {
      const { body } = await as(table, `${widgets}/w`)
      expect(columns({ body })).toEqual(['Name', 'Size'])
      expect(body.rows[0].cells).toEqual(['w', 1])
    })

    it('tells ages as text', async () => {
      const { body } = await as(table, `${maps}/m`)
      expect(body.rows[0].cells[2]).toMatch(/^\d+s$/)
    })

    it('is each event of a watch, with one row', async () => {
      const { body } = await api.get(maps)
      const events = await linesOf(`${maps}?watch=true&resourceVersion=${body.metadata.resourceVersion}`, table)
      await api.post(maps, configMap('seen'))
      await api.delete(`${maps}/seen`)
      for (const type of ['ADDED', 'DELETED']) {
        const event = await events.next()
        expect([event.type, event.object.kind, event.object.rows.length]).toEqual([type, 'Table', 1])
        expect(event.object.rows[0].cells[0]).toBe('seen')
      }
      events.close()
    })
  })

  describe('metadata alone', () => {
    it('is an object, a list, or each event of a watch', async () => {
      const one = await as(partial, `${maps}/m`)
      expect([one.body.kind, one.body.metadata.name, one.body.data]).toEqual(['PartialObjectMetadata', 'm', undefined])
      const list = await as(partialList, maps)
      expect(list.body.kind).toBe('PartialObjectMetadataList')
      expect(list.body.items.every(({ data }: Json) => data === undefined)).toBe(true)
      const events = await linesOf(`${maps}?watch=true&resourceVersion=${list.body.metadata.resourceVersion}`, partial)
      await api.patch(`${maps}/m`, 'merge', { data: { c: '3' } })
      const { type, object } = await events.next()
      expect([type, object.kind, object.metadata.name, object.data]).toEqual([
        'MODIFIED',
        'PartialObjectMetadata',
        'm',
        undefined,
      ])
      events.close()
    })
  })

  it('every answer carries the id under which it is found in an audit log', async () => {
    const ids = [(await api.get(maps)).headers.get('audit-id'), (await api.get(`${maps}/none`)).headers.get('audit-id')]
    expect(ids.every((id) => id !== null && id.length > 8)).toBe(true)
    expect(ids[0]).not.toBe(ids[1])
    const { headers } = await api.call('GET', maps, { headers: { 'audit-id': 'of-the-client' } })
    expect(headers.get('audit-id')).toBe('of-the-client')
  })

  /** The lines of a watch in another representation than objects. */
  async function linesOf(url: string, accept: string) {
    const { url: base, token } = target()
    const aborted = new AbortController()
    const response = await fetch(`${base}${url}`, {
      headers: { accept, authorization: `Bearer ${token}` },
      signal: aborted.signal,
    })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader() // A watch has a body.
    let text = ''
    return {
      close: () => aborted.abort(),
      async next(): Promise<Json> {
        while (!text.includes('\n')) text += (await reader.read()).value ?? ''
        const line = text.slice(0, text.indexOf('\n'))
        text = text.slice(line.length + 1)
        return JSON.parse(line)
      },
    }
  }
}
