import { nameOf, uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { useMemo } from 'react'
import { isBeingDeleted } from '../../api/archive/origin'
import { type RowKind, type Source, useJoined } from '../../api/source'
import { useWholeView } from '../../api/views/use-view'
import type { ApplicationParams } from '../../paths'
import { integrationTestScenarios } from '../../resources/integration-test-scenarios'
import { pipelineRuns } from '../../resources/pipeline-runs'

export interface LatestRun {
  /** The newest run in the cluster; `undefined` if it is not known, or if there is none. */
  latest: PipelineRun | undefined
  runs: 'loading' | 'known' | 'unreadable'
}

/** An integration test with its newest run in the cluster. */
export interface TestWithRun extends LatestRun {
  test: IntegrationTestScenario
}

const rowKind: RowKind<TestWithRun> = {
  idOf: ({ test }) => uidOf(test),
  nameOf: ({ test }) => nameOf(test),
  isBeingDeleted: ({ test }) => isBeingDeleted(test),
}

/** The integration tests of an application. Without their runs they are still listed. */
export function useTestsWithRuns(at: ApplicationParams): Source<TestWithRun> {
  const tests = useWholeView<IntegrationTestScenario>(
    integrationTestScenarios.view(at.namespace, 'application', at.application),
    'integration tests',
  )
  const runs = useNewestRuns(at)
  const latestOf = useLatestOf(runs)
  return useJoined([tests, runs], ([all]) => all?.map((test) => ({ test, ...latestOf(nameOf(test)) })), rowKind)
}

/** The newest run of each integration test of an application, by the name of the test. */
export const useLatestRuns = (at: ApplicationParams): ((test: string) => LatestRun) => useLatestOf(useNewestRuns(at))

/** A view of the newest run of each test, without all the others. */
const useNewestRuns = ({ namespace, application }: ApplicationParams): Source<PipelineRun> =>
  useWholeView<PipelineRun>(pipelineRuns.newestOfTests(namespace, application), 'pipeline runs')

function useLatestOf({ rows, more, error, retryReason }: Source<PipelineRun>): (test: string) => LatestRun {
  const latest = useMemo(
    () => rows && new Map(rows.map((run) => [run.metadata.labels?.[labels.scenario], run])),
    [rows],
  )
  const runs = latest && !more ? 'known' : (error ?? retryReason) ? 'unreadable' : 'loading'
  return (test) => ({ latest: latest?.get(test), runs })
}
