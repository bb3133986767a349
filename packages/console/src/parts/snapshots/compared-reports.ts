import { nameOf } from '@slipway/kube/object'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import type { Reports } from '../security/use-reports'

/** The reports of two snapshots that are compared. */

/** The parts of a source that are missing, and of which snapshot. */
export const partsOf = <R>(source: Reports<R>, snapshot: Snapshot): Reports<R> => ({
  ...source,
  missing: source.missing.map((part) => ({ ...part, name: `${part.name} in ${nameOf(snapshot)}` })),
})

type Progress = Pick<Reports<never>, 'reportCount' | 'settledCount' | 'unreadCount' | 'isFetching'>

export const isRead = ({ settledCount, reportCount, isFetching }: Progress): boolean =>
  !isFetching && settledCount === reportCount

export const progressOf = (before: Progress, after: Progress) => ({
  reportCount: before.reportCount + after.reportCount,
  settledCount: before.settledCount + after.settledCount,
  unreadCount: before.unreadCount + after.unreadCount,
})
