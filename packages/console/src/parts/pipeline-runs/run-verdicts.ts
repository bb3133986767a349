import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { RunStatusOf, RunStatusWord } from '@slipway/model/runs/run-status'
import { isResultInTasks, runVerdict } from '@slipway/model/snapshots/verdict'
import { useQueries } from '@tanstack/react-query'
import { scanResults } from '../../resources/scan-results'
import { displayStatus } from '../status/display-status'

/** The verdict about a run, as far as the run itself says. */
export const displayVerdict = (run: PipelineRun): RunStatusWord => runVerdict(run, displayStatus(run))

/**
 * The verdicts about some runs; until the results of their tasks are known, as far as the runs themselves say.
 * @param areRequested whether to request these results, rather than to use those that other parts of the page have read
 */
export function useRunVerdicts(runs: readonly PipelineRun[], areRequested: boolean): RunStatusOf {
  const open = runs.filter((run) => isResultInTasks(run, displayStatus(run)))
  const results = useQueries({ queries: open.map((run) => ({ ...scanResults.of(run), enabled: areRequested })) })
  return (run) => runVerdict(run, displayStatus(run), results[open.indexOf(run)]?.data?.testResult)
}
