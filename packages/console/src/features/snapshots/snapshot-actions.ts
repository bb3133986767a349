import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { everyTest } from '@slipway/model/runs/run-actions'
import type { Snapshot } from '@slipway/model/snapshots/snapshot'
import type { SnapshotTest } from '@slipway/model/snapshots/snapshot-tests'
import { originOf } from '../../api/archive/origin'
import { type ApplicationParams, type NamespaceParams, paths } from '../../paths'
import { rerunPermission } from '../../resources/pipeline-runs'
import { triggerReleasePermission } from '../../resources/release-plans'
import { rerun } from '../../resources/run-requests'
import type { DefinedAction } from '../../ui/actions/defined-action'
import { type ActionMessages, runAction } from '../../ui/actions/object-actions'

/** What can be done with any snapshot of an application; `ActionToasts` reports the outcome. */
export const snapshotActions: readonly DefinedAction<Snapshot, ApplicationParams>[] = [
  { label: 'Compare', to: (snapshot, at) => paths.snapshotChanges({ ...at, snapshot: nameOf(snapshot) }) },
  {
    label: 'Trigger release',
    needs: triggerReleasePermission,
    disabledReason: (snapshot) => originOf(snapshot) && 'Deleted from the cluster',
    to: (snapshot, { namespace }) => paths.triggerReleaseOf({ namespace, snapshot: nameOf(snapshot) }),
  },
  {
    label: 'Rerun all tests',
    needs: rerunPermission,
    disabledReason: whyNotTestable,
    run: (snapshot, { namespace }) =>
      requestTest(namespace, snapshot, everyTest, {
        pending: 'Requesting a rerun of all tests…',
        done: 'Rerun requested. The status changes when the tests start.',
        failed: "Couldn't rerun the tests",
      }),
  },
]

interface TestOfSnapshotParams extends NamespaceParams {
  snapshot: Snapshot
}

/** What can be done with one test of a snapshot. */
export const snapshotTestActions: readonly DefinedAction<SnapshotTest, TestOfSnapshotParams>[] = [
  {
    label: ({ runName }) => (runName ? 'Rerun' : 'Run on this snapshot'),
    needs: rerunPermission,
    disabledReason: ({ test }, { snapshot }) =>
      whyNotTestable(snapshot) || (!test && 'The definition of this integration test could not be found'),
    run: ({ name }, { namespace, snapshot }) =>
      requestTest(namespace, snapshot, name, {
        pending: `Requesting a run of ${name}…`,
        done: `Run of ${name} requested. It appears here when it starts.`,
        failed: `Couldn't run ${name}`,
      }),
  },
]

const requestTest = (namespace: string, snapshot: Snapshot, scenario: string, messages: ActionMessages) =>
  runAction(snapshot, 'rerun', () => rerun(namespace, { kind: 'test', snapshot: nameOf(snapshot), scenario }), {
    messages,
  })

function whyNotTestable(snapshot: Snapshot): string | false {
  if (originOf(snapshot)) return 'Deleted from the cluster'
  // The integration service removes the label once it has started the tests.
  return snapshot.metadata.labels?.[labels.rerun] !== undefined && 'A rerun has already been requested'
}
