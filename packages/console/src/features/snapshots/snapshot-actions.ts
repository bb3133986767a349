import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { everyTest } from '@slipway/model/runs/run-actions'
import type { Snapshot } from '@slipway/model/supply-chain/snapshot'
import type { SnapshotTest } from '@slipway/model/supply-chain/snapshot-tests'
import { useNavigate } from 'react-router'
import { disabledReason, useAccess } from '../../api/access/access'
import type { AccessCheck } from '../../api/access/access-review'
import { originOf } from '../../api/archive/origin'
import { type ApplicationParams, paths } from '../../paths'
import { rerunChecks } from '../../resources/pipeline-runs'
import { triggerReleaseChecks } from '../../resources/release-plans'
import { rerun } from '../../resources/run-requests'
import type { Action } from '../../ui/action'
import { noRerunAccess } from '../../ui/pipeline-runs/run-actions'
import { type ActionMessages, runAction } from '../../ui/actions/object-actions'

/** The permissions needed for all actions on a snapshot. */
export const snapshotActionChecks = (namespace: string): AccessCheck[] => [
  ...rerunChecks(namespace),
  ...triggerReleaseChecks(namespace),
]

/** What can be done with any snapshot of an application; `ActionToasts` reports the outcome. */
export function useSnapshotActions({ namespace, application }: ApplicationParams): (snapshot: Snapshot) => Action[] {
  const navigate = useNavigate()
  const mayRerun = useAccess(rerunChecks(namespace))
  const mayTrigger = useAccess(triggerReleaseChecks(namespace))
  return (snapshot) => [
    {
      label: 'Compare',
      onSelect: () => void navigate(paths.snapshotChanges({ namespace, application, snapshot: nameOf(snapshot) })),
    },
    {
      label: 'Trigger release',
      disabledReason:
        disabledReason(mayTrigger, "You don't have access to trigger releases") ||
        (originOf(snapshot) && 'Deleted from the cluster'),
      onSelect: () => void navigate(paths.triggerReleaseOf({ namespace, snapshot: nameOf(snapshot) })),
    },
    {
      label: 'Rerun all tests',
      isWrite: true,
      disabledReason: disabledReason(mayRerun, noRerunAccess) || whyNotTestable(snapshot),
      onSelect: () =>
        runAction(
          snapshot,
          'rerun',
          () => rerun(namespace, { kind: 'test', snapshot: nameOf(snapshot), scenario: everyTest }),
          { messages },
        ),
    },
  ]
}

/** What can be done with one test of a snapshot. */
export function useSnapshotTestActions(namespace: string, snapshot: Snapshot): (test: SnapshotTest) => Action[] {
  const mayRerun = useAccess(rerunChecks(namespace))
  return ({ name, test, runName }) => [
    {
      label: runName ? 'Rerun' : 'Run on this snapshot',
      isWrite: true,
      disabledReason:
        disabledReason(mayRerun, noRerunAccess) ||
        whyNotTestable(snapshot) ||
        (!test && 'The definition of this integration test could not be found'),
      onSelect: () =>
        runAction(
          snapshot,
          'rerun',
          () => rerun(namespace, { kind: 'test', snapshot: nameOf(snapshot), scenario: name }),
          {
            messages: {
              pending: `Requesting a run of ${name}…`,
              done: `Run of ${name} requested. It appears here when it starts.`,
              failed: `Couldn't run ${name}`,
            },
          },
        ),
    },
  ]
}

function whyNotTestable(snapshot: Snapshot): string | false {
  if (originOf(snapshot)) return 'Deleted from the cluster'
  // The integration service removes the label once it has started the tests.
  return snapshot.metadata.labels?.[labels.rerun] !== undefined && 'A rerun has already been requested'
}

const messages: ActionMessages = {
  pending: 'Requesting a rerun of all tests…',
  done: 'Rerun requested. The status changes when the tests start.',
  failed: "Couldn't rerun the tests",
}
