import { nameOf, uidOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { deliveriesOf, type Delivery } from '@slipway/model/releases/delivery'
import type { Release } from '@slipway/model/releases/release'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { completeSinceMs } from '../../api/archive/history'
import { useWholeViewWithArchive } from '../../api/archive/whole-view'
import { type RowKind, type Source, useJoined, useList } from '../../api/source'
import { isShallowEqual } from '../../lib/shallow-equal'
import { useFold } from '../../lib/use-fold'
import type { ApplicationParams } from '../../paths'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { releases } from '../../resources/releases'
import { snapshots } from '../../resources/snapshots'
import { useKnownNow } from '../../ui/status/last-known'
import { displayReleaseVerdict, displayStatus } from '../status/display-status'

export const deliveryRows: RowKind<Delivery> = {
  // Each release of a build is a delivery of its own.
  idOf: ({ build, release }) => `${uidOf(build)} ${release ? uidOf(release) : ''}`,
  nameOf: ({ build }) => nameOf(build),
  isBeingDeleted: () => false,
}

/** How often the end of a delivery in progress moves on. */
const tickMs = 30_000

interface Deliveries {
  /** The newest first. */
  source: Source<Delivery>
  /** All that began since then are among them; in milliseconds since 1970. */
  completeSinceMs: number
}

/**
 * The deliveries of an application.
 * @param commitRuns the runs of a commit, whose deliveries are among them, however old they are
 */
export function useDeliveries(
  { namespace, application }: ApplicationParams,
  commitRuns?: Source<PipelineRun>,
): Deliveries {
  const runs = useWholeViewWithArchive(pipelineRuns.view({ namespace, application }), 'pipeline runs')
  const snapshotList = useList(snapshots.listed(namespace, application), 'snapshots')
  const releaseList = useWholeViewWithArchive(releases.view(namespace, application), 'releases')
  const releasesSinceMs = completeSinceMs(releaseList)
  const nowMs = useKnownNow(tickMs)
  const parts: Parts = [runs.rows, commitRuns?.rows, snapshotList.rows, releaseList.rows, releasesSinceMs, nowMs]
  const { deliveries } = useFold(deriveDeliveries, parts)
  const sources = [runs, ...(commitRuns ? [commitRuns] : []), snapshotList, releaseList]
  return {
    source: useJoined(sources, () => deliveries, deliveryRows),
    completeSinceMs: Math.max(completeSinceMs(runs), releasesSinceMs),
  }
}

type Parts = [
  runs: readonly PipelineRun[] | undefined,
  commitRuns: readonly PipelineRun[] | undefined,
  snapshots: readonly Snapshot[] | undefined,
  releases: readonly Release[] | undefined,
  releasesSinceMs: number,
  nowMs: number,
]

interface Derived {
  parts: Parts
  deliveries: readonly Delivery[] | undefined
}

function deriveDeliveries(parts: Parts, before?: Derived): Derived {
  if (before && isShallowEqual(parts, before.parts)) return before
  const [runs, commitRuns = [], snapshotList, releaseList, releasesSinceMs, nowMs] = parts
  if (!runs || !snapshotList || !releaseList) return { parts, deliveries: undefined }
  const known = {
    runs: [...new Map([...commitRuns, ...runs].map((run) => [uidOf(run), run])).values()],
    snapshots: snapshotList,
    releases: releaseList,
    releasesSinceMs,
  }
  const statuses = { statusOf: displayStatus, releaseStatusOf: displayReleaseVerdict }
  return { parts, deliveries: deliveriesOf({ ...known, ...statuses }, nowMs) }
}
