import { secretType } from '@slipway/kube/core-types'
import { inEachGroup, type ResourceType } from '@slipway/kube/resource-type'
import { deliveredRules } from '@slipway/model/access/missing-right'
import { clusterRoleName, type UserRole } from '@slipway/model/access/roles/user-actions'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { anApplication } from '@slipway/model/testing'
import type { UserName } from '@slipway/slipway/users'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { startApi } from '../../../test/render-route'
import { client, cluster, lens, openWatchSocket } from '../client'
import { queryClient } from '../query-client'
import { signOut, storedUser, userQuery } from '../session/session'
import { firstState } from '../views/open-view'
import { create, remove, sendWrite, type Write } from '../writes/writes'
import { accessQuery } from './access'
import type { AccessVerb } from './access-review'
import { applyRole, applyViewedRole, viewAs } from './role-lens'
import { type ViewedRole, viewedRole } from './viewed-role'

const viewed = (role: UserRole, email = 'admin@example.com'): ViewedRole => ({
  name: role.replace(/^./, (first) => first.toUpperCase()),
  rules: deliveredRules({
    displayName: role,
    description: '',
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: clusterRoleName(role) },
  }),
  isExact: true,
  email,
})

async function scene(as: UserName, role: UserRole) {
  const test = await testCluster({ as, objects: [anApplication()] })
  startApi()
  onTestFinished(applyRole(viewed(role)))
  return test
}

const may = (verb: AccessVerb, type: ResourceType = applicationType) =>
  queryClient.fetchQuery(accessQuery({ verb, type, namespace }))

test.each<[as: UserName, role: UserRole, verb: AccessVerb, type: ResourceType, allowed: boolean]>([
  ['admin', 'contributor', 'list', applicationType, true],
  ['admin', 'contributor', 'delete', applicationType, false],
  ['admin', 'contributor', 'list', secretType, false],
  ['admin', 'maintainer', 'create', componentType, true],
  ['admin', 'admin', 'list', secretType, true],
  ['contributor', 'admin', 'delete', applicationType, true],
  ['contributor', 'admin', 'list', secretType, false],
])('a user with the role %s who views as %s may %s: %#', async (as, role, verb, type, allowed) => {
  await scene(as, role)
  expect(await may(verb, type)).toBe(allowed)
})

it('only decisions about reading are left to the cluster', async () => {
  const { calls } = await scene('admin', 'admin')
  await may('delete')
  expect(calls).toEqual([])
  await may('list')
  expect(calls.map(({ path }) => path)).toEqual(['/api/k8s/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'])
})

describe('a write', () => {
  test.each<[string, Write]>([
    ['of a creation', create(applicationType, anApplication({ metadata: { name: 'new', namespace } }))],
    ['of a deletion', remove(applicationType, { namespace, name: 'checkout' })],
  ])('%s is refused with words and not sent, as a dry run too', async (_, write) => {
    const { calls, system } = await scene('admin', 'admin')
    for (const dryRun of [true, false])
      await expect(sendWrite(write, { dryRun })).rejects.toMatchObject({
        code: 403,
        message: 'You view the console as Admin: nothing can be changed.',
      })
    expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
    expect((await system.list(applicationType, { namespace })).items).toHaveLength(1)
  })
})

describe('a read that the role does not allow', () => {
  it('is denied and not sent', async () => {
    const { calls } = await scene('admin', 'contributor')
    await expect(cluster.list(secretType, { namespace })).rejects.toMatchObject({
      code: 403,
      message: `The role Contributor may not list secrets in the namespace ${namespace}.`,
    })
    await expect(cluster.list(applicationType)).rejects.toMatchObject({ code: 403 })
    const archived = `/plugins/kubearchive/api/v1/namespaces/${namespace}/secrets`
    await expect(client.request(archived)).rejects.toMatchObject({ code: 403 })
    expect(calls).toEqual([])
  })

  it('is no watch either', async () => {
    const { attempts } = await scene('admin', 'contributor')
    const socket = openWatchSocket(`/api/v1/namespaces/${namespace}/secrets?watch=true`)
    await new Promise((resolve) => (socket.onclose = resolve as WebSocket['onclose']))
    expect(attempts()).toBe(0)
  })

  it('is no view either, whichever group of a kind the role names', async () => {
    const { calls } = await scene('admin', 'contributor')
    const [{ group }] = inEachGroup(componentType)
    const rules = [{ verbs: ['list'], apiGroups: [group], resources: [componentType.plural] }]
    onTestFinished(applyRole({ ...viewed('contributor'), rules }))
    const { view } = await firstState({ kind: pipelineRunType.plural, namespaces: [namespace], limit: 10 })
    expect(view).toMatchObject({ denied: [namespace], isPending: false, rows: [] })
    expect(calls).toEqual([])
    expect(lens?.deniesView(componentType.plural, [namespace])).toBe(false)
  })
})

it('requests that the role allows are sent as they would be without it', async () => {
  const read = async () => {
    await cluster.list(applicationType, { namespace })
    await cluster.get(applicationType, 'checkout', { namespace })
    await client.request('/version')
  }
  const { calls, faults } = await testCluster({ as: 'admin', objects: [anApplication()] })
  startApi()
  const headers: unknown[] = []
  faults.intercept((_, init) => void headers.push(init.headers))
  await read()
  const [without, headersWithout] = [calls.splice(0), headers.splice(0)]
  onTestFinished(applyRole(viewed('contributor')))
  await read()
  expect(calls).toEqual(without)
  expect(headers).toEqual(headersWithout)
  expect(JSON.stringify(headers)).not.toMatch(/impersonate/i)
})

describe('the role of a tab', () => {
  const signIn = async () => {
    const test = await testCluster({ as: 'admin' })
    startApi()
    const { email } = await queryClient.fetchQuery(userQuery)
    return { ...test, email }
  }

  it('is kept through the reload that applies it, and no longer than until it ends', async () => {
    const { departures, email, calls } = await signIn()
    calls.length = 0
    viewAs(viewed('contributor', email))
    expect(departures).toEqual([location.pathname])
    onTestFinished(applyRole(viewed('contributor', email)))
    applyViewedRole()
    expect(await may('delete')).toBe(false)
    viewAs(undefined)
    expect(departures).toHaveLength(2)
    expect(viewedRole.get()).toEqual({})
    expect(calls).toEqual([])
  })

  it('ends when the user signs out', async () => {
    const { email } = await signIn()
    viewedRole.set(viewed('contributor', email))
    onTestFinished(applyRole(viewed('contributor', email)))
    await signOut()
    expect(viewedRole.get()).toEqual({})
  })

  it('does not apply to another user', async () => {
    const { email } = await signIn()
    expect(storedUser.get()?.email).toBe(email)
    viewedRole.set(viewed('contributor', 'eve@example.com'))
    applyViewedRole()
    expect(viewedRole.get()).toEqual({})
    expect(await may('delete')).toBe(true)
  })

  it('does not apply if what is stored has another shape', async () => {
    const { email } = await signIn()
    sessionStorage.setItem('viewed-role', JSON.stringify({ name: 'Contributor', rules: 'none', email }))
    applyViewedRole()
    expect(viewedRole.get()).toEqual({})
    expect(await may('delete')).toBe(true)
  })
})
