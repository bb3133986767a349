import type { PipelineRun } from '@slipway/model/pipeline-run'
import { pipelineRunStatus, type RunStatusWord } from '@slipway/model/run-status'
import { isFinished } from '@slipway/model/tekton'
import { keptOnlyIn } from '../../api/archived'

/** Status of a run as it is shown: one that is gone and had not ended runs no more, and nothing knows how it ended. */
export const shownStatus = (run: PipelineRun): RunStatusWord =>
  keptOnlyIn(run) && !isFinished(run) ? 'Unknown' : pipelineRunStatus(run)
