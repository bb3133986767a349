import { annotations, labels } from '@slipway/model/labels'
import { snapshotConditions, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { isOfPush } from '@slipway/model/snapshots/snapshot-tests'
import { conditionOf } from '../set-condition'

/** Whether a snapshot can be released automatically. Source: integration-service, CanSnapshotBePromoted. */
export const isPromotable = (snapshot: Snapshot): boolean =>
  conditionOf(snapshot, snapshotConditions.testSucceeded)?.status === 'True' &&
  conditionOf(snapshot, snapshotConditions.integrationStatus)?.reason !== 'Invalid' &&
  snapshot.metadata.labels?.[labels.autoRelease] !== 'false' &&
  isOfPush(snapshot)

/** Whether a user created the snapshot to set the images of an application. */
export const isOverride = ({ metadata }: Snapshot): boolean => metadata.labels?.[labels.snapshotType] === 'override'

/** Whether its build started before the one whose image the component has now. */
export function isSuperseded({ metadata }: Snapshot, lastBuiltTime: string | undefined): boolean {
  const startedAt = Math.floor(Number(metadata.annotations?.[annotations.buildStartTime]) / 1_000)
  return startedAt < Number(lastBuiltTime)
}
