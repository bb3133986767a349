import { describe, expect, test } from 'vitest'
import { roleBindings } from '../builtin/rolebindings'
import { pods } from '../builtin/pods'
import { serviceAccounts } from '../builtin/serviceaccounts'
import type { ResourceInfo } from '../resource'
import { pathsOf } from './field-set'
import { fieldsOf } from './fields-of'
import { listErrors } from './list-errors'
import { itsSchema } from './testing'

const container = { name: 'c', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] }

test.each<[string, ResourceInfo, object, string[]]>([
  [
    'ports by number and protocol',
    pods,
    { spec: { containers: [container] } },
    [
      '.spec.containers[name="c"]',
      '.spec.containers[name="c"].name',
      '.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"]',
      '.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"].containerPort',
      '.spec.containers[name="c"].ports[containerPort=80,protocol="UDP"]',
      '.spec.containers[name="c"].ports[containerPort=80,protocol="UDP"].containerPort',
      '.spec.containers[name="c"].ports[containerPort=80,protocol="UDP"].protocol',
    ],
  ],
  ['node selectors as a whole', pods, { spec: { nodeSelector: { a: 'b' } } }, ['.spec.nodeSelector']],
  [
    'secrets by name, each as a whole',
    serviceAccounts,
    { secrets: [{ name: 'a', namespace: 'b' }] },
    ['.secrets[name="a"]'],
  ],
  [
    'a role and its subjects as a whole',
    roleBindings,
    { roleRef: { kind: 'Role', name: 'a' }, subjects: [{ kind: 'User', name: 'b' }] },
    ['.roleRef', '.subjects'],
  ],
])('built-in kinds own %s', (_, { schema }, object, paths) => expect(pathsOf(fieldsOf(object, schema))).toEqual(paths))

describe('the list items of a configuration', () => {
  test.each<[string, object, string[]]>([
    [
      'are valid if they are distinct',
      { items: [{ name: 'a' }, { name: 'b' }], tags: ['a', 'b'], steps: ['a', 'a'] },
      [],
    ],
    [
      'must have unique keys',
      { items: [{ name: 'a' }, { name: 'a' }] },
      ['.items: duplicate entries for key [name="a"]'],
    ],
    ['must have unique values', { tags: ['a', 'a'] }, ['.tags: duplicate entries for key [="a"]']],
    [
      'have keys',
      { items: [{ value: 'a' }] },
      [
        '.items: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
      ],
    ],
  ])('%s', (_, config, errors) => expect(listErrors(config, itsSchema)).toEqual(errors))
})
