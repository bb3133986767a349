import type { JsonPatchOperation } from '@slipway/kube/client'
import { versionCondition } from '@slipway/kube/json-patch'
import { nameOf, specOf } from '@slipway/kube/object'
import { type Edge, neighboursOf, shortestCycle, topologicalSort } from '../directed-graph'
import { type Component, componentsOf } from './component'
import { modeOf, type Nudge, type NudgeConfig, type NudgeMode, nudgeModes, nudgesIn } from './nudge-config'

/** Which components nudge which, as users edit it. Specification: 2, sections 3, 5 and 7. */

export const nudgeTypes = ['nudges', 'nudges-by'] as const
export type NudgeType = (typeof nudgeTypes)[number]

/** One row of the form. */
export interface Relation {
  /** A component of the application. */
  source: string
  type: NudgeType
  /** Components of the namespace. */
  targets: string[]
  /** Only where the namespace has a NudgeConfig. */
  mode?: NudgeMode
}

/** The names of the components that each component nudges, by its name. */
export type Nudges = ReadonlyMap<string, readonly string[]>

export interface NudgesPatch {
  component: string
  patch: JsonPatchOperation[]
  /** Whether a later patch would close a cycle if this one, which removes a relation, were not applied before. */
  isPrerequisite: boolean
}

const nudgesMember = 'build-nudges-ref'

const storedNudges = (component: Component): readonly string[] => specOf(component)[nudgesMember] ?? []

/**
 * What each component nudges according to its spec.
 * @param config the NudgeConfig of the namespace, if it has one: then only that counts
 */
export function nudgesByName(components: readonly Component[], config?: NudgeConfig): Nudges {
  if (!config) return new Map(components.map((component) => [nameOf(component), storedNudges(component)]))
  const targets = neighboursOf([...nudgesIn(config)], 'from', 'to')
  return new Map([...components.map(nameOf), ...targets.keys()].map((name) => [name, targets.get(name) ?? []]))
}

/**
 * The relations of the components of an application, each in one row: of its nudging component, or of the nudged one if
 * the nudging one belongs to another application. Only the specs count: the status follows later.
 * @param components all of the namespace
 * @param config the NudgeConfig of the namespace, if it has one: then each mode has rows of its own
 */
export function relationsOf(components: readonly Component[], application: string, config?: NudgeConfig): Relation[] {
  if (config) return relationsIn(config, components, application)
  const own = componentsOf(components, application).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const others = components.filter(
    (component) => specOf(component).application !== application && !component.metadata.deletionTimestamp,
  )
  const nudging = own.map((component): Relation => ({
    source: nameOf(component),
    type: 'nudges',
    targets: [...storedNudges(component)],
  }))
  const nudged = own.map((component): Relation => ({
    source: nameOf(component),
    type: 'nudges-by',
    targets: others.filter((other) => storedNudges(other).includes(nameOf(component))).map(nameOf),
  }))
  return [...nudging, ...nudged].filter(({ targets }) => targets.length > 0)
}

function relationsIn(config: NudgeConfig, components: readonly Component[], application: string): Relation[] {
  const existing = components.filter(({ metadata }) => !metadata.deletionTimestamp).map(nameOf)
  const own = componentsOf(components, application).map(nameOf).toSorted()
  const edges = nudgesIn(config).filter(({ from }) => existing.includes(from))
  const rows = (type: NudgeType, targetsOf: (name: string, mode: NudgeMode) => string[]) =>
    own.flatMap((source) =>
      nudgeModes.map((mode): Relation => ({ source, type, targets: targetsOf(source, mode), mode })),
    )
  const inMode = (mode: NudgeMode) => edges.filter((edge) => modeOf(edge) === mode)
  return [
    ...rows('nudges', (name, mode) => inMode(mode).flatMap(({ from, to }) => (from === name ? to : []))),
    ...rows('nudges-by', (name, mode) =>
      inMode(mode).flatMap(({ from, to }) => (to === name && !own.includes(from) ? from : [])),
    ),
  ].filter(({ targets }) => targets.length > 0)
}

/** What each component will nudge once a change of relations is saved. @param before the relations that it started from */
export const nudgesAfter = (
  components: readonly Component[],
  before: readonly Relation[],
  after: readonly Relation[],
  config?: NudgeConfig,
): Nudges => changedNudges(components, before, after, config).changed

/** The components that nudge others, and that none of these relations says are nudged. */
export function findFirstNudging(relations: readonly Relation[]): string[] {
  const edges = edgesOf(relations.filter(({ source }) => source))
  const nudged = new Set(edges.map(({ to }) => to))
  return [...new Set(edges.map(({ from }) => from))].filter((name) => !nudged.has(name))
}

/** From the component that nudges to the one that is nudged. */
const edgesOf = (relations: readonly Relation[]): Nudge[] =>
  relations.flatMap(({ source, type, targets, mode }) =>
    targets.map((target) => ({
      ...(type === 'nudges' ? { from: source, to: target } : { from: target, to: source }),
      ...(mode && { mode }),
    })),
  )

const isSameEdge = (a: Edge, b: Edge): boolean => a.from === b.from && a.to === b.to

export interface RelationError {
  row: number
  field: 'source' | 'targets'
  message: string
}

/** What is wrong with single rows, one error per row. A row that is empty is ignored. */
export function findRelationErrors(relations: readonly Relation[]): RelationError[] {
  return relations.flatMap(({ source, type, targets, mode }, row): RelationError[] => {
    if (!source) return targets.length > 0 ? [{ row, field: 'source', message: 'Required' }] : []
    if (relations.findIndex((other) => other.source === source && other.type === type && other.mode === mode) < row) {
      const message = 'This relationship is already set up. To edit, go to the respective field in this modal'
      return [{ row, field: 'source', message }]
    }
    if (targets.length === 0) return [{ row, field: 'targets', message: 'Required' }]
    if (targets.includes(source)) return [{ row, field: 'targets', message: `${source} cannot nudge itself.` }]
    const earlier = edgesOf(relations.slice(0, row).filter((other) => other.mode !== mode))
    const twice = edgesOf(relations.slice(row, row + 1)).find((edge) =>
      earlier.some((other) => isSameEdge(edge, other)),
    )
    if (twice) return [{ row, field: 'targets', message: `${twice.from} nudges ${twice.to} in another mode already.` }]
    return []
  })
}

/**
 * What each component nudges after a change of relations. Applies what was added and removed to what is stored now, so
 * that changes by other clients stay.
 * @param before the relations that the user started from
 */
function changedNudges(
  components: readonly Component[],
  before: readonly Relation[],
  after: readonly Relation[],
  config?: NudgeConfig,
) {
  const oldTargets = neighboursOf(edgesOf(before), 'from', 'to')
  const newTargets = neighboursOf(edgesOf(after), 'from', 'to')
  const stored = nudgesByName(components, config)
  const changed = new Map(stored)
  for (const name of new Set([...stored.keys(), ...newTargets.keys()])) {
    const old = oldTargets.get(name) ?? []
    const current = newTargets.get(name) ?? []
    const nudges = stored.get(name) ?? []
    changed.set(name, [
      ...nudges.filter((target) => !old.includes(target) || current.includes(target)),
      ...new Set(current.filter((target) => !old.includes(target) && !nudges.includes(target))),
    ])
  }
  return { stored, changed }
}

/**
 * The shortest cycle that has one of the relations of `after`, such as `['api', 'web', 'api']`: a build of one of them
 * would cause builds of all, without end. Cycles of other applications only are not the concern of the user.
 */
export function findCycle(
  components: readonly Component[],
  before: readonly Relation[],
  after: readonly Relation[],
  config?: NudgeConfig,
): string[] | undefined {
  return shortestCycle(changedNudges(components, before, after, config).changed, edgesOf(after))
}

/**
 * The patch of a NudgeConfig that has the changed relations, only of the version that was read, since it replaces all of
 * them; none if nothing changes. What other clients have added meanwhile stays.
 */
export function nudgeConfigPatch(
  config: NudgeConfig,
  before: readonly Relation[],
  after: readonly Relation[],
): JsonPatchOperation[] {
  const [old, current] = [edgesOf(before), edgesOf(after)]
  const stored = nudgesIn(config)
  const kept = stored.flatMap((edge): Nudge[] => {
    const change = current.find((other) => isSameEdge(edge, other))
    if (!change) return old.some((other) => isSameEdge(edge, other)) ? [] : [edge]
    return [modeOf(change) === modeOf(edge) ? edge : { ...edge, mode: modeOf(change) }]
  })
  const added = current.filter((edge) => !stored.some((other) => isSameEdge(edge, other)))
  const unchanged = kept.length === stored.length && kept.every((edge, index) => edge === stored[index])
  if (unchanged && added.length === 0) return []
  const nudges = [...kept, ...added]
  return [
    versionCondition(config),
    config.spec ? { op: 'add', path: '/spec/nudges', value: nudges } : { op: 'add', path: '/spec', value: { nudges } },
  ]
}

/**
 * One patch per component whose relations change. A platform rejects each patch that closes a cycle with what is stored,
 * so the patches start where the new relations end: no state in between then has a cycle, even if a relation is reversed.
 * @param components all of the namespace, as stored now
 * @param before the relations that the user started from
 */
export function nudgesPatches(
  components: readonly Component[],
  before: readonly Relation[],
  after: readonly Relation[],
): NudgesPatch[] {
  const { stored, changed } = changedNudges(components, before, after)
  const edges = [...changed].flatMap(([from, targets]) => targets.map((to) => ({ from, to })))
  const order = topologicalSort(
    [...changed.keys()].map((id) => ({ id })),
    edges,
  ).nodes.toReversed()
  const changes = order.flatMap(({ id }) => {
    const old = stored.get(id) ?? []
    const value = [...(changed.get(id) ?? [])]
    return old.join() === value.join() ? [] : [{ component: id, old, value }]
  })
  const closesCycle = changes.some(({ component, value }) =>
    shortestCycle(
      new Map(stored).set(component, value),
      value.map((to) => ({ from: component, to })),
    ),
  )
  const isStored = new Set(components.filter((each) => specOf(each)[nudgesMember] !== undefined).map(nameOf))
  return changes.map(({ component, old, value }) => ({
    component,
    // JSON Patch cannot replace a missing member.
    patch: [{ op: isStored.has(component) ? 'replace' : 'add', path: `/spec/${nudgesMember}`, value }],
    isPrerequisite: closesCycle && old.some((target) => !value.includes(target)),
  }))
}
