import { isRecord, type ManagedFieldsEntry } from '@slipway/kube/object'
import { compareTexts } from '../compare-texts'
import { isEmptySet, readSet, sorted, union, type FieldSet } from './field-set'

/** A manager with the fields that it owns: one entry of `metadata.managedFields`. */
export interface Owner {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource?: string
  readonly time?: string
  readonly fields: FieldSet
}

/** An applier is the same owner in all API versions. */
export const isSameOwner = (a: Omit<Owner, 'fields'>, b: Omit<Owner, 'fields'>): boolean =>
  a.manager === b.manager &&
  a.operation === b.operation &&
  (a.subresource ?? '') === (b.subresource ?? '') &&
  (a.operation === 'Apply' || a.apiVersion === b.apiVersion)

/** Parses the owners that a client sent; `undefined` if an entry is malformed. */
export function readOwners(entries: unknown): Owner[] | undefined {
  if (entries === undefined) return []
  if (!Array.isArray(entries)) return undefined
  const owners: Owner[] = []
  for (const entry of entries) {
    const owner = readOwner(entry)
    if (!owner) return undefined
    owners.push(owner)
  }
  return owners
}

function readOwner(entry: unknown): Owner | undefined {
  if (!isRecord(entry)) return undefined
  const { manager = '', operation, apiVersion, subresource, time, fieldsType, fieldsV1 } = entry
  const fields = readSet(fieldsV1 ?? {})
  if (!fields || fieldsType !== 'FieldsV1' || (operation !== 'Apply' && operation !== 'Update')) return undefined
  if (typeof manager !== 'string' || typeof apiVersion !== 'string' || !isOptionalText(subresource)) return undefined
  if (!isOptionalText(time) || (time && Number.isNaN(Date.parse(time)))) return undefined
  return { manager, operation, apiVersion, ...(subresource && { subresource }), ...(time && { time }), fields }
}

const isOptionalText = (value: unknown): value is string | undefined | null =>
  value === undefined || value === null || typeof value === 'string'

/** The owners of a stored object, as written by `entriesOf`. */
export const ownersIn = (entries: readonly ManagedFieldsEntry[] = []): Owner[] =>
  entries.map(({ manager = '', operation = 'Update', apiVersion = '', subresource, time, fieldsV1 = {} }) => ({
    manager,
    operation,
    apiVersion,
    ...(subresource && { subresource }),
    ...(time && { time }),
    fields: fieldsV1 as FieldSet, // Serialized from a FieldSet.
  }))

/** A client resets all ownership with an empty list or a single empty entry. */
export const isReset = (entries: unknown): boolean =>
  Array.isArray(entries) &&
  (entries.length === 0 || (entries.length === 1 && isRecord(entries[0]) && Object.keys(entries[0]).length === 0))

/** The entries in the order of the real server: Apply before Update, then by time. */
export function entriesOf(owners: readonly Owner[]): ManagedFieldsEntry[] | undefined {
  const nonEmpty = owners.filter(({ fields }) => !isEmptySet(fields))
  if (nonEmpty.length === 0) return undefined
  return [...nonEmpty]
    .sort(byOperationAndTime)
    .map(({ manager, operation, apiVersion, time, fields, subresource }) => ({
      ...(manager && { manager }),
      operation,
      apiVersion,
      ...(time && { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: sorted(fields) as Record<string, unknown>,
      ...(subresource && { subresource }),
    }))
}

const byOperationAndTime = (a: Owner, b: Owner): number =>
  compareTexts(a.operation, b.operation) ||
  compareTexts(a.time, b.time) ||
  compareTexts(a.manager, b.manager) ||
  compareTexts(a.apiVersion, b.apiVersion) ||
  compareTexts(a.subresource, b.subresource)

/** Source: k8s.io/apimachinery, managedfields/internal/fieldmanager.go. */
const maxUpdaters = 10
const ancientChanges = 'ancient-changes'

/** Merges the oldest updaters if there are too many, so that the list does not grow forever. */
export function capped(owners: readonly Owner[]): Owner[] {
  const updaters = owners.filter(({ operation }) => operation === 'Update')
  const surplus = updaters.length - maxUpdaters
  if (surplus <= 0) return [...owners]
  const oldest = new Set([...updaters].sort(byOperationAndTime).slice(0, surplus + 1))
  const buckets = new Map<string, Owner>()
  for (const owner of oldest) {
    const bucket = buckets.get(owner.apiVersion)
    const fields = bucket ? union(bucket.fields, owner.fields) : owner.fields
    const { apiVersion, time } = owner
    buckets.set(apiVersion, { manager: ancientChanges, operation: 'Update', apiVersion, time, fields })
  }
  return [...owners.filter((owner) => !oldest.has(owner)), ...buckets.values()]
}
