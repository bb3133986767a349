import type { Event, Pod } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { pacQueueOf, queueOf } from '@slipway/model/runs/pac-queue'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type Waiting, waitingOf, waitingTaskRuns } from '@slipway/model/runs/run-waiting'
import { podNameOf, type TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { useQueries, useQuery } from '@tanstack/react-query'
import { events } from '../../resources/events'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { pods } from '../../resources/pods'

/** How many waiting tasks are examined, since most of them wait for the same thing. */
const mostExamined = 3

/** Why a run is waiting, with the evidence; `undefined` for a run that is progressing or has ended. */
export function useWaiting(run: PipelineRun, taskRuns: readonly TaskRun[]): Waiting | undefined {
  const namespace = namespaceOf(run) ?? ''
  const suspects = isFinished(run) ? [] : waitingTaskRuns(taskRuns).slice(0, mostExamined)
  const podNames = suspects.flatMap((taskRun) => podNameOf(taskRun) ?? [])
  const knownPods = useQueries({ queries: podNames.map((name) => pods.get(namespace, name)), combine: dataOf<Pod> })
  const names = isFinished(run) ? [] : [nameOf(run), ...suspects.map(nameOf), ...podNames]
  const lists = useQueries({
    queries: names.map((name) => events.of(namespace, name)),
    combine: dataOf<{ items: Event[] }>,
  })
  const repository = queueOf(run)
  const { data: others } = useQuery({
    ...pipelineRuns.ofRepository(namespace, repository ?? ''),
    enabled: repository !== undefined,
  })
  return waitingOf(
    run,
    taskRuns,
    knownPods,
    lists.flatMap(({ items }) => items),
    others && pacQueueOf(run, others.items),
  )
}

/** Ignores failed reads: the explanation is optional, and the page works without it. */
const dataOf = <T>(results: { data: T | undefined }[]): T[] => results.flatMap(({ data }) => data ?? [])
