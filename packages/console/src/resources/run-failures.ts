import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import type { FailureEvidence } from '@slipway/model/failures/failure-class'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { failureOf } from '@slipway/model/runs/run-failure'
import { taskRunType, type TaskRun } from '@slipway/model/runs/task-run'
import { isVerification } from '@slipway/model/snapshots/enterprise-contract'
import { queryOptions } from '@tanstack/react-query'
import { allArchivePages } from '../api/archive/archive'
import { client } from '../api/client'
import { queryClient } from '../api/query-client'
import { createLimiter } from '../lib/limit-concurrency'
import { logSnippetQuery, type StepSnippet } from './logs'
import { pipelineRuns } from './pipeline-runs'
import { listedFields } from './task-runs'

/** A page reads many of them, and archives limit how many logs a user may read in a second. */
const inTurn = createLimiter(4)

/** Why a run has failed, as far as its task runs and the log of the failed step tell. */
export interface ReadFailure {
  evidence: FailureEvidence
  /** Absent for a task without a log. */
  snippet?: StepSnippet
}

export const runFailures = {
  /** @throws Error if the log of the failed step cannot be read: without it, the failure is not known */
  of: (run: PipelineRun) =>
    queryOptions({
      queryKey: ['run-failure', namespaceOf(run) ?? '', uidOf(run) || nameOf(run)],
      queryFn: ({ signal }) => inTurn(() => readFailure(run, signal)),
      // A run that has failed stays as it is.
      staleTime: Infinity,
      retry: false,
    }),
}

async function readFailure(run: PipelineRun, signal: AbortSignal): Promise<ReadFailure> {
  const taskRuns = await taskRunsOf(run, signal)
  const failure = failureOf(run, taskRuns)
  const taskRun = taskRuns.find((each) => nameOf(each) === failure?.taskRun)
  if (!failure || !taskRun) {
    // Lists do not have the messages of runs.
    const whole = await queryClient.fetchQuery(pipelineRuns.get(namespaceOf(run) ?? '', nameOf(run)))
    return { evidence: { message: failureOf(whole, taskRuns)?.message ?? '', lines: [] } }
  }
  const { task, step, exitReason, hasTimedOut, hasNotStarted, message } = failure
  const snippet = step === undefined ? undefined : await queryClient.fetchQuery(logSnippetQuery(taskRun, step))
  const errorLine = snippet?.lines.find(({ number }) => number === snippet.errorLine)?.text
  return {
    evidence: {
      ...(task !== undefined && { task }),
      ...(exitReason !== undefined && { exitReason }),
      ...(hasTimedOut && { hasTimedOut }),
      ...(hasNotStarted && { hasNotStarted }),
      isVerification: isVerification(taskRun),
      message,
      lines: snippet?.lines.map(({ text }) => text) ?? [],
      ...(errorLine !== undefined && { errorLine }),
      ...(snippet?.failedTests && { failedTests: snippet.failedTests.map(({ name }) => name) }),
    },
    ...(snippet && { snippet }),
  }
}

/** The archive is read only for a run that the cluster has no failed task of. */
async function taskRunsOf(run: PipelineRun, signal: AbortSignal): Promise<readonly TaskRun[]> {
  const selection = {
    namespace: namespaceOf(run) ?? '',
    labels: { matchLabels: { [labels.pipelineRun]: nameOf(run) } },
  }
  const live = await client.list(taskRunType, { ...selection, mask: listedFields, signal })
  if (failureOf(run, live.items)?.taskRun) return live.items
  const archived = await allArchivePages(taskRunType, selection, { signal, mask: listedFields })
  return [...live.items, ...archived.items]
}
