import { roleBindingType, secretType, type Secret } from '@slipway/kube/core-types'
import { aRoleBinding } from '@slipway/model/testing'
import { describe, expect, it, test } from 'vitest'
import { maskVersions, maskWrite } from './secret-mask'
import { create, patch, remove, replace, type Write } from './writes'

const ref = { namespace: 'team', name: 'token' }
const secret = (values: Partial<Secret>): Secret => ({ apiVersion: 'v1', kind: 'Secret', metadata: ref, ...values })
const binding = aRoleBinding({ metadata: { name: 'b', namespace: 'team' } })

test.each<[string, Write, Write]>([
  [
    'values of a new secret',
    create(secretType, secret({ data: { a: 'c2VjcmV0' }, stringData: { b: 'secret' } })),
    create(secretType, secret({ data: { a: '<a, in base64>' }, stringData: { b: '<b>' } })),
  ],
  [
    'the annotation of kubectl apply',
    replace(
      secretType,
      secret({
        metadata: {
          ...ref,
          annotations: { kept: 'yes', 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"a":"c2VjcmV0"}}' },
        },
      }),
    ),
    replace(secretType, secret({ metadata: { ...ref, annotations: { kept: 'yes' } } })),
  ],
  [
    'one value of a patch',
    patch(secretType, ref, [{ op: 'replace', path: '/data/tls~1key', value: 'c2VjcmV0' }]),
    patch(secretType, ref, [{ op: 'replace', path: '/data/tls~1key', value: '<tls/key, in base64>' }]),
  ],
  [
    'all values of a patch',
    patch(secretType, ref, [{ op: 'add', path: '/stringData', value: { a: 'secret' } }]),
    patch(secretType, ref, [{ op: 'add', path: '/stringData', value: { a: '<a>' } }]),
  ],
  [
    'a patch of everything',
    patch(secretType, ref, [{ op: 'replace', path: '', value: secret({ stringData: { a: 'secret' } }) }]),
    patch(secretType, ref, [{ op: 'replace', path: '', value: '<value>' }]),
  ],
])('masks %s', (_, write, expected) => expect(maskWrite(write)).toEqual(expected))

test.each<[string, Write]>([
  ['labels of a secret', patch(secretType, ref, [{ op: 'add', path: '/metadata/labels/a', value: 'b' }])],
  ['a removed value of a secret', patch(secretType, ref, [{ op: 'remove', path: '/data/a' }])],
  ['a deleted secret', remove(secretType, ref)],
  ['any other kind', create(roleBindingType, binding)],
])('leaves %s as it is', (_, write) => expect(maskWrite(write)).toEqual(write))

describe('two versions of a secret, whose values are blank,', () => {
  const before = secret({ data: { a: '', b: '', 'c/d': '' } })
  const after = secret({ data: { a: '', 'c/d': '', e: '' } })
  const kept = { a: '<a>', 'c/d': '<c/d>', e: '<e>' }

  test.each<[string, Write, string[]]>([
    ['a replacement', replace(secretType, secret({ data: { a: 'dHdv' }, stringData: { e: 'x' } })), ['a', 'e']],
    [
      'a patch of values',
      patch(secretType, ref, [
        { op: 'replace', path: '/data/c~1d', value: 'dHdv' },
        { op: 'add', path: '/stringData', value: { e: 'x' } },
        { op: 'remove', path: '/data/b' },
        { op: 'add', path: '/metadata/labels/a', value: 'x' },
        { op: 'test', path: '/data/a', value: 'b25l' },
      ]),
      ['c/d', 'e'],
    ],
    ['a patch of labels', patch(secretType, ref, [{ op: 'add', path: '/metadata/labels/a', value: 'b' }]), []],
    ['a patch of everything', patch(secretType, ref, [{ op: 'replace', path: '', value: after }]), ['a', 'c/d', 'e']],
    ['a deletion', remove(secretType, ref), []],
  ])('have different placeholders for the values set by %s', (_, write, set) => {
    const [masked, next] = maskVersions(write, before, after)
    expect(masked).toEqual(secret({ data: { a: '<a>', b: '<b>', 'c/d': '<c/d>' } }))
    const placeholders = Object.fromEntries(set.map((key) => [key, `<new ${key}>`]))
    expect(next).toEqual(secret({ data: { ...kept, ...placeholders } }))
  })

  it('have a plain placeholder for each value of a new secret', () => {
    const write = create(secretType, secret({ stringData: { a: 'x' } }))
    expect(maskVersions(write, undefined, after)).toEqual([undefined, secret({ data: kept })])
  })

  it('are unchanged if they are of another kind', () => {
    expect(maskVersions(create(roleBindingType, binding), undefined, binding)).toEqual([undefined, binding])
  })
})
