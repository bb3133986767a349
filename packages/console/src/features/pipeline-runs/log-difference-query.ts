import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { type LogDifference, logDifference } from '@slipway/model/comparison/log-difference'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { queryOptions } from '@tanstack/react-query'
import { fetchStepLog } from '../../api/logs/step-log'
import { callWorker, workerAt } from '../../lib/worker-call'
import type { LogDifferenceRequest } from './log-difference-worker'
import workerUrl from './log-difference-worker?worker&url'

/** Logs of half a million lines take a few seconds. */
const limitMs = 30_000

/** What only one of the logs of a step says, in two runs of its task that have ended. */
export const logDifferenceQuery = (before: TaskRun, after: TaskRun, step: string) =>
  queryOptions({
    queryKey: ['log-difference', namespaceOf(before) ?? '', identityOf(before), identityOf(after), step],
    queryFn: async ({ signal }): Promise<LogDifference> => {
      const [earlier, later] = await Promise.all([
        fetchStepLog(before, step, signal),
        fetchStepLog(after, step, signal),
      ])
      const open = workerAt(workerUrl)
      if (!open) return logDifference(earlier, later)
      return callWorker<LogDifferenceRequest, LogDifference>(
        open,
        { before: earlier, after: later },
        { limitMs, tooLong: 'These logs are too long to compare.', signal },
      )
    },
    enabled: isFinished(before) && isFinished(after),
    // Steps that have ended write nothing more.
    staleTime: Infinity,
  })

const identityOf = (taskRun: TaskRun): string => uidOf(taskRun) || nameOf(taskRun)
