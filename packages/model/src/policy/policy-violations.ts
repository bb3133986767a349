import type { RuleResult } from '../snapshots/enterprise-contract'
import { withoutArchitectures } from './architectures'

/** A rule that some components of a snapshot violate. */
export interface PolicyViolation {
  rule: string
  code?: string
  solution?: string
  /** In the order of the report, an image of several architectures once. */
  findings: { component: string; message?: string }[]
}

/** The violated rules, each with the components that violate it, in the order of the report. */
export function violationsIn(results: readonly RuleResult[]): PolicyViolation[] {
  const byRule = new Map<string, PolicyViolation>()
  for (const { rule, outcome, component, code, message, solution } of withoutArchitectures(results)) {
    if (outcome !== 'Failed') continue
    const key = `${code} ${rule}`
    const known = byRule.get(key) ?? { rule, ...(code && { code }), ...(solution && { solution }), findings: [] }
    byRule.set(key, known)
    known.findings.push({ component, ...(message && { message }) })
  }
  return [...byRule.values()]
}
