import { expect, it, test } from 'vitest'
import { aComponentGroup } from '../testing/build-services'
import {
  childGroups,
  componentMembers,
  findGroupCycle,
  type GroupMember,
  groupTree,
  kindOf,
  parentGroups,
  promotedOf,
} from './component-group'

const component = (name: string, version = 'main'): GroupMember => ({ name, componentVersion: { name: version } })
const nested = (name: string): GroupMember => ({ name, kind: 'componentGroup' })
const group = (name: string, ...components: GroupMember[]) =>
  aComponentGroup({ metadata: { name }, spec: { components } })

test.each([
  [undefined, 'component'],
  ['component', 'component'],
  ['Component', 'component'],
  ['COMPONENTGROUP', 'componentGroup'],
  ['componentGroup', 'componentGroup'],
])('a member with the kind %s is a %s', (kind, expected) => {
  expect(kindOf({ name: 'api', ...(kind && { kind }) })).toBe(expected)
})

it('a group without members, as in a list that masks them, has none', () => {
  const bare = { metadata: { name: 'bare' } } as never
  expect([componentMembers(bare), childGroups(bare)]).toEqual([[], []])
})

const image = 'registry.slipway.test/api@sha256:1'
test.each([
  ['by its version', [{ name: 'api', version: 'main', lastPromotedImage: image }], image],
  ['without a version', [{ name: 'api', lastPromotedImage: image }], image],
  ['of another version', [{ name: 'api', version: 'v1', lastPromotedImage: image }], undefined],
  ['without an image', [{ name: 'api', version: 'main' }], undefined],
  ['of another component', [{ name: 'web', version: 'main', lastPromotedImage: image }], undefined],
])('finds what was promoted of a member, %s', (_, globalCandidateList, expected) => {
  expect(promotedOf({ status: { globalCandidateList } }, component('api'))?.lastPromotedImage).toBe(expected)
})

const treeOf = (...groups: ReturnType<typeof group>[]) => {
  const [first = group('none')] = groups
  const { members, groups: found, cycle } = groupTree(first, groups)
  return {
    members: members.map(
      ({ member, through }) => `${member.name}:${member.componentVersion?.name} ${through.join('>')}`,
    ),
    groups: found.map(({ name, through, exists }) => `${exists ? '' : '!'}${name} ${through.join('>')}`),
    cycle,
  }
}

test.each([
  [
    'members of its own, by version',
    [group('all', component('api'), component('api', 'v1'), component('api'))],
    { members: ['api:main all', 'api:v1 all'], groups: [], cycle: undefined },
  ],
  [
    'members of nested groups',
    [
      group('all', component('api'), nested('web')),
      group('web', component('web'), nested('ui')),
      group('ui', component('ui')),
    ],
    {
      members: ['api:main all', 'web:main all>web', 'ui:main all>web>ui'],
      groups: ['web all', 'ui all>web'],
      cycle: undefined,
    },
  ],
  [
    'a group that does not exist',
    [group('all', nested('gone'))],
    { members: [], groups: ['!gone all'], cycle: undefined },
  ],
  [
    'a group that two others contain once, where it is nearest',
    [
      group('all', nested('a'), nested('b')),
      group('a', nested('c')),
      group('b', nested('c')),
      group('c', component('api')),
    ],
    { members: ['api:main all>a>c'], groups: ['a all', 'b all', 'c all>a'], cycle: undefined },
  ],
  [
    'a group that contains itself',
    [group('all', component('api'), nested('all'))],
    { members: ['api:main all'], groups: [], cycle: ['all', 'all'] },
  ],
  [
    'groups that contain each other, without end',
    [group('all', nested('a')), group('a', nested('b'), component('api')), group('b', nested('a'))],
    { members: ['api:main all>a'], groups: ['a all', 'b all>a'], cycle: ['a', 'b', 'a'] },
  ],
  [
    'groups that contain each other and are both members',
    [group('all', nested('a'), nested('b')), group('a', nested('b')), group('b', nested('a'))],
    { members: [], groups: ['a all', 'b all'], cycle: ['a', 'b', 'a'] },
  ],
])('the tree of a group has %s', (_, groups, expected) => expect(treeOf(...groups)).toEqual(expected))

it('finds the groups that contain a group', () => {
  const all = [group('all', nested('web'), component('api')), group('web', component('web')), group('other')]
  expect(parentGroups('web', all)).toEqual(['all'])
})

test.each([
  ['itself', 'a', [nested('a')], ['a', 'a']],
  ['a group that contains it', 'c', [nested('a')], ['c', 'a', 'b', 'c']],
  ['a group that does not contain it', 'a', [nested('c')], undefined],
  ['no group of its name, but a component', 'a', [component('a')], undefined],
  ['no longer the group that closed a cycle', 'b', [component('api')], undefined],
])('a group that contains %s', (_, name, members, expected) => {
  const all = [group('a', nested('b')), group('b', nested('c')), group('c')]
  expect(findGroupCycle(name, members, all)).toEqual(expected)
})
