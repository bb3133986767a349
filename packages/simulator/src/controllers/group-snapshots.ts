import { configMapType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { isFinished } from '@slipway/model/runs/tekton'
import { isOfPush } from '@slipway/model/snapshots/snapshot-tests'
import { cachedIndex } from '../cached-index'
import { defineController, on, objectKeyOf, type ControllerContext } from '../controller'
import { findRepository } from '../git-host/store'
import { pullRequestGroupOf } from '../integration/build-facts'
import { groupDecision, groupAnnotations, reuseExistingGroup } from '../integration/group-snapshot-for'

const keyOf = (namespace: string | undefined, application: string | undefined, sha: string) =>
  `${namespace ?? ''} ${application ?? ''} ${sha}`

const buildsOfGroup = cachedIndex(pipelineRunType, (run) => {
  const group = pullRequestGroupOf(run)
  return group && keyOf(namespaceOf(run), run.metadata.labels?.[labels.application], group.sha)
})

const snapshotsOfGroup = cachedIndex(snapshotType, ({ metadata, spec }) => {
  const sha = metadata.labels?.[labels.pullRequestGroupSha]
  return sha && keyOf(metadata.namespace, spec.application, sha)
})

const typeOf = ({ metadata }: Snapshot) => metadata.labels?.[labels.snapshotType]

const isUndecided = (snapshot: Snapshot): boolean =>
  typeOf(snapshot) === 'component' &&
  snapshot.metadata.labels?.[labels.pullRequestGroupSha] !== undefined &&
  snapshot.metadata.annotations?.[annotations.createGroupSnapshotStatus] === undefined &&
  !isOfPush(snapshot)

/** Creates a group snapshot once all pull requests of a group are built. */
export const groupSnapshots = defineController<Snapshot>({
  name: 'group-snapshots',
  type: snapshotType,
  filter: isUndecided,
  wakes: [
    // The decision may be waiting for the snapshot of a build of the group.
    on(pipelineRunType, (run, context) => {
      const group = isFinished(run) ? pullRequestGroupOf(run) : undefined
      if (!group) return []
      return snapshotsOfGroup(
        context,
        keyOf(namespaceOf(run), run.metadata.labels?.[labels.application], group.sha),
      ).map(objectKeyOf)
    }),
  ],
  reads: [applicationType, componentType, configMapType],
  writes: [[snapshotType, 'create', 'update']],
  async reconcile(snapshot, context) {
    const { client, informer, now } = context
    const namespace = namespaceOf(snapshot)
    const application = informer(applicationType).get(namespace, snapshot.spec.application ?? '')
    if (!application || application.metadata.deletionTimestamp || snapshot.metadata.deletionTimestamp) return
    const sha = snapshot.metadata.labels?.[labels.pullRequestGroupSha] ?? ''
    const key = keyOf(namespace, snapshot.spec.application, sha)
    const known = snapshotsOfGroup(context, key)
    const newDecision = groupDecision({
      snapshot,
      application,
      components: informer(componentType).list(namespace),
      builds: buildsOfGroup(context, key),
      snapshots: known.filter((each) => typeOf(each) === 'component'),
      isOpen: (each) => isOpen(each, context),
      nowMs: now(),
      isTaken: (name) => informer(snapshotType).get(namespace, name) !== undefined,
    })
    if (!newDecision) return
    const decision = reuseExistingGroup(
      newDecision,
      known.filter((each) => typeOf(each) === 'group'),
    )
    if (decision.group) await client.create(snapshotType, decision.group)
    for (const member of known.filter((each) => decision.notedOn.includes(nameOf(each)))) {
      const marks = { ...member.metadata.annotations, ...groupAnnotations(decision.note) }
      await client.replace(snapshotType, { ...member, metadata: { ...member.metadata, annotations: marks } })
    }
  },
})

/** Whether a pull request is open. Assumes so if its repository is not simulated. */
function isOpen({ metadata }: Snapshot, context: ControllerContext): boolean {
  const { [copiedPacKey(labels.pullRequestNumber)]: number, [labels.component]: name = '' } = metadata.labels ?? {}
  const component = context.informer(componentType).get(metadata.namespace, name)
  const known = findRepository(context, component?.spec.source.git?.url ?? '')
  if (!known) return true
  return known.repository.pullRequests.some((each) => String(each.number) === number && each.state === 'open')
}
