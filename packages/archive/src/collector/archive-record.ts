import type { KubeObject } from '@slipway/kube/object'
import { uidOf } from '@slipway/kube/object'
import type { ArchivedKind } from '../kinds'
import type { ArchiveRecord } from '../store/store'

/** Annotations with which Tekton Results marks an object as stored, and where. */
export const recordAnnotations = {
  result: 'results.tekton.dev/result',
  record: 'results.tekton.dev/record',
  stored: 'results.tekton.dev/stored',
} as const

/** Uid of an object's controller, or else of its first owner; empty if it has no owner. */
export function ownerUidOf({ metadata: { ownerReferences = [] } }: KubeObject): string {
  return (ownerReferences.find(({ controller }) => controller) ?? ownerReferences[0])?.uid ?? ''
}

/** The result of an object: the annotated one, else that of the record that owns it, else its own. */
export function resultUidOf(object: KubeObject, kinds: ArchivedKind[]): string {
  const { annotations, ownerReferences = [] } = object.metadata
  const [, told] = /^[^/]+\/results\/([^/]+)$/.exec(annotations?.[recordAnnotations.result] ?? '') ?? []
  const records = kinds.filter(({ isRecord }) => isRecord)
  // A test run is owned by what it tests, which is not a record.
  const owner = ownerReferences.find(({ apiVersion, kind }) =>
    records.some(({ type }) => type.kind === kind && type.group === (apiVersion.split('/').at(-2) ?? '')),
  )
  return told ?? owner?.uid ?? uidOf(object)
}

/** @param nowMs deletion time of a deleted object without a deletion timestamp */
export function archiveRecordOf(
  kind: ArchivedKind,
  object: KubeObject,
  { isDeleted, nowMs, kinds }: { isDeleted: boolean; nowMs: number; kinds: ArchivedKind[] },
): ArchiveRecord {
  const isToldStored = object.metadata.annotations?.[recordAnnotations.stored] === 'true'
  const hasWorkLeft = kind.hasLogs || (kind.isRecord && !isToldStored)
  return {
    type: kind.type,
    object: isDeleted ? markDeleted(object, nowMs) : object,
    isDeleted,
    isSettled: isDeleted || !hasWorkLeft,
    ownerUid: ownerUidOf(object),
    resultUid: resultUidOf(object, kinds),
  }
}

function markDeleted(object: KubeObject, nowMs: number): KubeObject {
  const { metadata } = object
  const deletionTimestamp = metadata.deletionTimestamp ?? new Date(nowMs).toISOString().replace(/\.\d+/, '')
  return { ...object, metadata: { ...metadata, deletionTimestamp } }
}
