import { systemClock } from '@slipway/kube/clock'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { type FailedTest, failedTestsIn } from '@slipway/model/logs/failed-tests'
import { logLinesOf } from '@slipway/model/logs/log-lines'
import { snippetOf, type LogSnippet } from '@slipway/model/logs/log-snippet'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { queryOptions } from '@tanstack/react-query'
import { fetchStepLog } from '../api/logs/step-log'
import { createTaskLog } from '../api/logs/task-log'

/** How long a log that is not shown stays cached: returning to it shows it immediately, and continues from there. */
const cacheMs = 5 * 60_000

const identityOf = ({ metadata }: TaskRun) => [metadata.namespace ?? '', metadata.uid ?? metadata.name ?? '']

export const logs = {
  /**
   * The log of a task. The cached object reads the log by itself while it has subscribers, and they all share it; the
   * query only caches it.
   */
  of: (taskRun: TaskRun) => {
    const create = () => createTaskLog(taskRun, { clock: systemClock, random: Math.random })
    return queryOptions({
      queryKey: ['logs', ...identityOf(taskRun)],
      queryFn: create,
      initialData: create,
      staleTime: 'static',
      gcTime: cacheMs,
      structuralSharing: false,
    })
  },
}

export interface StepSnippet extends LogSnippet {
  /** The name of the step in the task. */
  step: string
  /** The tests that the log of the step reports as failed; absent if there are none. */
  failedTests?: FailedTest[]
}

/**
 * The lines of a step around its first error, with the number of that line for a link; `null` without any output.
 * @param step of `status.steps`
 */
export const logSnippetQuery = (taskRun: TaskRun, step: string) =>
  queryOptions({
    queryKey: ['log-snippet', ...identityOf(taskRun), step],
    queryFn: async ({ signal }): Promise<StepSnippet | null> => {
      const lines = logLinesOf(await fetchStepLog(taskRun, step, signal))
      const snippet = snippetOf(lines)
      if (!snippet) return null
      const failedTests = failedTestsIn(lines)
      return { ...snippet, step, ...(failedTests.length > 0 && { failedTests }) }
    },
    enabled: Boolean(namespaceOf(taskRun) && nameOf(taskRun)) && isFinished(taskRun),
    // A finished step writes nothing more.
    staleTime: Infinity,
  })
