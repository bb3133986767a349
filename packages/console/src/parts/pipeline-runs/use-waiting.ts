import type { Event, Pod } from '@slipway/kube/core-types'
import { type KubeList, nameOf, namespaceOf } from '@slipway/kube/object'
import { isForbidden, isNotFound } from '@slipway/kube/status'
import { hasCustomRuns } from '@slipway/model/runs/custom-run'
import { pacQueueOf, pacQueueNameOf } from '@slipway/model/runs/pac-queue'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { type Waiting, waitingOf, type WaitingSource, waitingTaskRuns } from '@slipway/model/runs/run-waiting'
import { podNameOf, type TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { useQueries, useQuery } from '@tanstack/react-query'
import { failureText } from '../../api/messages'
import { customRuns } from '../../resources/custom-runs'
import { events } from '../../resources/events'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { pods } from '../../resources/pods'
import { useNow } from '../../ui/text/now'

/** How many waiting tasks are examined, since most of them wait for the same thing. */
const mostExamined = 3
const minuteMs = 60_000

/**
 * Why a run is waiting, with the evidence; `undefined` for a run that is progressing or has ended. What cannot be read
 * may contain the reason: then `unread` says so, and without it the reason is known.
 */
export function useWaiting(run: PipelineRun, taskRuns: readonly TaskRun[]): Waiting | undefined {
  const namespace = namespaceOf(run) ?? ''
  const isOpen = !isFinished(run)
  const suspects = isOpen ? waitingTaskRuns(taskRuns).slice(0, mostExamined) : []
  const podNames = suspects.flatMap((taskRun) => podNameOf(taskRun) ?? [])
  const knownPods = useQueries({ queries: podNames.map((name) => pods.get(namespace, name)), combine: known<Pod> })
  const names = isOpen ? [nameOf(run), ...suspects.map(nameOf), ...podNames] : []
  const lists = useQueries({
    queries: names.map((name) => events.of(namespace, name)),
    combine: known<KubeList<Event>>,
  })
  const custom = useQuery({
    ...customRuns.of(namespace, nameOf(run)),
    enabled: isOpen && hasCustomRuns(run),
    notifyOnChangeProps: ['error'],
  })
  const repository = pacQueueNameOf(run)
  const { data: others } = useQuery({
    ...pipelineRuns.ofRepository(namespace, repository ?? ''),
    enabled: repository !== undefined,
  })
  const nowMs = useNow(isOpen && minuteMs)
  const failures: [WaitingSource, Error | null | undefined][] = [
    ['pods', knownPods.error],
    ['events', lists.error],
    ['custom runs', custom.error],
  ]
  return waitingOf(run, taskRuns, {
    pods: knownPods.data,
    events: lists.data.flatMap(({ items }) => items),
    queue: others && pacQueueOf(run, others.items),
    unread: failures.flatMap(([source, error]) => (error ? { source, because: becauseOf(error, namespace) } : [])),
    nowMs,
  })
}

const becauseOf = (error: Error, namespace: string): string =>
  isForbidden(error)
    ? `your role does not let you read them in ${namespace}`
    : `they could not be read: ${failureText(error)}`

/** What was read, and why something else was not. What does not exist says nothing, such as a pod that was deleted. */
const known = <T>(results: { data: T | undefined; error: Error | null }[]) => ({
  data: results.flatMap(({ data, error }) => (data && !isForbidden(error) ? data : [])),
  error: results.find(({ error }) => error && !isNotFound(error))?.error,
})
