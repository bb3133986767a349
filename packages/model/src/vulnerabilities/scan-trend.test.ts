import { describe, expect, it } from 'vitest'
import { aVulnerability, someFindings } from '../testing/scans'
import { scannedBuilds, withFirstSeen } from './scan-trend'
import type { Scan } from './scans'
import type { Vulnerability } from './vulnerability'

const scan = (day: number, vulnerabilities: Vulnerability[], gap?: string): Scan =>
  someFindings(`build-${day}`, vulnerabilities, {
    commit: `commit-${day}`,
    scannedAt: `2026-01-0${day}T09:00:00Z`,
    gap,
  })

const [a, b, c] = ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'] as const
const ids = (found: readonly Vulnerability[]) => found.map(({ id }) => id)

describe('the trend of a component', () => {
  it('says which build brought or fixed a vulnerability, newest first', () => {
    const builds = scannedBuilds([
      scan(1, [aVulnerability(a)]),
      scan(3, [aVulnerability(b), aVulnerability(c, { severity: 'Critical' })]),
      // Another version of the same package has the same vulnerability.
      scan(2, [aVulnerability(a, { installed: '1.0.1' }), aVulnerability(b)]),
    ])
    expect(
      builds.map(({ from, counts, change }) => [
        from.commit,
        [counts.Critical, counts.High],
        change && [ids(change.arrived), ids(change.fixed)],
      ]),
    ).toEqual([
      ['commit-3', [1, 1], [[c], [a]]],
      ['commit-2', [0, 2], [[b], []]],
      ['commit-1', [0, 1], undefined],
    ])
  })

  it('says of no build that it fixed what could not be read', () => {
    const builds = scannedBuilds([
      scan(1, [aVulnerability(a)]),
      scan(2, [], 'Its log has no report.'),
      scan(3, [aVulnerability(b)]),
    ])
    expect(builds.map(({ gap, change }) => [gap, change])).toEqual([
      [undefined, undefined],
      ['Its log has no report.', undefined],
      [undefined, undefined],
    ])
  })

  it('counts what several scans of a build found once', () => {
    const [build] = scannedBuilds([scan(1, [aVulnerability(a)]), scan(1, [aVulnerability(a), aVulnerability(b)])])
    expect(ids(build?.found ?? [])).toEqual([a, b])
  })
})

describe('a vulnerability was first seen', () => {
  const firstSeen = (scans: Scan[]) =>
    withFirstSeen(scannedBuilds(scans)).map(({ id, firstSeen }) => [
      id,
      firstSeen?.from.pipelineRun,
      firstSeen?.isAtLeast,
    ])

  it('in the oldest build since which all have had it', () => {
    expect(
      firstSeen([
        scan(1, [aVulnerability(a)]),
        scan(2, []),
        scan(3, [aVulnerability(a), aVulnerability(b)]),
        scan(4, [aVulnerability(a), aVulnerability(b), aVulnerability(c)]),
      ]),
    ).toEqual([
      [a, 'build-3', false],
      [b, 'build-3', false],
      [c, 'build-4', false],
    ])
  })

  it('perhaps earlier, if nothing older is known', () => {
    expect(firstSeen([scan(1, [aVulnerability(a)]), scan(2, [aVulnerability(a)])])).toEqual([[a, 'build-1', true]])
    expect(firstSeen([scan(1, [], 'Its log has no report.'), scan(2, [aVulnerability(a)])])).toEqual([
      [a, 'build-2', true],
    ])
    expect(firstSeen([])).toEqual([])
  })
})
