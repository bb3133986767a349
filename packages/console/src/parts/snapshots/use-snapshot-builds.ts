import { namespaceOf, specOf } from '@slipway/kube/object'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { componentsIn, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { buildsOfImages, commitsOfImages } from '@slipway/model/snapshots/snapshot-vulnerabilities'
import { useQuery } from '@tanstack/react-query'
import { snapshotBuilds } from '../../resources/snapshot-builds'

interface SnapshotBuilds {
  /** Those of its commits that are known, of other components too. */
  rows: readonly PipelineRun[]
  /** Whether only some of the cluster's are known yet. */
  isLoadingLive: boolean
  /** Whether more may become known by itself. */
  isLoading: boolean
  /** Why some could not be read. */
  error: Error | null
}

/**
 * The builds of the images of a snapshot, found by the commits of its components, many at a time; an archive is queried
 * only for those that the cluster no longer has. @param snapshot `undefined` until it is known
 */
export function useSnapshotBuilds(snapshot: Snapshot | undefined): SnapshotBuilds {
  const namespace = (snapshot && namespaceOf(snapshot)) ?? ''
  const application = (snapshot && specOf(snapshot).application) ?? ''
  const components = snapshot ? componentsIn(snapshot) : []
  const live = useQuery(snapshotBuilds.live(namespace, application, commitsOfImages(components)))
  const found = snapshot && buildsOfImages(snapshot, live.data ?? [])
  const missing = live.isLoading ? [] : components.filter((component) => !found?.has(component))
  const past = useQuery(snapshotBuilds.archived(namespace, application, commitsOfImages(missing)))
  return {
    rows: [...(live.data ?? []), ...(past.data ?? [])],
    isLoadingLive: live.isLoading,
    isLoading: live.isLoading || past.isLoading,
    error: live.error ?? past.error,
  }
}
