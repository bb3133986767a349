import { expect, it } from 'vitest'
import { resourceName, userName } from './resource-name'

const shared =
  'Must be 2 to 45 characters long and can only contain letters from a to Z, numbers from 0 to 9, underscores( _ ), hyphens( - ), periods( . ), or @ symbol.'
const cluster =
  'Must start with a letter and end with a letter or number. Valid characters include lowercase letters from a to z, numbers from 0 to 9, and hyphens ( - ).'

const errorsOf = (name: unknown) => resourceName.safeParse(name).error?.issues.map((issue) => issue.message) ?? []

it.each(['ab', 'checkout', 'a-1', 'a--b', 'z'.repeat(45)])('accepts %j', (name) => expect(errorsOf(name)).toEqual([]))

it('reports an empty name as required', () => expect(errorsOf('')).toEqual(['Required']))

it.each(['a', 'a'.repeat(46), 'a b', ' ab', 'ab\n', 'a/b', 'naïve', 'a:b'])(
  'FORM-17, FORM-18 rejects %j by the shared rule',
  (name) => expect(errorsOf(name)).toEqual([shared]),
)

it.each(['1a', '-a', 'a-', 'Checkout', 'a_b', 'a.b', 'a@b', '__', 'aA'])(
  'FORM-19, FORM-20, FORM-21 rejects %j by the cluster rule if it meets the shared rule',
  (name) => expect(errorsOf(name)).toEqual([cluster]),
)

it('FORM-20 does not report the cluster rule in addition to the shared rule', () =>
  expect(errorsOf('A!')).toEqual([shared]))

it('UA-24 a username must meet only the shared rule', () => {
  expect(userName.safeParse('Ann.Lee@Example.com').success).toBe(true)
  expect(userName.safeParse('a b').error?.issues.map(({ message }) => message)).toEqual([shared])
})
