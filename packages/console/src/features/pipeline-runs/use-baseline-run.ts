import { namespaceOf } from '@slipway/kube/object'
import { comparableRuns, lastGreenOf } from '@slipway/model/comparison/last-green'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useHistory } from '../../api/archive/history'
import type { MissingPart } from '../../api/source'
import { pipelineRuns } from '../../resources/pipeline-runs'

/** The parameter of the URL that names the run to compare with. */
export const baselineParam = 'with'

/** The most runs among which a green one is looked for: an archive has those of years. */
const mostRuns = 1_000

interface BaselineRun {
  /** `undefined` while it is not known, or if there is none. */
  name: string | undefined
  isLastGreen: boolean
  isLoading: boolean
  /** Other runs that do the same, newest first; `undefined` until any are known. */
  others: readonly PipelineRun[] | undefined
  /** Where there may be more of them, which could not be read. */
  missing: readonly MissingPart[]
  error: Error | null
  /** How many runs were looked at. */
  seenCount: number
  select: (name: string) => void
}

/** The run to compare another one with: the one in the URL, or else the last one that did the same and succeeded. */
export function useBaselineRun(run: PipelineRun): BaselineRun {
  const [params, setParams] = useSearchParams()
  const { application, component } = namesOf(run)
  const { rows, more, error, missing } = useHistory(
    pipelineRuns.history({
      namespace: namespaceOf(run) ?? '',
      labels: {
        ...(application && { [labels.application]: application }),
        ...(component && { [labels.component]: component }),
      },
    }),
  )
  const others = useMemo(() => rows && comparableRuns(run, rows), [run, rows])
  const green = useMemo(() => rows && lastGreenOf(run, rows), [run, rows])
  const selected = params.get(baselineParam) || undefined
  const canReadOn = more !== undefined && !more.isOnDemand && (rows?.length ?? 0) < mostRuns
  const isSearching = selected === undefined && green === undefined && canReadOn
  useEffect(() => {
    if (isSearching && !more.isLoading) more.load()
  }, [isSearching, more])
  return {
    name: selected ?? (green?.metadata.name || undefined),
    isLastGreen: selected === undefined || selected === green?.metadata.name,
    isLoading: selected === undefined && green === undefined && ((!rows && !error) || canReadOn),
    others,
    missing,
    error,
    seenCount: rows?.length ?? 0,
    select: (name) =>
      setParams((before) => {
        const after = new URLSearchParams(before)
        after.set(baselineParam, name)
        return after
      }),
  }
}

const namesOf = ({ metadata }: PipelineRun) => ({
  application: metadata.labels?.[labels.application],
  component: metadata.labels?.[labels.component],
})
