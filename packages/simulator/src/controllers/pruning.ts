import { namespaceType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, uidOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { ignoreMissing } from '@slipway/kube/status'
import { applicationType } from '@slipway/model/builds/application'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { releaseType, type Release } from '@slipway/model/releases/release'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { isFinished } from '@slipway/model/runs/tekton'
import { isOfPush } from '@slipway/model/snapshots/snapshot-tests'
import { cachedIndex } from '../cached-index'
import {
  defineController,
  on,
  objectKeyOf,
  type Controller,
  type ControllerContext,
  type ReconcileResult,
} from '../controller'
import { isReleaseFinished } from '../release/release-status'
import { areTestsFinished } from './snapshot-tests'

export interface PruningOptions {
  /** Only delete runs that the archive has marked as stored; false without an archive. */
  requiresArchive: boolean
  /** Number of finished runs per group, and of snapshots per application, that are kept whatever their age. */
  keep: number
  /** Younger objects are kept, however many there are; simulated time. */
  olderThanMs: number
}

/**
 * Annotation on a namespace: nothing in it is pruned if the value is `true`. Source: the pruner of the Tekton operator.
 */
export const pruneSkip = 'operator.tekton.dev/prune.skip'

/**
 * Deletes old objects, so that the cluster does not grow forever. Owned objects are deleted with their owner; events
 * expire after an hour in every API server.
 */
export const pruning = (options: PruningOptions): Controller[] => [
  defineController<PipelineRun>({
    name: 'run-pruning',
    type: pipelineRunType,
    filter: isFinished,
    wakes: [
      on(pipelineRunType, (run, context) => keysOf(runsLike(context, groupOfRun(run) ?? ''))),
      on(namespaceType, ({ metadata }, { informer }) => keysOf(informer(pipelineRunType).list(metadata.name))),
      on(applicationType, (application, { informer }) =>
        keysOf(
          informer(pipelineRunType)
            .list(namespaceOf(application))
            .filter(isBuildOf(nameOf(application))),
        ),
      ),
    ],
    writes: [[pipelineRunType, 'delete']],
    async reconcile(run, context) {
      if (run.metadata.deletionTimestamp || isSkipped(run, context)) return
      const group = runsLike(context, groupOfRun(run) ?? '')
      if (isAmongNewest(run, group, options) && !isOrphan(run, context)) return
      if (options.requiresArchive && !isStored(run)) return
      return removeAfter(pipelineRunType, run, endMsOf(run) + context.scale(options.olderThanMs), context)
    },
  }),
  defineController<Snapshot>({
    name: 'snapshot-pruning',
    type: snapshotType,
    filter: areTestsFinished,
    wakes: [
      on(snapshotType, (snapshot, context) => keysOf(snapshotsLike(context, groupOfSnapshot(snapshot) ?? ''))),
      on(namespaceType, ({ metadata }, { informer }) => keysOf(informer(snapshotType).list(metadata.name))),
      on(releaseType, ({ metadata, spec }) => [{ namespace: metadata.namespace, name: spec.snapshot }]),
      // The snapshot may be deleted once the last of its tests is stored.
      on(pipelineRunType, ({ metadata }) => {
        const name = metadata.labels?.[labels.snapshot]
        return name ? [{ namespace: metadata.namespace, name }] : []
      }),
    ],
    writes: [[snapshotType, 'delete']],
    async reconcile(snapshot, context) {
      if (snapshot.metadata.deletionTimestamp || isSkipped(snapshot, context)) return
      const group = snapshotsLike(context, groupOfSnapshot(snapshot) ?? '')
      if (isAmongNewest(snapshot, group, options)) return
      const runs = context.informer(pipelineRunType).ownedBy(uidOf(snapshot))
      const canDeleteRuns = runs.every((run) => isFinished(run) && (!options.requiresArchive || isStored(run)))
      const isReleased = releasesOf(context, `${namespaceOf(snapshot) ?? ''} ${nameOf(snapshot)}`).length > 0
      if (!canDeleteRuns || isReleased) return
      return removeAfter(snapshotType, snapshot, createdMsOf(snapshot) + context.scale(options.olderThanMs), context)
    },
  }),
  defineController<Release>({
    name: 'release-pruning',
    type: releaseType,
    filter: isReleaseFinished,
    reads: [namespaceType],
    writes: [[releaseType, 'delete']],
    async reconcile(release, context) {
      const expiresMs = Date.parse(release.status?.expirationTime ?? '')
      if (release.metadata.deletionTimestamp || isSkipped(release, context) || Number.isNaN(expiresMs)) return
      return removeAfter(releaseType, release, expiresMs, context)
    },
  }),
]

/** Applies to snapshots as well, since their tests are deleted with them, and to releases. */
const isSkipped = (object: KubeObject, { informer }: ControllerContext): boolean => {
  const namespace = informer(namespaceType).get(undefined, namespaceOf(object) ?? '')
  return namespace?.metadata.annotations?.[pruneSkip] === 'true'
}

const isBuildOf =
  (application: string) =>
  ({ metadata: { labels: known = {} } }: PipelineRun): boolean =>
    known[labels.pipelineType] === 'build' && known[labels.application] === application

/** Whether a run is a build of a deleted application, which no page shows. Tests are deleted with their snapshot. */
function isOrphan(run: PipelineRun, { informer }: ControllerContext): boolean {
  const application = run.metadata.labels?.[labels.application] ?? ''
  return isBuildOf(application)(run) && !informer(applicationType).get(namespaceOf(run), application)
}

const isStored = ({ metadata }: PipelineRun) => metadata.annotations?.[annotations.stored] === 'true'
const createdMsOf = ({ metadata }: KubeObject) => Date.parse(metadata.creationTimestamp ?? '')
const endMsOf = (run: PipelineRun) => Date.parse(run.status?.completionTime ?? run.metadata.creationTimestamp ?? '')

const keysOf = (objects: KubeObject[]) => objects.map(objectKeyOf)

/** Groups runs by component, pipeline and test, so that runs of pull requests do not displace those of the branch. */
function groupOfRun(run: PipelineRun): string | undefined {
  if (!isFinished(run)) return undefined
  const known = run.metadata.labels ?? {}
  const facts = [labels.pipelineType, labels.application, labels.component, labels.scenario]
  return JSON.stringify([
    run.metadata.namespace,
    ...facts.map((key) => known[key]),
    known[labels.originalPipelineRunName] ?? known[copiedPacKey(labels.originalPipelineRunName)],
  ])
}
const runsLike = cachedIndex(pipelineRunType, groupOfRun)

function groupOfSnapshot(snapshot: Snapshot): string | undefined {
  if (!areTestsFinished(snapshot)) return undefined
  const { application, componentGroup } = snapshot.spec
  return JSON.stringify([snapshot.metadata.namespace, application, componentGroup, isOfPush(snapshot)])
}
const snapshotsLike = cachedIndex(snapshotType, groupOfSnapshot)

const releasesOf = cachedIndex(releaseType, ({ metadata, spec }) => `${metadata.namespace ?? ''} ${spec.snapshot}`)

function isAmongNewest(object: KubeObject, group: KubeObject[], { keep }: PruningOptions): boolean {
  if (group.length <= keep) return true
  const isNewer = (other: KubeObject) => {
    const difference = createdMsOf(other) - createdMsOf(object)
    return difference > 0 || (difference === 0 && nameOf(other) > nameOf(object))
  }
  return group.filter(isNewer).length < keep
}

async function removeAfter<T extends KubeObject>(
  type: ResourceType<T>,
  object: T,
  atMs: number,
  { client, now }: ControllerContext,
): Promise<ReconcileResult | void> {
  if (now() < atMs) return { afterMs: atMs - now() }
  // Do not delete a new object with the same name.
  const preconditions = { uid: uidOf(object) }
  await client
    .delete(type, nameOf(object), { namespace: namespaceOf(object), propagationPolicy: 'Background', preconditions })
    .catch(ignoreMissing)
}
