import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { KubeClient } from '@slipway/kube/client'
import {
  clusterRoleType,
  configMapType,
  namespaceType,
  podType,
  roleBindingType,
  serviceAccountType,
} from '@slipway/kube/core-types'
import { nameOf, type KubeList } from '@slipway/kube/object'
import { ignoreExisting } from '@slipway/kube/status'
import { tenantLabels } from '@slipway/model/platform/namespace'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signInSecrets } from '../../src/credentials'
import { parseFlags } from '../../src/flags'
import { gatewayCommand, type RunningGateway } from '../../src/gateway/command'
import { startSignInProvider, type SignInProvider } from '../../src/sign-in/provider'
import { openBrowser, signedIn, type Browser } from '../../src/sign-in/testing'
import type { Server } from './manifests'

const account = { namespace: 'slipway', name: 'slipway-gateway' }
const users = [
  {
    name: 'ann',
    email: 'ann@example.com',
    groups: ['team-a'],
    description: 'Of a group that the role names, and that may edit',
  },
  { name: 'bob', email: 'bob@example.com', groups: ['team-b'], description: 'Of another group that it names' },
  { name: 'zoe', email: 'zoe@example.com', groups: ['team-z'], description: 'Of a group that it does not name' },
]

interface ManifestsApplied {
  server: Server
  /** A client as a cluster administrator, or with this token. */
  clientWith(token?: string, headers?: Record<string, string>): KubeClient
  /** Data of the rendered config map. */
  settings: Record<string, string>
}

/**
 * Two replicas of the gateway with the account and the options of the manifests, which have been applied: what users do
 * works, and nothing else does.
 */
export function gatewaySuite(open: () => Promise<ManifestsApplied>): void {
  const namespace = `shop-${randomUUID().slice(0, 8)}`
  const replicas: RunningGateway[] = []
  let folder: string
  let clientWith: ManifestsApplied['clientWith']
  let admin: KubeClient
  let token: string
  let provider: SignInProvider
  const file = (name: string) => join(folder, name)
  const urlOf = (index: number) => replicas[index]?.url ?? expect.fail('the gateway is not running')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-deploy-'))
    const { server, settings, ...clients } = await open()
    clientWith = clients.clientWith
    admin = clientWith()
    await admin.create(namespaceType, { metadata: { name: namespace, labels: tenantLabels } })
    await admin.create(roleBindingType, {
      metadata: { name: 'editors', namespace },
      roleRef: { apiGroup: clusterRoleType.group, kind: 'ClusterRole', name: 'edit' },
      subjects: [{ apiGroup: clusterRoleType.group, kind: 'Group', name: 'team-a' }],
    })
    token = await admin.createToken(account.namespace, account.name, 3_600)
    const secrets = signInSecrets()
    const origins = () => replicas.map(({ url }) => url)
    provider = await startSignInProvider({
      host: '127.0.0.1',
      port: 0,
      users,
      clientId: 'slipway',
      secrets,
      redirectOrigins: origins,
    })
    await writeFile(file('index.html'), '<!doctype html><title>Slipway</title>')
    await writeFile(file('token'), token)
    await writeFile(file('ca.crt'), server.ca)
    await writeFile(file('secret'), secrets.clientSecret)
    await writeFile(file('key'), randomBytes(32).toString('base64'))
    // What differs outside a pod and behind nothing. Everything else is as in the manifests.
    const env = {
      ...settings,
      SLIPWAY_IN_CLUSTER: '',
      SLIPWAY_KUBERNETES_URL: server.url,
      SLIPWAY_KUBERNETES_CA_FILE: file('ca.crt'),
      SLIPWAY_KUBERNETES_TOKEN_FILE: file('token'),
      SLIPWAY_HOST: '127.0.0.1',
      SLIPWAY_PORT: '0',
      SLIPWAY_TLS_CERT: '',
      SLIPWAY_TLS_KEY: '',
      SLIPWAY_PUBLIC_ORIGIN: '',
      SLIPWAY_FORWARDED_HOPS: '',
      SLIPWAY_METRICS_PORT: '0',
      SLIPWAY_METRICS_HOST: '',
      SLIPWAY_VIEWS: '',
      SLIPWAY_OIDC_ISSUER: provider.issuer,
      SLIPWAY_OIDC_CLIENT_SECRET_FILE: file('secret'),
      SLIPWAY_SESSION_KEY_FILE: file('key'),
    }
    const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() })
    for (let index = 0; index < 2; index++) {
      const around = { env, builtConsole: folder, stdout: sink(), stderr: sink() }
      replicas.push(await gatewayCommand(parseFlags('gateway', [], env), around))
    }
  })
  afterAll(async () => {
    for (const replica of replicas) await replica.close()
    await provider.close()
    await admin.delete(namespaceType, namespace)
    await rm(folder, { recursive: true })
  })

  const call = (
    browser: Browser,
    path: string,
    { headers, ...init }: RequestInit & { headers?: object } = {},
    index = 0,
  ) =>
    fetch(`${urlOf(index)}/api/k8s${path}`, {
      ...init,
      headers: {
        cookie: browser.cookieFor('/api/k8s'),
        origin: urlOf(index),
        'x-requested-with': 'slipway',
        'content-type': 'application/json',
        ...headers,
      },
    })
  const signIn = (user: string) => signedIn(urlOf(0), `${user}@example.com`, openBrowser())
  const maps = `/api/v1/namespaces/${namespace}/configmaps`
  const bodyOf = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })

  it('becomes ready, and a user signs in, sees the own namespaces, reads, writes and deletes', async () => {
    await expect.poll(async () => (await fetch(`${urlOf(0)}/ready`)).text()).toContain('ok')
    const ann = await signIn('ann')
    const { items } = (await (await call(ann, '/api/v1/namespaces')).json()) as KubeList // As a list of namespaces is.
    expect(items.map(nameOf)).toContain(namespace)
    const statuses = [
      await call(ann, maps),
      await call(ann, `${maps}?dryRun=All`, { method: 'POST', body: bodyOf('tried') }),
      await call(ann, maps, { method: 'POST', body: bodyOf('made') }),
      await call(ann, `${maps}/made`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json' },
        body: '{"data":{"a":"b"}}',
      }),
      await call(ann, `${maps}/made`, { method: 'DELETE' }),
      await call(ann, '/api/v1/namespaces/kube-system/secrets'),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 201, 201, 200, 200, 403])
  })

  it('reads the log of a pod as the user', async () => {
    await admin.create(serviceAccountType, { metadata: { name: 'default', namespace } }).catch(ignoreExisting)
    const containers = [{ name: 'build', image: 'registry.example.com/build' }]
    await admin.create(podType, { metadata: { name: 'build', namespace }, spec: { containers } })
    const path = `/api/v1/namespaces/${namespace}/pods/build/log`
    expect((await call(await signIn('bob'), path)).status).toBe(403)
    // Without a kubelet there is no log, but the user gets that far.
    expect((await call(await signIn('ann'), path)).status).not.toBe(403)
  })

  it('makes no call for a user of a group that its role does not name', async () => {
    const zoe = await signIn('zoe')
    const response = await call(zoe, maps)
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('team-z')
  })

  it('ends a session on every replica when the user signs out at one of them', async () => {
    const ann = await signIn('ann')
    const cookie = ann.cookieFor('/api/k8s')
    const statusAt = async (index: number) =>
      (await fetch(`${urlOf(index)}/api/k8s${maps}`, { headers: { cookie } })).status
    expect([await statusAt(0), await statusAt(1)]).toEqual([200, 200])
    await ann(`${urlOf(0)}/oauth2/sign_out`, {})
    await expect.poll(() => statusAt(1)).toBe(401)
    expect(await admin.get(configMapType, 'slipway-sign-outs', { namespace: account.namespace })).toHaveProperty('data')
  })

  it.each([
    ['read Secrets', '/api/v1/secrets', {}],
    ['read other ConfigMaps', '/api/v1/namespaces/slipway/configmaps/kube-root-ca.crt', {}],
    ['read namespaces one by one', '/api/v1/namespaces/slipway', {}],
    ['impersonate administrators', '/api', { 'impersonate-user': 'ann', 'impersonate-group': 'system:masters' }],
  ])('its account may not %s', async (_, path, headers) => {
    await expect(clientWith(token, headers).request(path)).rejects.toMatchObject({ code: 403 })
  })
}
