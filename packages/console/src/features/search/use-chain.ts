import { nameOf, specOf } from '@slipway/kube/object'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { mostNames, partsOfChain } from '@slipway/model/search/archived-parts'
import { type Chain, chainsOf, gapsOf } from '@slipway/model/search/chain'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { byCreation, mergeOnce } from '../../api/archive/merged-history'
import { isMissing, newestStart } from '../../api/archive/origin'
import { type RowKind, type Source, useJoined } from '../../api/source'
import { useView } from '../../api/views/use-view'
import { releases } from '../../resources/releases'
import { snapshots as snapshotQueries } from '../../resources/snapshots'
import { useArchivedParts } from './use-archived-parts'

/** Objects of each kind that are read of a chain: a commit of a repository with many components has a few hundred. */
const mostRows = 500
/** Releases of which is read what they published. */
const mostPublished = 20

export type ChainReference = Pick<Chain, 'key' | 'namespace' | 'sha' | 'snapshotNames' | 'applications'>

const chainRows: RowKind<Chain> = { idOf: ({ key }) => key, nameOf: ({ key }) => key, isBeingDeleted: () => false }

/** What archives may have of a chain that the cluster no longer has. */
const archivedStages = ['build', 'snapshot', 'tests', 'release'] as const

export interface FoundChain {
  /** At most one row. */
  source: Source<Chain>
  /** Whether the archive was searched for what the cluster does not have. */
  archive: 'not needed' | 'searching' | 'searched' | 'failed' | 'not installed'
  /** Set if the archive has older objects that were not looked at. */
  lookFurther: (() => void) | undefined
}

/**
 * All that the cluster has of a chain of which something was found and, once that is known to have gaps, what the archive
 * of its namespace has.
 */
export function useChain({ namespace, sha, snapshotNames, applications }: ChainReference): FoundChain {
  const of = { namespaces: [namespace] }
  const [firstName = ''] = snapshotNames
  const isOfChain = (chain: Chain) => (sha ? chain.sha === sha : chain.snapshotNames.includes(firstName))
  const namesIn = (chain: Chain | undefined) => [...new Set([...snapshotNames, ...(chain?.snapshotNames ?? none)])]
  const runs = useView<PipelineRun>(
    { kind: pipelineRunType.plural, ...of, where: sha ? { commit: [sha] } : { snapshot: [firstName] } },
    'pipeline runs',
    mostRows,
  )
  const snapshots = useView<Snapshot>(
    { kind: snapshotType.plural, ...of, identifier: sha ?? firstName },
    'snapshots',
    mostRows,
  )
  const live = { runs: runs.rows ?? none, snapshots: snapshots.rows ?? none, releases: none }
  const liveChain = chainsOf(live).find(isOfChain)
  // What is known of the chain decides what is asked, so it stays asked.
  const [isArchiveNeeded, setIsArchiveNeeded] = useState(false)
  const past = useArchivedParts(
    partsOfChain({ sha, snapshotNames: namesIn(liveChain), applications, snapshots: liveChain?.snapshots ?? none }),
    isArchiveNeeded ? of.namespaces : none,
  )
  const merged = {
    runs: mergeOnce(live.runs, past.runs.rows ?? none, newestStart),
    snapshots: mergeOnce(live.snapshots, past.snapshots.rows ?? none, byCreation),
    releases: none,
  }
  // Snapshots that users create name no commit.
  const found = new Set(merged.snapshots.map(nameOf))
  const names = namesIn(chainsOf(merged).find(isOfChain))
  const isListed = runs.rows && snapshots.rows
  const named = useQueries({
    queries: (isListed ? names : none)
      .filter((name) => !found.has(name))
      .slice(0, mostNames)
      .map((name) => ({ ...snapshotQueries.get(namespace, name), retry: false })),
  })
  const parts = { ...merged, snapshots: [...merged.snapshots, ...named.flatMap(({ data }) => data ?? [])] }
  const released = useView<Release>(
    // A filter without values would match everything.
    { kind: releaseType.plural, ...of, where: { releaseSnapshot: ['', ...names] } },
    'releases',
    mostRows,
  )
  const ofSnapshots = new Set<string | undefined>(names)
  const listed = mergeOnce(released.rows ?? none, past.releases.rows ?? none, byCreation).filter((release) =>
    ofSnapshots.has(specOf(release).snapshot),
  )
  const whole = useQueries({
    queries: listed.slice(0, mostPublished).map((release) => releases.get(namespace, nameOf(release))),
  })
  const published = new Map(whole.flatMap(({ data }) => (data ? [[nameOf(data), data] as const] : [])))
  const inArchive = [past.runs, past.snapshots, past.releases]
  const source = useJoined(
    [runs, snapshots, released, ...inArchive],
    ([ofRuns, ofSnapshots, ofReleases]) => {
      if (!ofRuns || !ofSnapshots || !ofReleases) return undefined
      const ofChain = listed.map((release) => published.get(nameOf(release)) ?? release)
      return chainsOf({ ...parts, releases: ofChain })
        .filter(isOfChain)
        .slice(0, 1)
    },
    chainRows,
  )
  const [chain] = source.rows ?? none
  const gaps = chain && gapsOf(chain)
  if (!isArchiveNeeded && source.rows && (!gaps || archivedStages.some((stage) => gaps[stage])))
    setIsArchiveNeeded(true)
  const isSearching = [...inArchive, ...named].some(({ isFetching }) => isFetching)
  const isFailed =
    inArchive.some(({ missing }) => missing.length > 0) || named.some(({ error }) => error && !isMissing(error))
  const further = inArchive.flatMap(({ more }) => more ?? none)
  const archiveState = () => {
    if (!isArchiveNeeded) return 'not needed'
    if (isSearching) return 'searching'
    if (isFailed) return 'failed'
    return inArchive.some(({ archive }) => archive) ? 'searched' : 'not installed'
  }
  return {
    source: {
      ...source,
      more: undefined,
      retry() {
        source.retry()
        for (const { error, refetch } of named) if (error) void refetch()
      },
    },
    archive: archiveState(),
    lookFurther:
      further.length === 0 || isSearching || isFailed
        ? undefined
        : () => {
            for (const { load } of further) load()
          },
  }
}

const none: never[] = []
