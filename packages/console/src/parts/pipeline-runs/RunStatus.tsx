import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { displayStatus } from '../status/display-status'
import { StatusLabel } from '../status/StatusLabel'
import { useRunVerdicts } from './run-verdicts'

interface RunStatusProps {
  run: PipelineRun
  /** Whether to request the results of its tasks if the verdict takes them; rows use those that are known. */
  isAlone?: boolean
}

/** The status of a run, and the verdict about it. */
export const RunStatus = ({ run, isAlone = false }: RunStatusProps) => (
  <StatusLabel status={displayStatus(run)} verdict={useRunVerdicts([run], isAlone)(run)} />
)
