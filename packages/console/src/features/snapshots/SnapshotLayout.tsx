import { nameOf } from '@slipway/kube/object'
import { shortSha } from '@slipway/model/git/git-facts'
import { type Snapshot, snapshotType } from '@slipway/model/snapshots/snapshot'
import { referenceOf, triggerOf } from '@slipway/model/snapshots/snapshot-origin'
import { useObject } from '../../api/source'
import { paths } from '../../paths'
import { snapshots } from '../../resources/snapshots'
import { actionChecks } from '../../ui/actions/defined-action'
import { useActions } from '../../ui/actions/use-actions'
import { applicationCrumbs } from '../../parts/applications/ApplicationSwitcher'
import { DetailLayout } from '../../ui/page/DetailLayout'
import { route } from '../../ui/page/route'
import { displaySnapshotStatus } from '../../parts/status/display-status'
import { StatusLabel } from '../../parts/status/StatusLabel'
import { RelativeTime } from '../../ui/text/RelativeTime'
import { snapshotActions } from './snapshot-actions'
import '../../parts/commits/commits.css'

export const page = route(paths.snapshot, ({ namespace, snapshot }) => ({
  require: [{ verb: 'get', type: snapshotType, namespace }],
  check: actionChecks(namespace, ...snapshotActions),
  read: [snapshots.get(namespace, snapshot)],
}))

export { SnapshotLayout as Component }
function SnapshotLayout() {
  const at = page.useParams()
  const { actionsOf } = useActions(snapshotActions, at)
  return (
    <DetailLayout
      kind="Snapshot"
      name={at.snapshot}
      source={useObject(snapshots.ofApplication(at.namespace, at.application, at.snapshot))}
      breadcrumbs={[...applicationCrumbs(at), { label: 'Snapshots', to: paths.snapshots(at) }, { label: at.snapshot }]}
      title={titleOf}
      label={(snapshot) => <HeaderFacts snapshot={snapshot} />}
      actions={actionsOf}
      tabs={[
        { label: 'Overview', to: paths.snapshot(at) },
        { label: 'Pipeline runs', to: paths.snapshotPipelineRuns(at) },
        { label: 'Changes', to: paths.snapshotChanges(at) },
        { label: 'Vulnerabilities', to: paths.snapshotVulnerabilities(at) },
      ]}
    />
  )
}

function titleOf(snapshot: Snapshot): string {
  const trigger = triggerOf(snapshot)
  return trigger ? `Triggered by ${trigger}` : nameOf(snapshot)
}

function HeaderFacts({ snapshot }: { snapshot: Snapshot }) {
  const { sha } = referenceOf(snapshot)
  return (
    <>
      <StatusLabel status={displaySnapshotStatus(snapshot)} />
      {sha && <code className="slipway-sha">{shortSha(sha)}</code>}
      <RelativeTime time={snapshot.metadata.creationTimestamp} />
    </>
  )
}
