import { nameOf } from '@slipway/kube/object'
import { expect, test } from 'vitest'
import { aRelease, condition, type Overrides } from '../testing'
import { previousReleaseOf } from './previous-release'
import type { Release } from './release'

const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T09:00:00Z`
const succeeded = { conditions: [condition('Released', 'True', 'Succeeded')] }
const other = (name: string, day: number, more: Overrides<Release> = {}): Release =>
  aRelease({ status: succeeded, ...more, metadata: { name, creationTimestamp: at(day), ...more.metadata } })

test.each<[string, Release[], string | undefined]>([
  ['no other release', [], undefined],
  ['only itself', [other('own', 10)], undefined],
  ['the newest before it', [other('a', 7), other('b', 9), other('c', 8)], 'b'],
  ['of the same second', [other('a', 10)], 'a'],
  ['not a newer one', [other('a', 7), other('b', 11)], 'a'],
  ['not of another plan', [other('a', 7), other('b', 9, { spec: { releasePlan: 'other' } })], 'a'],
  ['not of another namespace', [other('a', 7), other('b', 9, { metadata: { namespace: 'other' } })], 'a'],
  [
    'not one that failed',
    [other('a', 7), other('b', 9, { status: { conditions: [condition('Released', 'False', 'Failed')] } })],
    'a',
  ],
  ['not one that is running', [other('a', 7, { status: { conditions: [condition('Validated', 'True')] } })], undefined],
  ['not one without a spec', [{ metadata: { name: 'a', creationTimestamp: at(7) } } as Release], undefined],
])('the release before another one of the same plan is %s', (_, releases, expected) => {
  const previous = previousReleaseOf(other('own', 10, { status: {} }), releases)
  expect(previous && nameOf(previous)).toBe(expected)
})

test('the release before one that has not been created yet is the newest of its plan', () => {
  const { spec, metadata } = other('own', 10)
  const previous = previousReleaseOf({ metadata: { namespace: metadata.namespace ?? '', generateName: 'own' }, spec }, [
    other('a', 7),
    other('b', 11),
  ])
  expect(previous && nameOf(previous)).toBe('b')
})
