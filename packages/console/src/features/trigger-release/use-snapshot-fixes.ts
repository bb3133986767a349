import { specOf } from '@slipway/kube/object'
import { commitMessagesOf, fixesIn, type NamedFixes } from '@slipway/model/releases/named-fixes'
import { componentsIn } from '@slipway/model/snapshots/snapshot'
import { useQuery } from '@tanstack/react-query'
import { snapshots } from '../../resources/snapshots'
import { useSnapshotBuilds } from '../../parts/snapshots/use-snapshot-builds'

const none: NamedFixes = { bugs: [], cves: [] }

interface SnapshotFixes {
  application: string | undefined
  /** Names of the components of the snapshot. */
  components: string[]
  /** What its commits name, as far as they have been read. */
  fixes: NamedFixes
  /** Why some commits could not be read. */
  error: Error | null
}

/** What a snapshot says for release notes. */
export function useSnapshotFixes(namespace: string, name: string): SnapshotFixes {
  const { data: snapshot, error } = useQuery({ ...snapshots.get(namespace, name), enabled: name !== '' })
  const builds = useSnapshotBuilds(snapshot)
  return {
    application: snapshot && specOf(snapshot).application,
    components: snapshot ? componentsIn(snapshot).map((component) => component.name) : [],
    fixes: snapshot ? fixesIn(commitMessagesOf(snapshot, builds.rows)) : none,
    error: error ?? builds.error,
  }
}
