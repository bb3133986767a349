import { nameOf, namespaceOf, type Condition } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import {
  releaseConditions,
  type Release,
  type ReleaseAttempt,
  type ReleaseProcessing,
} from '@slipway/model/releases/release'
import type { ReleasePlan, RetryInfo } from '@slipway/model/releases/release-plan'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { conditionOf, setCondition } from '../set-condition'
import { phaseNames, phases, type ReleasePhase } from './phases'
import { attemptsOf, mayRetry, mitigationFor, outcomeOf } from './retries'

/**
 * State transitions of a release, as its service writes them. Source: release-service, api/v1alpha1/release_types.go.
 */

type Status = NonNullable<Release['status']>
type Reason = 'Progressing' | 'Succeeded' | 'Failed' | 'Skipped'

const statusFor: Record<Reason, Condition['status']> = {
  Progressing: 'False',
  Succeeded: 'True',
  Failed: 'False',
  Skipped: 'True',
}

const withCondition = (status: Status, type: string, reason: Reason, at: string, message = ''): Status => ({
  ...status,
  conditions: setCondition(status.conditions, { type, status: statusFor[reason], reason, message }, at),
})

const withStatus = (release: Release, status: Status): Release => ({ ...release, status })

const reasonOf = (release: Release, type: string) => conditionOf(release, type)?.reason

export const isStarted = (release: Release): boolean => reasonOf(release, releaseConditions.released) !== undefined
export const isValidated = (release: Release): boolean =>
  conditionOf(release, releaseConditions.validated)?.status === 'True'
export const isReleaseFinished = (release: Release): boolean =>
  ['Succeeded', 'Failed'].includes(reasonOf(release, releaseConditions.released) ?? '')
export const isPhaseFinished = (release: Release, phase: ReleasePhase): boolean =>
  ['Succeeded', 'Failed', 'Skipped'].includes(reasonOf(release, phases[phase].condition) ?? '')
export const isPhaseRunning = (release: Release, phase: ReleasePhase): boolean =>
  reasonOf(release, phases[phase].condition) === 'Progressing'
export const processingOf = ({ status }: Release, phase: ReleasePhase): ReleaseProcessing | undefined =>
  status && phases[phase].processingOf(status)

const dayMs = 86_400_000
const defaultGracePeriodDays = 7

/** Starts a release. Its own grace period, or that of its plan, determines when it expires. */
export function started(release: Release, plan: ReleasePlan | undefined, at: string): Release {
  const days = release.spec.gracePeriodDays || (plan?.spec.releaseGracePeriodDays ?? defaultGracePeriodDays)
  const expiresMs = Date.parse(release.metadata.creationTimestamp ?? at) + days * dayMs
  const status: Status = {
    ...release.status,
    startTime: at,
    automated: release.metadata.labels?.[labels.automated] === 'true',
    expirationTime: new Date(expiresMs).toISOString().replace(/\.\d+Z$/, 'Z'),
  }
  return withStatus(release, withCondition(status, releaseConditions.released, 'Progressing', at))
}

export interface Validity {
  author: string
  target: string
}

export function validated(release: Release, { author, target }: Validity, at: string): Release {
  const { automated } = release.status ?? {}
  const attribution = { author, ...(automated && { standingAuthorization: true }) }
  const status: Status = { ...release.status, target, attribution, validation: { time: at } }
  return withStatus(release, withCondition(status, releaseConditions.validated, 'Succeeded', at))
}

/** @param message why the release is invalid; it may have been valid before */
export function invalid(release: Release, message: string, at: string): Release {
  const validation = { time: at, ...(isValidated(release) && { failedPostValidation: true }) }
  const status = withCondition({ ...release.status, validation }, releaseConditions.validated, 'Failed', at, message)
  return failed(withStatus(release, status), 'Release validation failed', at)
}

const failed = (release: Release, message: string, at: string): Release =>
  withStatus(release, {
    ...withCondition(release.status ?? {}, releaseConditions.released, 'Failed', at, message),
    completionTime: at,
  })

export function phaseStarted(
  release: Release,
  phase: ReleasePhase,
  run: PipelineRun,
  roleBindings: ReleaseProcessing['roleBindings'],
  at: string,
): Release {
  const processing: ReleaseProcessing = {
    pipelineRun: `${namespaceOf(run) ?? ''}/${nameOf(run)}`,
    startTime: at,
    ...(roleBindings && { roleBindings }),
  }
  const status = phases[phase].withProcessing(release.status ?? {}, processing)
  // Services that do not retry yet do not number their runs either.
  const isNumbered = run.metadata.labels?.[labels.releaseAttempt] !== undefined
  const attempts = isNumbered && { managedPipelineAttempts: [...attemptsOf(release), processing] }
  return withStatus(release, withCondition({ ...status, ...attempts }, phases[phase].condition, 'Progressing', at))
}

/** Records how the last attempt of the managed pipeline ended, and what the next one gets more of if there is one. */
export function attemptEnded(
  release: Release,
  run: PipelineRun,
  { taskRuns, retryInfo }: { taskRuns: readonly TaskRun[]; retryInfo: RetryInfo | undefined },
  at: string,
): Release {
  const last = attemptsOf(release).at(-1)
  if (!last) return release
  const status = succeededCondition(run)?.status === 'True' ? 'Succeeded' : 'Failed'
  const withLast = (attempt: ReleaseAttempt) =>
    withStatus(release, {
      ...release.status,
      managedPipelineAttempts: [...attemptsOf(release).slice(0, -1), attempt],
    })
  const ended = { ...last, completionTime: at, status, ...outcomeOf(run, taskRuns) }
  const recorded = withLast(ended)
  return retryInfo && mayRetry(recorded, retryInfo)
    ? withLast({ ...ended, mitigation: mitigationFor(ended, run, retryInfo) })
    : recorded
}

export const phaseSkipped = (release: Release, phase: ReleasePhase, at: string): Release =>
  withStatus(release, withCondition(release.status ?? {}, phases[phase].condition, 'Skipped', at))

/** Records the end of a phase's run. A failed run fails the release. */
export function phaseEnded(release: Release, phase: ReleasePhase, run: PipelineRun, at: string): Release {
  const { status: succeeded, message = '' } = succeededCondition(run) ?? {}
  if (succeeded !== 'True') return phaseFailed(release, phase, message, at)
  return withStatus(
    release,
    withCondition(withCompletion(release, phase, at), phases[phase].condition, 'Succeeded', at),
  )
}

/** @param isCreated whether there was a run that could fail */
export function phaseFailed(
  release: Release,
  phase: ReleasePhase,
  message: string,
  at: string,
  isCreated = true,
): Release {
  const { condition, label } = phases[phase]
  const status = withCondition(withCompletion(release, phase, at), condition, 'Failed', at, message)
  const rest = phaseNames
    .slice(phaseNames.indexOf(phase) + 1)
    .reduce((known, later) => phaseSkipped(known, later, at), withStatus(release, status))
  return failed(rest, `Release processing failed on ${label} pipelineRun${isCreated ? '' : ' creation'}`, at)
}

function withCompletion(release: Release, phase: ReleasePhase, completionTime: string): Status {
  const processing = processingOf(release, phase)
  const status = release.status ?? {}
  return processing ? phases[phase].withProcessing(status, { ...processing, completionTime }) : status
}

export const released = (release: Release, at: string): Release =>
  withStatus(release, {
    ...withCondition(release.status ?? {}, releaseConditions.released, 'Succeeded', at),
    completionTime: at,
  })
