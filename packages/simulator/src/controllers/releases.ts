import { nameOf, namespaceOf, uidOf } from '@slipway/kube/object'
import { ignoreExisting, ignoreMissing, ApiError } from '@slipway/kube/status'
import { roleBindingType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { releaseType, type Release } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { defineController, on, type Controller, type ControllerContext } from '../controller'
import type { PlatformVersion } from '../platform-version'
import { artifactsOf } from '../release/artifacts'
import { withCollected } from '../release/collected'
import { isLive } from '../release/matching'
import { phaseNames, type ReleasePhase } from '../release/phases'
import { releaseFinalizer, withReleaseMetadata } from '../release/release-metadata'
import { releaseRunFor, runNamespaceOf } from '../release/release-run-for'
import { attemptsOf, mayRetry } from '../release/retries'
import {
  attemptEnded,
  started,
  invalid,
  isStarted,
  isReleaseFinished,
  isPhaseFinished,
  isPhaseRunning,
  isValidated,
  phaseStarted,
  phaseEnded,
  phaseFailed,
  phaseSkipped,
  processingOf,
  released,
  validated,
} from '../release/release-status'
import { validityOf, type ReleaseResources } from '../release/validation'
import { authorIn } from './release-author'
import { createRoleBindings, deleteRoleBindings, releaseBindingWrites } from './release-role-bindings'
import { matchOf } from './release-plans'

/** Runs the pipelines of releases, in the namespaces of their plans and admissions. */
export const releases = (platform: PlatformVersion): Controller =>
  defineController<Release>({
    name: 'releases',
    type: releaseType,
    wakes: [
      on(pipelineRunType, ({ metadata: { labels: known = {} } }) => {
        const name = known[labels.releaseName]
        return name ? [{ namespace: known[labels.releaseNamespace], name }] : []
      }),
    ],
    reads: [releasePlanType, releasePlanAdmissionType, snapshotType, roleBindingType, taskRunType],
    writes: [[releaseType, 'update', 'updateStatus'], [pipelineRunType, 'create', 'delete'], ...releaseBindingWrites],
    async reconcile(release, context) {
      if (release.metadata.deletionTimestamp) return finalize(release, context)
      if (isReleaseFinished(release)) return
      if (!isStarted(release) && (await recordAuthor(release, context))) return
      if (await complete(release, context)) return
      const next = await step(release, platform, context)
      if (next !== release) await context.client.replaceStatus(releaseType, next)
    },
  })

/** Records the author of a release that has none. @returns whether the release was written */
async function recordAuthor(release: Release, context: ControllerContext): Promise<boolean> {
  const known = release.metadata.labels ?? {}
  if (known[labels.automated] === 'true' || known[labels.author]) return false
  const author = authorIn(namespaceOf(release), context)
  if (!author) return false
  const all = { ...known, [labels.automated]: 'false', [labels.author]: author }
  await context.client.replace(releaseType, { ...release, metadata: { ...release.metadata, labels: all } })
  return true
}

/**
 * Copies metadata of the snapshot to a valid release before its pipelines start. @returns whether the release was
 * written
 */
async function complete(release: Release, { client, informer }: ControllerContext): Promise<boolean> {
  const snapshot = informer(snapshotType).get(namespaceOf(release), release.spec.snapshot)
  if (!snapshot || !isValidated(release)) return false
  const completed = withReleaseMetadata(release, snapshot)
  if (completed === release) return false
  await client.replace(releaseType, completed)
  return true
}

/** Deletes the runs and role bindings of a release that is being deleted. */
async function finalize(release: Release, context: ControllerContext): Promise<void> {
  const { finalizers = [] } = release.metadata
  if (!finalizers.includes(releaseFinalizer)) return
  const processed = phaseNames.map((phase) => processingOf(release, phase))
  for (const processing of [...processed, ...attemptsOf(release)]) {
    await deleteRoleBindings(processing?.roleBindings, context)
    const [namespace = '', name = ''] = processing?.pipelineRun?.split('/') ?? []
    if (!context.informer(pipelineRunType).get(namespace, name)) continue
    await context.client.delete(pipelineRunType, name, { namespace }).catch(ignoreMissing)
  }
  const metadata = { ...release.metadata, finalizers: finalizers.filter((each) => each !== releaseFinalizer) }
  await context.client.replace(releaseType, { ...release, metadata })
}

interface Resources extends ReleaseResources {
  platform: PlatformVersion
}

function resourcesOf(release: Release, context: ControllerContext): ReleaseResources {
  const { informer } = context
  const namespace = namespaceOf(release)
  const found = informer(releasePlanType).get(namespace, release.spec.releasePlan)
  const plan = found && isLive(found) ? found : undefined
  const snapshot = informer(snapshotType).get(namespace, release.spec.snapshot)
  return { plan, snapshot, ...(plan && matchOf(plan, context)) }
}

async function step(release: Release, platform: PlatformVersion, context: ControllerContext): Promise<Release> {
  const at = context.timestamp()
  const resources = { ...resourcesOf(release, context), platform }
  if (!isStarted(release)) return started(release, resources.plan, at)
  const current = phaseNames.find((phase) => isPhaseRunning(release, phase))
  if (current) return follow(release, current, resources, context)
  if (phaseNames.every((phase) => isPhaseFinished(release, phase))) return released(release, at)
  // Validate before each new run, since objects that the release needs may have been deleted.
  const validity = validityOf(release, resources)
  if ('error' in validity) return invalid(release, validity.error, at)
  if (!isValidated(release)) return validated(release, validity, at)
  return continueRelease(release, resources, context)
}

/** Starts the next defined pipeline, and marks undefined ones before it as skipped. */
async function continueRelease(release: Release, resources: Resources, context: ControllerContext): Promise<Release> {
  const at = context.timestamp()
  let next = release
  for (const phase of phaseNames.filter((each) => !isPhaseFinished(release, each))) {
    const run = runOf(release, phase, resources, context)
    if (run) return startPhase(next, phase, run, resources, context)
    next = phaseSkipped(next, phase, at)
  }
  return next
}

function runOf(
  release: Release,
  phase: ReleasePhase,
  { plan, admission, platform }: Resources,
  { informer, random }: ControllerContext,
): PipelineRun | undefined {
  if (!plan) return undefined
  const namespace = runNamespaceOf({ phase, plan, admission })
  const isTaken = (name: string) => {
    const known = informer(pipelineRunType).get(namespace, name)?.metadata.labels
    const isOfThisRelease =
      known?.[labels.releaseName] === nameOf(release) && known[labels.releaseNamespace] === namespaceOf(release)
    return informer(pipelineRunType).get(namespace, name) !== undefined && !isOfThisRelease
  }
  return releaseRunFor({ phase, release, plan, admission, platform, random, isTaken })
}

async function startPhase(
  release: Release,
  phase: ReleasePhase,
  run: PipelineRun,
  { admission }: ReleaseResources,
  context: ControllerContext,
): Promise<Release> {
  const isManaged = phase === 'managed' || phase === 'managed-collectors'
  const roleBindings =
    isManaged && admission ? await createRoleBindings({ release, phase, run, admission }, context) : undefined
  try {
    await context.client.create(pipelineRunType, run).catch(ignoreExisting)
  } catch (error) {
    // A rejection by a rule, such as a quota, is final.
    if (!(error instanceof ApiError && (error.code === 403 || error.code === 422))) throw error
    return phaseFailed(release, phase, error.message, context.timestamp(), false)
  }
  return phaseStarted(release, phase, run, roleBindings, context.timestamp())
}

/** Waits for the run of a pipeline, and records its results. Runs it again if it lacked memory or time. */
async function follow(
  release: Release,
  phase: ReleasePhase,
  resources: Resources,
  context: ControllerContext,
): Promise<Release> {
  const { plan, admission, snapshot } = resources
  const processing = processingOf(release, phase)
  const [namespace = '', name = ''] = processing?.pipelineRun?.split('/') ?? []
  const run = context.informer(pipelineRunType).get(namespace, name)
  if (run && !isFinished(run)) return release
  await deleteRoleBindings(processing?.roleBindings, context)
  const at = context.timestamp()
  if (!run) return phaseFailed(release, phase, `pipelineruns.tekton.dev "${name}" not found`, at)
  const hasSucceeded = succeededCondition(run)?.status === 'True'
  const retryInfo = admission?.status?.retryInfo
  const taskRuns = context.informer(taskRunType).ownedBy(uidOf(run))
  const attempted = phase === 'managed' ? attemptEnded(release, run, { taskRuns, retryInfo }, at) : release
  if (phase === 'managed' && mayRetry(attempted, retryInfo)) {
    const next = runOf(attempted, phase, resources, context)
    if (next) return startPhase(attempted, phase, next, resources, context)
  }
  const artifacts =
    hasSucceeded && phase === 'managed' && admission && snapshot
      ? artifactsOf({ run, admission, snapshot, random: context.random })
      : undefined
  const found = hasSucceeded && plan ? withCollected(attempted, phase, { plan, admission }, context.random) : attempted
  const ended = phaseEnded(found, phase, run, at)
  return artifacts ? { ...ended, status: { ...ended.status, artifacts } } : ended
}
