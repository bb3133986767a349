import type { KubeObject } from '@slipway/kube/object'
import type { JsonSchema } from '../schema/json-schema'
import { compare } from './compare'
import { difference, emptySet, intersection, isEmptySet, union, type FieldSet } from './field-set'
import { fieldsOf } from './fields-of'
import { merge } from './merge'
import { capped, isSameOwner, type Owner } from './owners'
import { withoutDropped } from './remove'

/** Who writes, and how the fields of what is written are told apart. */
export interface Writing {
  readonly manager: string
  readonly apiVersion: string
  readonly subresource?: string
  /** Of the whole object, its metadata included. */
  readonly schema: JsonSchema
  /** RFC 3339, whole seconds. */
  readonly now: string
  /** Does this write leave `status` alone? */
  readonly ignoresStatus: boolean
}

export interface Conflict {
  readonly owner: Owner
  readonly fields: FieldSet
}

export type Applied = { object: unknown; owners: Owner[] } | { conflicts: Conflict[] }

/** What the server keeps itself, or what names the object. Source: managedfields/internal/stripmeta.go. */
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

/** The fields that a write can own: a status is written through its subresource, which writes nothing else. */
function ownable(fields: FieldSet, { subresource, ignoresStatus }: Writing): FieldSet {
  const { 'f:status': status, ...rest } = fields
  if (subresource === 'status') return status ? { 'f:status': status } : emptySet
  return difference(ignoresStatus ? rest : fields, unowned)
}

/**
 * Who owns what after a write that is no apply: the writer owns what it changed, and others own it no more.
 * @param before the stored object, or what a new one of its kind is before anybody writes
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
  const kept = former ? difference(former.fields, lost) : emptySet
  return capped(withFields([...others, { ...writer, fields: union(kept, gained) }]))
}

/**
 * An applied configuration over an object, without the fields that the applier had in an earlier configuration and
 * nobody owns now. A field that somebody else owns with another value is a conflict, unless `isForced`.
 * @param live the stored object, or what a new one of its kind is before anybody writes
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
  const object = former ? (withoutDropped(merged, schema, former.fields, owned) ?? {}) : merged
  const { written, removed } = compare(live, object, schema)
  const conflicts = others
    .map((owner) => ({ owner, fields: intersection(owner.fields, written) }))
    .filter(({ fields }) => !isEmptySet(fields))
  if (conflicts.length > 0 && !writing.isForced) return { conflicts }
  const lost = union(written, removed)
  // Whoever applies what is there already gets no time: the real server knows only of changes of the object.
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

/** An object as its fields are compared: the list of owners is none of them. */
export function withoutOwners<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}
