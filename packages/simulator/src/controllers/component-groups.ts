import { isSameJson } from '@slipway/kube/json'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { type ComponentGroup, componentGroupType, parentGroups } from '@slipway/model/builds/component-group'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotConditions, snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { cachedIndex } from '../cached-index'
import { defineController, objectKeyOf, on, type ControllerContext } from '../controller'
import { hasSucceeded, isPushBuild } from '../integration/build-facts'
import {
  alignedCandidates,
  componentGroupSnapshot,
  nextPromotion,
  promoted,
} from '../integration/component-group-snapshot'
import { withConditions } from '../integration/test-conditions'
import { conditionOf } from '../set-condition'

const isPromoted = (run: PipelineRun): boolean =>
  isPushBuild(run) &&
  hasSucceeded(run) &&
  run.metadata.annotations?.[annotations.addedToGlobalCandidateList] !== undefined

const promotedBuilds = cachedIndex(pipelineRunType, (run) => (isPromoted(run) ? namespaceOf(run) : undefined))

/** Promotes new builds in each group that their component is a member of, and creates a snapshot of the group for each. */
export const componentGroups = defineController<ComponentGroup>({
  name: 'component-groups',
  type: componentGroupType,
  wakes: [
    on(pipelineRunType, (run, { informer }) =>
      isPromoted(run) ? informer(componentGroupType).list(namespaceOf(run)).map(objectKeyOf) : [],
    ),
  ],
  reads: [snapshotType],
  writes: [
    [componentGroupType, 'updateStatus'],
    [snapshotType, 'create'],
  ],
  async reconcile(group, context) {
    if (group.metadata.deletionTimestamp) return
    const aligned = alignedCandidates(group)
    const next = nextPromotion(group, aligned, promotedBuilds(context, namespaceOf(group) ?? ''))
    const globalCandidateList = next ? promoted(aligned, next) : aligned
    const status = { ...group.status, globalCandidateList }
    // The snapshot first: once the build is promoted, an interrupted creation is not repeated.
    if (next) await ensureSnapshot({ ...group, status }, next.build, context)
    if (!isSameJson(status, group.status)) await context.client.replaceStatus(componentGroupType, { ...group, status })
  },
})

const keyOf = (namespace: string | undefined, group: string, build: string) => `${namespace ?? ''} ${group} ${build}`

const snapshotsOfGroups = cachedIndex(snapshotType, ({ metadata, spec }) => {
  const build = metadata.labels?.[labels.buildPipelineRun]
  return spec.componentGroup && build ? keyOf(metadata.namespace, spec.componentGroup, build) : undefined
})

/** The snapshot of a group for a build: an existing one, or a new one. A group has one for each build. */
async function ensureSnapshot(
  group: ComponentGroup,
  build: PipelineRun,
  context: ControllerContext,
): Promise<Snapshot> {
  const { client, informer } = context
  const namespace = namespaceOf(group)
  const [known] = snapshotsOfGroups(context, keyOf(namespace, nameOf(group), nameOf(build)))
  if (known) return known
  const groups = informer(componentGroupType).list(namespace)
  const isTaken = (name: string) => informer(snapshotType).get(namespace, name) !== undefined
  return client.create(snapshotType, componentGroupSnapshot({ group, groups, build, isTaken }))
}

/**
 * Creates a snapshot of each group that a group is nested in, for each snapshot of that group. Groups that contain each
 * other in a circle come to an end, since a group has only one snapshot for each build.
 */
export const parentSnapshots = defineController<Snapshot>({
  name: 'parent-snapshots',
  type: snapshotType,
  filter: ({ spec }) => spec.componentGroup !== undefined,
  reads: [componentGroupType, pipelineRunType],
  writes: [[snapshotType, 'create', 'updateStatus']],
  async reconcile(snapshot, context) {
    const isDone = conditionOf(snapshot, snapshotConditions.parentSnapshotsCreated) !== undefined
    if (isDone || snapshot.metadata.deletionTimestamp) return
    const namespace = namespaceOf(snapshot)
    const groups = context.informer(componentGroupType).list(namespace)
    const build = context
      .informer(pipelineRunType)
      .get(namespace, snapshot.metadata.labels?.[labels.buildPipelineRun] ?? '')
    const parents: NonNullable<NonNullable<Snapshot['status']>['parentSnapshots']> = {}
    for (const name of parentGroups(snapshot.spec.componentGroup ?? '', groups)) {
      const parent = groups.find((each) => nameOf(each) === name)
      if (!parent || !build || parent.metadata.deletionTimestamp) continue
      const created = await ensureSnapshot(parent, build, context)
      parents[name] = { created: true, name: nameOf(created), err: 'Snapshot created successfully' }
    }
    const condition = {
      type: snapshotConditions.parentSnapshotsCreated,
      status: 'True',
      reason: 'ParentSnapshotsCreated',
      message: `Snapshots of ${Object.keys(parents).length} parent ComponentGroups have been created`,
    } as const
    const next = withConditions(snapshot, [condition], context.timestamp())
    const status = { ...next.status, ...(Object.keys(parents).length > 0 && { parentSnapshots: parents }) }
    await context.client.replaceStatus(snapshotType, { ...next, status })
  },
})
