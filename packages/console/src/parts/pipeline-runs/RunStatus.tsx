import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { worstTestResult } from '@slipway/model/runs/task-results'
import { runVerdict } from '@slipway/model/snapshots/verdict'
import { displayStatus } from '../status/display-status'
import { StatusLabel } from '../status/StatusLabel'
import { useTabStatus } from '../status/use-tab-status'
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
  return <StatusLabel {...useStatusOfPage(run)} />
}

/** The same beside the title of the page, and in the browser's tab. */
export function RunStatusOfTitle({ run }: RunStatusProps) {
  const { status, verdict } = useStatusOfPage(run)
  useTabStatus(status, verdict)
  return <StatusLabel status={status} verdict={verdict} />
}

function useStatusOfPage(run: PipelineRun) {
  const status = displayStatus(run)
  return { status, verdict: runVerdict(run, status, worstTestResult(useTaskRuns(run).rows ?? [])) }
}
