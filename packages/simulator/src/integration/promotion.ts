import { annotations, labels } from '@slipway/model/labels'
import { snapshotConditions, type Snapshot } from '@slipway/model/supply-chain/snapshot'
import { conditionOf } from '../set-condition'
import { isOfPush } from './test-run-for'

/** May a snapshot be released without anybody asking? Source: integration-service, CanSnapshotBePromoted. */
export const isPromotable = (snapshot: Snapshot): boolean =>
  conditionOf(snapshot, snapshotConditions.testSucceeded)?.status === 'True' &&
  conditionOf(snapshot, snapshotConditions.integrationStatus)?.reason !== 'Invalid' &&
  snapshot.metadata.labels?.[labels.autoRelease] !== 'false' &&
  isOfPush(snapshot)

/** Put together by a person, to set the images that an application has. */
export const isOverride = ({ metadata }: Snapshot): boolean => metadata.labels?.[labels.snapshotType] === 'override'

/** Its build began before the one whose image the component has now. */
export function isOvertaken({ metadata }: Snapshot, lastBuiltTime: string | undefined): boolean {
  const startedAt = Math.floor(Number(metadata.annotations?.[annotations.buildStartTime]) / 1_000)
  return startedAt < Number(lastBuiltTime)
}
