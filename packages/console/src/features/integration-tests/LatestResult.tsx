import { Skeleton } from '@patternfly/react-core'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { dependsOnTasks } from '@slipway/model/snapshots/verdict'
import { useQuery } from '@tanstack/react-query'
import { scanResults } from '../../resources/scan-results'
import { RunStatus } from '../../parts/pipeline-runs/RunStatus'
import { displayStatus } from '../../parts/status/display-status'
import type { LatestRun } from './use-tests-with-runs'

interface LatestResultProps extends LatestRun {
  /** Name of the test. */
  name: string
}

/** The newest result of a test. Archived runs are not searched for: that would take a request for each test. */
export function LatestResult({ name, latest, runs }: LatestResultProps) {
  if (latest) return <ResultOfRun name={name} run={latest} />
  if (runs === 'loading') return <LoadingResult name={name} />
  return runs === 'known' ? 'No recent run' : 'Unknown'
}

/** A run succeeds although the tests in it have failed. */
function ResultOfRun({ name, run }: { name: string; run: PipelineRun }) {
  const { isLoading } = useQuery({ ...scanResults.of(run), enabled: dependsOnTasks(run, displayStatus(run)) })
  return isLoading ? <LoadingResult name={name} /> : <RunStatus run={run} />
}

const LoadingResult = ({ name }: { name: string }) => (
  <Skeleton width="5rem" screenreaderText={`Loading the latest result of ${name}`} />
)
