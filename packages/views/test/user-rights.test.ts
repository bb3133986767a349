import type { UserInfo } from '@slipway/kube/user'
import { eventType, roleBindingType, roleType, serviceAccountType } from '@slipway/kube/core-types'
import { manualClock } from '@slipway/kube/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenRights, UserRights } from '../src/host/user-rights'
import {
  clusterRoleBindingType,
  clusterRoleType,
  embeddedAccess,
  roleRef,
  ruleFor,
  startWorld,
  userSubject,
  type AuthorizationWorld,
} from './authorization-world'
import { rightsContract } from './rights-contract'

describe('on the embedded API server', () => rightsContract(embeddedAccess))

const namespace = 'team-a'
const ada: UserInfo = { name: 'ada', groups: ['system:authenticated'] }
const bea: UserInfo = { name: 'bea', groups: ['system:authenticated'] }

/** A world where ada may read events in the namespace, with a clock that a test advances. */
async function startAda() {
  const clock = manualClock()
  const world = await startWorld(await embeddedAccess())
  await world.createNamespace(namespace)
  await world.admin.create(roleType, { metadata: { name: 'reader', namespace }, rules: [ruleFor(eventType)] })
  await bindAda(world)
  const rights = world.openRights(clock)
  return { clock, world, rights }
}
const bindAda = (world: AuthorizationWorld) =>
  world.admin.create(roleBindingType, {
    metadata: { name: 'reader', namespace },
    roleRef: roleRef('Role', 'reader'),
    subjects: [userSubject(ada.name)],
  })
const unbindAda = (world: AuthorizationWorld) => world.admin.delete(roleBindingType, 'reader', { namespace })

let clock: ReturnType<typeof manualClock>
let world: AuthorizationWorld
let rights: UserRights
beforeEach(async () => void ({ clock, world, rights } = await startAda()))
afterEach(() => world.close())

const eventually = (open: OpenRights, verdict: string) =>
  expect.poll(() => open.mayRead(eventType, namespace)).toBe(verdict)
/** Opens the rights of ada once everything is watched. */
async function openAda(): Promise<OpenRights> {
  const open = rights.open(ada)
  await eventually(open, 'allowed')
  await watching()
  return open
}
/** Resolves once changes of RBAC are seen, and nothing is being reviewed any more. */
async function watching(): Promise<void> {
  await expect.poll(() => world.watches.size).toBe(4)
  await quiet()
}
/** Resolves once the reviews are confirmed that came just after roles were watched. */
async function confirmed(): Promise<void> {
  await clock.advance(3_000)
  await quiet()
}
const quiet = () => expect.poll(() => rights.counts.running + rights.counts.waiting).toBe(0)

describe('another authorizer', () => {
  it('is heard by a slow round, which sees a right that it takes', async () => {
    const open = await openAda()
    await confirmed()
    world.interference.authorize = () => ({ allowed: false, reason: 'a webhook says no' })
    await clock.advance(110_000)
    expect(open.mayRead(eventType, namespace)).toBe('allowed')
    await clock.advance(20_000)
    await eventually(open, 'denied')
    world.interference.authorize = undefined
    await clock.advance(121_000)
    await eventually(open, 'allowed')
  })

  it('that cannot decide leaves what is known until that is too old', async () => {
    const open = await openAda()
    await confirmed()
    expect(open.mayRead(eventType, namespace)).toBe('allowed')
    world.interference.authorize = () => ({ allowed: false, evaluationError: 'the webhook cannot be reached' })
    await clock.advance(140_000)
    expect(open.mayRead(eventType, namespace)).toBe('allowed')
    await clock.advance(20_000)
    expect(open.mayRead(eventType, namespace)).toBe('unknown')
  })
})

describe('when reviews fail', () => {
  const failReviews = () => {
    world.interference.respond = ({ url }) =>
      url.includes('subjectaccessreviews') ? Response.json({}, { status: 500 }) : undefined
  }

  it('nothing is known of what was never reviewed, and the review is repeated', async () => {
    failReviews()
    const open = rights.open(ada)
    expect(open.mayRead(eventType, namespace)).toBe('pending')
    await expect.poll(() => rights.counts.failed).toBeGreaterThan(0)
    expect(open.mayRead(eventType, namespace)).toBe('unknown')
    world.interference.respond = undefined
    await clock.advance(2_000)
    await eventually(open, 'allowed')
  })

  it('nothing is known of what the cluster has not reviewed within two seconds', async () => {
    world.interference.respond = ({ url }) =>
      url.includes('subjectaccessreviews') ? new Promise<Response>(() => {}) : undefined
    const open = rights.open(ada)
    const changes = vi.fn()
    open.onChange(changes)
    expect(open.mayRead(eventType, namespace)).toBe('pending')
    await clock.advance(1_000)
    expect(open.mayRead(eventType, namespace)).toBe('pending')
    await clock.advance(1_000)
    expect(open.mayRead(eventType, namespace)).toBe('unknown')
    expect(changes).toHaveBeenCalled()
  })

  it('what is known holds for a while, is then unknown, and returns', async () => {
    const open = await openAda()
    await confirmed()
    const changes = vi.fn()
    open.onChange(() => open.mayRead(eventType, namespace) === 'unknown' && changes())
    failReviews()
    await clock.advance(140_000)
    expect(open.mayRead(eventType, namespace)).toBe('allowed')
    await clock.advance(20_000)
    expect(open.mayRead(eventType, namespace)).toBe('unknown')
    expect(changes).toHaveBeenCalled()
    world.interference.respond = undefined
    await clock.advance(31_000)
    await eventually(open, 'allowed')
  })

  it('a right that may just have been taken is unknown within five seconds', async () => {
    const open = await openAda()
    // The cluster does not respond at all.
    world.interference.respond = ({ url }) =>
      url.includes('subjectaccessreviews') ? new Promise<Response>(() => {}) : undefined
    const sent = world.reviews.length
    await unbindAda(world)
    await expect.poll(() => world.reviews.length).toBeGreaterThan(sent)
    expect(open.mayRead(eventType, namespace)).toBe('allowed')
    await clock.advance(5_000)
    expect(open.mayRead(eventType, namespace)).toBe('unknown')
  })
})

it('an authorizer that sees a change later than the service is asked again two seconds later', async () => {
  const open = await openAda()
  world.interference.authorize = () => ({ allowed: true })
  const sent = world.reviews.length
  await unbindAda(world)
  await expect.poll(() => world.reviews.length).toBeGreaterThan(sent)
  await quiet()
  expect(open.mayRead(eventType, namespace)).toBe('allowed')
  world.interference.authorize = undefined
  await clock.advance(3_000)
  await eventually(open, 'denied')
})

it('a right is unknown within five seconds if the authorizer was behind and cannot be asked again', async () => {
  const open = await openAda()
  world.interference.authorize = () => ({ allowed: true })
  const sent = world.reviews.length
  await unbindAda(world)
  await expect.poll(() => world.reviews.length).toBeGreaterThan(sent)
  await quiet()
  world.interference.authorize = () => ({ allowed: false, evaluationError: 'the authorizer cannot be reached' })
  await clock.advance(5_000)
  expect(open.mayRead(eventType, namespace)).toBe('unknown')
})

const bindBea = () =>
  world.admin.create(roleBindingType, {
    metadata: { name: 'bea', namespace },
    roleRef: roleRef('Role', 'reader'),
    subjects: [userSubject(bea.name)],
  })

it('a right that is first reviewed just after a change is reviewed again two seconds later', async () => {
  const seen = rights.open(bea)
  await eventually(seen, 'denied')
  await watching()
  await unbindAda(world)
  // This change comes after it on the same watch, so both have been seen.
  await bindBea()
  await eventually(seen, 'allowed')
  // The authorizer is behind.
  world.interference.authorize = () => ({ allowed: true })
  const open = rights.open(ada)
  await eventually(open, 'allowed')
  await quiet()
  world.interference.authorize = undefined
  await clock.advance(3_000)
  await eventually(open, 'denied')
})

it('a change during a review makes its result void', async () => {
  const open = await openAda()
  let decide = () => {}
  const held = new Promise<void>((resolve) => (decide = resolve))
  const sent = world.reviews.length
  world.interference.respond = ({ url }) =>
    url.includes('subjectaccessreviews')
      ? held.then(() => Response.json({ status: { allowed: true } }, { status: 201 }))
      : undefined
  const role = (text: string) => ({ metadata: { annotations: { text } } })
  await world.admin.patch(roleType, 'reader', role('one'), { namespace })
  await expect.poll(() => world.reviews.length).toBeGreaterThan(sent)
  await unbindAda(world)
  // Another user's change comes after it, so both have been seen.
  const seen = rights.open(bea)
  await bindBea()
  world.interference.respond = undefined
  await expect.poll(() => seen.mayRead(eventType, namespace)).toBe('allowed')
  decide()
  await eventually(open, 'denied')
})

it('changes that do not concern a user cause no review', async () => {
  const open = await openAda()
  await confirmed()
  const before = world.reviews.length
  const other = rights.open(bea)
  await expect.poll(() => other.mayRead(eventType, namespace)).toBe('denied')
  await bindBea()
  await expect.poll(() => other.mayRead(eventType, namespace)).toBe('allowed')
  expect(new Set(world.reviews.slice(before).map(({ user }) => user))).toEqual(new Set(['bea']))
  // Nor do those in another namespace.
  await world.createNamespace('team-b')
  await world.admin.create(roleBindingType, {
    metadata: { name: 'ada', namespace: 'team-b' },
    roleRef: roleRef('Role', 'reader'),
    subjects: [userSubject(ada.name)],
  })
  other.mayRead(serviceAccountType, namespace)
  await expect.poll(() => other.mayRead(serviceAccountType, namespace)).toBe('denied')
  await unbindAda(world)
  await eventually(open, 'denied')
  const ofAda = world.reviews.slice(before).filter(({ user }) => user === 'ada')
  expect(ofAda).toHaveLength(2)
})

describe('a user who may read all namespaces', () => {
  const role = 'everywhere'
  const bindEverywhere = (name: string) =>
    world.admin.create(clusterRoleBindingType, {
      metadata: { name: role },
      roleRef: roleRef('ClusterRole', role),
      subjects: [userSubject(name)],
    })
  const unbindEverywhere = () => world.admin.delete(clusterRoleBindingType, role)
  beforeEach(() => world.admin.create(clusterRoleType, { metadata: { name: role }, rules: [ruleFor(eventType)] }))

  it('is reviewed for the whole cluster only, whatever the number of namespaces', async () => {
    await bindEverywhere(bea.name)
    const open = rights.open(bea)
    await eventually(open, 'allowed')
    for (let index = 0; index < 3_000; index++) expect(open.mayRead(eventType, `team-${index}`)).toBe('allowed')
    await watching()
    expect(world.reviews.map(({ resourceAttributes }) => resourceAttributes.namespace)).not.toContain(expect.anything())
    // Once at first, and once when roles are watched.
    expect(world.reviews).toHaveLength(4)
    open.mayRead(serviceAccountType, namespace)
    await expect.poll(() => open.mayRead(serviceAccountType, namespace)).toBe('denied')
    expect(open.mayRead(eventType, namespace)).toBe('allowed')
  })

  it('no longer has namespaces of their own reviewed once the right to all of them is given', async () => {
    const open = await openAda()
    await bindEverywhere(ada.name)
    await expect.poll(() => open.mayRead(eventType, 'team-b')).toBe('allowed')
    await quiet()
    const before = world.reviews.length
    open.onChange(() => open.mayRead(eventType, namespace))
    await clock.advance(125_000)
    await quiet()
    const reviewed = world.reviews.slice(before).map(({ resourceAttributes }) => resourceAttributes.namespace)
    expect(reviewed.length).toBeGreaterThan(0)
    expect(reviewed.filter(Boolean)).toEqual([])
  })

  it('keeps the namespaces that they are bound to when the right to all of them is taken', async () => {
    await bindEverywhere(ada.name)
    const open = await openAda()
    expect(open.mayRead(eventType, 'team-b')).toBe('allowed')
    await unbindEverywhere()
    await expect.poll(() => open.mayRead(eventType, 'team-b')).toBe('denied')
    await eventually(open, 'allowed')
  })

  it('is unknown everywhere within five seconds if the right may just have been taken', async () => {
    await bindEverywhere(bea.name)
    const open = rights.open(bea)
    await eventually(open, 'allowed')
    await watching()
    world.interference.respond = ({ url }) =>
      url.includes('subjectaccessreviews') ? new Promise<Response>(() => {}) : undefined
    const sent = world.reviews.length
    await unbindEverywhere()
    await expect.poll(() => world.reviews.length).toBeGreaterThan(sent)
    expect(open.mayRead(eventType, namespace)).toBe('allowed')
    await clock.advance(5_000)
    for (const each of [namespace, 'team-b']) expect(open.mayRead(eventType, each)).toBe('unknown')
  })
})

it('sessions of a user share their reviews, and one that closes takes nothing from another', async () => {
  const one = await openAda()
  const before = world.reviews.length
  const two = rights.open(ada)
  expect(two.mayRead(eventType, namespace)).toBe('allowed')
  expect(world.reviews).toHaveLength(before)
  one.close()
  const changes = vi.fn()
  two.onChange(changes)
  await unbindAda(world)
  await eventually(two, 'denied')
  expect(changes).toHaveBeenCalled()
})

it('of a user with other groups nothing is known before a review of their own', async () => {
  await openAda()
  const other = rights.open({ ...ada, groups: ['admins'] })
  expect(other.mayRead(eventType, namespace)).toBe('pending')
})

it('a change between the first review and the first list of roles is seen', async () => {
  let list = () => {}
  const held = new Promise<void>((resolve) => (list = resolve))
  world.interference.respond = ({ url }) =>
    url.includes('rbac.authorization') ? held.then(() => undefined) : undefined
  const open = rights.open(ada)
  await eventually(open, 'allowed')
  await unbindAda(world)
  list()
  await eventually(open, 'denied')
})

it('changes that were missed in a gap are seen when roles are listed again', async () => {
  const open = await openAda()
  await confirmed()
  world.interference.respond = ({ url }) =>
    url.includes('rbac.authorization') ? Response.json({}, { status: 503 }) : undefined
  for (const cut of [...world.watches.values()]) cut()
  await expect.poll(() => world.watches.size).toBe(0)
  await unbindAda(world)
  await clock.advance(5_000)
  expect(open.mayRead(eventType, namespace)).toBe('allowed')
  world.interference.respond = undefined
  const before = clock.now()
  await expect
    .poll(async () => {
      await clock.advance(1_000)
      return open.mayRead(eventType, namespace)
    })
    .toBe('denied')
  // By the list, not by the round of those who cannot watch.
  expect(clock.now() - before).toBeLessThan(11_000)
})

it('while roles cannot be watched, reviews are repeated every 20 seconds', async () => {
  world.interference.respond = ({ url }) =>
    url.includes('rolebindings') ? Response.json({}, { status: 403 }) : undefined
  const open = rights.open(ada)
  await eventually(open, 'allowed')
  await unbindAda(world)
  await clock.advance(15_000)
  expect(open.mayRead(eventType, namespace)).toBe('allowed')
  await clock.advance(6_000)
  await eventually(open, 'denied')
})

it('what no session asks for any more is not reviewed again, and the rest is', async () => {
  const open = await openAda()
  open.mayRead(serviceAccountType, namespace)
  await quiet()
  await confirmed()
  // As a session does for its views.
  open.onChange(() => open.mayRead(eventType, namespace))
  const before = world.reviews.length
  await clock.advance(125_000)
  await quiet()
  const resources = world.reviews.slice(before).map(({ resourceAttributes }) => resourceAttributes.resource)
  expect(new Set(resources)).toEqual(new Set(['events']))
})

it('of more namespaces than a user can look at nothing is known, and no review is sent', async () => {
  const open = rights.open(ada)
  await eventually(open, 'allowed')
  for (let index = 0; index < 2_100; index++) open.mayRead(eventType, `none-${index}`)
  const { running, waiting } = rights.counts
  // One is of the namespace, and one of the whole cluster.
  expect(running + waiting).toBe(2_000 - 2)
  expect(open.mayRead(eventType, 'one-more')).toBe('unknown')
  open.close()
})

it('while no user is connected, nothing is watched and nothing is sent', async () => {
  expect(world.calls).toEqual([])
  const open = await openAda()
  open.close()
  // A page that is loaded again finds the roles known.
  await clock.advance(59_000)
  expect(world.watches.size).toBe(4)
  await clock.advance(2_000)
  expect(world.watches.size).toBe(0)
  const calls = world.calls.length
  await clock.advance(600_000)
  expect(world.calls).toHaveLength(calls)
  expect(clock.pending).toBe(0)
})
