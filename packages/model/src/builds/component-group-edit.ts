import {
  type ComponentGroup,
  type GroupMember,
  kindOf,
  type MemberKind,
  membersOf,
  testGraphOf,
  type TestGraphParent,
} from './component-group'

/** What users edit of a component group, and the objects that follow. */

/** A member as it is edited. */
export interface EditedMember {
  name: string
  kind: MemberKind
  /** Name of its version; empty for every version of a component, and for a group. */
  version: string
  branch: string
  context: string
  /** Position among the stored members, whose other fields it keeps; absent for an added one. */
  stored?: number
}

/** What a test waits for. */
export interface EditedTest {
  test: string
  parents: { name: string; failFast: boolean }[]
}

export interface ComponentGroupContent {
  members: EditedMember[]
  tests: EditedTest[]
}

export const contentOf = (group: ComponentGroup): ComponentGroupContent => ({
  members: membersOf(group).map((member, stored) => {
    const { name: version = '', version: branch = '', context = '' } = member.componentVersion ?? {}
    return { name: member.name, kind: kindOf(member), version, branch, context, stored }
  }),
  tests: Object.entries(testGraphOf(group)).map(([test, parents]) => ({
    test,
    parents: parents.map(({ name, failFast = false }) => ({ name, failFast })),
  })),
})

/** @param stored the members of the group that the user edited */
export function toMembers(members: readonly EditedMember[], stored: readonly GroupMember[] = []): GroupMember[] {
  return members.map(({ name, kind, version, branch, context, stored: at }) => {
    const before = at === undefined ? undefined : stored[at]
    const { componentVersion, ...others } = before ?? { name }
    const { name: _name, version: _branch, context: _context, ...unknown } = componentVersion ?? { name: '' }
    return {
      ...others,
      name,
      // Kinds are the same in any case: what was stored stays.
      kind: before?.kind && kindOf(before) === kind ? before.kind : kind,
      ...(kind === 'component' &&
        version && {
          componentVersion: {
            ...unknown,
            name: version,
            ...(branch && { version: branch }),
            ...(context && { context }),
          },
        }),
    }
  })
}

/** The order of tests; of two rows with one test, the later one counts. */
export const toTestGraph = (tests: readonly EditedTest[]): Record<string, TestGraphParent[]> =>
  Object.fromEntries(
    tests.map(({ test, parents }) => [test, parents.map(({ name, failFast }) => ({ name, failFast }))]),
  )

/** A group as the API stores it, without a graph if there is no order. */
export const buildComponentGroup = (
  at: { namespace: string; name: string },
  { members, tests }: ComponentGroupContent,
): ComponentGroup => ({
  metadata: at,
  spec: { components: toMembers(members), ...(tests.length > 0 && { testGraph: toTestGraph(tests) }) },
})

/**
 * The changed group. Only what differs between `original` and `content` is written to `current`; all other fields stay.
 * @param current the version to change
 * @param original the version that the user edited
 */
export function editComponentGroup(
  current: ComponentGroup,
  original: ComponentGroup,
  { members, tests }: ComponentGroupContent,
): ComponentGroup {
  const before = contentOf(original)
  const { testGraph, ...spec } = current.spec
  const order = isSame(tests, before.tests) ? testGraph : tests.length > 0 ? toTestGraph(tests) : undefined
  return {
    ...current,
    spec: {
      ...spec,
      ...(!isSame(members, before.members) && { components: toMembers(members, membersOf(original)) }),
      ...(order && { testGraph: order }),
    },
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
