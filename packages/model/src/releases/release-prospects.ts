import { nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { labels } from '../labels'
import { type Release, releaseStatus } from './release'
import { explainRelease } from './release-explanation'
import type { ReleasePlan } from './release-plan'
import { needsAdmission } from './release-plan-verdict'
import { parseNamespacedName } from '../namespaced-name'
import type { Snapshot } from '../snapshots/snapshot'
import { isUnmerged } from '../snapshots/snapshot-origin'
import { conditionOf, snapshotStatus, statusMessageOf } from '../snapshots/snapshot-status'
import { isOfPush } from '../snapshots/snapshot-tests'

/** Why a snapshot has not been released: each plan that would take it, and what its release waits for. */

/** The most urgent first. */
export const outlooks = [
  'Failed',
  /** No release of this plan can succeed. */
  'Blocked',
  /** An automatic release that will not happen by itself. */
  'Held back',
  'Waiting',
  'Releasing',
  /** Users trigger its releases. */
  'Manual',
  'Released',
  'Unknown',
] as const
export type Outlook = (typeof outlooks)[number]

/** `undefined` if the plan needs no admission. */
type Admission = { name: string; isBlocked: boolean } | 'Not Matched' | undefined

export interface ReleaseProspect {
  plan: string
  outlook: Outlook
  /** Sentences, the most decisive first. */
  reasons: readonly string[]
  /** What to do, or what happens next; one sentence. */
  next: string | undefined
  /** Whether it can help to trigger the release. */
  canTrigger: boolean
  isAutomatic: boolean
  /** Whether its automatic releases have an author, whom the release service requires. */
  isAttributed: boolean
  admission: Admission
  /** The newest release of the snapshot with this plan. */
  release: Release | undefined
}

/**
 * The prospects of a snapshot with each plan of its application, by name.
 * @param plans of the namespace
 * @param releases of the namespace; `undefined` if they could not be read
 */
export const releaseProspects = (
  snapshot: Snapshot,
  plans: readonly ReleasePlan[],
  releases: readonly Release[] | undefined,
): ReleaseProspect[] =>
  plans
    .filter((plan) => specOf(plan).application === specOf(snapshot).application && !plan.metadata.deletionTimestamp)
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'en'))
    .map((plan) => prospectOf(snapshot, plan, releases))

type Verdict = Pick<ReleaseProspect, 'outlook' | 'reasons' | 'next' | 'canTrigger'>

function prospectOf(snapshot: Snapshot, plan: ReleasePlan, releases: readonly Release[] | undefined): ReleaseProspect {
  const marks = plan.metadata.labels ?? {}
  const isAutomatic = marks[labels.autoRelease] === 'true'
  const release = releases && newestRelease(snapshot, plan, releases)
  const known = {
    plan: nameOf(plan),
    isAutomatic,
    isAttributed: marks[labels.standingAttribution] === 'true' || Boolean(marks[labels.author]),
    admission: admissionOf(plan),
    release,
  }
  return { ...known, ...verdictOf(snapshot, plan, known, releases !== undefined) }
}

function newestRelease(snapshot: Snapshot, plan: ReleasePlan, releases: readonly Release[]): Release | undefined {
  const createdAt = ({ metadata }: Release) => metadata.creationTimestamp ?? ''
  return releases
    .filter(({ metadata, spec }) => {
      const { snapshot: released, releasePlan } = specOf({ spec })
      return released === nameOf(snapshot) && releasePlan === nameOf(plan) && metadata.namespace === namespaceOf(plan)
    })
    .reduce<Release | undefined>(
      (newest, each) => (newest && createdAt(newest) >= createdAt(each) ? newest : each),
      undefined,
    )
}

function admissionOf(plan: ReleasePlan): Admission {
  const { name, active } = plan.status?.releasePlanAdmission ?? {}
  if (name) return { name, isBlocked: active === false }
  return needsAdmission(plan) ? 'Not Matched' : undefined
}

function verdictOf(
  snapshot: Snapshot,
  plan: ReleasePlan,
  {
    release,
    admission,
    isAutomatic,
    isAttributed,
  }: Pick<ReleaseProspect, 'release' | 'admission' | 'isAutomatic' | 'isAttributed'>,
  areReleasesKnown: boolean,
): Verdict {
  if (!areReleasesKnown)
    return { outlook: 'Unknown', reasons: ['Its releases could not be read.'], next: undefined, canTrigger: false }
  const obstacle = obstacleOf(plan, admission)
  if (release) return ofRelease(release)
  const holds = isAutomatic ? holdsOn(snapshot, plan, isAttributed) : []
  if (obstacle) {
    const [reason, next] = obstacle
    return { outlook: 'Blocked', reasons: [reason, ...holds.map(([hold]) => hold)], next, canTrigger: false }
  }
  if (!isAutomatic)
    return { outlook: 'Manual', reasons: ['Users trigger its releases.'], next: undefined, canTrigger: true }
  const [first] = holds
  if (first) return { outlook: 'Held back', reasons: holds.map(([hold]) => hold), next: first[1], canTrigger: true }
  return waiting(snapshot)
}

/** A release that exists can be run again, with its own data, rather than triggered. */
function ofRelease(release: Release): Verdict {
  const reasons = [explainRelease(release).headline]
  switch (releaseStatus(release)) {
    case 'Succeeded':
      return { outlook: 'Released', reasons, next: undefined, canTrigger: false }
    case 'Failed':
      return { outlook: 'Failed', reasons, next: 'Correct the cause, then re-run it.', canTrigger: false }
    default:
      return { outlook: 'Releasing', reasons, next: undefined, canTrigger: false }
  }
}

/** A reason, and what to do about it. */
type Hold = readonly [reason: string, next: string]

/** Why no release of a plan is valid. */
function obstacleOf(plan: ReleasePlan, admission: Admission): Hold | undefined {
  const { target = '' } = specOf(plan)
  if (admission === 'Not Matched' && !target)
    return ['The plan has neither a pipeline nor a target.', 'Edit the release plan.']
  if (admission === 'Not Matched')
    return [`No admission in ${target} accepts this plan.`, `Ask the owners of ${target} to create one.`]
  if (admission?.isBlocked) {
    const owner = parseNamespacedName(admission.name)?.namespace ?? target
    return [`The admission ${admission.name} blocks all releases.`, `Ask the owners of ${owner} to unblock it.`]
  }
  return undefined
}

/** Why a snapshot is not released automatically. Source: integration-service, CanSnapshotBePromoted. */
function holdsOn(snapshot: Snapshot, plan: ReleasePlan, isAttributed: boolean): Hold[] {
  const holds: (Hold | false)[] = [
    !isAttributed && [
      'The plan has no standing attribution, which automatic releases need.',
      'Enable standing attribution in the plan, or trigger the release.',
    ],
    (isUnmerged(snapshot) || !isOfPush(snapshot)) && [
      'The changes in this snapshot have not been merged.',
      'Merge them, or trigger the release.',
    ],
    snapshot.metadata.labels?.[labels.autoRelease] === 'false' && [
      'The snapshot is excluded from automatic releases by its label auto-release.',
      'Trigger the release.',
    ],
    testHold(snapshot) ?? false,
    decisionHold(snapshot, plan) ?? false,
  ]
  return holds.filter((hold) => hold !== false)
}

function testHold(snapshot: Snapshot): Hold | undefined {
  const next = 'Correct them or run them again, or trigger the release.'
  switch (snapshotStatus(snapshot)) {
    case 'Invalid':
      return [`The snapshot is invalid${clause(statusMessageOf(snapshot))}.`, 'Create a new snapshot.']
    case 'Failed':
      return ['Required tests have not passed.', next]
    case 'Cancelled':
      return ['Its tests were cancelled.', next]
    default:
      return undefined
  }
}

const clause = (message: string | undefined): string => (message ? `: ${message.replace(/\.$/, '')}` : '')

/** The integration service decides once for all plans whether to release a snapshot. */
function decisionHold(snapshot: Snapshot, plan: ReleasePlan): Hold | undefined {
  const decision = conditionOf(snapshot, 'autoReleased')
  if (decision?.status !== 'True') return undefined
  const next = 'Trigger the release.'
  if (/newer snapshot/i.test(decision.message ?? '')) return ['A newer snapshot was released instead.', next]
  const isLater = (plan.metadata.creationTimestamp ?? '') > (decision.lastTransitionTime ?? '~')
  return isLater
    ? ['The plan was created after this snapshot was processed.', next]
    : ['The plan was not automatic when this snapshot was processed, or the release has been deleted.', next]
}

/** Nothing prevents the automatic release. */
function waiting(snapshot: Snapshot): Verdict {
  const verdict = { outlook: 'Waiting', canTrigger: true } as const
  const failure = conditionOf(snapshot, 'autoReleased')
  if (failure?.message)
    return { ...verdict, reasons: [`The integration service reports: ${failure.message}`], next: undefined }
  if (snapshotStatus(snapshot) === 'Succeeded')
    return { ...verdict, reasons: ['Its required tests have passed.'], next: 'It is about to be released.' }
  return {
    ...verdict,
    reasons: ['Required tests have not ended.'],
    next: 'It is released automatically once they have passed.',
  }
}
