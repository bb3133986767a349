import type { KubeObject } from './object'

/**
 * How a kind is addressed in the API. The type parameter carries the shape of its objects, so that
 * `client.list(applicationType, …)` returns applications.
 */
export interface ResourceType<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string
  /**
   * Groups to which the kind is moving, the newest first. A cluster serves it in one of them, in `group`, or in several
   * at once: which, only its discovery says.
   */
  readonly newerGroups?: readonly string[]
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  /** Only for the type checker; never set. */
  readonly __object?: T
}

export const defineResource = <T extends KubeObject>(type: Omit<ResourceType<T>, '__object'>): ResourceType<T> => type

/** A kind in each group that it has or had, the newest first. */
export function inEachGroup<T extends KubeObject>(type: ResourceType<T>): [ResourceType<T>, ...ResourceType<T>[]] {
  const { newerGroups = [], group, ...rest } = type
  const [newest = group, ...older] = [...newerGroups, group]
  return [{ ...rest, group: newest }, ...older.map((each) => ({ ...rest, group: each }))]
}

/** `v1`, or `group/version` outside the core group. */
export const apiVersionOf = (type: Pick<ResourceType, 'group' | 'version'>): string =>
  type.group ? `${type.group}/${type.version}` : type.version

/** `plural.group`, or the plural alone in the core group: how error messages name a resource. */
export const qualifiedPlural = (type: Pick<ResourceType, 'group' | 'plural'>): string =>
  type.group ? `${type.plural}.${type.group}` : type.plural
