import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { type Component, componentType } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import type { TaskRun } from '@slipway/model/runs/task-run'
import {
  batchesWithin,
  type ComponentPlace,
  placeKey,
  surveyBatches,
  surveyProgress,
  type SurveyProgress,
} from '@slipway/model/vulnerabilities/survey'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { concatenate, type MissingPart, objectRows, type Source } from '../../api/source'
import { useWholeView } from '../../api/views/use-view'
import { lastUsedNamespace } from '../../lib/last-used-namespace'
import { useStored } from '../../lib/stored'
import { useFold } from '../../lib/use-fold'
import { plural } from '../../parts/graph/node-text'
import { type Scans, useScanReports } from '../../parts/vulnerabilities/use-scans'
import { newestScans } from '../../resources/newest-scans'

/** Each is a list of task runs, and each component of it at least one log. */
const batchSize = 20
/** How many components are looked at before the user has to ask for more. */
const mostAtOnce = 40
/** The parameter of the URL that says how many are looked at. */
const countParameter = 'components'

export interface Survey {
  scans: Scans
  progress: SurveyProgress
  isReading: boolean
  /** Looks at more components; `undefined` if there are no others. */
  readOn: (() => void) | undefined
}

/** What scans found in the newest builds of the components of these namespaces: of the last used one first. */
export function useSurvey(namespaces: readonly string[]): Survey {
  const [query, setQuery] = useSearchParams()
  const most = Math.max(mostAtOnce, Number.parseInt(query.get(countParameter) ?? '', 10) || 0)
  const [first] = useStored(lastUsedNamespace)
  const components = useWholeView<Component>(
    { kind: componentType.plural, namespaces, where: { isBeingDeleted: ['no'] } },
    'components',
  )
  const builds = useWholeView<PipelineRun>(
    { kind: pipelineRunType.plural, namespaces, where: { status: ['Succeeded'] }, firstOf: 'pushBuild' },
    'pipeline runs',
  )
  const isListed = !components.isFetching && !builds.isFetching
  const batches = useMemo(
    () => surveyBatches((components.rows ?? none).flatMap(placeOf), batchSize, first),
    [components.rows, first],
  )
  const chosen = useMemo(() => (isListed ? batchesWithin(batches, most) : none), [isListed, batches, most])
  const runs = useMemo(() => new Map((builds.rows ?? none).map((run) => [keyOfBuild(run), nameOf(run)])), [builds.rows])
  const lists = useQueries({
    queries: chosen.map(({ namespace, components: own }) =>
      newestScans.of(
        namespace,
        own.map((place) => ({ ...place, pipelineRun: runs.get(placeKey(place)) })),
      ),
    ),
  })
  const { rows: taskRuns } = useFold(
    concatenate<TaskRun>,
    lists.map(({ data }) => data),
  )
  const failed = lists.flatMap(({ error }, at): MissingPart[] => {
    const { namespace, components: own } = chosen[at] ?? { components: none }
    return error ? [{ name: `the scans of ${plural(own.length, 'component')} of namespace ${namespace}`, error }] : []
  })
  const hasList = lists.some(({ data }) => data)
  const isEmpty = isListed && components.rows !== undefined && batches.length === 0
  const scans = useScanReports(
    {
      name: 'scans',
      rows: hasList || isEmpty ? taskRuns : undefined,
      kind: objectRows,
      error: components.error ?? builds.error ?? (hasList ? null : (failed[0]?.error ?? null)),
      missing: [...components.missing, ...builds.missing, ...(hasList ? failed : none)],
      freshness: components.freshness,
      isFetching: !isListed || lists.some(({ isFetching }) => isFetching),
      retry() {
        components.retry()
        builds.retry()
        for (const { error, refetch } of lists) if (error) void refetch()
      },
    } satisfies Source<TaskRun>,
    taskRuns,
    Infinity,
  )
  const readOn = () =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        next.set(countParameter, String(most + mostAtOnce))
        return next
      },
      { replace: true },
    )
  return {
    scans,
    progress: surveyProgress({
      components: batches.flatMap(({ components: own }) => own),
      listed: chosen.flatMap(({ components: own }, at) => (lists[at]?.data ? own : [])),
      taskRuns,
      scans: scans.rows ?? none,
    }),
    isReading: !isListed || lists.some(({ isFetching }) => isFetching) || scans.settledCount < scans.reportCount,
    readOn: chosen.length < batches.length ? readOn : undefined,
  }
}

/** A component without an application has no builds that could be distinguished from others. */
function placeOf(component: Component): ComponentPlace[] {
  const { application } = specOf(component)
  return application ? [{ namespace: namespaceOf(component) ?? '', application, component: nameOf(component) }] : []
}

const keyOfBuild = (run: PipelineRun): string =>
  placeKey({
    namespace: namespaceOf(run) ?? '',
    application: run.metadata.labels?.[labels.application] ?? '',
    component: run.metadata.labels?.[labels.component] ?? '',
  })

const none: never[] = []
