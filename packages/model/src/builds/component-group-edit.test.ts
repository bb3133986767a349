import { expect, it, test } from 'vitest'
import { aComponentGroup } from '../testing/build-services'
import type { ComponentGroup, GroupMember } from './component-group'
import { buildComponentGroup, contentOf, editComponentGroup, type EditedMember } from './component-group-edit'

const members: GroupMember[] = [
  { name: 'api', kind: 'Component', componentVersion: { name: 'v1', version: 'release-1', context: 'api' } },
  { name: 'web', kind: 'component' },
  { name: 'base', kind: 'ComponentGroup' },
]
const stored = aComponentGroup({
  spec: { components: members, testGraph: { e2e: [{ name: 'scan', failFast: true }, { name: 'unit' }], unit: [] } },
})

it('a group is edited as rows of text, and built from them as the API stores it', () => {
  const content = contentOf(stored)
  expect(content).toEqual({
    members: [
      { name: 'api', kind: 'component', version: 'v1', branch: 'release-1', context: 'api', stored: 0 },
      { name: 'web', kind: 'component', version: '', branch: '', context: '', stored: 1 },
      { name: 'base', kind: 'componentGroup', version: '', branch: '', context: '', stored: 2 },
    ],
    tests: [
      {
        test: 'e2e',
        parents: [
          { name: 'scan', failFast: true },
          { name: 'unit', failFast: false },
        ],
      },
      { test: 'unit', parents: [] },
    ],
  })
  const { spec } = buildComponentGroup({ namespace: 'team', name: 'shop' }, content)
  expect(spec).toEqual({
    components: [
      { name: 'api', kind: 'component', componentVersion: { name: 'v1', version: 'release-1', context: 'api' } },
      { name: 'web', kind: 'component' },
      { name: 'base', kind: 'componentGroup' },
    ],
    testGraph: {
      e2e: [
        { name: 'scan', failFast: true },
        { name: 'unit', failFast: false },
      ],
      unit: [],
    },
  })
})

it('a group without an order of tests is built without a graph', () => {
  const { spec } = buildComponentGroup({ namespace: 'team', name: 'shop' }, { members: [], tests: [] })
  expect(spec).toEqual({ components: [] })
})

const edited = (change: (content: ReturnType<typeof contentOf>) => void, current: ComponentGroup = stored) => {
  const content = contentOf(stored)
  change(content)
  return editComponentGroup(current, stored, content)
}

it('an edit without a change writes what is stored now', () => {
  const current = aComponentGroup({ spec: { components: [], testGraph: { other: [] } } })
  expect(edited(() => undefined, current)).toEqual(current)
})

it('an edit of the members keeps the order of tests that others have changed, and fields that it does not know', () => {
  const others = { testGraph: { other: [] }, snapshotCreator: { taskRef: {} } }
  const current = aComponentGroup({ spec: { components: [{ name: 'old' }], ...others } })
  const next = edited(({ members: rows }) => rows.splice(1, 1), current)
  expect(next.spec).toEqual({ components: [members[0], members[2]], ...others })
})

test.each<[string, Partial<EditedMember>, GroupMember]>([
  ['a version that is removed', { version: '' }, { name: 'api', kind: 'Component' }],
  [
    'a branch that is removed',
    { branch: '' },
    { name: 'api', kind: 'Component', componentVersion: { name: 'v1', context: 'api' } },
  ],
  ['another kind', { kind: 'componentGroup' }, { name: 'api', kind: 'componentGroup' }],
])('the first member is written with %s', (_, change, expected) =>
  expect(edited(({ members: [row] }) => void Object.assign(row ?? {}, change)).spec.components[0]).toEqual(expected),
)

it('an edit that removes the order of tests removes the graph', () => {
  expect(edited((content) => content.tests.splice(0)).spec).toEqual({ components: members })
})
