import { nameOf } from '@slipway/kube/object'
import { type Release, releaseType } from '@slipway/model/releases/release'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { type Chain, chainsOf } from '@slipway/model/search/chain'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { useQueries } from '@tanstack/react-query'
import { type RowKind, type Source, useJoined } from '../../api/source'
import { useView } from '../../api/views/use-view'
import { releases } from '../../resources/releases'

/** Objects of each kind that are read of a chain: a commit of a repository with many components has a few hundred. */
const mostRows = 500
/** Releases of which is read what they published. */
const mostPublished = 20

export type ChainReference = Pick<Chain, 'key' | 'namespace' | 'sha' | 'snapshotNames'>

const chainRows: RowKind<Chain> = { idOf: ({ key }) => key, nameOf: ({ key }) => key, isBeingDeleted: () => false }

/** All that the cluster has of a chain of which something was found; at most one row. */
export function useChain({ namespace, sha, snapshotNames }: ChainReference): Source<Chain> {
  const of = { namespaces: [namespace] }
  const [firstName = ''] = snapshotNames
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
  const known = chainsOf({ runs: runs.rows ?? [], snapshots: snapshots.rows ?? [], releases: [] })
  // A filter without values would match everything.
  const names = new Set(['', ...snapshotNames, ...known.flatMap((chain) => chain.snapshotNames)])
  const released = useView<Release>(
    { kind: releaseType.plural, ...of, where: { releaseSnapshot: [...names] } },
    'releases',
    mostRows,
  )
  const whole = useQueries({
    queries: (released.rows ?? []).slice(0, mostPublished).map((release) => releases.get(namespace, nameOf(release))),
  })
  const published = new Map(whole.flatMap(({ data }) => (data ? [[nameOf(data), data] as const] : [])))
  const source = useJoined(
    [runs, snapshots, released],
    ([ofRuns, ofSnapshots, ofReleases]) => {
      if (!ofRuns || !ofSnapshots || !ofReleases) return undefined
      const chains = chainsOf({
        runs: ofRuns,
        snapshots: ofSnapshots,
        releases: ofReleases.map((release) => published.get(nameOf(release)) ?? release),
      })
      return chains.filter((chain) => (sha ? chain.sha === sha : chain.snapshotNames.includes(firstName))).slice(0, 1)
    },
    chainRows,
  )
  return { ...source, more: undefined }
}
