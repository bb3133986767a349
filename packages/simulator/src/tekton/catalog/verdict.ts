import { integerBetween } from '../../keyed-random'
import type { Facts } from './definition'

/** The result of a test or check, as opposed to whether its task succeeded. */
export type Verdict = 'SUCCESS' | 'WARNING' | 'FAILURE' | 'SKIPPED' | 'ERROR'

const forced: Partial<Record<NonNullable<Facts['outcome']>, Verdict>> = {
  success: 'SUCCESS',
  warning: 'WARNING',
  fail: 'FAILURE',
  failure: 'FAILURE',
  skipped: 'SKIPPED',
  error: 'ERROR',
}

/** @param rates probabilities of verdicts other than SUCCESS, if none is forced */
export function verdictOf(facts: Facts, rates: Partial<Record<Verdict, number>>): Verdict {
  const forcedVerdict = facts.outcome && forced[facts.outcome]
  if (forcedVerdict) return forcedVerdict
  let draw = facts.random('verdict')()
  for (const [verdict, rate] of Object.entries(rates)) {
    draw -= rate
    // `Object.entries` types keys as strings.
    if (draw < 0) return verdict as Verdict
  }
  return 'SUCCESS'
}

export interface TestOutput {
  result: Verdict
  timestamp: string
  namespace: string
  note: string
  successes: number
  failures: number
  warnings: number
}

export function testOutputOf(facts: Facts, verdict: Verdict, namespace = 'default'): TestOutput {
  const random = facts.random('test output')
  const note = facts.taskRun.metadata.labels?.['tekton.dev/pipelineTask'] ?? 'task'
  const notes: Record<Verdict, string> = {
    SUCCESS: `Task ${note} completed successfully.`,
    WARNING: `Task ${note} found issues. For details, check Tekton task log.`,
    FAILURE: `Task ${note} failed: for details, check Tekton task log.`,
    SKIPPED: `Task ${note} was skipped: there is nothing to check.`,
    ERROR: `Task ${note} failed: the tool could not be started. For details, check Tekton task log.`,
  }
  return {
    result: verdict,
    timestamp: new Date(facts.startMs).toISOString().replace(/\.\d+Z$/, '+00:00'),
    namespace,
    note: notes[verdict],
    successes: verdict === 'SKIPPED' || verdict === 'ERROR' ? 0 : integerBetween(random, 3, 42),
    failures: verdict === 'FAILURE' ? integerBetween(random, 1, 4) : 0,
    warnings: verdict === 'WARNING' ? integerBetween(random, 1, 6) : 0,
  }
}

export interface Vulnerabilities {
  critical: number
  high: number
  medium: number
  low: number
  unknown: number
}

/** Vulnerabilities without a fix, which block no release. */
function severeUnpatched(facts: Facts): Pick<Vulnerabilities, 'critical' | 'high'> {
  const random = facts.random('unpatched vulnerabilities')
  return { critical: integerBetween(random, 0, 1), high: integerBetween(random, 1, 4) }
}

/** Random counts: many images have vulnerabilities of low severity, few have critical ones. */
export function vulnerabilitiesOf(facts: Facts): {
  vulnerabilities: Vulnerabilities
  unpatched_vulnerabilities: Vulnerabilities
} {
  const random = facts.random('vulnerabilities')
  const none = { critical: 0, high: 0, medium: 0, low: 0, unknown: 0 }
  const occurs = (outcome: Facts['outcome'], isDrawn: boolean) =>
    facts.outcome === outcome || (!facts.outcome && isDrawn)
  const unpatched = { ...none, medium: integerBetween(random, 0, 9), low: integerBetween(random, 10, 90) }
  const draw = random()
  if (occurs('vulnerable', draw < 0.2)) Object.assign(unpatched, severeUnpatched(facts))
  const vulnerabilities =
    facts.outcome === 'success'
      ? none
      : {
          critical: occurs('vulnerable', draw < 0.04) ? integerBetween(random, 1, 3) : 0,
          high: occurs('vulnerable', draw < 0.12) ? integerBetween(random, 1, 7) : 0,
          medium: occurs('warning', draw < 0.4) ? integerBetween(random, 1, 14) : 0,
          low: occurs('warning', draw < 0.55) ? integerBetween(random, 1, 30) : 0,
          unknown: draw < 0.06 ? 1 : 0,
        }
  return { vulnerabilities, unpatched_vulnerabilities: unpatched }
}
