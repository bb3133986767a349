import { beforeAll, describe, expect, it } from 'vitest'
import { apiOf, type ApiResponse, type Api, type Json, type Target } from './api-client'
import { aNamespace, configMap, eventually, widget } from './api-fixtures'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const apiGroup = 'rbac.authorization.k8s.io'

const as = (user: string): { headers: [string, string][] } => ({ headers: [['impersonate-user', user]] })

/** What roles allow, and who may grant them. */
export function rbacContract(target: () => Target): void {
  let api: Api
  let namespace: string
  let maps: string
  let widgets: string
  let roles: string
  let roleBindings: string
  beforeAll(async () => {
    api = apiOf(target())
    ;({ name: namespace, maps, widgets } = await aNamespace(api))
    roles = `${rbac}/namespaces/${namespace}/roles`
    roleBindings = `${rbac}/namespaces/${namespace}/rolebindings`
  })

  const binding = (name: string, kind: string, user: string, role = name) => ({
    metadata: { name },
    roleRef: { apiGroup, kind, name: role },
    subjects: [{ kind: 'User', apiGroup, name: user }],
  })
  const rule = (verbs: string[], resources: string[], more: object = {}) => ({
    verbs,
    apiGroups: [''],
    resources,
    ...more,
  })
  const created = async (path: string, body: Json): Promise<void> => {
    const response = await api.post(path, body)
    if (response.code !== 201) throw new Error(response.body.message)
  }

  /** Creates a user with these rules in the namespace; resolves once they are effective. */
  async function person(name: string, ...rules: Json[]): Promise<string> {
    await created(roles, { metadata: { name }, rules })
    await created(roleBindings, binding(name, 'Role', name))
    await known(name, rules[0])
    return name
  }
  async function known(user: string, { verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Json) {
    const [resource, subresource] = (resources?.[0] ?? '').split('/')
    const [group, verb, path, name] = [apiGroups?.[0], verbs[0], nonResourceURLs?.[0], resourceNames?.[0]]
    const spec = path
      ? { user, nonResourceAttributes: { path, verb } }
      : { user, resourceAttributes: { namespace, verb, group, resource, subresource, name } }
    const review = () => api.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec })
    await eventually(async () => (await review()).body.status.allowed)
  }

  describe('a verb', () => {
    const requests: [string, string, string, object | undefined][] = [
      ['get', 'GET', '/none', undefined],
      ['list', 'GET', '', undefined],
      ['watch', 'GET', '?watch=true&timeoutSeconds=1&resourceVersion=bad', undefined],
      ['create', 'POST', '?dryRun=All', configMap('new')],
      ['update', 'PUT', '/none', configMap('none')],
      ['patch', 'PATCH', '/none', {}],
      ['delete', 'DELETE', '/none', undefined],
      ['deletecollection', 'DELETE', '?dryRun=All', undefined],
    ]
    it.each(requests)('%s allows its requests and no others', async (verb) => {
      const user = await person(`may-${verb}`, rule([verb], ['configmaps']))
      const allowed: string[] = []
      for (const [other, method, rest, body] of requests) {
        const type = method === 'PATCH' ? 'application/merge-patch+json' : undefined
        const { code, body: response } = await api.call(method, `${maps}${rest}`, {
          body,
          ...(type && { type }),
          ...as(user),
        })
        if (code === 403) expect(response.message).toContain(`cannot ${other} resource "configmaps"`)
        else allowed.push(other)
      }
      expect(allowed).toEqual([verb])
    })
  })

  describe('a rule', () => {
    it('with names applies to these, to lists only with a name selector, and never to create or deletecollection', async () => {
      const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']
      const user = await person('named', rule(verbs, ['configmaps'], { resourceNames: ['mine'] }))
      await created(maps, configMap('mine'))
      await created(maps, configMap('other'))
      const selected = (name: string) => `?fieldSelector=metadata.name%3D${name}`
      const code = async (method: string, rest: string, body?: object) =>
        (await api.call(method, `${maps}${rest}`, { ...(body && { body }), ...as(user) })).code
      expect([await code('GET', '/mine'), await code('GET', '/other')]).toEqual([200, 403])
      expect([await code('GET', ''), await code('GET', selected('other'))]).toEqual([403, 403])
      expect([
        await code('GET', selected('mine')),
        await code('GET', `${selected('mine')},metadata.name!%3Dx`),
      ]).toEqual([200, 200])
      expect(await code('GET', `${selected('mine')}&watch=true&timeoutSeconds=1`)).toBe(200)
      expect(await code('GET', '?watch=true&timeoutSeconds=1')).toBe(403)
      expect(await code('PUT', '/mine', configMap('mine'))).toBe(200)
      expect(await code('POST', '', configMap('mine'))).toBe(403)
      expect(await code('DELETE', selected('mine'))).toBe(403)
      expect([await code('DELETE', '/other'), await code('DELETE', '/mine')]).toEqual([403, 200])
    })

    it('may apply to a resource, a subresource, or both', async () => {
      const group = { apiGroups: ['contract.test'] }
      const status = await person('of-status', rule(['patch'], ['widgets/status'], group))
      const main = await person('of-main', rule(['patch'], ['widgets'], group))
      const every = await person('of-every-status', rule(['patch'], ['*/status'], group))
      await created(widgets, widget('w'))
      const patch = async (user: string, part: string) =>
        (
          await api.call('PATCH', `${widgets}/w${part}`, {
            body: {},
            type: 'application/merge-patch+json',
            ...as(user),
          })
        ).code
      expect([await patch(status, '/status'), await patch(status, '')]).toEqual([200, 403])
      expect([await patch(main, '/status'), await patch(main, '')]).toEqual([403, 200])
      expect([await patch(every, '/status'), await patch(every, '')]).toEqual([200, 403])
    })

    it('with paths applies to these, and with a star to paths below them', async () => {
      const name = `paths-${namespace}`
      const rules = [{ verbs: ['get'], nonResourceURLs: [`/${name}/*`, `/${name}-one`] }]
      const code = async (path: string) => (await api.call('GET', path, as(name))).code
      const { body } = await api.call('GET', `/${name}/a`, as(name))
      expect([body.code, body.message]).toEqual([
        403,
        `forbidden: User ${JSON.stringify(name)} cannot get path "/${name}/a"`,
      ])
      await created(`${rbac}/clusterroles`, { metadata: { name }, rules })
      await created(`${rbac}/clusterrolebindings`, binding(name, 'ClusterRole', name))
      await known(name, { verbs: ['get'], nonResourceURLs: [`/${name}-one`] })
      // Allowed, but not found.
      expect(await Promise.all([`/${name}/a`, `/${name}/a/b`, `/${name}-one`].map(code))).toEqual([404, 404, 404])
      expect(await Promise.all([`/${name}`, `/${name}-one/a`].map(code))).toEqual([403, 403])
      expect((await api.call('POST', `/${name}/a`, { body: {}, ...as(name) })).code).toBe(403)
    })
  })

  it('a role binding applies in its namespace, a cluster role binding everywhere', async () => {
    const other = await aNamespace(api)
    const name = `scoped-${namespace}`
    await created(`${rbac}/clusterroles`, { metadata: { name }, rules: [rule(['list'], ['configmaps'])] })
    await created(roleBindings, binding(name, 'ClusterRole', 'scoped'))
    await known('scoped', rule(['list'], ['configmaps']))
    const codes = async (user: string) =>
      Promise.all(
        [maps, other.maps, '/api/v1/configmaps'].map(
          async (path) => (await api.call('GET', `${path}?limit=1`, as(user))).code,
        ),
      )
    expect(await codes('scoped')).toEqual([200, 403, 403])
    await created(`${rbac}/clusterrolebindings`, binding(name, 'ClusterRole', name))
    await known(name, rule(['list'], ['configmaps']))
    expect(await codes(name)).toEqual([200, 200, 200])
  })

  it('an apply that creates an object requires permission to create', async () => {
    const apply = (user: string) =>
      api.call('PATCH', `${maps}/applied?fieldManager=contract`, {
        body: configMap('applied'),
        type: 'application/apply-patch+yaml',
        ...as(user),
      })
    await person('only-patches', rule(['patch'], ['configmaps']))
    await person('creates', rule(['patch', 'create'], ['configmaps']))
    expect((await apply('only-patches')).code).toBe(403)
    expect((await apply('creates')).code).toBe(201)
    expect((await apply('only-patches')).code).toBe(200)
  })

  describe('the role of a binding', () => {
    it('is immutable', async () => {
      await created(roleBindings, binding('fixed', 'ClusterRole', 'somebody', 'view'))
      const roleRef = { apiGroup, kind: 'ClusterRole', name: 'edit' }
      const { code, body } = await api.patch(`${roleBindings}/fixed`, 'merge', { roleRef })
      expect([code, body.reason, body.details.causes[0].field]).toEqual([422, 'Invalid', 'roleRef'])
      expect(body.message).toMatch(
        /^RoleBinding.rbac.authorization.k8s.io "fixed" is invalid: roleRef: Invalid value: .*: cannot change roleRef$/,
      )
      const subjects = [{ kind: 'Group', apiGroup, name: 'others' }]
      expect((await api.patch(`${roleBindings}/fixed`, 'merge', { subjects })).code).toBe(200)
    })

    it('may be missing if the user may grant any role', async () => {
      expect((await api.post(roleBindings, binding('early', 'Role', 'somebody', 'none'))).code).toBe(201)
      await person('early-binder', { verbs: ['create'], apiGroups: [apiGroup], resources: ['rolebindings'] })
      const body = binding('earlier', 'Role', 'somebody', 'none')
      const response = await api.call('POST', roleBindings, { body, ...as('early-binder') })
      expect([response.code, response.body.reason]).toEqual([404, 'NotFound'])
    })
  })

  describe('users cannot grant more than they hold:', () => {
    const write = { verbs: ['create', 'update', 'patch'], apiGroups: [apiGroup], resources: ['roles', 'rolebindings'] }
    const read = rule(['get', 'list'], ['configmaps'])
    const errorOf = ({ code, body }: ApiResponse) => [code, body.reason, body.message]
    const sentence = (what: string, user: string, ...rules: string[]) => [
      403,
      'Forbidden',
      `${what} is forbidden: user "${user}" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${rules.join('\n')}`,
    ]
    const role = (name: string, ...rules: object[]) => ({ metadata: { name }, rules })

    it('in a role that they create or update', async () => {
      const user = await person('giver', write, read)
      const post = (body: object) => api.call('POST', roles, { body, ...as(user) })
      expect((await post(role('given', rule(['get'], ['configmaps'])))).code).toBe(201)
      const more = role('given', rule(['get', 'delete'], ['configmaps', 'secrets']))
      const missing = [
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["delete"]}',
        '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}',
      ]
      const refused = sentence('roles.rbac.authorization.k8s.io "given"', user, ...missing)
      expect(errorOf(await post(more))).toEqual(refused)
      expect(errorOf(await api.call('PUT', `${roles}/given`, { body: more, ...as(user) }))).toEqual(refused)
      const type = 'application/merge-patch+json'
      const patched = await api.call('PATCH', `${roles}/given`, { body: { rules: more.rules }, type, ...as(user) })
      expect(errorOf(patched)).toEqual(refused)
    })

    it('in a role, unless they may escalate it', async () => {
      const escalate = { verbs: ['escalate'], apiGroups: [apiGroup], resources: ['roles'], resourceNames: ['climbed'] }
      const user = await person('climber', write, escalate)
      await created(roles, role('climbed'))
      await created(roles, role('not-climbed'))
      await known(user, escalate)
      const put = async (name: string) =>
        (await api.call('PUT', `${roles}/${name}`, { body: role(name, rule(['*'], ['*'])), ...as(user) })).code
      expect([await put('climbed'), await put('not-climbed')]).toEqual([200, 403])
    })

    it('in a binding, unless they may bind the role', async () => {
      const bind = { verbs: ['bind'], apiGroups: [apiGroup], resources: ['roles'], resourceNames: ['bindable'] }
      const user = await person('binder', write, read, bind)
      await created(roles, role('held', rule(['get'], ['configmaps'])))
      await created(roles, role('bindable', rule(['*'], ['*'])))
      await created(roles, role('too-much', rule(['get'], ['secrets'])))
      await known(user, bind)
      const post = (name: string) =>
        api.call('POST', roleBindings, { body: binding(`gives-${name}`, 'Role', 'friend', name), ...as(user) })
      await eventually(async () => (await post('held')).code !== 404)
      await eventually(async () => (await post('too-much')).code !== 404)
      expect((await api.get(`${roleBindings}/gives-held`)).code).toBe(200)
      expect((await post('bindable')).code).toBe(201)
      expect(errorOf(await post('too-much'))).toEqual(
        sentence(
          'rolebindings.rbac.authorization.k8s.io "gives-too-much"',
          user,
          '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
        ),
      )
    })

    it('a namespace administrator holds the rules of the aggregated role', async () => {
      await created(roleBindings, binding('admin', 'ClusterRole', 'boss', 'admin'))
      await known('boss', { verbs: ['create'], apiGroups: [apiGroup], resources: ['rolebindings'] })
      const post = async (role: string) =>
        (
          await api.call('POST', roleBindings, {
            body: binding(`by-boss-${role}`, 'ClusterRole', 'a', role),
            ...as('boss'),
          })
        ).code
      expect([await post('admin'), await post('edit'), await post('view')]).toEqual([201, 201, 201])
      expect(await post('cluster-admin')).toBe(403)
    })
  })

  describe('a review returns the same decision as the request:', () => {
    const ofGroup = (group: string, version: string, namespaced: string[], wide: string[] = []) =>
      [
        ...namespaced.map((plural) => [group, version, plural, true]),
        ...wide.map((plural) => [group, version, plural, false]),
      ] as [string, string, string, boolean][]
    const kinds = [
      ...ofGroup(
        '',
        'v1',
        ['configmaps', 'secrets', 'pods', 'serviceaccounts', 'persistentvolumeclaims', 'events', 'limitranges'],
        ['namespaces'],
      ),
      ...ofGroup('coordination.k8s.io', 'v1', ['leases']),
      ...ofGroup(apiGroup, 'v1', ['roles', 'rolebindings'], ['clusterroles', 'clusterrolebindings']),
      ...ofGroup('apiextensions.k8s.io', 'v1', [], ['customresourcedefinitions']),
      ...ofGroup('contract.test', 'v1', ['widgets']),
    ]
    const users = ['viewer', 'editor', 'owner', 'odd', 'nobody', 'everywhere']
    beforeAll(async () => {
      await created(roleBindings, binding('viewer', 'ClusterRole', 'viewer', 'view'))
      await created(roleBindings, binding('editor', 'ClusterRole', 'editor', 'edit'))
      await created(roleBindings, binding('owner', 'ClusterRole', 'owner', 'admin'))
      await person('odd', {
        verbs: ['get', 'create', 'deletecollection'],
        apiGroups: ['', 'contract.test'],
        resources: ['*'],
      })
      await created(`${rbac}/clusterrolebindings`, binding(`view-${namespace}`, 'ClusterRole', 'everywhere', 'view'))
      for (const user of users) if (user !== 'nobody') await known(user, rule(['get'], ['configmaps']))
    })

    it.each(users)('for %s, of every kind and verb', async (user) => {
      for (const [group, version, plural, isNamespaced] of kinds) {
        const root = group ? `/apis/${group}/${version}` : `/api/${version}`
        const home = isNamespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`
        const requests: [string, string, string, object?][] = [
          ['get', 'GET', `${home}/none`],
          ['list', 'GET', `${home}?limit=1`],
          ['watch', 'GET', `${home}?watch=true&resourceVersion=bad`],
          ['create', 'POST', `${home}?dryRun=All`, { metadata: { name: 'none' } }],
          ['update', 'PUT', `${home}/none?dryRun=All`, { metadata: { name: 'none' } }],
          ['patch', 'PATCH', `${home}/none?dryRun=All`, {}],
          ['delete', 'DELETE', `${home}/none?dryRun=All`],
          ['deletecollection', 'DELETE', `${home}?dryRun=All&labelSelector=contract.test%2Fnone`],
          ...(isNamespaced ? [['list', 'GET', `${root}/${plural}?limit=1`] as [string, string, string]] : []),
        ]
        for (const [verb, method, path, body] of requests) {
          const inNamespace = path.startsWith(home) && isNamespaced ? namespace : undefined
          const name = path.includes('/none') ? 'none' : undefined
          const resourceAttributes = { verb, group, resource: plural, namespace: inNamespace, name }
          const reviewed = await api.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
            body: { spec: { resourceAttributes } },
            ...as(user),
          })
          const type = method === 'PATCH' ? 'application/merge-patch+json' : undefined
          const done = await api.call(method, path, { ...(body && { body }), ...(type && { type }), ...as(user) })
          const isDenied =
            done.code === 403 && String(done.body.message).includes(`User "${user}" cannot ${verb} resource`)
          expect([verb, path, reviewed.body.status.allowed]).toEqual([verb, path, !isDenied])
        }
      }
    })

    it('for a user who may not list namespaces', async () => {
      const { code, body } = await api.call('GET', '/api/v1/namespaces', as('viewer'))
      expect([code, body.message]).toEqual([
        403,
        'namespaces is forbidden: User "viewer" cannot list resource "namespaces" in API group "" at the cluster scope',
      ])
    })
  })
}
