import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { worstTestResult } from '@slipway/model/runs/task-results'
import { runVerdict } from '@slipway/model/snapshots/verdict'
import { displayStatus } from '../status/display-status'
import { StatusLabel } from '../status/StatusLabel'
import { useRunVerdicts } from './run-verdicts'
import { useTaskRuns } from './use-task-runs'

interface RunStatusProps {
  run: PipelineRun
}

/** The status of a run, and the verdict about it. */
export const RunStatus = ({ run }: RunStatusProps) => (
  <StatusLabel status={displayStatus(run)} verdict={useRunVerdicts([run])(run)} />
)

/** The same on the page of the run, which reads its task runs anyway. */
export function RunStatusOfPage({ run }: RunStatusProps) {
  const status = displayStatus(run)
  return <StatusLabel status={status} verdict={runVerdict(run, status, worstTestResult(useTaskRuns(run).rows ?? []))} />
}
