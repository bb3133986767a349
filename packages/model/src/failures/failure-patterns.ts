import { nameOf, uidOf } from '@slipway/kube/object'
import { purposeOf } from '../comparison/last-green'
import { commitShaOf } from '../git/git-facts'
import { groupBy } from '../grouping'
import { labels } from '../labels'
import { compareTexts, lastFirstBy } from '../newest'
import type { PipelineRun } from '../runs/pipeline-run'
import { pipelineRunStatus } from '../runs/run-status'
import { byStartTime, startOf } from '../runs/tekton'
import type { FailureClass, FailureEvidence } from './failure-class'
import type { Fingerprint } from './failure-fingerprint'

/** How far back patterns look. */
export const patternDays = 7
const dayMs = 24 * 3_600_000

/** The failed runs of the last days, newest first. */
export const recentFailures = (runs: readonly PipelineRun[], nowMs: number): PipelineRun[] =>
  byStartTime(runs)
    .reverse()
    .filter((run) => pipelineRunStatus(run) === 'Failed' && Date.parse(startOf(run)) >= nowMs - patternDays * dayMs)

/** A failed run of which the failure is known. */
export interface KnownFailure {
  run: PipelineRun
  evidence: FailureEvidence
  fingerprint: Fingerprint
}

/** The same failure in one or several runs. */
export interface FailurePattern {
  id: string
  class: FailureClass
  /** The line that names the failure, of its newest run. */
  title: string
  /** Newest first. */
  failures: KnownFailure[]
  /** The tasks that failed, by name. */
  tasks: string[]
  /** By name. */
  components: string[]
  /** RFC 3339. */
  firstSeen: string
  lastSeen: string
  retries: RetryOutcomes
}

/** What became of the commits of failed runs that ran once more. */
export interface RetryOutcomes {
  /** How many of the failures were followed by another run of the same commit, which has ended. */
  retried: number
  /** How many of these runs succeeded. */
  passed: number
}

const lastStarted = lastFirstBy(startOf)

/**
 * The patterns in failures, the most frequent first.
 * @param runs all runs that are known, those that succeeded too
 */
export function patternsOf(failures: readonly KnownFailure[], runs: readonly PipelineRun[]): FailurePattern[] {
  const nextOf = followingRuns(runs)
  return [...groupBy(failures, ({ fingerprint }) => fingerprint.id)]
    .map(([id, known]): FailurePattern => {
      const own = [...known].sort((a, b) => lastStarted(a.run, b.run))
      const next = own.flatMap(({ run }) => nextOf(run) ?? [])
      const { class: kind = 'Code', title = '' } = own[0]?.fingerprint ?? {}
      return {
        id,
        class: kind,
        title,
        failures: own,
        tasks: distinct(own.map(({ evidence }) => evidence.task)),
        components: distinct(own.map(({ run }) => run.metadata.labels?.[labels.component])),
        firstSeen: startOf(own.at(-1)?.run ?? { metadata: {} }),
        lastSeen: startOf(own[0]?.run ?? { metadata: {} }),
        retries: { retried: next.length, passed: next.filter(hasPassed).length },
      }
    })
    .sort(
      (a, b) =>
        b.failures.length - a.failures.length || compareTexts(b.lastSeen, a.lastSeen) || compareTexts(a.id, b.id),
    )
}

const distinct = (names: readonly (string | undefined)[]): string[] =>
  [...new Set(names.flatMap((name) => name ?? []))].sort((a, b) => a.localeCompare(b, 'en'))

const hasPassed = (run: PipelineRun): boolean => pipelineRunStatus(run) === 'Succeeded'
const hasOutcome = (run: PipelineRun): boolean => hasPassed(run) || pipelineRunStatus(run) === 'Failed'

/** Runs that do the same for the same commit: what differs between them is not in the commit. */
function attemptKey(run: PipelineRun): string | undefined {
  const [purpose, commit] = [purposeOf(run), commitShaOf(run)]
  return purpose && commit && `${purpose} ${commit}`
}

/** The runs of each commit that have an outcome, oldest first. */
const attemptsOf = (runs: readonly PipelineRun[]): PipelineRun[][] => [
  ...groupBy(byStartTime(runs.filter(hasOutcome)), attemptKey).values(),
]

/** Returns the next run that did the same for the same commit. */
function followingRuns(runs: readonly PipelineRun[]): (run: PipelineRun) => PipelineRun | undefined {
  const next = new Map<string, PipelineRun>()
  for (const attempts of attemptsOf(runs)) {
    attempts.forEach((run, index) => {
      const following = attempts[index + 1]
      if (following) next.set(keyOf(run), following)
    })
  }
  return (run) => next.get(keyOf(run))
}

const keyOf = (run: PipelineRun): string => uidOf(run) || nameOf(run)

/** How often the outcome of a task flips without another commit. */
export interface FlakeScore {
  task: string
  /** Pairs of consecutive runs of one commit in which the outcome of the task is known. */
  pairs: number
  /** How many of these have different outcomes. */
  flips: number
  components: string[]
}

/**
 * The tasks that have failed, with how often their outcome flips, the flakiest first. A run that succeeds says that each
 * of its tasks did; one that failed in another task says nothing about this one.
 */
export function flakeScores(failures: readonly KnownFailure[], runs: readonly PipelineRun[]): FlakeScore[] {
  const failedTask = new Map(failures.map(({ run, evidence }) => [keyOf(run), evidence.task]))
  const scores = new Map<string, FlakeScore>()
  for (const attempts of attemptsOf(runs)) {
    const tasks = new Set(attempts.flatMap((run) => failedTask.get(keyOf(run)) ?? []))
    for (const task of tasks) {
      const outcomes = attempts.flatMap((run) => {
        if (hasPassed(run)) return 'passed'
        return failedTask.get(keyOf(run)) === task ? 'failed' : []
      })
      if (outcomes.length < 2) continue
      const flips = outcomes.filter((outcome, index) => index > 0 && outcome !== outcomes[index - 1]).length
      const component = attempts[0]?.metadata.labels?.[labels.component]
      const known = scores.get(task) ?? { task, pairs: 0, flips: 0, components: [] }
      scores.set(task, {
        task,
        pairs: known.pairs + outcomes.length - 1,
        flips: known.flips + flips,
        components: distinct([...known.components, component]),
      })
    }
  }
  return [...scores.values()].sort(
    (a, b) => shareOf(b) - shareOf(a) || b.pairs - a.pairs || a.task.localeCompare(b.task, 'en'),
  )
}

/** From 0 to 1. */
export const shareOf = ({ pairs, flips }: FlakeScore): number => flips / pairs
