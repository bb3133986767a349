import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { stopDisabledReason, type StopRequest } from '@slipway/model/runs/run-actions'
import { originOf } from '../../api/archive/origin'

/** What can be done to several runs at once: each is looked at before it is cancelled with its `finally` tasks. */
export type BulkStopRequest = Exclude<StopRequest, 'cancelAll'>

/** Why no user can stop or cancel a run; `undefined` if it can be. */
export const whyNotStoppable = (run: PipelineRun, request: StopRequest): string | undefined =>
  originOf(run) ? 'Deleted from the cluster' : stopDisabledReason(run, request)
