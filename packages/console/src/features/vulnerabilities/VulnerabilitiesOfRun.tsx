import { foundIn, isScan } from '@slipway/model/vulnerabilities/scans'
import { isFinished } from '@slipway/model/runs/tekton'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PipelineRunParams } from '../../paths'
import { useTaskRuns } from '../../parts/pipeline-runs/use-task-runs'
import { useScanReports } from '../../parts/vulnerabilities/use-scans'
import { VulnerabilityTable } from '../../parts/vulnerabilities/VulnerabilityTable'
import { pipelineRuns } from '../../resources/pipeline-runs'

export function VulnerabilitiesOfRun({ namespace, application, pipelineRun }: PipelineRunParams) {
  const { data: run } = useSuspenseQuery(pipelineRuns.get(namespace, pipelineRun))
  const known = useTaskRuns(run)
  const ofScans = useMemo(
    () => (known.rows ?? none).filter((taskRun) => isScan(taskRun) && isFinished(taskRun)),
    [known.rows],
  )
  const scans = useScanReports(known, ofScans)
  const found = useMemo(() => scans.rows && foundIn(scans.rows), [scans.rows])
  return <VulnerabilityTable subject="run" at={{ namespace, application }} scans={scans} found={found} />
}

const none: never[] = []
