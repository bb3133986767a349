import { type KubeObject, nameOf, namespaceOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { partsToFind, taskRunNameIn } from '@slipway/model/search/archived-parts'
import { pipelineRunView } from '@slipway/model/views/pipeline-runs'
import { releaseView } from '@slipway/model/views/releases'
import { snapshotView } from '@slipway/model/views/snapshots'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { MissingPart } from '../../api/source'
import { useNearestFirst } from '../../parts/health/observed-namespaces'
import { pipelineRuns } from '../../resources/pipeline-runs'
import { useArchivedParts } from './use-archived-parts'

/** Archives that are searched without a request of the user: each costs up to five lists. */
const mostUnasked = 5

export interface ArchiveSearch {
  /** By the plural of their kind, which is the id of its view too. */
  hits: Readonly<Record<string, readonly KubeObject[]>>
  /** Sentences that say what was searched. */
  scope: string
  isFetching: boolean
  missing: readonly MissingPart[]
  retry: () => void
  /** Set if there are namespaces whose archives were not searched. */
  others: { count: number; search: () => void } | undefined
  /** Set if there are older objects that were not looked at. */
  lookFurther: (() => void) | undefined
}

/**
 * Looks for what was pasted in archives: in those of a few namespaces, and in all others once the user wants it.
 * @param term as from `searchTermOf`
 * @param isLiveKnown whether the cluster has responded, so that archives can be searched
 */
export function useArchiveSearch(term: string, namespaces: readonly string[], isLiveKnown: boolean): ArchiveSearch {
  const { isSelective, ...parts } = partsToFind(term)
  const [isWide, setIsWide] = useState(false)
  const nearest = useNearestFirst(namespaces)
  const searched = !isLiveKnown ? none : isWide ? nearest : isSelective ? nearest.slice(0, mostUnasked) : none
  const { runs, taskRuns, snapshots, releases } = useArchivedParts(parts, searched)
  const all = [runs, taskRuns, snapshots, releases]
  const others = namespaces.length - searched.length
  const archives = [...new Set(all.flatMap(({ archive }) => archive ?? []))]
  const missing = distinct(all.flatMap((each) => each.missing))
  const isFetching = all.some((each) => each.isFetching)
  const further = all.flatMap(({ more }) => more ?? [])
  return {
    hits: {
      [pipelineRunView.id]: found(term, runs.rows, pipelineRunView.identifiers),
      [snapshotView.id]: found(term, snapshots.rows, snapshotView.identifiers),
      [releaseView.id]: found(term, releases.rows, releaseView.identifiers),
      [taskRunType.plural]: (taskRuns.rows ?? none).filter((taskRun) => nameOf(taskRun) === taskRunNameIn(term)),
    },
    scope: scopeText({
      isSelective,
      isLiveKnown,
      isFetching,
      isFailed: missing.length > 0,
      archives,
      count: searched.length,
      others,
    }),
    isFetching,
    missing,
    retry() {
      for (const { retry } of all) retry()
    },
    others:
      isLiveKnown && others > 0 && archives.length > 0 ? { count: others, search: () => setIsWide(true) } : undefined,
    lookFurther:
      // What failed is read again first.
      further.length === 0 || isFetching || missing.length > 0
        ? undefined
        : () => {
            for (const { load } of further) load()
          },
  }
}

/** As a view finds its rows. */
const found = <T extends KubeObject>(
  term: string,
  rows: readonly T[] = none,
  identifiersOf: (object: T) => readonly string[],
): readonly T[] => rows.filter((row) => identifiersOf(row).some((each) => each.toLowerCase().startsWith(term)))

const distinct = (parts: readonly MissingPart[]): MissingPart[] => [
  ...new Map(parts.map((part) => [`${part.name} ${part.error.message}`, part])).values(),
]

interface Scope {
  isSelective: boolean
  isLiveKnown: boolean
  isFetching: boolean
  isFailed: boolean
  archives: readonly string[]
  count: number
  others: number
}

function scopeText({ isSelective, isLiveKnown, isFetching, isFailed, archives, count, others }: Scope): string {
  if (!isLiveKnown || (archives.length === 0 && (isFetching || isFailed))) return ''
  if (archives.length === 0) return 'No archive is installed.'
  if (count === 0)
    return isSelective ? '' : 'Archives were not searched: they select only names, full SHAs and pull requests.'
  const ofNamespaces = `${others > 0 ? `${count} of ` : ''}these namespaces`
  if (isFetching) return `Looking in the archives of ${ofNamespaces}…`
  return `Searched in the archives of ${ofNamespaces} (${archives.join(' and ')}).`
}

/** Task runs of which the run is read: a name is found in several namespaces at most. */
const mostRuns = 5

/** The runs of some task runs, archived or not. */
export function useRunsOf(taskRuns: readonly KubeObject[]): readonly PipelineRun[] {
  const queries = taskRuns.slice(0, mostRuns).flatMap((taskRun) => {
    const run = taskRun.metadata.labels?.[labels.pipelineRun]
    return run ? [pipelineRuns.get(namespaceOf(taskRun) ?? '', run)] : []
  })
  return useQueries({ queries }).flatMap(({ data }) => data ?? [])
}

const none: never[] = []
