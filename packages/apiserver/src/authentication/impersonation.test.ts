import { expect, it, test } from 'vitest'
import { anonymous } from '@slipway/kube/user'
import { createAuthorizer } from '../authorization/authorizer'
import { accessOf } from '../authorization/testing'
import { impersonatedUser } from './impersonation'

const authorizer = createAuthorizer(() => accessOf({}))
const root = { name: 'root', groups: ['system:masters'] }
const actingAs = (headers: [string, string][], sender = root) =>
  impersonatedUser(new Headers(headers), sender, authorizer)

test.each<[string, string]>([
  ['Impersonate-Extra-a%2FB', 'a/b'],
  ['Impersonate-Extra-50%', '50%'],
  ['Impersonate-Extra-%ff', '%ff'],
  ['Impersonate-Extra-__proto__', '__proto__'],
])('the header %s sets the extra %s', (header, key) => {
  const { extra = {} } = actingAs([
    ['Impersonate-User', 'ann'],
    [header, 'x'],
  ])
  expect(Object.entries(extra)).toEqual([[key, ['x']]])
})

test.each(['system:serviceaccount:A_B:robot', 'system:serviceaccount:a', 'system:serviceaccount:a:b:c'])(
  '%s is a user, not a service account',
  (name) => {
    expect(actingAs([['Impersonate-User', name]])).toEqual({ name, groups: ['system:authenticated'] })
  },
)

it('names are UTF-8, and bytes that are not stay as they are', () => {
  const wire = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
  expect(
    actingAs([
      ['Impersonate-User', wire('zoë@example.com')],
      ['Impersonate-Group', wire('équipe')],
      ['Impersonate-Group', 'a\xff'],
      ['Impersonate-Extra-a', wire('漢')],
    ]),
  ).toEqual({ name: 'zoë@example.com', groups: ['équipe', 'a\xff', 'system:authenticated'], extra: { a: ['漢'] } })
})

test.each([
  ['Impersonate-Group', '{Group  x    }'],
  ['Impersonate-Uid', '{UID  x  authentication.k8s.io/v1  }'],
  ['Impersonate-Extra-a', '{UserExtra  x  authentication.k8s.io/v1  a}'],
])('impersonating %s requires a user', (header, requested) => {
  expect(() => actingAs([[header, 'x']])).toThrow(`requested [${requested}] without impersonating a user`)
})

it('a user without impersonation headers stays the same, and an anonymous user may not impersonate', () => {
  expect(actingAs([])).toBe(root)
  expect(actingAs([], anonymous)).toBe(anonymous)
  expect(() => actingAs([['Impersonate-User', 'ann']], anonymous)).toThrow(
    'users "ann" is forbidden: User "system:anonymous" cannot impersonate resource "users"',
  )
})
