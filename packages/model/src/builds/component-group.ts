import { type Condition, type KubeObject, nameOf, specOf } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import { type Edge, neighboursOf, shortestCycle } from '../directed-graph'

/** Which version of a component is a member of a group. */
export interface MemberVersion {
  /** Name of a version of the component (`spec.source.versions`), often that of its branch. */
  name: string
  /** Branch of the version, by which its builds are found if they do not say which version they are of. */
  version?: string
  /** Directory of the version, beside its branch. */
  context?: string
}

/** A component or another group that belongs to a group. */
export interface GroupMember {
  name: string
  /** `component` or `componentGroup` in any case; a component if absent. */
  kind?: string
  /** Of components only. */
  componentVersion?: MemberVersion
}

/** A test that has to end before another one starts. */
export interface TestGraphParent {
  name: string
  /** Whether the other test is skipped if this one fails; it runs all the same by default. */
  failFast?: boolean
}

/** For each test that waits, the tests that it waits for. All others start at once. */
export type TestGraph = Readonly<Record<string, readonly TestGraphParent[]>>

/** What was last promoted of a member: new snapshots have its image. */
export interface PromotedComponent {
  name: string
  version?: string
  url?: string
  lastPromotedImage?: string
  lastPromotedCommit?: string
  lastPromotedBuildTime?: string
}

/**
 * Components that are tested and released together, by their versions. It takes over from the Application, of which a
 * component can only belong to one. Source: integration-service, ComponentGroup v1beta2.
 */
export interface ComponentGroup extends KubeObject {
  spec: {
    components: GroupMember[]
    testGraph?: Record<string, TestGraphParent[]>
  }
  status?: { conditions?: Condition[]; globalCandidateList?: PromotedComponent[] }
}

export const componentGroupType = defineResource<ComponentGroup>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1beta2',
  kind: 'ComponentGroup',
  plural: 'componentgroups',
  namespaced: true,
})

export const memberKinds = ['component', 'componentGroup'] as const
export type MemberKind = (typeof memberKinds)[number]

export const kindOf = ({ kind = 'component' }: GroupMember): MemberKind =>
  kind.toLowerCase() === 'componentgroup' ? 'componentGroup' : 'component'

// A list with a field mask, or an object that other clients have written, may lack them.
export const membersOf = (group: ComponentGroup): readonly GroupMember[] => specOf(group).components ?? []
export const testGraphOf = (group: ComponentGroup): TestGraph => specOf(group).testGraph ?? {}

/** The members that are components. */
export const componentMembers = (group: ComponentGroup): GroupMember[] =>
  membersOf(group).filter((member) => kindOf(member) === 'component')

/** The names of the groups that are members, each once. */
export const childGroups = (group: ComponentGroup): string[] => [
  ...new Set(
    membersOf(group)
      .filter((member) => kindOf(member) === 'componentGroup')
      .map(({ name }) => name),
  ),
]

/** What was last promoted of a member; `undefined` for one that has never been promoted. */
export function promotedOf(
  { status }: Pick<ComponentGroup, 'status'>,
  { name, componentVersion }: GroupMember,
): PromotedComponent | undefined {
  const own = (status?.globalCandidateList ?? []).filter((each) => each.name === name)
  // The platform may leave out the version where the group has only one of the component.
  const found = own.find(({ version }) => version === componentVersion?.name) ?? own.find(({ version }) => !version)
  return found?.lastPromotedImage ? found : undefined
}

/** A version of a component in a group, or in one of the groups nested in it. */
export interface DeepMember {
  member: GroupMember
  /** The groups that lead to it, from the one that was asked about to the one that it is a member of. */
  through: string[]
  /** What was last promoted in the group that it is a member of. */
  promoted: PromotedComponent | undefined
}

/** A group nested in another. */
export interface NestedGroup {
  name: string
  /** The groups that lead to it, from the one that was asked about. */
  through: string[]
  exists: boolean
}

/** All that belongs to a group. */
export interface GroupTree {
  /** Each version of a component once, where it is found first. */
  members: DeepMember[]
  /** Each nested group once, where it is found first. */
  groups: NestedGroup[]
  /** The shortest cycle of groups that contain each other, such as `['web', 'all', 'web']`, if there is one. */
  cycle: string[] | undefined
}

const memberKey = ({ name, componentVersion }: GroupMember): string => `${name}/${componentVersion?.name ?? ''}`

/**
 * The members of a group and of all groups nested in it, those nearest to it first.
 * @param all of the namespace; groups that are being deleted count until they are gone
 */
export function groupTree(group: ComponentGroup, all: readonly ComponentGroup[]): GroupTree {
  const byName = new Map(all.map((each) => [nameOf(each), each]))
  const members = new Map<string, DeepMember>()
  const groups: NestedGroup[] = []
  const edges: Edge[] = []
  const followed = new Set([nameOf(group)])
  const waiting: { group: ComponentGroup; through: string[] }[] = [{ group, through: [nameOf(group)] }]
  for (const { group: current, through } of waiting) {
    for (const member of componentMembers(current)) {
      const key = memberKey(member)
      if (!members.has(key)) members.set(key, { member, through, promoted: promotedOf(current, member) })
    }
    for (const name of childGroups(current)) {
      edges.push({ from: nameOf(current), to: name })
      if (followed.has(name)) continue
      followed.add(name)
      const child = byName.get(name)
      groups.push({ name, through, exists: child !== undefined })
      if (child) waiting.push({ group: child, through: [...through, name] })
    }
  }
  return {
    members: [...members.values()],
    groups,
    cycle: shortestCycle(neighboursOf(edges, 'from', 'to'), edges),
  }
}

/** The groups that have this one as a member. @param all of the namespace */
export const parentGroups = (name: string, all: readonly ComponentGroup[]): string[] =>
  all.filter((group) => childGroups(group).includes(name)).map(nameOf)

/**
 * The shortest cycle of groups that a group with these members would be in, such as `['web', 'all', 'web']`.
 * @param all of the namespace
 */
export function findGroupCycle(
  name: string,
  members: readonly GroupMember[],
  all: readonly ComponentGroup[],
): string[] | undefined {
  const changed: ComponentGroup = { metadata: { name }, spec: { components: [...members] } }
  const children = new Map([...all, changed].map((group) => [nameOf(group), childGroups(group)]))
  return shortestCycle(
    children,
    childGroups(changed).map((to) => ({ from: name, to })),
  )
}
