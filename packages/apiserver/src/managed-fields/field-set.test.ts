import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { difference, intersection, isEmptySet, pathsOf, readSet, sorted, union, type FieldSet } from './field-set'
import { anObject, itsSchema } from './testing'
import { fieldsOf } from './fields-of'

const set = (text: string): FieldSet => readSet(JSON.parse(text)) ?? {}
const a = set('{"f:spec":{".":{},"f:a":{},"f:list":{"k:{\\"name\\":\\"x\\"}":{".":{},"f:v":{}}}}}')
const b = set('{"f:spec":{"f:a":{},"f:b":{},"f:list":{"k:{\\"name\\":\\"x\\"}":{"f:v":{}}}},"f:tags":{"v:\\"t\\"":{}}}')

test.each<[string, FieldSet, string[]]>([
  ['one', a, ['.spec', '.spec.a', '.spec.list[name="x"]', '.spec.list[name="x"].v']],
  ['a union', union(a, b), [...pathsOf(a), '.spec.b', '.tags[="t"]']],
  ['a difference', difference(a, b), ['.spec', '.spec.list[name="x"]']],
  ['the other difference', difference(b, a), ['.spec.b', '.tags[="t"]']],
  ['an intersection', intersection(a, b), ['.spec.a', '.spec.list[name="x"].v']],
])('the fields of %s', (_, fields, paths) => expect(pathsOf(fields).sort()).toEqual([...paths].sort()))

it('sorted orders elements and the keys of items', () => {
  const unordered = set('{"f:b":{},".":{},"f:a":{"k:{\\"z\\":1,\\"a\\":\\"x\\"}":{}}}')
  expect(JSON.stringify(sorted(unordered))).toBe('{".":{},"f:a":{"k:{\\"a\\":\\"x\\",\\"z\\":1}":{}},"f:b":{}}')
})

test.each<[string, unknown]>([
  ['a text', 'f:a'],
  ['a field that is not an object', { 'f:a': 1 }],
  ['an element of an unknown kind', { a: {} }],
  ['keys that are not JSON', { 'k:{': {} }],
  ['keys that are not an object', { 'k:1': {} }],
])('readSet rejects %s', (_, value) => expect(readSet(value)).toBeUndefined())

describe('for any two sets', () => {
  const sets = anObject.map((object) => fieldsOf(object, itsSchema))
  const hold = (property: (a: FieldSet, b: FieldSet) => boolean) =>
    fc.assert(fc.property(sets, sets, (left, right) => property(left, right)))

  /** Regardless of element order. */
  const isSameSet = (a: FieldSet, b: FieldSet) => isEmptySet(difference(a, b)) && isEmptySet(difference(b, a))

  it('a union consists of both differences and the intersection', () => {
    hold((a, b) => isSameSet(union(a, b), union(union(difference(a, b), difference(b, a)), intersection(a, b))))
  })
  it('a difference shares nothing with the subtracted set', () => {
    hold((a, b) => pathsOf(intersection(difference(a, b), b)).length === 0)
  })
  it('a serialized set is read back unchanged', () => {
    hold((a) => isSameSet(readSet(JSON.parse(JSON.stringify(a))) ?? { 'f:unreadable': {} }, a))
  })
})
