import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { pipelineRunStatus, type RunStatusWord, taskRunStatus } from '@slipway/model/runs/run-status'
import { type RunStep, runSidecars, runSteps } from '@slipway/model/runs/run-steps'
import { isOtherChild } from '@slipway/model/runs/other-children'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { isFinished, type Run } from '@slipway/model/runs/tekton'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import { type Release, releaseStatus, type ReleaseStatus, releaseVerdict } from '@slipway/model/releases/release'
import { snapshotStatus, type SnapshotStatus } from '@slipway/model/snapshots/snapshot-status'
import { originOf } from '../../api/archive/origin'

/** The status to display: Unknown for a run that was deleted before it ended, since its outcome is not known. */
export const displayStatus = (run: PipelineRun): RunStatusWord =>
  hasVanished(run) ? 'Unknown' : pipelineRunStatus(run)

/** The status to display for a task run: Unknown if it was deleted before it ended, or is only known by its name. */
export const displayTaskStatus = (run: TaskRun): RunStatusWord =>
  hasVanished(run) || isOtherChild(run) ? 'Unknown' : taskRunStatus(run)

/** The status to display for a snapshot: Unknown if it left the cluster before its tests ended, as they can only there. */
export function displaySnapshotStatus(snapshot: Snapshot): SnapshotStatus {
  const status = snapshotStatus(snapshot)
  return originOf(snapshot) && (status === 'In Progress' || status === 'Pending') ? 'Unknown' : status
}

/** The status to display for a release: Unknown if it left the cluster before its pipelines ended, as they can only there. */
export function displayReleaseStatus(release: Release): ReleaseStatus {
  const status = releaseStatus(release)
  return originOf(release) && !isReleaseOver(status) ? 'Unknown' : status
}

/** What a release comes to: its service never reaches one that is no longer in the cluster. */
export const displayReleaseVerdict = (release: Release): ReleaseStatus =>
  originOf(release) ? displayReleaseStatus(release) : releaseVerdict(release)

/** Whether a release with this status changes no further. */
export const isReleaseOver = (status: ReleaseStatus): boolean => status === 'Succeeded' || status === 'Failed'

/** Whether no duration is known: for a waiting run, and for one that was deleted before it ended. */
export const hasNoDuration = (status: RunStatusWord): boolean => status === 'Pending' || status === 'Unknown'

/** The steps of a task run, in the same way: if it has vanished, none of them is running. */
export const displaySteps = (run: TaskRun): RunStep[] => withoutLife(runSteps(run), run)

/** The sidecars of a task run, in the same way. */
export const displaySidecars = (run: TaskRun): RunStep[] => withoutLife(runSidecars(run), run)

const withoutLife = (steps: RunStep[], run: TaskRun): RunStep[] =>
  steps.map((step) => (hasVanished(run) && !step.endTime ? { ...step, status: 'Unknown', startTime: undefined } : step))

/** Whether it will not change any further. */
export const isSettled = (run: Run): boolean => isFinished(run) || hasVanished(run)

/** Whether it is no longer in the cluster, and had not ended when it was last seen. */
export const hasVanished = (run: Run): boolean => originOf(run) !== undefined && !isFinished(run)
