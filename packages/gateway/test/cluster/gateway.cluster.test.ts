import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createKubeClient } from '@slipway/kube/client'
import { systemClock } from '@slipway/kube/clock'
import {
  clusterRoleBindingType,
  clusterRoleType,
  configMapType,
  namespaceType,
  roleBindingType,
  type ClusterRole,
  type RoleBinding,
} from '@slipway/kube/core-types'
import { nameOf, type KubeList } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { parseAllDocuments } from 'yaml'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { clusterSetting } from '../../../../scripts/lib/cluster-setting'
import { createGateway } from '../../src/app'
import { resolveSettings, type GatewayConfig } from '../../src/config'
import { createSessions } from '../../src/session/sessions'

/**
 * The gateway in front of a real API server, with exactly the rights in docs/deploying.md. The server's audit log shows
 * which user made each call.
 */

const gatewayUser = 'system:slipway:gateway'
/** Each user with a group that the manifest names. */
const people = { ann: 'team-a', bob: 'team-b' } as const
type Person = keyof typeof people
const emailOf = (person: Person) => `${person}@example.com`

/** The fields of an audit log event that the tests read. */
interface AuditEvent {
  /** Id of the call: a streaming call has an event for its start and one for its end. */
  auditID: string
  verb: string
  requestURI: string
  user: { username: string }
  impersonatedUser?: { username: string; groups?: string[] }
  objectRef?: { resource: string }
  responseStatus?: { code: number }
}

const url = clusterSetting('CONTROL_PLANE_URL')
const gatewayToken = clusterSetting('CONTROL_PLANE_GATEWAY_TOKEN')
const system = createKubeClient({
  baseUrl: url,
  headers: { authorization: `Bearer ${clusterSetting('CONTROL_PLANE_TOKEN')}` },
  fetch,
})
const unique = randomUUID().slice(0, 8)
const namespaceOf = (person: Person) => `gateway-${person}-${unique}`
/** A unique name, so that other tests on the same server can install their own. */
const roleName = `slipway-gateway-${unique}`

const config: GatewayConfig = {
  host: '127.0.0.1',
  port: 0,
  kubernetes: { access: { url, token: gatewayToken }, as: 'impersonate' },
  session: { keys: [randomBytes(32)] },
  // Not used: the tests create their sessions.
  signIn: { oidc: { issuer: 'http://127.0.0.1:1', clientId: 'slipway' } },
}
let gateway: Awaited<ReturnType<typeof createGateway>>
let origin: string
let rules: ClusterRole['rules']
let auditLength: number
const cookies = new Map<Person, string>()

/** The rules of the ClusterRole in the guide. */
async function documentedRules(): Promise<ClusterRole['rules']> {
  const text = await readFile(new URL('../../../../docs/deploying.md', import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/```yaml\n([^]*?)```/g)].map(([, block = '']) => block)
  // Other kinds are filtered out by their kind.
  const objects = blocks.flatMap((block) => parseAllDocuments(block).map((each) => each.toJS() as ClusterRole))
  return objects.find(({ kind }) => kind === 'ClusterRole')?.rules ?? expect.fail('the guide has no ClusterRole')
}

const auditLog = () => readFile(clusterSetting('CONTROL_PLANE_AUDIT_LOG'), 'utf8')

/** The calls of the gateway's account since the gateway was first called. */
async function gatewayCalls(): Promise<AuditEvent[]> {
  const lines = (await auditLog()).slice(auditLength).trim().split('\n')
  // One JSON document per line, in the format of `audit.k8s.io/v1`.
  const events = lines.map((line) => JSON.parse(line) as AuditEvent)
  const calls = new Map(events.map((event) => [event.auditID, event]))
  return [...calls.values()].filter(({ user }) => user.username === gatewayUser)
}

beforeAll(async () => {
  rules = await documentedRules()
  await system.create(clusterRoleType, {
    apiVersion: apiVersionOf(clusterRoleType),
    kind: clusterRoleType.kind,
    metadata: { name: roleName },
    rules,
  })
  const bind = (name: string, role: string, subject: { kind: 'User' | 'Group'; name: string }): RoleBinding => ({
    metadata: { name },
    roleRef: { apiGroup: clusterRoleType.group, kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: clusterRoleType.group, ...subject }],
  })
  await system.create(clusterRoleBindingType, bind(roleName, roleName, { kind: 'User', name: gatewayUser }))
  for (const person of ['ann', 'bob'] as const) {
    const namespace = namespaceOf(person)
    await system.create(namespaceType, { metadata: { name: namespace } })
    const binding = bind('editors', 'edit', { kind: 'Group', name: people[person] })
    await system.create(roleBindingType, { ...binding, metadata: { name: 'editors', namespace } })
  }
  gateway = await createGateway(config)
  origin = await gateway.listen({ host: '127.0.0.1', port: 0 })
  const { session, isHttps } = resolveSettings(config)
  const sessions = createSessions({ ...session, isHttps }, systemClock)
  for (const person of ['ann', 'bob'] as const) {
    const email = emailOf(person)
    const identity = { user: email, email, preferredUsername: person, groups: [people[person]] }
    const started = await sessions.start(identity)
    cookies.set(person, started.map((cookie) => cookie.split(';', 1)[0]).join('; '))
  }
})

afterAll(async () => {
  await gateway.close()
  await system.delete(clusterRoleBindingType, roleName)
  await system.delete(clusterRoleType, roleName)
  for (const person of ['ann', 'bob'] as const) await system.delete(namespaceType, namespaceOf(person))
})

/** A call through the gateway. `asked-by` in its URL identifies the user in the audit log. */
function call(person: Person, path: string, { headers, ...init }: RequestInit & { headers?: object } = {}) {
  const separator = path.includes('?') ? '&' : '?'
  return fetch(`${origin}/api/k8s${path}${separator}fieldManager=asked-by-${person}`, {
    ...init,
    headers: { cookie: cookies.get(person) ?? '', origin, 'x-requested-with': 'slipway', ...headers },
  })
}

const maps = (person: Person) => `/api/v1/namespaces/${namespaceOf(person)}/configmaps`
const json = { 'content-type': 'application/json' }
const bodyOf = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })

// In this order: the last test is about the calls of all others.
describe('the gateway with the rights of its manifest', { shuffle: false }, () => {
  beforeAll(async () => {
    auditLength = (await auditLog()).length
  })

  it('each user sees only their own namespaces', async () => {
    for (const person of ['ann', 'bob'] as const) {
      const response = await call(person, '/api/v1/namespaces')
      expect(response.status).toBe(200)
      const { items } = (await response.json()) as KubeList // As a list of namespaces is.
      const mine = items.map(nameOf).filter((name) => name.endsWith(unique))
      expect(mine).toEqual([namespaceOf(person)])
    }
  })

  it('reads, creates, dry-runs, patches and deletes as the signed-in user only', async () => {
    for (const [person, other] of [
      ['ann', 'bob'],
      ['bob', 'ann'],
    ] as const) {
      const own = maps(person)
      const patch = { 'content-type': 'application/merge-patch+json' }
      const statuses = [
        await call(person, own),
        await call(person, maps(other)),
        await call(person, `${own}?dryRun=All`, { method: 'POST', headers: json, body: bodyOf('tried') }),
        await call(person, own, { method: 'POST', headers: json, body: bodyOf('made') }),
        await call(person, maps(other), { method: 'POST', headers: json, body: bodyOf('made') }),
        await call(person, `${own}/made`, { method: 'PATCH', headers: patch, body: '{"data":{"a":"b"}}' }),
        await call(person, `${own}/made`),
        await call(person, `${own}/made`, { method: 'DELETE' }),
      ].map(({ status }) => status)
      expect(statuses).toEqual([200, 403, 201, 201, 403, 200, 200, 200])
      expect((await system.list(configMapType, { namespace: namespaceOf(person) })).items.map(nameOf)).not.toContain(
        'tried',
      )
    }
  })

  it.each([
    // The provider that could verify the token cannot be reached.
    ['a token of the cluster', { authorization: `Bearer ${clusterSetting('CONTROL_PLANE_TOKEN')}` }, 503],
    ['a user to impersonate', { 'impersonate-user': 'system:admin' }, 403],
    ['a group to impersonate', { 'impersonate-group': 'system:masters' }, 403],
    [
      'headers of an authenticating proxy',
      { 'x-remote-user': 'system:admin', 'x-remote-group': 'system:masters' },
      403,
    ],
    ['headers of a sign-in proxy', { 'x-forwarded-user': emailOf('bob'), 'x-forwarded-email': emailOf('bob') }, 403],
  ])('headers cannot change the user: %s', async (_, headers, status) => {
    expect((await call('ann', maps('bob'), { headers })).status).toBe(status)
  })

  it('streams changes as the signed-in user', async () => {
    const { metadata } = await system.list(configMapType, { namespace: namespaceOf('ann') })
    const query = `watch=true&resourceVersion=${metadata.resourceVersion}&fieldManager=asked-by-ann`
    const headers = { cookie: cookies.get('ann') ?? '', origin }
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/wss/k8s${maps('ann')}?${query}`, { headers })
    const messages: string[] = []
    socket.on('message', (data) => messages.push(String(data)))
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    await system.create(configMapType, { metadata: { name: 'news', namespace: namespaceOf('ann') } })
    await vi.waitFor(() => expect(messages.join()).toContain('"news"'))
    socket.terminate()
    const refused = new WebSocket(`${origin.replace('http', 'ws')}/wss/k8s${maps('bob')}?${query}`, { headers })
    const status = await new Promise((resolve, reject) =>
      refused.once('unexpected-response', (_, { statusCode }) => resolve(statusCode)).once('open', reject),
    )
    expect(status).toBe(403)
  })

  it("every call was made as the signed-in user, except the gateway's own calls that the manifest allows", async () => {
    const calls = await gatewayCalls()
    const impersonated = calls.filter(({ impersonatedUser }) => impersonatedUser)
    for (const { requestURI, impersonatedUser } of impersonated) {
      const person = /fieldManager=asked-by-(ann|bob)/.exec(requestURI)?.[1] as Person | undefined // One of the two.
      if (!person) expect.fail(`no user requested ${requestURI}`)
      expect(impersonatedUser?.username, requestURI).toBe(emailOf(person))
      expect(impersonatedUser?.groups?.toSorted(), requestURI).toEqual(['system:authenticated', people[person]])
    }
    // Eight calls of each user, four with ignored headers, and two watches.
    expect(impersonated).toHaveLength(22)
    const own = calls.filter(({ impersonatedUser }) => !impersonatedUser)
    const kinds = [...new Set(own.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}`))].toSorted()
    expect(kinds).toEqual(['create subjectaccessreviews', 'list namespaces'])
    expect(own.filter(({ responseStatus }) => (responseStatus?.code ?? 0) >= 400)).toEqual([])
    const granted = (rules ?? [])
      .filter(({ verbs }) => !verbs.includes('impersonate'))
      .flatMap(({ verbs, resources = [] }) => verbs.flatMap((verb) => resources.map((each) => `${verb} ${each}`)))
    expect(granted.toSorted()).toEqual(kinds)
  })
})

describe('direct calls with the gateway’s token', () => {
  const direct = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${gatewayToken}`, ...headers } })

  it.each([
    ['cannot read objects in a namespace', '/api/v1/secrets', {}],
    [
      'cannot impersonate an administrator',
      '/api/v1/secrets',
      { 'impersonate-user': 'x', 'impersonate-group': 'system:masters' },
    ],
    [
      'cannot impersonate a group that the manifest does not name',
      '/api',
      { 'impersonate-user': 'x', 'impersonate-group': 'team-z' },
    ],
    [
      'cannot impersonate extra values of a user',
      '/api',
      { 'impersonate-user': 'x', 'impersonate-extra-scopes': 'all' },
    ],
    ['cannot impersonate a uid', '/api', { 'impersonate-user': 'x', 'impersonate-uid': '1' }],
  ])("the gateway's token %s", async (_, path, headers) => {
    expect((await direct(path, headers)).status).toBe(403)
  })
})
