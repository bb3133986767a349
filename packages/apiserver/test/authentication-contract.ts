import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type ApiResponse, type Api, type Json, type Target } from './api-client'
import { aNamespace, eventually } from './api-fixtures'
import { itOn } from './embedded-only'

const reviews = '/apis/authentication.k8s.io/v1'
const rbac = '/apis/rbac.authorization.k8s.io/v1'

/** Authentication: service account tokens, token reviews and impersonation. */
export function authenticationContract(target: () => Target): void {
  let admin: Api
  let namespace: string
  let path: string
  beforeAll(async () => {
    admin = apiOf(target())
    ;({ name: namespace, path } = await aNamespace(admin))
  })

  const withToken = (token: string): Api => apiOf({ ...target(), token })
  const whoami = async (api: Api, headers: [string, string][] = []): Promise<ApiResponse> =>
    api.call('POST', `${reviews}/selfsubjectreviews`, { body: {}, headers })
  const account = async (name: string): Promise<Json> =>
    (await admin.post(`${path}/serviceaccounts`, { metadata: { name } })).body
  const request = (name: string, spec: object = {}, metadata?: object) =>
    admin.post(`${path}/serviceaccounts/${name}/token`, { spec, ...(metadata && { metadata }) })
  const tokenOf = async (name: string, spec?: object): Promise<string> => {
    const { code, body } = await request(name, spec)
    if (code !== 201) throw new Error(body.message)
    return body.status.token
  }
  const review = async (token: string, audiences?: string[]): Promise<Json> => {
    const { code, body } = await admin.post(`${reviews}/tokenreviews`, { spec: { token, audiences } })
    expect(code).toBe(201)
    return body.status
  }
  /** Immediate here; other servers cache a valid token for seconds. */
  const refusedSoon = async (token: string): Promise<void> => {
    const code = async () => (await whoami(withToken(token))).code
    if (!target().isEmbedded) await eventually(async () => (await code()) === 401)
    expect(await code()).toBe(401)
  }
  const claimsOf = (token: string): Json => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

  describe('a service account token', () => {
    it('contains its account, audience and lifetime', async () => {
      const { metadata } = await account('robot')
      const before = Math.floor(Date.now() / 1000)
      const { code, body } = await request('robot', { expirationSeconds: 600 })
      expect(code).toBe(201)
      expect(body).toMatchObject({
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { name: 'robot', namespace },
        spec: { expirationSeconds: 600, boundObjectRef: null, audiences: [expect.any(String)] },
      })
      const claims = claimsOf(body.status.token)
      expect(claims).toMatchObject({
        sub: `system:serviceaccount:${namespace}:robot`,
        aud: body.spec.audiences,
        'kubernetes.io': { namespace, serviceaccount: { name: 'robot', uid: metadata.uid } },
      })
      expect(claims.exp - claims.iat).toBeGreaterThanOrEqual(600)
      expect(Date.parse(body.status.expirationTimestamp) / 1000).toBeGreaterThanOrEqual(before + 599)
    })

    it('authenticates its bearer as that account', async () => {
      const { metadata } = await account('bearer')
      const api = withToken(await tokenOf('bearer'))
      const { userInfo } = (await whoami(api)).body.status
      expect(userInfo).toMatchObject({ username: `system:serviceaccount:${namespace}:bearer`, uid: metadata.uid })
      expect(userInfo.groups).toEqual([
        'system:serviceaccounts',
        `system:serviceaccounts:${namespace}`,
        'system:authenticated',
      ])
      expect((await api.get(`${path}/configmaps`)).code).toBe(403)
      await admin.post(`${rbac}/namespaces/${namespace}/rolebindings`, {
        metadata: { name: 'bearer' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ kind: 'ServiceAccount', name: 'bearer', namespace }],
      })
      await eventually(async () => (await api.get(`${path}/configmaps`)).code === 200)
      const events = await api.watch(`${path}/configmaps?watch=true&timeoutSeconds=30`)
      events.close()
    })

    it('is invalid once the account is deleted, even if it is recreated', async () => {
      await account('mayfly')
      const token = await tokenOf('mayfly')
      expect((await whoami(withToken(token))).code).toBe(201)
      await admin.delete(`${path}/serviceaccounts/mayfly`)
      await refusedSoon(token)
      await account('mayfly')
      expect((await whoami(withToken(token))).code).toBe(401)
      expect(await review(token)).toMatchObject({ error: expect.stringContaining('does not match claim') })
    })

    it('may be bound to a pod or a secret, and is invalid once that is deleted', async () => {
      await account('bound')
      const container = { name: 'c', image: 'image' }
      const pod = { metadata: { name: 'p' }, spec: { serviceAccountName: 'bound', containers: [container] } }
      const { body } = await admin.post(`${path}/pods`, pod)
      await admin.post(`${path}/secrets`, { metadata: { name: 's' } })
      const toPod = { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: body.metadata.uid } }
      const tokens = [
        await tokenOf('bound', toPod),
        await tokenOf('bound', { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's' } }),
      ]
      const { userInfo } = (await whoami(withToken(tokens[0] ?? ''))).body.status
      expect(userInfo.extra).toMatchObject({
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': [body.metadata.uid],
      })
      await admin.delete(`${path}/pods/p?gracePeriodSeconds=0`)
      await admin.delete(`${path}/secrets/s`)
      for (const token of tokens) {
        await refusedSoon(token)
        expect(await review(token)).toMatchObject({
          error: '[invalid bearer token, service account token has been invalidated]',
        })
      }
    })

    it.each<[string, object, number, string]>([
      [
        'too short',
        { expirationSeconds: 599 },
        422,
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
      ],
      [
        'too long',
        { expirationSeconds: 2 ** 32 + 1 },
        422,
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
      ],
      [
        'bound to an unsupported kind',
        { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' } },
        400,
        'cannot bind token to object of type /v1, Kind=ConfigMap',
      ],
      [
        'bound to a missing object',
        { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'none' } },
        404,
        'secrets "none" not found',
      ],
    ])('is not issued if it would be %s', async (_, spec, code, message) => {
      const response = await request('default', spec)
      expect([response.code, response.body.message]).toEqual([code, message])
    })

    it('is not issued for a replaced pod, nor for a pod of another account', async () => {
      const spec = { serviceAccountName: 'default', containers: [{ name: 'c', image: 'image' }] }
      await admin.post(`${path}/pods`, { metadata: { name: 'of-default' }, spec })
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'of-default' }
      const other = await request('default', { boundObjectRef: { ...boundObjectRef, uid: 'x' } })
      expect([other.code, other.body.reason]).toEqual([409, 'Conflict'])
      await account('stranger')
      const stranger = await request('stranger', { boundObjectRef })
      expect([stranger.code, stranger.body.message]).toEqual([
        400,
        'cannot bind token for serviceaccount "stranger" to pod running with different serviceaccount name.',
      ])
    })

    it('is issued only for an existing account with a matching name', async () => {
      expect((await request('nobody')).body.message).toBe('serviceaccounts "nobody" not found')
      const { code, body } = await request('default', {}, { name: 'other' })
      expect([code, body.details.causes[0].message]).toEqual([
        422,
        'Invalid value: "other": must match the service account name if specified',
      ])
      expect((await admin.get(`${path}/serviceaccounts/default/token`)).code).toBe(405)
    })

    it('is listed in discovery', async () => {
      const { body } = await admin.get('/api/v1')
      expect(body.resources.find(({ name }: Json) => name === 'serviceaccounts/token')).toEqual({
        name: 'serviceaccounts/token',
        singularName: '',
        namespaced: true,
        group: 'authentication.k8s.io',
        version: 'v1',
        kind: 'TokenRequest',
        verbs: ['create'],
      })
    })

    it('can be verified with the published keys', async () => {
      const api = withToken(await tokenOf('default'))
      const { body } = await api.get('/.well-known/openid-configuration')
      expect(body).toMatchObject({ response_types_supported: ['id_token'], subject_types_supported: ['public'] })
      const path = '/openid/v1/jwks'
      const refused = await api.get(path)
      expect([refused.code, refused.body.message]).toEqual([
        406,
        '406: Not Acceptable\n\nAvailable representations: application/jwk-set+json',
      ])
      const keys = await api.call('GET', path, { headers: { accept: 'application/jwk-set+json' } })
      expect(keys.body.keys[0]).toMatchObject({ use: 'sig', kid: expect.any(String) })
      expect(keys.body.keys[0]).not.toHaveProperty('d')
      const nobody = { headers: [['impersonate-user', 'nobody']] as [string, string][] }
      expect((await admin.call('GET', path, nobody)).code).toBe(403)
    })
  })

  it('every namespace has a default service account, which is recreated if deleted', async () => {
    const { body: first } = await admin.get(`${path}/serviceaccounts/default`)
    await admin.delete(`${path}/serviceaccounts/default`)
    await eventually(async () => {
      const { code, body } = await admin.get(`${path}/serviceaccounts/default`)
      return code === 200 && body.metadata.uid !== first.metadata.uid
    })
  })

  it('every namespace has the root certificate, also after it was changed and deleted', async () => {
    const certificate = `${path}/configmaps/kube-root-ca.crt`
    const holds = async (isAsItWas: (body: Json) => boolean) =>
      eventually(async () => {
        const { code, body } = await admin.get(certificate)
        return code === 200 && /^-----BEGIN CERTIFICATE-----\n/.test(body.data['ca.crt']) && isAsItWas(body)
      })
    await holds(({ metadata }) => metadata.annotations['kubernetes.io/description'].startsWith('Contains a CA bundle'))
    const { body: first } = await admin.get(certificate)
    await admin.patch(certificate, 'merge', { data: { 'ca.crt': 'forged', more: 'x' } })
    await holds(({ data }) => Object.keys(data).join() === 'ca.crt')
    await admin.delete(certificate)
    await holds(({ metadata, data }) => metadata.uid !== first.metadata.uid && data['ca.crt'] === first.data['ca.crt'])
  })

  describe('a token review', () => {
    it('returns the user of a token', async () => {
      const { authenticated, user, audiences } = await review(target().token)
      expect(authenticated).toBe(true)
      expect(user).toEqual((await whoami(admin)).body.status.userInfo)
      expect(audiences).toEqual([expect.any(String)])
    })

    it.each(['nonsense', 'a.b.c'])('reports %s as unknown', async (token) => {
      const { authenticated, user, error } = await review(token)
      expect([!!authenticated, user, error]).toEqual([false, {}, 'invalid bearer token'])
    })

    it('reports a token that was tampered with', async () => {
      const [header = '', , signature = ''] = (await tokenOf('default')).split('.')
      const claims = claimsOf(await tokenOf('default'))
      const other = { ...claims, sub: 'system:serviceaccount:kube-system:default' }
      const forged = [header, Buffer.from(JSON.stringify(other)).toString('base64url'), signature].join('.')
      expect((await review(forged)).error).toContain('invalid bearer token')
      expect((await whoami(withToken(forged))).code).toBe(401)
    })

    it('returns which of the requested audiences a token is valid for', async () => {
      const token = await tokenOf('default', { audiences: ['vault', 'registry'] })
      expect((await whoami(withToken(token))).code).toBe(401)
      expect(await review(token, ['registry', 'else'])).toMatchObject({
        authenticated: true,
        audiences: ['registry'],
        user: { username: `system:serviceaccount:${namespace}:default` },
      })
      expect((await review(token, ['else'])).error).toBe(
        '[invalid bearer token, token audiences ["vault" "registry"] is invalid for the target audiences ["else"]]',
      )
      expect(!!(await review(target().token, ['else'])).authenticated).toBe(false)
    })

    it('requires a token', async () => {
      const { code, body } = await admin.post(`${reviews}/tokenreviews`, { spec: {} })
      expect([code, body.message]).toEqual([400, 'token is required for TokenReview in authentication'])
    })

    it('is never stored, with or without dryRun', async () => {
      const { code } = await admin.post(`${reviews}/tokenreviews?dryRun=All`, { spec: { token: 'x' } })
      expect(code).toBe(201)
      expect((await admin.get(`${reviews}/tokenreviews`)).code).toBe(405)
    })
  })

  describe('impersonation', () => {
    const actor = (name: string) => `system:serviceaccount:${namespace}:${name}`
    /** Creates an account with these impersonation rules, and returns a client for it. */
    async function actorWith(name: string, ...rules: object[]): Promise<Api> {
      await account(name)
      const role = `${namespace}-${name}`
      await admin.post(`${rbac}/clusterroles`, { metadata: { name: role }, rules })
      await admin.post(`${rbac}/clusterrolebindings`, {
        metadata: { name: role },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'ServiceAccount', name, namespace }],
      })
      const [{ verbs, apiGroups, resources, resourceNames }]: Json[] = rules
      const [resource, subresource] = resources[0].split('/')
      const requestInfo = { verb: verbs[0], group: apiGroups[0], resource, subresource, name: resourceNames?.[0] }
      await eventually(async () => {
        const spec = { user: actor(name), resourceAttributes: requestInfo }
        return (await admin.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec })).body.status.allowed
      })
      return withToken(await tokenOf(name))
    }
    const may = (resource: string, group = '', resourceNames?: string[]) => ({
      verbs: ['impersonate'],
      apiGroups: [group],
      resources: [resource],
      ...(resourceNames && { resourceNames }),
    })

    it.each<[string, [string, string][], object]>([
      [
        'a user, who is then authenticated',
        [['Impersonate-User', 'ann']],
        { username: 'ann', groups: ['system:authenticated'] },
      ],
      [
        'a user with groups, in order',
        [
          ['Impersonate-User', 'ann'],
          ['Impersonate-Group', 'b'],
          ['Impersonate-Group', 'cn=x,ou=y'],
        ],
        { username: 'ann', groups: ['b', 'cn=x,ou=y', 'system:authenticated'] },
      ],
      [
        'a user with all attributes',
        [
          ['Impersonate-User', 'ann'],
          ['Impersonate-Uid', '42'],
          ['Impersonate-Extra-Scopes', 'view'],
          ['Impersonate-Extra-Scopes', 'edit'],
          ['Impersonate-Extra-acme.com%2Fproject', 'some project'],
        ],
        {
          username: 'ann',
          uid: '42',
          groups: ['system:authenticated'],
          extra: { scopes: ['view', 'edit'], 'acme.com/project': ['some project'] },
        },
      ],
      [
        'a service account, with its groups',
        [['Impersonate-User', 'system:serviceaccount:a:robot']],
        {
          username: 'system:serviceaccount:a:robot',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:a', 'system:authenticated'],
        },
      ],
      [
        'a service account with the given groups',
        [
          ['Impersonate-User', 'system:serviceaccount:a:robot'],
          ['Impersonate-Group', 'g'],
        ],
        { username: 'system:serviceaccount:a:robot', groups: ['g', 'system:authenticated'] },
      ],
    ])('accepts %s', async (_, headers, userInfo) => {
      expect((await whoami(admin, headers)).body.status.userInfo).toEqual(userInfo)
    })

    it.each<[string, [string, string][]]>([
      ['by name', [['Impersonate-User', 'system:anonymous']]],
      [
        'by group',
        [
          ['Impersonate-User', 'ann'],
          ['Impersonate-Group', 'system:unauthenticated'],
        ],
      ],
    ])('may result in an unauthenticated user, %s', async (_, headers) => {
      const { code, body } = await whoami(admin, headers)
      expect([code, body.message]).toEqual([
        403,
        expect.stringContaining('cannot create resource "selfsubjectreviews" in API group "authentication.k8s.io"'),
      ])
      expect((await admin.call('GET', '/version', { headers })).code).toBe(200)
    })

    it.each<[string, object[], [string, string][], string]>([
      [
        'users',
        [may('groups')],
        [['Impersonate-User', 'ann']],
        'users "ann" is forbidden: User "$" cannot impersonate resource "users" in API group "" at the cluster scope',
      ],
      [
        'other-users',
        [may('users', '', ['bob'])],
        [['Impersonate-User', 'ann']],
        'users "ann" is forbidden: User "$" cannot impersonate resource "users" in API group "" at the cluster scope',
      ],
      [
        'groups',
        [may('users')],
        [
          ['Impersonate-User', 'ann'],
          ['Impersonate-Group', 'system:masters'],
        ],
        'groups "system:masters" is forbidden: User "$" cannot impersonate resource "groups" in API group "" at the cluster scope',
      ],
      [
        'accounts',
        [may('users')],
        [['Impersonate-User', 'system:serviceaccount:a:robot']],
        'serviceaccounts "robot" is forbidden: User "$" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "a"',
      ],
      [
        'uids',
        [may('users')],
        [
          ['Impersonate-User', 'ann'],
          ['Impersonate-Uid', '42'],
        ],
        'uids.authentication.k8s.io "42" is forbidden: User "$" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
      ],
      [
        'extras',
        [may('users'), may('userextras/other', 'authentication.k8s.io')],
        [
          ['Impersonate-User', 'ann'],
          ['Impersonate-Extra-Scopes', 'view'],
        ],
        'userextras.authentication.k8s.io "view" is forbidden: User "$" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope',
      ],
    ])('requires permission for each attribute: %s', async (name, rules, headers, message) => {
      const api = await actorWith(`not-${name}`, ...rules)
      const { code, body } = await whoami(api, headers)
      expect([code, body.reason, body.message]).toEqual([403, 'Forbidden', message.replace('$', actor(`not-${name}`))])
    })

    it('is granted for each attribute separately', async () => {
      const api = await actorWith(
        'actor',
        may('users', '', ['ann']),
        may('groups', '', ['dev']),
        may('uids', 'authentication.k8s.io'),
        may('userextras/scopes', 'authentication.k8s.io', ['view']),
      )
      const all: [string, string][] = [
        ['Impersonate-User', 'ann'],
        ['Impersonate-Group', 'dev'],
        ['Impersonate-Uid', '1'],
        ['Impersonate-Extra-Scopes', 'view'],
      ]
      expect((await whoami(api, all)).code).toBe(201)
      expect((await whoami(api, [...all, ['Impersonate-Extra-Scopes', 'edit']])).code).toBe(403)
      expect((await whoami(api, [...all, ['Impersonate-Group', 'ops']])).code).toBe(403)
    })

    itOn(target, 'everything else is 401 without a token')('is denied without a token', async () => {
      const headers: [string, string][] = [
        ['authorization', ''],
        ['impersonate-user', 'ann'],
      ]
      expect((await admin.call('GET', `${path}/configmaps`, { headers })).code).toBe(401)
    })
  })

  itOn(target, 'everything else is 401 without a token')(
    'accepts a token in the header, never in the URL',
    async () => {
      const { token } = target()
      const headers = { authorization: '' }
      const url = `${path}/configmaps?access_token=${encodeURIComponent(token)}`
      expect((await admin.call('GET', url, { headers })).code).toBe(401)
      await expect(admin.socket(`${url}&watch=true`, { token: '' })).rejects.toMatchObject({ code: 401 })
    },
  )
}
