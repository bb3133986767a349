import { systemClock } from '@slipway/kube/clock'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { createLogLines } from '@slipway/model/logs/log-lines'
import { snippetOf, type LogSnippet } from '@slipway/model/logs/log-snippet'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { queryOptions } from '@tanstack/react-query'
import { fetchStepLog } from '../api/logs/step-log'
import { createTaskLog } from '../api/logs/task-log'

/** A log that was left is kept for this long: coming back shows it at once, and goes on from there. */
const keptMs = 5 * 60_000

const identityOf = ({ metadata }: TaskRun) => [metadata.namespace ?? '', metadata.uid ?? metadata.name ?? '']

export const logs = {
  /**
   * The log of a task. What is cached reads by itself while somebody looks (`subscribe`), and is the same for all who
   * look; the query only keeps it.
   */
  of: (taskRun: TaskRun) => {
    const create = () => createTaskLog(taskRun, { clock: systemClock, random: Math.random })
    return queryOptions({
      queryKey: ['logs', ...identityOf(taskRun)],
      queryFn: create,
      initialData: create,
      staleTime: 'static',
      gcTime: keptMs,
      structuralSharing: false,
    })
  },
}

export interface StepSnippet extends LogSnippet {
  /** As the task calls it. */
  step: string
}

/**
 * What a step wrote around its first error, with the number of that line for a link; `null` for one that wrote nothing.
 * @param step of `status.steps`
 */
export const logSnippetQuery = (taskRun: TaskRun, step: string) =>
  queryOptions({
    queryKey: ['log-snippet', ...identityOf(taskRun), step],
    queryFn: async ({ signal }): Promise<StepSnippet | null> => {
      const lines = createLogLines()
      lines.reset(false)
      lines.append((await fetchStepLog(taskRun, step, signal)).replace(/\n$/, '').split('\n'))
      const snippet = snippetOf(lines)
      return snippet ? { ...snippet, step } : null
    },
    enabled: Boolean(namespaceOf(taskRun) && nameOf(taskRun)) && isFinished(taskRun),
    // What has ended writes nothing more.
    staleTime: Infinity,
  })
