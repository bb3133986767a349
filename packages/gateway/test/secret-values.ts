import { randomBytes, randomUUID } from 'node:crypto'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { systemClock } from '@slipway/kube/clock'
import { namespaceType, secretType, type Secret } from '@slipway/kube/core-types'
import type { KubeList } from '@slipway/kube/object'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createGateway } from '../src/app'
import { resolveSettings, type GatewayConfig } from '../src/config'
import { createSessions } from '../src/session/sessions'
import { ada, cookieOf } from './gateway-under-test'

interface Upstream {
  url: string
  /** Of an administrator. */
  token: string
  close(): Promise<void>
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** What a browser sees of Secrets, whatever API server is behind the gateway. */
export function describeSecretValues(start: () => Promise<Upstream>) {
  const value = `sentinel-${randomUUID()}`
  const encoded = Buffer.from(value).toString('base64')
  const namespace = `secret-values-${randomUUID().slice(0, 8)}`
  const path = `/api/v1/namespaces/${namespace}/secrets`
  const secretNamed = (name: string): Secret => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, annotations: { [lastApplied]: JSON.stringify({ data: { password: encoded } }) } },
    type: 'Opaque',
    data: { password: encoded, empty: '' },
  })

  let upstream: Upstream
  let system: KubeClient
  let gateway: Awaited<ReturnType<typeof createGateway>>
  let origin: string
  let cookie: string
  beforeAll(async () => {
    upstream = await start()
    const headers = { authorization: `Bearer ${upstream.token}` }
    system = createKubeClient({ baseUrl: upstream.url, headers, fetch })
    await system.create(namespaceType, { metadata: { name: namespace } })
    await system.create(secretType, secretNamed('token'))
    const config: GatewayConfig = {
      host: '127.0.0.1',
      port: 0,
      kubernetes: { access: { url: upstream.url, token: upstream.token }, as: 'own' },
      session: { keys: [randomBytes(32)] },
      // Not used: the test creates its session.
      signIn: { oidc: { issuer: 'http://127.0.0.1:1', clientId: 'slipway' } },
    }
    gateway = await createGateway(config)
    origin = await gateway.listen({ host: '127.0.0.1', port: 0 })
    const { session, isHttps } = resolveSettings(config)
    cookie = cookieOf(await createSessions({ ...session, isHttps }, systemClock).start(ada))
  })
  afterAll(async () => {
    await gateway.close()
    await system.delete(namespaceType, namespace)
    await upstream.close()
  })

  /** A call through the gateway. */
  async function call(target: string, init: RequestInit & { headers?: object } = {}) {
    const headers = { cookie, origin, 'x-requested-with': 'slipway', 'content-type': 'application/json' }
    const response = await fetch(`${origin}/api/k8s${target}`, { ...init, headers: { ...headers, ...init.headers } })
    const text = await response.text()
    expect(text).not.toContain(value)
    expect(text).not.toContain(encoded)
    return { status: response.status, text, json: () => JSON.parse(text) as unknown }
  }
  const blank = { metadata: { annotations: { [lastApplied]: '' } }, data: { password: '', empty: '' } }

  describe('the values of Secrets', () => {
    it('are blank in an object, a list, and either with a field mask', async () => {
      expect((await call(`${path}/token`)).json()).toMatchObject({ kind: 'Secret', type: 'Opaque', ...blank })
      expect((await call(path)).json()).toMatchObject({ kind: 'SecretList', items: [blank] })
      expect((await call(`${path}/token?fieldMask=data`)).json()).toMatchObject({ data: blank.data })
      expect((await call(`${path}?fieldMask=data.password`)).json()).toMatchObject({
        items: [{ data: { password: '' } }],
      })
    })

    it('are blank in tables and metadata', async () => {
      const as = (form: string) => ({ headers: { accept: `application/json;as=${form};g=meta.k8s.io;v=v1` } })
      const row = { cells: expect.arrayContaining(['token']), object: { metadata: blank.metadata } }
      expect((await call(path, as('Table'))).json()).toMatchObject({ kind: 'Table', rows: [row] })
      const complete = { rows: [{ ...row, object: blank }] }
      expect((await call(`${path}?includeObject=Object`, as('Table'))).json()).toMatchObject(complete)
      const metadata = await call(path, as('PartialObjectMetadataList'))
      expect(metadata.json()).toMatchObject({ items: [{ metadata: blank.metadata }] })
    })

    it.each(['application/yaml', 'application/vnd.kubernetes.protobuf', 'application/cbor'])(
      'are not served as %s, and as JSON if the client accepts that too',
      async (type) => {
        expect((await call(`${path}/token`, { headers: { accept: type } })).status).toBe(406)
        const both = await call(`${path}/token`, { headers: { accept: `${type},application/json` } })
        expect(both.json()).toMatchObject(blank)
      },
    )

    it('are blank in the responses to writes and their dry runs, which store them', async () => {
      const send = (method: string, target: string, body?: object, type = 'application/json') =>
        call(target, { method, body: JSON.stringify(body) ?? null, headers: { 'content-type': type } })
      for (const dryRun of ['?dryRun=All', '']) {
        const object = { ...secretNamed(`new${dryRun.length}`), stringData: { text: value } }
        const created = await send('POST', `${path}${dryRun}`, object)
        expect([created.status, created.json()]).toMatchObject([201, { data: { ...blank.data, text: '' } }])
        const patch = [{ op: 'add', path: '/data/added', value: encoded }]
        const patched = await send('PATCH', `${path}/token${dryRun}`, patch, 'application/json-patch+json')
        expect([patched.status, patched.json()]).toMatchObject([200, { data: { added: '' } }])
      }
      expect((await system.get(secretType, 'token', { namespace })).data).toEqual({
        password: encoded,
        empty: '',
        added: encoded,
      })
      const replaced = await send('PUT', `${path}/new0`, { ...secretNamed('new0'), data: { password: encoded } })
      expect([replaced.status, replaced.json()]).toMatchObject([200, { data: { password: '' } }])
      const deleted = await send('DELETE', `${path}/new0`)
      expect(deleted.status).toBe(200)
    })

    it('are blank in the events of a watch', async () => {
      const { metadata } = await system.list(secretType, { namespace })
      const query = `watch=true&resourceVersion=${metadata.resourceVersion}`
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/wss/k8s${path}?${query}`, {
        headers: { cookie, origin },
      })
      const frames: string[] = []
      socket.on('message', (data) => frames.push(String(data)))
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      const stop = new AbortController()
      const response = await fetch(`${origin}/api/k8s${path}?${query}`, { headers: { cookie }, signal: stop.signal })
      let lines = ''
      const reading = (async () => {
        for await (const chunk of response.body ?? []) lines += Buffer.from(chunk).toString()
      })().catch(() => {})

      await system.create(secretType, secretNamed('news'))
      await system.delete(secretType, 'news', { namespace })
      await vi.waitFor(() => {
        expect(frames).toHaveLength(2)
        expect(lines.trim().split('\n')).toHaveLength(2)
      })
      socket.terminate()
      stop.abort()
      await reading
      for (const texts of [frames, lines.trim().split('\n')]) {
        const object = { metadata: { name: 'news', ...blank.metadata }, data: blank.data }
        expect(texts.map((text) => JSON.parse(text) as unknown)).toMatchObject([
          { type: 'ADDED', object },
          { type: 'DELETED', object },
        ])
        expect(texts.join()).not.toContain(encoded)
      }
    })

    it.each<[string, object]>([
      ['is not valid base64', { data: { password: `${value}!` } }],
      ['is not text', { data: { password: [value] } }],
      ['is not valid for its type', { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': encoded } }],
    ])('are not repeated in the error for a value that %s', async (_, content) => {
      const body = JSON.stringify({ ...secretNamed('invalid'), ...content })
      const response = await call(path, { method: 'POST', body })
      expect([400, 422]).toContain(response.status)
      expect(response.json()).toMatchObject({ kind: 'Status' })
    })

    it('are still counted by their keys', async () => {
      const list = (await call(path)).json() as KubeList<Secret> // As a list of Secrets is.
      const token = list.items.find(({ metadata }) => metadata.name === 'token')
      expect(Object.keys(token?.data ?? {})).toEqual(expect.arrayContaining(['empty', 'password']))
    })
  })
}
