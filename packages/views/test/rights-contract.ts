import { randomUUID } from 'node:crypto'
import { eventType, serviceAccountType, type PolicyRule, type Subject } from '@slipway/kube/core-types'
import type { UserInfo } from '@slipway/kube/user'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { OpenRights, UserRights } from '../src/host/user-rights'
import type { Verdict } from '../src/rights'
import {
  clusterRoleBindingType,
  clusterRoleType,
  groupSubject,
  roleBindingType,
  roleRef,
  roleType,
  ruleFor,
  startWorld,
  userSubject,
  type ApiAccess,
  type AuthorizationWorld,
} from './authorization-world'

/** A taken right must be seen within this time, with the time that the engine may take to send it. */
const withinMs = 5_000

/** The kinds of RBAC, each of which has a watch. */
const rbacKinds = 4

/** What holds on every API server whose authorizer is RBAC. */
export function rightsContract(startAccess: () => Promise<ApiAccess>): void {
  const suffix = randomUUID().slice(0, 8)
  let world: AuthorizationWorld
  let rights: UserRights
  let count = 0
  let namespace: string
  /** Each test has a user, groups and a namespace of its own. */
  let user: UserInfo
  let group: string
  const name = (what: string) => `${what}-${count}-${suffix}`

  beforeAll(async () => {
    world = await startWorld(await startAccess(), `slipway-views-${suffix}`)
    rights = world.openRights()
    // Watches begin with the first user, and once the account has its rights: changes before that are seen by a slow round.
    rights.open({ name: 'first', groups: [] })
    await vi.waitFor(() => expect(world.watches.size).toBe(rbacKinds), { timeout: 60_000 })
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    count++
    namespace = name('rights')
    group = name('group')
    user = { name: name('ada'), groups: [group, 'system:authenticated'] }
    await world.createNamespace(namespace)
  })

  const createRole = (verbs?: string[], at = namespace) =>
    world.admin.create(roleType, { metadata: { name: 'reader', namespace: at }, rules: [ruleFor(eventType, verbs)] })
  const bind = (subject: Subject, kind: 'Role' | 'ClusterRole' = 'Role', role = 'reader', at = namespace) =>
    world.admin.create(roleBindingType, {
      metadata: { name: 'reader', namespace: at },
      roleRef: roleRef(kind, role),
      subjects: [subject],
    })
  const createClusterRole = (role: string, rules: PolicyRule[], more: object = {}) =>
    world.admin.create(clusterRoleType, { metadata: { name: role }, rules, ...more })

  /** Resolves once the verdict is this, and fails if that takes longer than it may. */
  async function becomes(open: OpenRights, verdict: Verdict, at = namespace): Promise<void> {
    const startedMs = performance.now()
    await new Promise<void>((resolve) => {
      const check = () => {
        if (open.mayRead(eventType, at) !== verdict) return
        stop()
        resolve()
      }
      const stop = open.onChange(check)
      check()
    })
    expect(performance.now() - startedMs).toBeLessThan(withinMs)
  }

  async function reading(who: UserInfo = user): Promise<OpenRights> {
    const open = rights.open(who)
    expect(open.mayRead(eventType, namespace)).toBe('pending')
    await becomes(open, 'allowed')
    return open
  }

  it('a user may read what they may list and watch, in this namespace and of this kind', async () => {
    await createRole()
    await bind(userSubject(user.name))
    const open = await reading()
    await becomes(open, 'denied', 'default')
    expect(open.mayRead(serviceAccountType, namespace)).toBe('pending')
    await expect.poll(() => open.mayRead(serviceAccountType, namespace)).toBe('denied')
    open.close()
    expect(open.mayRead(eventType, namespace)).toBe('unknown')
  })

  it.each([['list'], ['watch'], ['get']])('a user who may only %s may not read', async (verb) => {
    await createRole([verb])
    await bind(userSubject(user.name))
    await becomes(rights.open(user), 'denied')
  })

  it('a binding that is removed takes the right, and one that is created gives it', async () => {
    await createRole()
    await bind(userSubject(user.name))
    const open = await reading()
    await world.admin.delete(roleBindingType, 'reader', { namespace })
    await becomes(open, 'denied')
    await bind(userSubject(user.name))
    await becomes(open, 'allowed')
  })

  it('a role that is edited takes the right, and one that is removed', async () => {
    await createRole()
    await bind(userSubject(user.name))
    const open = await reading()
    const rules = (verbs: string[]) => ({ rules: [ruleFor(eventType, verbs)] })
    await world.admin.patch(roleType, 'reader', rules(['list']), { namespace })
    await becomes(open, 'denied')
    await world.admin.patch(roleType, 'reader', rules(['list', 'watch']), { namespace })
    await becomes(open, 'allowed')
    await world.admin.delete(roleType, 'reader', { namespace })
    await becomes(open, 'denied')
  })

  it('a group that is no longer bound takes the right of its members', async () => {
    await createRole()
    await bind(groupSubject(group))
    const member = await reading()
    const other = rights.open({ ...user, groups: ['system:authenticated'] })
    await becomes(other, 'denied')
    await world.admin.patch(roleBindingType, 'reader', { subjects: [groupSubject('others')] }, { namespace })
    await becomes(member, 'denied')
  })

  it('an account has the rights that it is bound to', async () => {
    await createRole()
    await bind({ kind: 'ServiceAccount', name: 'robot', namespace })
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
    const open = await reading({ name: `system:serviceaccount:${namespace}:robot`, groups })
    await world.admin.delete(roleBindingType, 'reader', { namespace })
    await becomes(open, 'denied')
  })

  it('a cluster role that is edited takes the right in each namespace where it is bound', async () => {
    const role = name('viewer')
    await createClusterRole(role, [ruleFor(eventType)])
    await bind(userSubject(user.name), 'ClusterRole', role)
    const open = await reading()
    await world.admin.patch(clusterRoleType, role, { rules: [ruleFor(serviceAccountType)] })
    await becomes(open, 'denied')
  })

  it('a role that is aggregated into a bound one takes the right when it is edited', async () => {
    const [role, part] = [name('aggregate'), name('part')]
    const labels = { [`example.com/${role}`]: 'true' }
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] }
    await createClusterRole(role, [], { aggregationRule })
    await createClusterRole(part, [ruleFor(eventType)], { metadata: { name: part, labels } })
    await bind(userSubject(user.name), 'ClusterRole', role)
    const open = await reading()
    await world.admin.delete(clusterRoleType, part)
    await becomes(open, 'denied')
  })

  it('a cluster role binding gives and takes the right in every namespace', async () => {
    const role = name('everywhere')
    await createClusterRole(role, [ruleFor(eventType)])
    const open = rights.open(user)
    for (const at of [namespace, 'default']) await becomes(open, 'denied', at)
    await world.admin.create(clusterRoleBindingType, {
      metadata: { name: role },
      roleRef: roleRef('ClusterRole', role),
      subjects: [userSubject(user.name)],
    })
    for (const at of [namespace, 'default']) await becomes(open, 'allowed', at)
    await world.admin.delete(clusterRoleBindingType, role)
    for (const at of [namespace, 'default']) await becomes(open, 'denied', at)
  })
}
