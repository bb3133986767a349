import type { Secret } from '@slipway/kube/core-types'
import { expect, it, test } from 'vitest'
import { changesBetween } from '../label-edit'
import { expiryChange, ownLabels, requiredKeys, secretPatch } from './secret-edit'

const secret: Secret = {
  metadata: {
    name: 'token',
    namespace: 'team-shop',
    resourceVersion: '7',
    labels: { team: 'shop', 'build.appstudio.openshift.io/common-secret': 'true', 'example.com/a~b': 'x' },
  },
  type: 'Opaque',
  data: { kept: '', replaced: '', removed: '' },
}
const nothing = { data: {}, labels: {}, annotations: {} }

test('a patch touches only what changed, on condition of the version', () => {
  expect(
    secretPatch(secret, {
      data: { replaced: 'bmV3', removed: undefined, added: 'YQ==' },
      labels: { team: 'cart', 'example.com/a~b': undefined },
      annotations: { 'appstudio.redhat.com/scm.repository': 'shop/cart' },
    }),
  ).toEqual([
    { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
    { op: 'replace', path: '/metadata/labels/team', value: 'cart' },
    { op: 'remove', path: '/metadata/labels/example.com~1a~0b' },
    { op: 'add', path: '/metadata/annotations', value: { 'appstudio.redhat.com/scm.repository': 'shop/cart' } },
    { op: 'replace', path: '/data/replaced', value: 'bmV3' },
    { op: 'remove', path: '/data/removed' },
    { op: 'add', path: '/data/added', value: 'YQ==' },
  ])
})

test.each([
  ['nothing', nothing],
  ['an equal label', { ...nothing, labels: { team: 'shop' } }],
  ['a key that is already absent', { ...nothing, data: { other: undefined } }],
  ['an annotation that is already absent', { ...nothing, annotations: expiryChange(undefined) }],
])('%s needs no patch', (_, changes) => expect(secretPatch(secret, changes)).toEqual([]))

it('writes an empty value over a blanked one', () => {
  expect(secretPatch(secret, { ...nothing, data: { kept: '' } })).toContainEqual({
    op: 'replace',
    path: '/data/kept',
    value: '',
  })
})

test('the labels that users edit are those that the platform does not read', () => {
  expect(ownLabels(secret)).toEqual({ team: 'shop', 'example.com/a~b': 'x' })
  expect(ownLabels({ metadata: {} })).toEqual({})
})

test('the entries that lead from one map to another', () => {
  expect(changesBetween({ a: '1', b: '2', c: '3' }, { a: '1', b: 'x', d: '4' })).toEqual({
    b: 'x',
    c: undefined,
    d: '4',
  })
})

test('the keys that the API server requires', () => {
  expect(requiredKeys({ metadata: {}, type: 'kubernetes.io/basic-auth' })).toEqual(['username', 'password'])
  expect(requiredKeys({ metadata: {}, type: 'Opaque' })).toEqual([])
  expect(requiredKeys({ metadata: {} })).toEqual([])
})
