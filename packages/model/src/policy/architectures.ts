import type { RuleResult } from '../snapshots/enterprise-contract'

/**
 * Conforma verifies an image index and each of its images as a component of its own, whose name it makes from that of
 * the component. Source: conforma/cli, internal/applicationsnapshot/input.go.
 */
const expandedName = /^(.+)-sha256:[0-9a-f]{64}-([a-z0-9_.-]+)$/i

/** The component as the snapshot names it, and the architecture of its image if a report names one. */
export function verifiedComponent(name: string): { component: string; architecture?: string } {
  const [, component, architecture] = expandedName.exec(name) ?? []
  return component && architecture ? { component, architecture } : { component: name }
}

/** A result that stands for those of all architectures of a component. */
export interface CollapsedResult extends RuleResult {
  /** Sorted; empty if the report names none. */
  architectures: string[]
}

/**
 * Joins the results that differ by architecture only. Messages that name different images are equal if nothing else in
 * them differs; the first one stays.
 */
export function withoutArchitectures(results: readonly RuleResult[]): CollapsedResult[] {
  const known = new Map<string, CollapsedResult>()
  for (const result of results) {
    const { component, architecture } = verifiedComponent(result.component)
    const { outcome, code, rule, terms, message } = result
    const key = JSON.stringify([component, outcome, code ?? rule, terms, message?.replace(anyDigest, '')])
    const same = known.get(key)
    if (!same) known.set(key, { ...result, component, architectures: architecture ? [architecture] : [] })
    else if (architecture && !same.architectures.includes(architecture)) same.architectures.push(architecture)
    // The index comes before or after its images; only its own digest is what the snapshot names.
    if (same && !architecture && result.image) same.image = result.image
  }
  for (const { architectures } of known.values()) architectures.sort()
  return [...known.values()]
}

const anyDigest = /sha256:[0-9a-f]{64}/gi
