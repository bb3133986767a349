import type { KubeList } from '@slipway/kube/object'
import { nameOf, specOf, uidOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { useQuery } from '@tanstack/react-query'
import { isBeingDeleted, newestStart } from '../../api/archive/origin'
import { type RowKind, type Source, useJoined, useList } from '../../api/source'
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
  const tests = useList(integrationTestScenarios.listed(at.namespace), 'integration tests')
  const runs = useList(pipelineRuns.ofTests(at.namespace, at.application), 'pipeline runs')
  const latestOf = useLatestRuns(at)
  const own = tests.rows?.filter((test) => specOf(test).application === at.application)
  return useJoined(
    [{ ...tests, rows: own }, runs],
    ([all]) => all?.map((test) => ({ test, ...latestOf(nameOf(test)) })),
    rowKind,
  )
}

/** The newest run of each integration test of an application, by the name of the test. */
export function useLatestRuns({ namespace, application }: ApplicationParams): (test: string) => LatestRun {
  const { data, isError } = useQuery({ ...pipelineRuns.ofTests(namespace, application), select: withLatest })
  const runs = data ? 'known' : isError ? 'unreadable' : 'loading'
  return (test) => ({ latest: data?.latest.get(test), runs })
}

/** A constant, so that runs are grouped when they arrive and not on every render. */
function withLatest(list: KubeList<PipelineRun>) {
  const latest = new Map<string, PipelineRun>()
  for (const run of list.items) {
    const name = run.metadata.labels?.[labels.scenario]
    if (!name) continue
    const known = latest.get(name)
    if (!known || newestStart(run) > newestStart(known)) latest.set(name, run)
  }
  return { ...list, latest }
}
