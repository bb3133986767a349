import { nameOf, uidOf } from '@slipway/kube/object'
import { type FailurePattern, patternDays, patternsOf, recentFailures } from '@slipway/model/failures/failure-patterns'
import { type FlakeScore, flakeScores, type KnownFailure } from '@slipway/model/failures/failure-patterns'
import { type Fingerprint, fingerprintOf } from '@slipway/model/failures/failure-fingerprint'
import { commitShaOf } from '@slipway/model/git/git-facts'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { completeSinceMs, useHistory } from '../../api/archive/history'
import { type RowKind, type Source, useJoined } from '../../api/source'
import { useView } from '../../api/views/use-view'
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
  const { rows, more } = history
  const isComplete = completeSinceMs(history) <= useCurrentHourMs() - patternDays * 24 * hourMs
  const canReadOn = !isComplete && more !== undefined && !more.isOnDemand && (rows?.length ?? 0) < mostRuns
  useEffect(() => {
    if (canReadOn && !more.isLoading) more.load()
  }, [canReadOn, more])
  return usePatterns(namespace, history, {
    isKnown: rows !== undefined && !canReadOn,
    isComplete,
    mostAtOnce: mostRead,
  })
}

/**
 * The same from the newest failed runs in the cluster alone, without a list of all runs: a few at a time, and none while
 * the tab is hidden.
 */
export function useRecentFailurePatterns(namespace: string): FailurePatterns {
  const ofNamespace = { kind: pipelineRunType.plural, namespaces: [namespace] }
  const failed = useView<PipelineRun>({ ...ofNamespace, where: { status: ['Failed'] } }, 'failed runs', mostRead)
  const commits = useMemo(
    () => [...new Set((failed.rows ?? none).flatMap((run) => commitShaOf(run) ?? []))].sort(),
    [failed.rows],
  )
  // A filter without values would match everything.
  const retries = useView<PipelineRun>(
    { ...ofNamespace, namespaces: commits.length > 0 ? [namespace] : none, where: { commit: commits } },
    'runs of the same commits',
    mostRuns,
  )
  const isVisible = useSyncExternalStore(onVisibilityChange, isPageVisible)
  const runs = useJoined(
    [failed, retries],
    ([first, others]) => {
      if (!first || (commits.length > 0 && !others)) return undefined
      return [...new Map([...first, ...(others ?? none)].map((run) => [uidOf(run) || nameOf(run), run])).values()]
    },
    failed.kind,
  )
  return usePatterns(namespace, runs, {
    isKnown: runs.rows !== undefined && !failed.isFetching,
    isComplete: false,
    mostAtOnce: isVisible ? 2 : 0,
  })
}

const onVisibilityChange = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
const isPageVisible = () => document.visibilityState === 'visible'

const useCurrentHourMs = (): number => Math.floor(useNow(hourMs) / hourMs) * hourMs

interface KnownRuns {
  /** Whether no other runs are to be expected. */
  isKnown: boolean
  /** Whether the runs of all these days are known. */
  isComplete: boolean
  /** How many failures are read at the same time; 0 to read no more for now. */
  mostAtOnce: number
}

function usePatterns(
  namespace: string,
  source: Source<PipelineRun>,
  { isKnown, isComplete, mostAtOnce }: KnownRuns,
): FailurePatterns {
  const { rows: runs, missing } = source
  const hour = useCurrentHourMs()
  const failed = useMemo(() => recentFailures(runs ?? none, hour), [runs, hour])
  const chosen = useMemo(() => failed.slice(0, mostRead), [failed])
  const [lastSettled, setLastSettled] = useState(0)
  const reads = useQueries({
    queries: chosen.map((run, index) => ({ ...runFailures.of(run), enabled: index < lastSettled + mostAtOnce })),
  })
  const known = chosen.flatMap((run, index) => {
    const read = reads[index]?.data
    return read ? [{ run, read }] : []
  })
  const settledCount = reads.filter(({ data, error }) => data ?? error).length
  if (settledCount !== lastSettled) setLastSettled(settledCount)
  const isDone = isKnown && settledCount === chosen.length
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
      ...source,
      name: 'failure patterns',
      rows: failures && patternsOf(failures, runs ?? none),
      kind: patternRows,
      error: source.error ?? error,
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
