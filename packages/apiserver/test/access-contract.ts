import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type Api, type Target } from './api-client'
import { aNamespace, configMap, eventually } from './api-fixtures'
import { itOn } from './embedded-only'

export function accessContract(target: () => Target): void {
  let api: Api
  let namespace: string
  let maps: string
  let path: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ name: namespace, maps, path } = await aNamespace(api))
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`
    await api.post(`${rbac}/roles`, {
      metadata: { name: 'reader' },
      rules: [
        { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] },
        { verbs: ['create', 'update'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'] },
      ],
    })
    await api.post(`${rbac}/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [
        { kind: 'User', name: 'anna' },
        { kind: 'Group', name: 'readers' },
      ],
    })
    await eventually(async () => (await api.call('GET', maps, as('anna'))).code === 200)
  })

  /** A request that impersonates another user. */
  const as = (user: string, groups: string[] = []) => ({
    headers: [['impersonate-user', user], ...groups.map((group) => ['impersonate-group', group])] as [string, string][],
  })
  const review = async (user: string, resourceAttributes: object) => {
    const call = { body: { spec: { resourceAttributes } }, ...as(user) }
    return api.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', call)
  }

  const codeFor = async (authorization: string) => {
    const { code, body } = await api.call('GET', maps, { headers: { authorization } })
    return [code, body.message, body.reason]
  }
  const unauthorized = [401, 'Unauthorized', 'Unauthorized']
  it('rejects an unknown token', async () => {
    expect(await codeFor('Bearer nonsense')).toEqual(unauthorized)
  })
  itOn(target, 'everything else is 401 without a token')('rejects a request without a token', async () => {
    for (const authorization of ['', 'Basic x']) expect(await codeFor(authorization)).toEqual(unauthorized)
  })

  it('allows what the roles of a user or of their groups allow', async () => {
    expect((await api.call('GET', maps, as('anna'))).code).toBe(200)
    expect((await api.call('GET', maps, as('bob'))).code).toBe(403)
    expect((await api.call('GET', maps, as('bob', ['others', 'readers']))).code).toBe(200)
    expect((await api.call('GET', '/api/v1/configmaps', as('anna'))).code).toBe(403)
    expect((await api.call('GET', '/apis', as('bob'))).code).toBe(200)
  })

  it('is checked before the existence of objects', async () => {
    const { code, body } = await api.call('GET', `${path}/secrets/none`, as('anna'))
    expect(code).toBe(403)
    expect(body.message).toBe(
      `secrets "none" is forbidden: User "anna" cannot get resource "secrets" in API group "" in the namespace "${namespace}"`,
    )
    expect(body.details).toEqual({ name: 'none', kind: 'secrets' })
  })

  it('rejects impersonation headers without a user', async () => {
    const { code, body } = await api.call('GET', maps, { headers: [['impersonate-group', 'readers']] })
    expect([code, body.reason]).toEqual([400, 'BadRequest'])
  })

  itOn(target, 'A value with a comma and a space is rejected with 400')(
    'rejects impersonation of ambiguous groups',
    async () => {
      expect((await api.call('GET', maps, as('bob', ['a, system:masters']))).code).toBe(400)
    },
  )

  describe('reviews', () => {
    it('return whether access is allowed, even if it is denied', async () => {
      const yes = await review('anna', { verb: 'list', resource: 'configmaps', namespace })
      expect([yes.code, yes.body.status.allowed]).toEqual([201, true])
      expect(yes.body.status.reason).toBe(
        `RBAC: allowed by RoleBinding "reader/${namespace}" of Role "reader" to User "anna"`,
      )
      const no = await review('anna', { verb: 'delete', resource: 'configmaps', namespace })
      expect([no.code, no.body.status.allowed]).toEqual([201, false])
    })

    it('reject a spec without attributes', async () => {
      const { code, body } = await api.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec: {} })
      expect([code, body.details.causes[0]]).toEqual([
        422,
        {
          reason: 'FieldValueInvalid',
          message: 'Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
          field: 'spec.resourceAttributes',
        },
      ])
    })
  })

  it('includes aggregated roles, here at once', async () => {
    const soon = async (code: number) => {
      const request = async () => (await api.call('GET', maps, as('carl'))).code
      if (!target().isEmbedded) await eventually(async () => (await request()) === code)
      expect(await request()).toBe(code)
    }
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    const label = `contract.test/to-${namespace}`
    await api.post(`${rbac}/clusterroles`, {
      metadata: { name: `all-${namespace}` },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] },
      rules: [],
    })
    await api.post(`${rbac}/namespaces/${namespace}/rolebindings`, {
      metadata: { name: 'aggregated' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `all-${namespace}` },
      subjects: [{ kind: 'User', name: 'carl' }],
    })
    await soon(403)
    await api.post(`${rbac}/clusterroles`, {
      metadata: { name: `part-${namespace}`, labels: { [label]: 'true' } },
      rules: [{ verbs: ['list'], apiGroups: [''], resources: ['configmaps'] }],
    })
    await soon(200)
    await api.delete(`${rbac}/clusterroles/part-${namespace}`)
    await soon(403)
  })

  it('cannot be granted by users who do not hold it', async () => {
    const roles = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles`
    const role = (resource: string) => ({
      metadata: { name: `grant-${resource}` },
      rules: [{ verbs: ['get'], apiGroups: [''], resources: [resource] }],
    })
    expect((await api.call('POST', roles, { body: role('configmaps'), ...as('anna') })).code).toBe(201)
    const { code, body } = await api.call('POST', roles, { body: role('secrets'), ...as('anna') })
    expect(code).toBe(403)
    expect(body.message).toContain('is attempting to grant RBAC permissions not currently held:')
  })

  it('is checked before the body of a write is read', async () => {
    expect((await api.call('POST', maps, { body: '{', ...as('anna') })).code).toBe(403)
    expect((await api.call('POST', maps, { body: configMap('x'), ...as('anna') })).code).toBe(403)
  })
}
