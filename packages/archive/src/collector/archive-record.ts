import type { KubeObject } from '@slipway/kube/object'
import { uidOf } from '@slipway/kube/object'
import type { ArchivedKind } from '../kinds'
import type { ArchiveRecord } from '../store/store'

/** By which Tekton Results says where it has kept an object, and that it has. */
export const recordAnnotations = {
  result: 'results.tekton.dev/result',
  record: 'results.tekton.dev/record',
  stored: 'results.tekton.dev/stored',
} as const

/** Uid of the controller of an object, else of its first owner; empty for none. */
export function ownerUidOf({ metadata: { ownerReferences = [] } }: KubeObject): string {
  return (ownerReferences.find(({ controller }) => controller) ?? ownerReferences[0])?.uid ?? ''
}

/** The result that an object belongs to: the one it was told, else that of the record that owns it, else its own. */
export function resultUidOf(object: KubeObject, kinds: ArchivedKind[]): string {
  const { annotations, ownerReferences = [] } = object.metadata
  const [, told] = /^[^/]+\/results\/([^/]+)$/.exec(annotations?.[recordAnnotations.result] ?? '') ?? []
  const records = kinds.filter(({ isRecord }) => isRecord)
  // A run of tests is owned by what it tests, which is no record.
  const owner = ownerReferences.find(({ apiVersion, kind }) =>
    records.some(({ type }) => type.kind === kind && type.group === (apiVersion.split('/').at(-2) ?? '')),
  )
  return told ?? owner?.uid ?? uidOf(object)
}

/** @param nowMs when a deleted object that does not say so itself was deleted */
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
