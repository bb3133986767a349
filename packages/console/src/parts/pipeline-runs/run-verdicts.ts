import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { RunStatusOf } from '@slipway/model/runs/run-status'
import { dependsOnTasks, runVerdict } from '@slipway/model/snapshots/verdict'
import { useQueries } from '@tanstack/react-query'
import { scanResults } from '../../resources/scan-results'
import { displayStatus } from '../status/display-status'

/**
 * The verdicts about some runs; until the results of their tasks are known, as far as the runs themselves say. Results
 * of runs that are rendered together are read together.
 */
export function useRunVerdicts(runs: readonly PipelineRun[]): RunStatusOf {
  const open = runs.filter((run) => dependsOnTasks(run, displayStatus(run)))
  const results = useQueries({ queries: open.map((run) => scanResults.of(run)) })
  const resultOf = new Map(open.map((run, index) => [run, results[index]?.data?.testResult]))
  return (run) => runVerdict(run, displayStatus(run), resultOf.get(run))
}
