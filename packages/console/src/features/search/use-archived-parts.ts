import { releaseType } from '@slipway/model/releases/release'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import type { ArchivedParts, ArchivedSelection } from '@slipway/model/search/archived-parts'
import { runFields } from '@slipway/model/views/pipeline-run-fields'
import { releaseFields } from '@slipway/model/views/release-fields'
import { snapshotFields } from '@slipway/model/views/snapshot-fields'
import { archiveOfNamespace, useArchivedOfEach } from '../../api/archive/archived-of-each'
import { listedFields } from '../../resources/task-runs'

/** What the archives of some namespaces have, the first page of each list. */
export function useArchivedParts(parts: ArchivedParts, namespaces: readonly string[]) {
  const listsOf = (selections: readonly ArchivedSelection[]) =>
    namespaces.flatMap((namespace) => {
      const { name, selection } = archiveOfNamespace(namespace)
      return selections.map((each) => ({ name, selection: { ...each, ...selection } }))
    })
  const of = (selections: readonly ArchivedSelection[]) => ({ lists: listsOf(selections), isEager: true })
  return {
    runs: useArchivedOfEach({ type: pipelineRunType, mask: runFields, ...of(parts.runs) }),
    taskRuns: useArchivedOfEach({ type: taskRunType, mask: listedFields, ...of(parts.taskRuns) }),
    snapshots: useArchivedOfEach({ type: snapshotType, mask: snapshotFields, ...of(parts.snapshots) }),
    releases: useArchivedOfEach({ type: releaseType, mask: releaseFields, ...of(parts.releases) }),
  }
}
