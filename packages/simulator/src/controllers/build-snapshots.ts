import { nameOf, namespaceOf } from '@slipway/kube/object'
import { qualifiedPlural } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { isFinished } from '@slipway/model/runs/tekton'
import { cachedIndex } from '../cached-index'
import { defineController, type ControllerContext } from '../controller'
import { hasSucceeded } from '../integration/build-facts'
import { snapshotFor, snapshotAnnotations, SnapshotError, type Conclusion } from '../integration/snapshot-for'

const snapshotsOfBuild = cachedIndex(snapshotType, ({ metadata, spec }) => {
  const build = metadata.labels?.[labels.buildPipelineRun]
  // A build may also have snapshots of component groups.
  return build && spec.application && `${metadata.namespace} ${build}`
})

/** Whether the report on a build of an event is complete: the snapshot copies its labels and annotations. */
const isReported = ({ metadata }: PipelineRun): boolean =>
  !metadata.labels?.[labels.repository] || metadata.labels[labels.runState] === 'completed'

const isConsidered = ({ metadata }: PipelineRun): boolean =>
  metadata.annotations?.[annotations.createSnapshotStatus] !== undefined ||
  metadata.annotations?.[labels.snapshot] !== undefined

/** Creates a snapshot of the application after each successful build of a push or pull request. */
export const buildSnapshots = defineController<PipelineRun>({
  name: 'build-snapshots',
  type: pipelineRunType,
  filter: ({ metadata: { labels: known = {} } }) =>
    known[labels.pipelineType] === 'build' && Boolean(known[labels.application]) && Boolean(known[labels.component]),
  reads: [applicationType, componentType, snapshotType],
  writes: [
    [snapshotType, 'create'],
    [pipelineRunType, 'update'],
  ],
  async reconcile(build, context) {
    if (!isFinished(build) || !hasSucceeded(build) || !isReported(build)) return
    if (isConsidered(build) || build.metadata.deletionTimestamp) return
    try {
      const snapshot = await findOrCreate(build, context)
      await conclude(build, { status: 'success', snapshot: nameOf(snapshot) }, context)
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
      await conclude(build, { status: 'failed', error: error.message }, context)
    }
  },
})

async function findOrCreate(build: PipelineRun, context: ControllerContext): Promise<Snapshot> {
  const { client, informer } = context
  const namespace = namespaceOf(build) ?? ''
  const [existing] = snapshotsOfBuild(context, `${namespace} ${nameOf(build)}`)
  if (existing) return existing
  const name = build.metadata.labels?.[labels.application] ?? ''
  const application = informer(applicationType).get(namespace, name)
  if (!application || application.metadata.deletionTimestamp) {
    throw new SnapshotError(`${qualifiedPlural(applicationType)} "${name}" not found`)
  }
  const components = informer(componentType).list(namespace)
  const isTaken = (candidate: string) => informer(snapshotType).get(namespace, candidate) !== undefined
  return await client.create(snapshotType, snapshotFor({ build, application, components, isTaken }))
}

const conclude = (build: PipelineRun, conclusion: Conclusion, { client }: ControllerContext) =>
  client.replace(pipelineRunType, {
    ...build,
    metadata: { ...build.metadata, annotations: { ...build.metadata.annotations, ...snapshotAnnotations(conclusion) } },
  })
