import { compareTexts } from '../newest'
import type { Severity } from '../runs/task-results'
import { type FirstSeen, type FoundVulnerability, foundIn, type Scan, type ScanSource } from './scans'

/** The vulnerabilities of a component over its builds. */

/** What the scans of a build found, and what its commit changed. */
export interface ScannedBuild {
  pipelineRun: string
  from: ScanSource
  found: readonly FoundVulnerability[]
  counts: Readonly<Record<Severity, number>>
  /** Why there may be others. */
  gap: string | undefined
  /** What the build before it did not have, and what only that had; `undefined` if one of both is not fully known. */
  change: { arrived: readonly FoundVulnerability[]; fixed: readonly FoundVulnerability[] } | undefined
}

/** @param scans of one component @returns newest first */
export function scannedBuilds(scans: readonly Scan[]): ScannedBuild[] {
  const byRun = new Map<string, [Scan, ...Scan[]]>()
  for (const scan of scans) {
    const known = byRun.get(scan.pipelineRun)
    if (known) known.push(scan)
    else byRun.set(scan.pipelineRun, [scan])
  }
  const builds = [...byRun]
    .map(([pipelineRun, own]) => ({ pipelineRun, from: own[0], found: foundIn(own), gap: firstGap(own) }))
    .sort((a, b) => compareTexts(b.from.scannedAt, a.from.scannedAt) || compareTexts(b.pipelineRun, a.pipelineRun))
  return builds.map((build, at) => {
    const before = builds[at + 1]
    const isComparable = before && !before.gap && !build.gap
    return {
      ...build,
      counts: countsOf(build.found),
      change: isComparable
        ? { arrived: without(build.found, before.found), fixed: without(before.found, build.found) }
        : undefined,
    }
  })
}

const firstGap = (scans: readonly Scan[]): string | undefined => scans.find(({ gap }) => gap)?.gap

function countsOf(found: readonly FoundVulnerability[]): Record<Severity, number> {
  const counts = { Critical: 0, High: 0, Medium: 0, Low: 0, Unknown: 0 }
  for (const { severity } of found) counts[severity]++
  return counts
}

/** What a package is no longer affected by, in whatever version, is fixed in it. */
const subjectOf = ({ id, package: name }: FoundVulnerability): string => JSON.stringify([id, name])

/** The vulnerabilities of one list that another does not have. */
export function without(
  found: readonly FoundVulnerability[],
  others: readonly FoundVulnerability[],
): FoundVulnerability[] {
  const known = new Set(others.map(subjectOf))
  return found.filter((each) => !known.has(subjectOf(each)))
}

/** The vulnerabilities of the newest build, each with the build since which it has been there. */
export function withFirstSeen(builds: readonly ScannedBuild[]): FoundVulnerability[] {
  const [newest, ...older] = builds
  if (!newest) return []
  const subjects = older.map(({ found }) => new Set(found.map(subjectOf)))
  return newest.found.map((each) => ({ ...each, firstSeen: firstSeenOf(each, newest, older, subjects) }))
}

function firstSeenOf(
  each: FoundVulnerability,
  newest: ScannedBuild,
  older: readonly ScannedBuild[],
  subjects: readonly ReadonlySet<string>[],
): FirstSeen {
  const subject = subjectOf(each)
  let { from } = newest
  for (const [at, build] of older.entries()) {
    if (subjects[at]?.has(subject)) ({ from } = build)
    else return { from, isAtLeast: build.gap !== undefined }
  }
  return { from, isAtLeast: true }
}
