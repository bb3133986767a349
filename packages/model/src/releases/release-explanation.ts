import type { RunFailure } from '../runs/run-failure'
import type { Waiting } from '../runs/run-waiting'
import type { PolicyViolation } from '../policy/policy-violations'
import { type Release, releaseConditions, releaseStatus } from './release'
import { isNeeded, type ReleaseDefinitions, type ReleaseStage, type StageName, stagesOf } from './release-stages'
import { explainInvalidRelease } from './release-validity'

/** Which stage is holding a release up, since when and why, and what comes next. */

/** What is known about the run of the stage that is holding the release up, if the user may read it. */
export interface RunEvidence {
  failure?: RunFailure | undefined
  waiting?: Waiting | undefined
  /** The rules of the policy that the snapshot violates. */
  violations?: readonly PolicyViolation[] | undefined
}

export interface ReleaseExplanation {
  state: 'succeeded' | 'failed' | 'running' | 'waiting'
  /** One sentence. */
  headline: string
  stages: readonly ReleaseStage[]
  /** The stage that is holding the release up, or has failed it; `undefined` if none has. */
  holding: ReleaseStage | undefined
  /** RFC 3339: since when the release has been in this state; `undefined` if unknown. */
  since: string | undefined
  /** What comes next, or what to do about a failure. One or two sentences. */
  next: string | undefined
}

const stageNouns: Record<StageName, string> = {
  validation: 'validation',
  tenantCollectors: 'the tenant collectors',
  managedCollectors: 'the managed collectors',
  tenant: 'the tenant pipeline',
  managed: 'the managed pipeline',
  final: 'the final pipeline',
}
const pluralStages = new Set<StageName>(['tenantCollectors', 'managedCollectors'])

export function explainRelease(
  release: Release,
  definitions: ReleaseDefinitions = {},
  evidence: RunEvidence = {},
): ReleaseExplanation {
  const stages = stagesOf(release, definitions)
  const outcome = releaseStatus(release)
  if (outcome === 'Succeeded') return succeeded(release, stages)
  if (outcome === 'Failed') return failed(release, { stages, definitions, evidence })
  const holding = stages.find(({ state }) => state === 'Running') ?? stages.find(({ state }) => state === 'Waiting')
  const isWaiting = holding?.state === 'Waiting' || evidence.waiting !== undefined
  return {
    state: isWaiting ? 'waiting' : 'running',
    headline: openHeadline(holding, evidence),
    stages,
    holding,
    since: holding?.state === 'Running' ? holding.since : (lastEnd(stages) ?? release.metadata.creationTimestamp),
    next: nextStages(release, holding, { stages, definitions }),
  }
}

const succeeded = (release: Release, stages: readonly ReleaseStage[]): ReleaseExplanation => ({
  state: 'succeeded',
  headline: `The release succeeded: it passed ${inWords(
    stages.filter(({ state }) => state === 'Succeeded').map(({ name }) => stageNouns[name]),
  )}.`,
  stages,
  holding: undefined,
  since: release.status?.completionTime ?? releasedConditionOf(release)?.lastTransitionTime,
  next: undefined,
})

interface Known {
  stages: readonly ReleaseStage[]
  definitions: ReleaseDefinitions
}

function failed(release: Release, { stages, definitions, evidence }: Known & { evidence: RunEvidence }) {
  const holding = stages.find(({ state }) => state === 'Failed')
  const released = releasedConditionOf(release)
  const common = {
    state: 'failed' as const,
    stages,
    holding,
    since: holding?.since ?? release.status?.completionTime ?? released?.lastTransitionTime,
  }
  if (holding?.name === 'validation') {
    const { text, action } = explainInvalidRelease(holding.message)
    const hadStarted = release.status?.validation?.failedPostValidation === true
    return {
      ...common,
      headline: `The release ${hadStarted ? 'became invalid while it was running' : 'is not valid'}: ${text}.`,
      next: action,
    }
  }
  const notReached = stages.filter(
    ({ name, state }) => state === 'Not reached' && isNeeded(name, release, definitions) === true,
  )
  const skipped =
    notReached.length > 0
      ? ` ${capitalized(inWords(notReached.map(({ name }) => stageNouns[name])))} ${
          notReached.length > 1 || notReached.some(({ name }) => pluralStages.has(name)) ? 'were' : 'was'
        } not reached.`
      : ''
  return {
    ...common,
    headline: holding ? failureHeadline(holding, evidence) : `The release failed${reasonClause(released?.message)}.`,
    next: `${evidence.violations?.length ? repairViolations : repairRun}${skipped}`,
  }
}

const repairRun = 'Correct what made it fail, then re-run this release.'
const repairViolations = 'Correct the violations in a new snapshot and release that.'

function failureHeadline({ name, failedAttempts }: ReleaseStage, { failure, violations = [] }: RunEvidence): string {
  const attempts = failedAttempts.length > 0 ? ` ${failedAttempts.length + 1} times` : ''
  const subject = `${capitalized(stageNouns[name])} failed${attempts}`
  if (violations.length > 0) {
    const count = violations.length === 1 ? 'a rule' : `${violations.length} rules`
    return `${subject}: the snapshot violates ${count} of the policy.`
  }
  if (!failure?.task) return `${subject}.`
  return `${subject} in task ${failure.task}${failure.step ? `, step ${failure.step}` : ''}.`
}

function openHeadline(holding: ReleaseStage | undefined, { waiting }: RunEvidence): string {
  if (!holding) return 'Every stage has ended, and the release is being completed.'
  const { name, state, failedAttempts } = holding
  if (name === 'validation')
    return state === 'Running'
      ? 'The release is being validated.'
      : 'The release service has not picked up this release yet.'
  const noun = capitalized(stageNouns[name])
  if (state === 'Waiting') return `${noun} ${pluralStages.has(name) ? 'have' : 'has'} not started yet.`
  const verb = pluralStages.has(name) ? 'are' : 'is'
  if (waiting) return `${noun} ${verb} waiting${waiting.task ? ` in task ${waiting.task}` : ''}.`
  const last = failedAttempts.at(-1)
  if (!last) return `${noun} ${verb} running.`
  const why = last.failureReason ? ` after ${last.failureReason}` : ''
  const where = last.lastTask ? ` in task ${last.lastTask}` : ''
  return `${noun} ${verb} running again, attempt ${failedAttempts.length + 1}${why}${where}.`
}

/** `Next: the managed pipeline, then the final pipeline.` */
function nextStages(release: Release, holding: ReleaseStage | undefined, { stages, definitions }: Known) {
  if (!holding) return undefined
  const later = stages.slice(stages.indexOf(holding) + 1).filter(({ state }) => state === 'Waiting')
  if (later.length === 0) return 'It is the last stage.'
  const areCertain = later.every(({ name }) => isNeeded(name, release, definitions))
  const names = later.map(({ name }) => stageNouns[name]).join(', then ')
  return `Next: ${names}${areCertain ? '' : ', as far as its plan and its admission define them'}.`
}

const releasedConditionOf = ({ status }: Release) =>
  status?.conditions?.find(({ type }) => type === releaseConditions.released)

/** When the last stage that has ended did so; RFC 3339 times sort as text. */
const lastEnd = (stages: readonly ReleaseStage[]): string | undefined =>
  stages
    .flatMap(({ state, since }) => (state === 'Succeeded' && since ? since : []))
    .sort()
    .at(-1)

const reasonClause = (reason: string | undefined): string => {
  const text = reason?.trim().replace(/\.$/, '')
  return text ? `: ${text}` : ''
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** `a`, `a and b`, `a, b and c` */
const inWords = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
