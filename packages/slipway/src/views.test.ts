import { once } from 'node:events'
import { memoryStorage } from '@slipway/apiserver/storage/memory'
import { createKubeClient, type KubeClient } from '@slipway/kube/client'
import { configMapType, podType, roleBindingType, secretType, subjectAccessReviewType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { asArray, asRecord } from '@slipway/kube/parse'
import type { ResourceType } from '@slipway/kube/resource-type'
import { serviceAccountGroups, serviceAccountUser } from '@slipway/kube/user'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { viewKinds } from '@slipway/model/views/view-kinds'
import { applyFrame, pendingView, type ClientView } from '@slipway/views/client'
import type { Frame, ViewQuery } from '@slipway/views/frame'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startCluster } from './cluster'
import { signedIn } from './sign-in/testing'
import { startSlipway, type RunningSlipway, type StartOptions } from './start'
import { emailOf, type UserName } from './users'
import { startViews, viewsAccount } from './views'

const livez = '/api/k8s/plugins/views/livez'
const namespace = 'team-payments'
const query: ViewQuery = { kind: 'pipelineruns', namespaces: [namespace], limit: 10 }

describe('behind the gateway', () => {
  let slipway: RunningSlipway | undefined
  afterEach(async () => {
    await slipway?.close()
    slipway = undefined
  })

  async function start(options: Partial<StartOptions> = {}): Promise<RunningSlipway> {
    const ports = { port: 0, apiPort: 0, signInPort: 0, gitPort: 0 }
    return (slipway = await startSlipway({ ...ports, simulator: false, archive: 'none', ...options }))
  }

  /** A view of the user, over the websocket of a signed-in page. */
  async function openView(url: string, user: UserName) {
    const browser = await signedIn(url, emailOf(user))
    const headers = { cookie: browser.cookieFor('/'), origin: url }
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/wss/k8s/plugins/views/v1/socket`, { headers })
    let view: ClientView = pendingView
    // The service sent it.
    socket.on('message', (data: Buffer) => (view = applyFrame(view, JSON.parse(data.toString()) as Frame)))
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'open', id: 'runs', query }))
    return { socket, view: () => view, names: () => view.rows.map(nameOf) }
  }

  it('a page sees the newest runs of a team, and a user without rights none, not even how many', async () => {
    const { url, system } = await start({ scenario: 'demo' })
    const { items } = await system.list(pipelineRunType, { namespace })
    const admin = await openView(url, 'admin')
    await expect.poll(() => admin.names().length).toBe(10)
    expect(admin.view().total).toBe(items.length)
    const outsider = await openView(url, 'outsider')
    await expect.poll(() => outsider.view().denied).toEqual([namespace])
    expect(outsider.view()).toMatchObject({ rows: [], total: 0, versions: {} })

    const windowOf = async (user: UserName, what: object) => {
      const browser = await signedIn(url, emailOf(user))
      const search = new URLSearchParams({ query: JSON.stringify(what) })
      return browser(`${url}/api/k8s/plugins/views/v1/window?${search}`)
    }
    const read = asRecord(JSON.parse((await windowOf('admin', query)).text))
    expect(read).toMatchObject({ total: items.length, loading: [], denied: [] })
    expect(asArray(read.rows)).toEqual(admin.view().rows)
    expect(JSON.parse((await windowOf('outsider', query)).text)).toMatchObject({
      rows: [],
      total: 0,
      denied: [namespace],
    })
    expect((await windowOf('admin', { ...query, kind: 'secrets' })).status).toBe(400)

    // As an admin of the team would.
    const { items: bindings } = await system.list(roleBindingType, { namespace })
    const ofAdmin = bindings.filter(({ subjects }) => subjects?.some(({ name }) => name === emailOf('admin')))
    const takenMs = performance.now()
    for (const binding of ofAdmin) await system.delete(roleBindingType, nameOf(binding), { namespace })
    await expect.poll(() => admin.view().denied).toEqual([namespace])
    expect(performance.now() - takenMs).toBeLessThan(5_000)
    expect(admin.view()).toMatchObject({ rows: [], total: 0 })
    for (const { socket } of [admin, outsider]) socket.terminate()
  })

  it('it can be left out', async () => {
    const { url } = await start({ scenario: 'empty', views: false })
    const browser = await signedIn(url, emailOf('admin'))
    expect((await browser(url + livez)).status).toBe(404)
  })

  it('it can be found', async () => {
    const { url } = await start({ scenario: 'empty' })
    const browser = await signedIn(url, emailOf('admin'))
    expect((await browser(url + livez)).status).toBe(200)
  })
})

describe('the account of the service', () => {
  const verbs = [
    'get',
    'list',
    'watch',
    'create',
    'update',
    'patch',
    'delete',
    'deletecollection',
    'impersonate',
    'bind',
  ]

  /** Every resource of the cluster, with subresources: what its discovery says. */
  async function discover(client: KubeClient) {
    const groups = asArray(asRecord(await client.request('/apis')).groups)
      .flatMap((group) => asArray(asRecord(group).versions))
      .map((version) => String(asRecord(version).groupVersion))
    const lists = ['/api/v1', ...groups.map((group) => `/apis/${group}`)].map(async (path) => {
      const { resources } = asRecord(await client.request(path))
      const group = path === '/api/v1' ? '' : String(path.split('/')[2])
      return asArray(resources).map((each) => ({ group, name: String(asRecord(each).name) }))
    })
    return (await Promise.all(lists)).flat()
  }

  async function startAccount() {
    const cluster = await startCluster({ storage: memoryStorage() })
    const system = cluster.client('system')
    const views = await startViews({ apiUrl: 'http://127.0.0.1:1', system, host: '127.0.0.1' })
    const token = await system.createToken(viewsAccount.namespace, viewsAccount.name, 3_600)
    const client = createKubeClient({
      baseUrl: 'http://cluster.test',
      headers: { authorization: `Bearer ${token}` },
      fetch: (input, init) => cluster.server.fetch(new Request(input, init)),
    })
    const close = async () => {
      await views.close()
      await cluster.close()
    }
    return { system, client, close }
  }

  it('may list and watch the view kinds and RBAC and ask for reviews, and do nothing else that any account may not', async () => {
    const { system, client, close } = await startAccount()
    /** What it may do in all namespaces: by its name, or only by the groups of all accounts there. */
    const allowed = async (user: string) => {
      const groups = [...serviceAccountGroups(viewsAccount.namespace), 'system:authenticated']
      const found: string[] = []
      for (const { group, name } of await discover(system)) {
        const [resource, subresource] = name.split('/')
        for (const verb of verbs) {
          const resourceAttributes = { verb, group, resource, subresource }
          const status = await system.review(subjectAccessReviewType, { user, groups, resourceAttributes })
          if (status?.allowed) found.push(`${verb} ${name}.${group}`)
        }
      }
      return found
    }
    const others = await allowed(serviceAccountUser(viewsAccount.namespace, 'other'))
    const own = await allowed(serviceAccountUser(viewsAccount.namespace, viewsAccount.name))
    const readable = [
      ...new Set(viewKinds.map(({ type }) => `${type.plural}.${type.group}`)),
      ...['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map(
        (each) => `${each}.rbac.authorization.k8s.io`,
      ),
    ]
    expect([...new Set(own.filter((each) => !others.includes(each)))].sort()).toEqual(
      [
        ...readable.flatMap((each) => [`list ${each}`, `watch ${each}`]),
        'create subjectaccessreviews.authorization.k8s.io',
        'create tokenreviews.authentication.k8s.io',
      ].sort(),
    )
    for (const { type } of viewKinds) await client.list(type)
    await close()
  })

  it.each<ResourceType>([secretType, configMapType, podType])('can read no $kind', async (type) => {
    const { client, close } = await startAccount()
    for (const at of [undefined, 'default', viewsAccount.namespace]) {
      await expect(client.list(type, { namespace: at })).rejects.toMatchObject({ code: 403 })
    }
    await expect(client.get(type, 'any', { namespace: 'default' })).rejects.toMatchObject({ code: 403 })
    await close()
  })
})
