import type { Finding } from './policy-checks'

/** What the verifications of a snapshot found and those of another did not. */

export interface PolicyChange {
  key: string
  change: 'Fails now' | 'No longer fails'
  /** Of the snapshot that fails. */
  finding: Finding
}

export interface PolicyComparison {
  changes: PolicyChange[]
  /** The components that the same test has verified in both. */
  components: string[]
}

const subjectOf = ({ component, from }: Finding): string => JSON.stringify([from.check, component])
const violationOf = (finding: Finding): string =>
  JSON.stringify([subjectOf(finding), finding.code ?? finding.rule, finding.terms])

/**
 * The violations of one snapshot that another does not have. A component counts only if the same test has verified it in
 * both: what was not verified does not fail, and does not pass either.
 * @param before the latest findings of each (`latestFindings`)
 */
export function comparePolicy(before: readonly Finding[], after: readonly Finding[]): PolicyComparison {
  const verified = new Set(before.map(subjectOf))
  const common = after.filter((finding) => verified.has(subjectOf(finding)))
  const subjects = new Set(common.map(subjectOf))
  const had = violationsBy(before, subjects)
  const has = violationsBy(common, subjects)
  return {
    changes: [...without(has, had, 'Fails now'), ...without(had, has, 'No longer fails')],
    components: [...new Set(common.map(({ component }) => component))].sort(),
  }
}

function violationsBy(findings: readonly Finding[], subjects: ReadonlySet<string>): Map<string, Finding> {
  const violations = new Map<string, Finding>()
  for (const finding of findings) {
    if (finding.outcome !== 'Failed' || !subjects.has(subjectOf(finding))) continue
    const key = violationOf(finding)
    if (!violations.has(key)) violations.set(key, finding)
  }
  return violations
}

const without = (
  violations: ReadonlyMap<string, Finding>,
  others: ReadonlyMap<string, Finding>,
  change: PolicyChange['change'],
): PolicyChange[] => [...violations].flatMap(([key, finding]) => (others.has(key) ? [] : { key, change, finding }))
