import { describe, expect, it, test } from 'vitest'
import { createAccess, type AccessProblem } from './access'
import type { KubeClient } from './client'
import { subjectAccessReviewType, tokenReviewType } from './core-types'
import { manualClock } from './testing'
import type { UserInfo } from './user'

const gateway = { username: 'gateway', groups: ['system:authenticated'] }
const owners: Record<string, object> = { gateway, reader: { ...gateway, username: 'reader', uid: '7' } }

/** An API server where the gateway may impersonate the users whose names start with `a`, and every group but `admins`. */
function startAccess() {
  const clock = manualClock()
  const reviews: unknown[] = []
  const failures: Error[] = []
  const review = async (
    type: object,
    spec: { token: string; user: string; resourceAttributes: { [key: string]: string } },
  ) => {
    reviews.push(spec)
    const failure = failures.pop()
    if (failure) throw failure
    if (type === tokenReviewType) return { authenticated: spec.token in owners, user: owners[spec.token] }
    expect(type).toBe(subjectAccessReviewType)
    const { verb, resource, name = '' } = spec.resourceAttributes
    if (verb !== 'impersonate') return { allowed: spec.user === 'ada' }
    const allowed = spec.user === 'gateway' && (resource === 'groups' ? name !== 'admins' : name.startsWith('a'))
    return { allowed }
  }
  // Nothing else of a client is used.
  const client = { review } as unknown as KubeClient
  return { clock, reviews, failures, access: createAccess({ client, clock, cacheMs: 5_000 }) }
}

const headersFor = (token: string, more: Record<string, string> = {}) =>
  new Headers({ authorization: `Bearer ${token}`, ...more })

describe('the caller', () => {
  test.each<[string, Headers, UserInfo]>([
    ['is the owner of the token', headersFor('reader'), { name: 'reader', groups: gateway.groups, uid: '7' }],
    [
      'is the user whom the owner impersonates',
      headersFor('gateway', { 'impersonate-user': 'ada', 'impersonate-group': 'team-a' }),
      { name: 'ada', groups: ['team-a', 'system:authenticated'] },
    ],
  ])('%s', async (_, headers, caller) => {
    expect(await startAccess().access.callerOf(headers)).toEqual(caller)
  })

  test.each<[AccessProblem, string, Headers]>([
    ['no token', 'without a token', new Headers()],
    ['malformed header', 'with a password', new Headers({ authorization: 'Basic YTpi' })],
    ['malformed header', 'without the token itself', new Headers({ authorization: 'Bearer' })],
    ['malformed header', 'with two tokens', new Headers({ authorization: 'Bearer a b' })],
    ['bad token', 'with an unknown token', headersFor('forged')],
    ['no user', 'with a group but no user', headersFor('gateway', { 'impersonate-group': 'team-a' })],
    ['may not impersonate', 'as a user that is not granted', headersFor('gateway', { 'impersonate-user': 'root' })],
    [
      'may not impersonate',
      'as a user in a group that is not granted',
      headersFor('gateway', { 'impersonate-user': 'ada', 'impersonate-group': 'team-a, admins' }),
    ],
    ['may not impersonate', 'by an owner who may not', headersFor('reader', { 'impersonate-user': 'ada' })],
  ])('is rejected (%s) %s', async (problem, _, headers) => {
    await expect(startAccess().access.callerOf(headers)).rejects.toMatchObject({ problem })
  })
})

describe('reviews', () => {
  const attributes = { verb: 'list', group: '', resource: 'pods', namespace: 'a' }
  const ada = { name: 'ada', groups: [] }

  it('are the decisions of the API server', async () => {
    const { access } = startAccess()
    expect(await access.isAllowed(ada, attributes)).toBe(true)
    expect(await access.isAllowed({ name: 'bea', groups: [] }, attributes)).toBe(false)
  })

  it('are cached for a time, and shared by simultaneous calls', async () => {
    const { access, clock, reviews } = startAccess()
    await Promise.all([access.isAllowed(ada, attributes), access.isAllowed(ada, attributes)])
    await access.isAllowed(ada, attributes)
    expect(reviews).toHaveLength(1)
    await access.isAllowed(ada, { ...attributes, namespace: 'b' })
    expect(reviews).toHaveLength(2)
    await clock.advance(5_001)
    await access.isAllowed(ada, attributes)
    expect(reviews).toHaveLength(3)
  })

  it('that fail are not cached', async () => {
    const { access, failures, reviews } = startAccess()
    failures.push(new Error('unreachable'))
    await expect(access.isAllowed(ada, attributes)).rejects.toThrow('unreachable')
    expect(await access.isAllowed(ada, attributes)).toBe(true)
    expect(reviews).toHaveLength(2)
  })
})
