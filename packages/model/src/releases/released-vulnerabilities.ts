import { cvesOf } from '../vulnerabilities/vulnerability'
import { without } from '../vulnerabilities/scan-trend'
import { type FoundVulnerability, foundIn, type Scan } from '../vulnerabilities/scans'
import type { FixedCve } from './triggered-release'

/** The vulnerabilities of what is released, compared with those of what was released before. */

/** What was found in each component, as far as all of its scans have been read. */
function knownByComponent(scans: readonly Scan[]): Map<string, FoundVulnerability[]> {
  const unknown = new Set(scans.flatMap(({ gap, component }) => (gap ? [component] : [])))
  const known = new Map<string, Scan[]>()
  for (const scan of scans) {
    if (!unknown.has(scan.component)) known.set(scan.component, [...(known.get(scan.component) ?? []), scan])
  }
  return new Map([...known].map(([component, own]) => [component, foundIn(own)]))
}

/**
 * Says of each vulnerability whether the last release did not have it in the same component.
 * @param released the scans of the released images; `undefined` while they are not known
 */
export function markNew(
  found: readonly FoundVulnerability[],
  released: readonly Scan[] | undefined,
): readonly FoundVulnerability[] {
  if (!released) return found
  const before = knownByComponent(released)
  const isNew = new Set(
    [...before].flatMap(([component, had]) =>
      without(
        found.filter(({ from }) => from.component === component),
        had,
      ),
    ),
  )
  return found.map((each) => (before.has(each.from.component) ? { ...each, isNew: isNew.has(each) } : each))
}

export interface ChangedVulnerability extends FoundVulnerability {
  change: 'New' | 'Fixed'
}

/**
 * What the images of a snapshot have and those of another had not, and the other way round. A component counts only if
 * it is in both, and all scans of both of its images were read.
 */
export function vulnerabilityChanges(before: readonly Scan[], after: readonly Scan[]): ChangedVulnerability[] {
  const current = knownByComponent(after)
  return [...knownByComponent(before)].flatMap(([component, had]): ChangedVulnerability[] => {
    const has = current.get(component)
    if (!has) return []
    return [
      ...without(has, had).map((each) => ({ ...each, change: 'New' as const })),
      ...without(had, has).map((each) => ({ ...each, change: 'Fixed' as const })),
    ]
  })
}

/**
 * The CVEs that the released images had and those of a snapshot do not, by component, for release notes. A component
 * counts only if both of its images were scanned and all of that was read, so that nothing unread counts as fixed.
 */
export function fixedCves(released: readonly Scan[], snapshot: readonly Scan[]): FixedCve[] {
  const now = knownByComponent(snapshot)
  return [...knownByComponent(released)].flatMap(([component, had]) => {
    const has = now.get(component)
    if (!has) return []
    const remaining = new Set(has.flatMap(cvesOf))
    const packages = new Map<string, Set<string>>()
    for (const each of had) {
      for (const key of cvesOf(each)) {
        if (!remaining.has(key)) packages.set(key, (packages.get(key) ?? new Set()).add(each.package))
      }
    }
    return [...packages]
      .map(([key, names]) => ({ key, component, packages: [...names].filter((name) => name !== '-').sort() }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
  })
}
