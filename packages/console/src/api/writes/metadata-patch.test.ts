import type { JsonPatchOperation } from '@slipway/kube/client'
import { expect, test } from 'vitest'
import { metadataPatch } from './metadata-patch'

type Annotations = Record<string, string>

test.each<[string, Annotations | undefined, Record<string, string | undefined>, JsonPatchOperation[]]>([
  ['adds to a map', { a: '1' }, { b: '2' }, [{ op: 'add', path: '/metadata/annotations/b', value: '2' }]],
  ['replaces a value', { a: '1' }, { a: '2' }, [{ op: 'replace', path: '/metadata/annotations/a', value: '2' }]],
  ['removes a key', { a: '1' }, { a: undefined }, [{ op: 'remove', path: '/metadata/annotations/a' }]],
  [
    'adds a missing map',
    undefined,
    { a: '1', b: undefined },
    [{ op: 'add', path: '/metadata/annotations', value: { a: '1' } }],
  ],
  ['removes nothing that is missing', {}, { a: undefined }, []],
  ['needs no map to remove a key', undefined, { a: undefined }, []],
  ['leaves an equal value', { a: '1' }, { a: '1' }, []],
  ['escapes a key', {}, { 'x~y/z': '1' }, [{ op: 'add', path: '/metadata/annotations/x~0y~1z', value: '1' }]],
])('LINK-38 %s', (_, annotations, changes, steps) =>
  expect(metadataPatch({ metadata: { annotations } }, 'annotations', changes)).toEqual(steps),
)
