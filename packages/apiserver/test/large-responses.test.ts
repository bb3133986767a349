import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { memoryStorage } from '../src/storage/memory'

/** Responses of more than 128 KiB: lists are assembled from stored texts, and compressed. */

let server: ApiServer
const request = (path: string, init: RequestInit = {}) =>
  server.fetch(
    new Request(`http://cluster.test/api/v1${path}`, {
      ...init,
      headers: {
        authorization: 'Bearer t',
        'accept-encoding': 'gzip',
        'content-type': 'application/json',
        ...init.headers,
      },
    }),
  )
const count = 60
const nameOf = (number: number) => `large-${String(number).padStart(3, '0')}`

beforeAll(async () => {
  server = await createApiServer({
    storage: memoryStorage(),
    authenticate: () => ({ name: 'admin', groups: ['system:masters'] }),
  })
  for (let number = 0; number < count; number++) {
    const body = JSON.stringify({ metadata: { name: nameOf(number) }, data: { text: 'ü"\\'.repeat(1_500) } })
    const response = await request('/namespaces/default/configmaps', { method: 'POST', body })
    expect(response.status).toBe(201)
  }
})
afterAll(() => server.close())

interface List {
  kind: string
  apiVersion: string
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number }
  items: { kind: string; metadata: { name: string; resourceVersion: string }; data?: { text: string } }[]
}

async function unpacked(response: Response): Promise<List> {
  expect(response.headers.get('content-encoding')).toBe('gzip')
  // The DOM types require an input stream of any buffer source.
  const gunzip = new DecompressionStream('gzip') as ReadableWritablePair<Uint8Array, Uint8Array>
  return (await new Response(response.body?.pipeThrough(gunzip)).json()) as List
}

it('are compressed, with the same content as uncompressed ones', async () => {
  const list = await unpacked(await request('/namespaces/default/configmaps'))
  const plain = await request('/namespaces/default/configmaps', { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await plain.json()).toEqual(list)
  expect([list.kind, list.apiVersion]).toEqual(['ConfigMapList', 'v1'])
  expect(list.items.map(({ metadata }) => metadata.name)).toEqual(Array.from({ length: count }, (_, i) => nameOf(i)))
})

it('contain every item as returned by a get, without the kind', async () => {
  const { items } = await unpacked(await request('/namespaces/default/configmaps'))
  for (const item of items.slice(0, 3)) {
    const alone = await request(`/namespaces/default/configmaps/${item.metadata.name}`)
    const { apiVersion: _apiVersion, kind: _kind, ...rest } = (await alone.json()) as Record<string, unknown>
    expect(rest).toEqual(item)
  }
})

it('have pages with the number of remaining items', async () => {
  const { metadata, items } = await unpacked(await request('/namespaces/default/configmaps?limit=40'))
  expect([items.length, metadata.remainingItemCount]).toEqual([40, 20])
  const rest = await unpacked(
    await request(`/namespaces/default/configmaps?limit=40&continue=${metadata.continue ?? ''}`),
  )
  expect([rest.items[0]?.metadata.name, rest.items.length, rest.metadata.continue]).toEqual([nameOf(40), 20, undefined])
})

it('are also compressed as tables, but never in a watch', async () => {
  const table = await request('/namespaces/default/configmaps?includeObject=Object', {
    headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
  })
  expect((await unpacked(table)).kind).toBe('Table')
  const aborted = new AbortController()
  const watch = await request('/namespaces/default/configmaps?watch=true', { signal: aborted.signal })
  expect(watch.headers.get('content-encoding')).toBeNull()
  const first = await watch.body?.getReader().read()
  expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"type":"ADDED","object":\{/)
  aborted.abort()
})
