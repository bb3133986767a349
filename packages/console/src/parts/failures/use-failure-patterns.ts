import { nameOf, uidOf } from '@slipway/kube/object'
import { type FailurePattern, patternDays, patternsOf, recentFailures } from '@slipway/model/failures/failure-patterns'
import { type FlakeScore, flakeScores, type KnownFailure } from '@slipway/model/failures/failure-patterns'
import { type Fingerprint, fingerprintOf } from '@slipway/model/failures/failure-fingerprint'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { completeSinceMs, useHistory } from '../../api/archive/history'
import type { RowKind, Source } from '../../api/source'
import { callWorker, workerAt } from '../../lib/worker-call'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { type ReadFailure, runFailures } from '../../resources/run-failures'
import { useNow } from '../../ui/text/now'
import type { FingerprintRequest } from './fingerprint-worker'
import workerUrl from './fingerprint-worker?worker&url'

/** The most failed runs whose logs are read. */
const mostRead = 50
/** The most runs among which failed ones are looked for. */
const mostRuns = 1_000
const hourMs = 3_600_000
const limitMs = 10_000

/** How many of the failed runs the patterns are made of. */
export interface FailureProgress {
  /** Failed runs of the last days, as far as they are known. */
  failedCount: number
  /** How many of them are read: the newest ones. */
  chosenCount: number
  /** How many of these have been read, or could not be. */
  settledCount: number
  unreadableCount: number
  /** Whether the runs of all these days are known. */
  isComplete: boolean
  /** Whether nothing more is to be read. */
  isDone: boolean
}

export interface FailurePatterns {
  source: Source<FailurePattern>
  /** `undefined` until the patterns are known. */
  flakes: FlakeScore[] | undefined
  progress: FailureProgress
  /** What has been read of a run. */
  readOf: (run: PipelineRun) => ReadFailure | undefined
}

export const patternRows: RowKind<FailurePattern> = {
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  isBeingDeleted: () => false,
}

/** The same failures in the runs of a namespace. Reads the logs of failed runs, which never leave the browser. */
export function useFailurePatterns(namespace: string): FailurePatterns {
  const history = useHistory(pipelineRuns.history({ namespace }))
  const { rows: runs, more, missing } = history
  const hour = Math.floor(useNow(hourMs) / hourMs) * hourMs
  const isComplete = completeSinceMs(history) <= hour - patternDays * 24 * hourMs
  const canReadOn = !isComplete && more !== undefined && !more.isOnDemand && (runs?.length ?? 0) < mostRuns
  useEffect(() => {
    if (canReadOn && !more.isLoading) more.load()
  }, [canReadOn, more])
  const failed = useMemo(() => recentFailures(runs ?? none, hour), [runs, hour])
  const chosen = useMemo(() => failed.slice(0, mostRead), [failed])
  const reads = useQueries({ queries: chosen.map(runFailures.of) })
  const known = chosen.flatMap((run, index) => {
    const read = reads[index]?.data
    return read ? [{ run, read }] : []
  })
  const settledCount = reads.filter(({ data, error }) => data ?? error).length
  const isDone = runs !== undefined && !canReadOn && settledCount === chosen.length
  const { data: fingerprints, error } = useQuery({
    queryKey: ['failure-fingerprints', namespace, known.map(({ run }) => uidOf(run) || nameOf(run))],
    queryFn: ({ signal }) =>
      fingerprintsOf(
        known.map(({ read }) => read.evidence),
        signal,
      ),
    enabled: isDone,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })
  const failures = fingerprints && known.length === fingerprints.length ? joined(known, fingerprints) : undefined
  return {
    source: {
      ...history,
      name: 'failure patterns',
      rows: failures && patternsOf(failures, runs ?? none),
      kind: patternRows,
      error: history.error ?? error,
      missing,
      more: undefined,
    },
    flakes: failures && flakeScores(failures, runs ?? none),
    progress: {
      failedCount: failed.length,
      chosenCount: chosen.length,
      settledCount,
      unreadableCount: reads.filter((read) => read.error).length,
      isComplete,
      isDone,
    },
    readOf: (run) => known.find((each) => each.run === run)?.read,
  }
}

const none: never[] = []

async function fingerprintsOf(failures: FingerprintRequest, signal: AbortSignal): Promise<Fingerprint[]> {
  const open = workerAt(workerUrl)
  if (!open) return failures.map(fingerprintOf)
  const tooLong = 'The failures take too long to compare.'
  return callWorker<FingerprintRequest, Fingerprint[]>(open, failures, { limitMs, tooLong, signal })
}

const joined = (
  known: readonly { run: PipelineRun; read: ReadFailure }[],
  fingerprints: readonly Fingerprint[],
): KnownFailure[] =>
  known.flatMap(({ run, read }, index) => {
    const fingerprint = fingerprints[index]
    return fingerprint ? [{ run, evidence: read.evidence, fingerprint }] : []
  })
