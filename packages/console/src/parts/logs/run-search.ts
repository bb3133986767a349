import { maxHits, type LogQuery } from '@slipway/model/logs/log-search'
import { podNameOf } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { TaskLog } from '../../api/logs/task-log'
import { limitConcurrency } from '../../lib/limit-concurrency'
import { logs } from '../../resources/logs'
import { scanFor } from './log-scan'
import { createLogSearch } from './log-search'
import type { RunTask } from './run-tasks'

export interface RunSearch {
  total: number
  isRunning: boolean
  /** Number of running tasks, which are left out. */
  leftOut: number
  /** By the id of a task. */
  countOf(id: string): number
}

/** Each takes a log in memory and some connections. */
const tasksAtOnce = 2
/** A pause in typing, so that the first letter does not fetch all logs of a run. */
const waitMs = 400

/**
 * The matches in all logs of a run, which are fetched for this; `undefined` without a search. Running tasks are left
 * out: each would take a connection for as long as it runs, and a browser has six.
 */
export function useRunSearch(tasks: readonly RunTask[], query: LogQuery): RunSearch | undefined {
  const queryClient = useQueryClient()
  const [counts, setCounts] = useState<{ query: LogQuery; of: ReadonlyMap<string, number> }>()
  const withLog = tasks.filter(({ taskRun }) => taskRun && podNameOf(taskRun))
  const over = withLog.filter(({ taskRun }) => taskRun && isFinished(taskRun))
  const leftOut = withLog.length - over.length
  // Tasks are new objects after every event of the run; only which of them have finished matters here.
  const ids = over.map(({ id }) => id).join(' ')
  useEffect(() => {
    if (query.text === '') return
    const stop = new AbortController()
    const of = new Map<string, number>()
    const count = async (task: RunTask) => {
      if (stop.signal.aborted) return
      of.set(task.id, await countIn(queryClient, task, query, stop.signal))
      if (!stop.signal.aborted) setCounts({ query, of: new Map(of) })
    }
    const timer = setTimeout(() => void limitConcurrency(over, tasksAtOnce, count), waitMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `over` depends on `ids`
  }, [ids, query, queryClient])
  if (query.text === '') return undefined
  const of = counts?.query === query ? counts.of : undefined
  return {
    total: [...(of?.values() ?? [])].reduce((sum, count) => sum + count, 0),
    isRunning: (of?.size ?? 0) < over.length,
    leftOut,
    countOf: (id) => of?.get(id) ?? 0,
  }
}

async function countIn(
  queryClient: QueryClient,
  { taskRun }: RunTask,
  query: LogQuery,
  signal: AbortSignal,
): Promise<number> {
  if (!taskRun) return 0
  const source = await queryClient.ensureQueryData(logs.of(taskRun))
  await readToEnd(source, signal)
  const search = createLogSearch(query, scanFor(query))
  return new Promise((resolve) => {
    const look = () => {
      if (search.isRunning && !signal.aborted) return
      search.close()
      resolve(Math.min(search.total, maxHits))
    }
    search.subscribe(look)
    search.look(source.steps)
    if (!search.isRunning) look()
  })
}

/** Reads a log to its end, or as far as it can be read. */
const readToEnd = (source: TaskLog, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      const hasEnded = ({ phase }: { phase: string }) => phase === 'ended' || phase === 'failed'
      const isComplete = source.steps.length > 0 && source.steps.every(({ state }) => hasEnded(state))
      if (!isComplete && source.error.phase !== 'failed' && !signal.aborted) return
      unsubscribe()
      signal.removeEventListener('abort', look)
      resolve()
    }
    const unsubscribe = source.subscribe(look)
    signal.addEventListener('abort', look)
    look()
  })
