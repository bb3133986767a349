import { describe, expect, it, test } from 'vitest'
import { aComponent } from '../testing'
import {
  findCycle,
  findFirstNudging,
  findRelationErrors,
  nudgesAfter,
  nudgesPatches,
  type Relation,
  relationsOf,
} from './component-relations'

const component = (name: string, nudges?: string[], application = 'checkout') =>
  aComponent({ metadata: { name }, spec: { application, ...(nudges && { 'build-nudges-ref': nudges }) } })
const nudges = (source: string, ...targets: string[]): Relation => ({ source, type: 'nudges', targets })
const nudgedBy = (source: string, ...targets: string[]): Relation => ({ source, type: 'nudges-by', targets })

describe('the relations of an application', () => {
  test.each<[string, ReturnType<typeof component>[], Relation[]]>([
    ['are none without nudges', [component('web'), component('api', [])], []],
    [
      'are those of the nudging components, by name',
      [component('web', ['docs']), component('docs'), component('api', ['web', 'docs'])],
      [nudges('api', 'web', 'docs'), nudges('web', 'docs')],
    ],
    [
      'include those to other applications and to missing components',
      [component('api', ['proxy', 'gone']), component('proxy', undefined, 'edge')],
      [nudges('api', 'proxy', 'gone')],
    ],
    [
      'are those of the nudged component if the nudging one belongs to another application',
      [component('api'), component('base', ['api', 'proxy'], 'edge'), component('proxy', undefined, 'edge')],
      [nudgedBy('api', 'base')],
    ],
    [
      'exclude those of other applications and of components that are being deleted',
      [
        component('api'),
        component('base', ['proxy'], 'edge'),
        aComponent({
          metadata: { name: 'old', deletionTimestamp: '2026-01-31T09:00:00Z' },
          spec: { 'build-nudges-ref': ['api'] },
        }),
        aComponent({
          metadata: { name: 'older', deletionTimestamp: '2026-01-31T09:00:00Z' },
          spec: { application: 'edge', 'build-nudges-ref': ['api'] },
        }),
      ],
      [],
    ],
  ])('NUDGE-05, NUDGE-07 %s', (_, components, expected) =>
    expect(relationsOf(components, 'checkout')).toEqual(expected),
  )
})

describe('a row', () => {
  const duplicate = 'This relationship is already set up. To edit, go to the respective field in this modal'
  test.each<[string, Relation[], ReturnType<typeof findRelationErrors>]>([
    ['NUDGE-05 with a source and targets is valid', [nudges('api', 'web')], []],
    ['NUDGE-11 that is empty is valid', [nudges(''), nudges('')], []],
    ['NUDGE-11 needs targets', [nudges('api')], [{ row: 0, field: 'targets', message: 'Required' }]],
    ['NUDGE-11 needs a source', [nudgedBy('', 'api')], [{ row: 0, field: 'source', message: 'Required' }]],
    [
      'NUDGE-10 cannot repeat the source and type of another',
      [nudges('api', 'web'), nudges('api', 'docs')],
      [{ row: 1, field: 'source', message: duplicate }],
    ],
    ['NUDGE-10 can have the same source with the other type', [nudges('api', 'web'), nudgedBy('api', 'base')], []],
    [
      'NUDGE-12, NUDGE-13 cannot have its source as a target',
      [nudgedBy('api', 'web', 'api')],
      [{ row: 0, field: 'targets', message: 'api cannot nudge itself.' }],
    ],
  ])('%s', (_, relations, expected) => expect(findRelationErrors(relations)).toEqual(expected))
})

describe('a cycle', () => {
  test.each<[string, ReturnType<typeof component>[], Relation[], string[] | undefined]>([
    ['is not a chain', [component('a', ['b']), component('b')], [nudges('a', 'b'), nudges('b', 'c')], undefined],
    [
      'is not a fan that meets again',
      [component('a')],
      [nudges('a', 'b', 'c'), nudges('b', 'd'), nudgedBy('d', 'c')],
      undefined,
    ],
    [
      'can have two components',
      [component('a'), component('b')],
      [nudges('a', 'b'), nudgedBy('a', 'b')],
      ['a', 'b', 'a'],
    ],
    [
      'can pass through another application, whose relations are not in the form',
      [component('a'), component('x', ['y'], 'edge'), component('y', ['a'], 'edge')],
      [nudges('a', 'x'), nudgedBy('a', 'y')],
      ['a', 'x', 'y', 'a'],
    ],
    [
      'is the shortest of several',
      [component('a')],
      [nudges('a', 'b'), nudges('b', 'c'), nudges('c', 'a', 'b')],
      ['b', 'c', 'b'],
    ],
    [
      'of other applications only is not reported',
      [component('a'), component('b'), component('x', ['y'], 'edge'), component('y', ['x'], 'edge')],
      [nudges('a', 'b', 'x')],
      undefined,
    ],
  ])('%s', (_, components, after, expected) =>
    expect(findCycle(components, relationsOf(components, 'checkout'), after)).toEqual(expected),
  )
})

describe('the patches', () => {
  const replace = (component: string, ...value: string[]) => [component, 'replace', '/spec/build-nudges-ref', value]
  const add = (component: string, ...value: string[]) => [component, 'add', '/spec/build-nudges-ref', value]
  const patchesOf = (components: ReturnType<typeof component>[], before: Relation[], after: Relation[]) =>
    nudgesPatches(components, before, after).map(({ component: name, patch: [step] }) =>
      step && 'value' in step ? [name, step.op, step.path, step.value] : [name],
    )

  test.each<[string, ReturnType<typeof component>[], Relation[], unknown[]]>([
    ['NUDGE-15 replace the list', [component('a', ['b']), component('b')], [nudges('a', 'c')], [replace('a', 'c')]],
    ['NUDGE-15 add a missing list', [component('a'), component('b')], [nudges('a', 'b')], [add('a', 'b')]],
    ['NUDGE-15 empty a list whose row was removed', [component('a', ['b']), component('b')], [], [replace('a')]],
    [
      'NUDGE-16 are one for each component',
      [component('a', ['b']), component('b', ['d']), component('c'), component('d')],
      [nudges('a', 'b', 'c'), nudgedBy('c', 'a', 'b'), nudges('b', 'd')],
      [replace('b', 'd', 'c'), replace('a', 'b', 'c')],
    ],
    [
      'NUDGE-17 change the components that nudge',
      [component('a'), component('b', ['x']), component('c')],
      [nudges('b', 'x'), nudgedBy('a', 'b', 'c')],
      [add('c', 'a'), replace('b', 'x', 'a')],
    ],
    [
      'NUDGE-17 change components of other applications, and keep their other relations',
      [component('a'), component('base', ['proxy', 'a'], 'edge'), component('proxy', undefined, 'edge')],
      [],
      [replace('base', 'proxy')],
    ],
    [
      'are none if the same relation has only moved to a row of its other end',
      [component('a', ['b']), component('b')],
      [nudgedBy('b', 'a')],
      [],
    ],
    [
      'NUDGE-16 reverse a chain from the end that nudges nothing, so that no state in between has a cycle',
      [component('a', ['b']), component('b', ['c']), component('c')],
      [nudges('c', 'b'), nudges('b', 'a')],
      [replace('a'), replace('b', 'a'), add('c', 'b')],
    ],
  ])('%s', (_, components, after, expected) =>
    expect(patchesOf(components, relationsOf(components, 'checkout'), after)).toEqual(expected),
  )

  it('keep what another client has changed since the user started', () => {
    const before = [nudges('a', 'b', 'c')]
    const now = [component('a', ['c', 'd']), component('b'), component('c'), component('d'), component('e')]
    expect(patchesOf(now, before, [nudges('a', 'b', 'e')])).toEqual([replace('a', 'd', 'e')])
  })

  it('include a component that has been deleted since, so that the cluster reports it', () => {
    expect(patchesOf([component('b')], [], [nudges('a', 'b')])).toEqual([add('a', 'b')])
  })

  test.each<[string, Relation[], string[]]>([
    ['a removal before the reverse relation is added', [nudges('b', 'a')], ['a']],
    ['nothing while no cycle is near', [nudges('c', 'b')], []],
  ])('need first %s', (_, after, expected) => {
    const components = [component('a', ['b']), component('b'), component('c')]
    const patches = nudgesPatches(components, relationsOf(components, 'checkout'), after)
    expect(patches.filter((each) => each.isPrerequisite).map((each) => each.component)).toEqual(expected)
  })
})

describe('a preview of relations', () => {
  it('has what is stored, with what the user adds and removes', () => {
    const components = [component('a', ['b', 'x']), component('b'), component('y', ['z'], 'edge')]
    const after = nudgesAfter(components, [nudges('a', 'b')], [nudges('a', 'c'), nudgedBy('b', 'y')])
    expect(Object.fromEntries(after)).toEqual({ a: ['x', 'c'], b: [], y: ['z', 'b'] })
  })

  test.each<[string, Relation[], string[]]>([
    ['the start of a chain', [nudges('b', 'c'), nudges('a', 'b')], ['a']],
    ['each start, once', [nudges('a', 'c'), nudgedBy('d', 'x', 'a')], ['a', 'x']],
    ['none in a cycle', [nudges('a', 'b'), nudges('b', 'a')], []],
    ['none of incomplete rows', [nudges('', 'b'), nudges('a'), nudgedBy('', 'c')], []],
  ])('starts with %s', (_, relations, expected) => expect(findFirstNudging(relations)).toEqual(expected))
})
