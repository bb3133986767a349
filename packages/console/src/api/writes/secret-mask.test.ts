import { roleBindingType, secretType, type Secret } from '@slipway/kube/core-types'
import { aRoleBinding } from '@slipway/model/testing'
import { expect, it, test } from 'vitest'
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

it('gives changed and unchanged values different placeholders', () => {
  const before = secret({ data: { same: 'c2VjcmV0', changed: 'b25l', removed: 'b25l' } })
  const after = secret({ data: { same: 'c2VjcmV0', changed: 'dHdv', added: 'dHdv' } })
  const [masked, next] = maskVersions(secretType, before, after)
  expect(masked).toMatchObject({ data: { same: '<same>', changed: '<changed>', removed: '<removed>' } })
  expect(next).toMatchObject({ data: { same: '<same>', changed: '<new changed>', added: '<new added>' } })
})
