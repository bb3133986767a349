import type { KubeObject } from '@slipway/kube/object'
import type { JsonSchema } from '../apiextensions/json-schema'
import { compare } from './compare'
import { difference, emptySet, intersection, isEmptySet, union, type FieldSet } from './field-set'
import { fieldsOf } from './fields-of'
import { merge } from './merge'
import { capped, isSameOwner, type Owner } from './owners'
import { removeDropped } from './remove'

/** The manager of a write and the schema of its fields. */
export interface Writing {
  readonly manager: string
  readonly apiVersion: string
  readonly subresource?: string
  /** Schema of the complete object, including metadata. */
  readonly schema: JsonSchema
  /** RFC 3339 with whole seconds. */
  readonly now: string
  /** True if this write does not change `status`. */
  readonly ignoresStatus: boolean
}

export interface Conflict {
  readonly owner: Owner
  readonly fields: FieldSet
}

export type Applied = { object: unknown; owners: Owner[] } | { conflicts: Conflict[] }

/** Fields that the server maintains or that identify the object. Source: managedfields/internal/stripmeta.go. */
const unowned: FieldSet = {
  'f:apiVersion': emptySet,
  'f:kind': emptySet,
  'f:metadata': {
    '.': emptySet,
    ...Object.fromEntries(
      [
        'name',
        'namespace',
        'creationTimestamp',
        'selfLink',
        'uid',
        'generation',
        'managedFields',
        'resourceVersion',
      ].map((field) => [`f:${field}`, emptySet]),
    ),
  },
}

/** The fields that a write can own: the status subresource only the status, other writes everything else. */
function ownable(fields: FieldSet, { subresource, ignoresStatus }: Writing): FieldSet {
  const { 'f:status': status, ...rest } = fields
  if (subresource === 'status') return status ? { 'f:status': status } : emptySet
  return difference(ignoresStatus ? rest : fields, unowned)
}

/**
 * The owners after a write other than an apply: the writer takes over the fields that it changed.
 * @param before the stored object, or the unowned members of a new one
 */
export function afterUpdate(before: unknown, after: unknown, owners: readonly Owner[], writing: Writing): Owner[] {
  const { written, removed } = compare(before, after, writing.schema)
  if (isEmptySet(written) && isEmptySet(removed)) return [...owners]
  const lost = union(written, removed)
  const gained = ownable(written, writing)
  const { manager, apiVersion, subresource, now: time } = writing
  const writer: Owner = { manager, operation: 'Update', apiVersion, subresource, time, fields: gained }
  const former = owners.find((owner) => isSameOwner(owner, writer))
  const rest = owners.map((owner) => ({ ...owner, fields: difference(owner.fields, lost) }))
  if (isEmptySet(gained)) return withFields(rest)
  const others = rest.filter((owner) => !isSameOwner(owner, writer))
  const retained = former ? difference(former.fields, lost) : emptySet
  return capped(withFields([...others, { ...writer, fields: union(retained, gained) }]))
}

/**
 * Applies a configuration to an object and removes fields of the applier's earlier configuration that have no owner any
 * longer. Changing a field of another owner is a conflict unless `isForced`.
 * @param live the stored object, or the unowned members of a new one
 */
export function afterApply(
  live: unknown,
  config: unknown,
  owners: readonly Owner[],
  writing: Writing & { isForced: boolean },
): Applied {
  const { schema, manager, apiVersion, subresource, now } = writing
  const all = fieldsOf(config, schema)
  const applier: Owner = {
    manager,
    operation: 'Apply',
    apiVersion,
    subresource,
    fields: ownable(all, writing),
  }
  const former = owners.find((owner) => isSameOwner(owner, applier))
  const others = owners.filter((owner) => owner !== former)
  const merged = merge(live, config, schema)
  const owned = others.reduce((fields, owner) => union(fields, owner.fields), all)
  const object = former ? (removeDropped(merged, schema, former.fields, owned) ?? {}) : merged
  const { written, removed } = compare(live, object, schema)
  const conflicts = others
    .map((owner) => ({ owner, fields: intersection(owner.fields, written) }))
    .filter(({ fields }) => !isEmptySet(fields))
  if (conflicts.length > 0 && !writing.isForced) return { conflicts }
  const lost = union(written, removed)
  // An apply without changes does not update the time, as in the real server.
  const time = isEmptySet(ownable(lost, writing)) ? former?.time : now
  return {
    object,
    owners: withFields([
      ...others.map((owner) => ({ ...owner, fields: difference(owner.fields, lost) })),
      { ...applier, time },
    ]),
  }
}

const withFields = (owners: readonly Owner[]): Owner[] => owners.filter(({ fields }) => !isEmptySet(fields))

/** The object without managedFields, which are excluded from comparison. */
export function withoutOwners<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
