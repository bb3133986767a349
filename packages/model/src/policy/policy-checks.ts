import type { RuleOutcome, RuleResult } from '../snapshots/enterprise-contract'
import { type CollapsedResult, withoutArchitectures } from './architectures'

/** What the latest verifications say about the components of a namespace. */

/** A verification whose report has been read. */
export interface PolicyCheck {
  /** Of the run. */
  namespace: string
  /** Of the components: a managed pipeline runs in another namespace. */
  servedNamespace: string
  application: string
  /** The integration test or the pipeline that verifies: the newest verification of each counts. */
  check: string
  pipelineRun: string
  taskRun: string
  /** RFC 3339. */
  checkedAt: string
  /** The task's parameter: `namespace/name`, a JSON object or an address. */
  policy: string | undefined
  results: readonly RuleResult[]
}

/** The result of a rule for a component, and where it is from. */
export interface Finding extends CollapsedResult {
  from: Omit<PolicyCheck, 'results'>
}

/**
 * The results of the newest verification that covers each component, of each test and pipeline: a verification may cover
 * only the component whose build caused it.
 */
export function latestFindings(checks: readonly PolicyCheck[]): Finding[] {
  const covered = new Set<string>()
  return [...checks]
    .sort((a, b) => Date.parse(b.checkedAt) - Date.parse(a.checkedAt))
    .flatMap(({ results, ...from }) => {
      const keyOf = ({ component }: RuleResult) => JSON.stringify([from.application, from.check, component])
      const current = withoutArchitectures(results).filter((result) => !covered.has(keyOf(result)))
      for (const result of current) covered.add(keyOf(result))
      return current.map((result) => ({ ...result, from }))
    })
}

/** What a page lists in a row: a rule with what it says of each component, or a component with its rules. */
export interface FindingGroup {
  key: string
  /** Title of the rule, or name of the component. */
  title: string
  /** Code of the rule, or application of the component. */
  subtitle: string | undefined
  /** The worst of its findings. */
  outcome: RuleOutcome
  counts: Readonly<Record<RuleOutcome, number>>
  /** The worst first. */
  findings: readonly Finding[]
  /** RFC 3339: the verification that was last. */
  checkedAt: string
}

const severities: Record<RuleOutcome, number> = { Failed: 0, Warning: 1, Success: 2 }

export const byRule = (findings: readonly Finding[]): FindingGroup[] =>
  grouped(
    findings,
    ({ code, rule }) => code ?? rule,
    ({ rule, code }) => ({ title: rule, subtitle: code === rule ? undefined : code }),
  )

export const byComponent = (findings: readonly Finding[]): FindingGroup[] =>
  grouped(
    findings,
    ({ component, from }) => JSON.stringify([from.application, component]),
    ({ component, from }) => ({ title: component, subtitle: from.application }),
  )

function grouped(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string,
  headingOf: (first: Finding) => Pick<FindingGroup, 'title' | 'subtitle'>,
): FindingGroup[] {
  const groups = new Map<string, [Finding, ...Finding[]]>()
  for (const finding of findings) {
    const key = keyOf(finding)
    const known = groups.get(key)
    if (known) known.push(finding)
    else groups.set(key, [finding])
  }
  return [...groups].map(([key, members]) => {
    const counts = { Failed: 0, Warning: 0, Success: 0 }
    let { checkedAt } = members[0].from
    for (const { outcome, from } of members) {
      counts[outcome]++
      if (Date.parse(from.checkedAt) > Date.parse(checkedAt)) ({ checkedAt } = from)
    }
    return {
      key,
      ...headingOf(members[0]),
      outcome: counts.Failed > 0 ? 'Failed' : counts.Warning > 0 ? 'Warning' : 'Success',
      counts,
      findings: members.sort((a, b) => severities[a.outcome] - severities[b.outcome]),
      checkedAt,
    }
  })
}
