import type { Release } from '@slipway/model/releases/release'
import type { Collectors, ReleasePlan, ReleasePlanAdmission } from '@slipway/model/releases/release-plan'
import { hexDigits, integerBetween, type Random } from '../keyed-random'
import type { ReleasePhase } from './phases'

interface Definitions {
  plan: ReleasePlan
  admission: ReleasePlanAdmission | undefined
}

/** Adds the findings of a phase's collectors to the release, by the name of each collector. */
export function withCollected(
  release: Release,
  phase: ReleasePhase,
  { plan, admission }: Definitions,
  random: (key: string) => Random,
): Release {
  const byScope: Record<string, Collectors | undefined> = {
    ...(phase === 'tenant-collectors' && { tenant: plan.spec.collectors }),
    ...(phase === 'managed-collectors' && { managed: admission?.spec.collectors }),
  }
  const collected = Object.fromEntries(
    Object.entries(byScope).map(([scope, collectors]) => [
      scope,
      Object.fromEntries((collectors?.items ?? []).map((item) => [item.name, findings(item, random)])),
    ]),
  )
  if (Object.keys(collected).length === 0) return release
  const known = typeof release.status?.collectors === 'object' ? release.status.collectors : {}
  return { ...release, status: { ...release.status, collectors: { ...known, ...collected } } }
}

/** Findings in the format of the catalog's collectors: issues of a tracker, or vulnerabilities. */
function findings({ name, type }: Collectors['items'][number], random: (key: string) => Random) {
  const numbers = random(`findings of the collector ${name}`)
  const id = () => integerBetween(numbers, 100, 9_999)
  if (type === 'cve') {
    const cve = () => ({ key: `CVE-2026-${10_000 + id()}`, component: name, packages: [`lib${hexDigits(numbers, 4)}`] })
    return { releaseNotes: { cves: [cve(), cve()] } }
  }
  const issue = () => ({ id: `REL-${id()}`, source: 'issues.slipway.test' })
  return { releaseNotes: { issues: { fixed: [issue(), issue(), issue()] } } }
}
