import { namespaceOf } from '@slipway/kube/object'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import {
  buildsOfImages,
  snapshotVulnerabilities,
  type SnapshotVulnerabilities,
} from '@slipway/model/snapshots/snapshot-vulnerabilities'
import { useQueries } from '@tanstack/react-query'
import { scanResults } from '../../resources/scan-results'
import { useSnapshotBuilds } from './use-snapshot-builds'

export interface KnownVulnerabilities extends SnapshotVulnerabilities {
  /** Whether more may become known by itself. */
  isLoading: boolean
  /** Why some builds or scans could not be read. */
  error: Error | null
}

/** The vulnerabilities of a snapshot, as far as the scans of the builds of its images are known. */
export function useSnapshotVulnerabilities(snapshot: Snapshot): KnownVulnerabilities {
  const namespace = namespaceOf(snapshot) ?? ''
  const { rows, isLoadingLive, ...builds } = useSnapshotBuilds(snapshot)
  const runs = buildsOfImages(snapshot, rows)
  // Until the builds have been read, only some are known; their scans are requested together.
  const names = isLoadingLive ? [] : [...new Set(runs.values())]
  const scans = useQueries({ queries: names.map((name) => scanResults.named(namespace, name)) })
  const scanOfRun = new Map(names.map((name, at) => [name, scans[at]?.data?.vulnerabilities ?? undefined]))
  return {
    ...snapshotVulnerabilities(snapshot, (component) => scanOfRun.get(runs.get(component) ?? '')),
    isLoading: [builds, ...scans].some(({ isLoading }) => isLoading),
    error: [builds, ...scans].find(({ error }) => error)?.error ?? null,
  }
}
