import type { FieldPath } from '@slipway/kube/field-mask'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'

/**
 * What a list shows of a kind, as data and pure functions, so that the engine knows no kind and the rules of the product
 * have one implementation. The functions get rows: objects with no other fields than those in `mask`.
 */
export interface ViewKind<T extends KubeObject = KubeObject> {
  /** Names the kind in queries, such as `pipelineruns`. */
  readonly id: string
  /** What a user must be allowed to list and watch. */
  readonly type: ResourceType
  /** The fields that a row has, besides `metadata.uid`, which every row has. Changes of other fields send nothing. */
  readonly mask: readonly FieldPath[]
  /** What rows can be sorted and filtered by, by name. */
  readonly fields: Readonly<Record<string, ViewField<T>>>
  /** The order without a choice of the user, and that of rows which are equal in the chosen one. */
  readonly order: Sort
  /** The text that users search. */
  text(row: T): string
  /** What users paste to find this very row, such as its name and its commit. The beginning of one is enough. */
  identifiers(row: T): readonly string[]
  /** Set if the kind is not read but derived from another one, whose type is then also its own. */
  readonly groups?: Groups<T>
}

/** Each row is made of all rows of another kind that have the same key, in the same namespace. */
export interface Groups<T extends KubeObject = KubeObject, S extends KubeObject = KubeObject> {
  readonly kind: ViewKind<S>
  /** Rows without a key are left out. */
  keyOf(row: S): string | undefined
  /**
   * Its uid and its namespace are set by the engine.
   * @param rows at least one, in any order
   */
  rowOf(rows: readonly S[]): T
}

/** Name of a field, with a minus before it when descending. Rows without a value come last in both directions. */
export type Sort = string

export type ViewField<T extends KubeObject = KubeObject> = NumberField<T> | TextField<T> | ChoiceField<T>

/** Rows can be sorted by it; times are in milliseconds since 1970. */
export interface NumberField<T extends KubeObject = KubeObject> {
  readonly is: 'number'
  of(row: T): number | undefined
}

/** Rows can be sorted by it, in the order of code units. */
export interface TextField<T extends KubeObject = KubeObject> {
  readonly is: 'text'
  of(row: T): string | undefined
}

/** Rows can be filtered by it, its values can be counted, and rows can be sorted by the first of them. */
export interface ChoiceField<T extends KubeObject = KubeObject> {
  readonly is: 'choice'
  of(row: T): string | readonly string[] | undefined
  /** The order of the values, for sorting; that of code units without it. Other values come after these. */
  readonly order?: readonly string[]
}
