import { describe, expect, it } from 'vitest'
import { aVulnerability, someFindings } from '../testing/scans'
import { foundIn, type Scan } from '../vulnerabilities/scans'
import type { Vulnerability } from '../vulnerabilities/vulnerability'
import { fixedCves, markNew, vulnerabilityChanges } from './released-vulnerabilities'

const scan = (component: string, vulnerabilities: Vulnerability[], gap?: string): Scan =>
  someFindings(`${component}-build`, vulnerabilities, { component, gap })

const [a, b, c] = ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'] as const

describe('a vulnerability is new', () => {
  const newIds = (now: Scan[], released: Scan[] | undefined) =>
    markNew(foundIn(now), released).map(({ id, from, isNew }) => [from.component, id, isNew])

  it('if the same component of the last release did not have it', () => {
    expect(
      newIds(
        [scan('api', [aVulnerability(a, { installed: '1.0.1' }), aVulnerability(b)]), scan('web', [aVulnerability(a)])],
        [scan('api', [aVulnerability(a)]), scan('web', [])],
      ),
    ).toEqual([
      ['api', a, false],
      ['api', b, true],
      ['web', a, true],
    ])
  })

  it('for all that is known, where the released image was not scanned, or not all of it was read', () => {
    const now = [scan('api', [aVulnerability(a)]), scan('web', [aVulnerability(a)])]
    expect(newIds(now, [scan('web', [], 'Its log has no report.')])).toEqual([
      ['api', a, undefined],
      ['web', a, undefined],
    ])
    expect(newIds(now.slice(0, 1), undefined)).toEqual([['api', a, undefined]])
  })
})

describe('a snapshot fixes', () => {
  it('the CVEs that the released images had and its own do not, with their packages', () => {
    expect(
      fixedCves(
        [
          scan('api', [
            aVulnerability(a, { package: 'zlib' }),
            aVulnerability(a, { package: 'expat' }),
            aVulnerability(b),
            aVulnerability('RHSA-2026:1', { aliases: [c], package: '-' }),
            aVulnerability('PVE-2026-7'),
          ]),
          scan('web', [aVulnerability(a)]),
        ],
        [
          scan('api', [aVulnerability(b), aVulnerability('CVE-2026-9')]),
          scan('web', [aVulnerability(a, { package: 'other' })]),
        ],
      ),
    ).toEqual([
      { key: a, component: 'api', packages: ['expat', 'zlib'] },
      { key: c, component: 'api', packages: [] },
    ])
  })

  it('nothing in a component that was not scanned, or of which not all was read', () => {
    const had = [scan('api', [aVulnerability(a)]), scan('web', [aVulnerability(a)])]
    expect(fixedCves(had, [])).toEqual([])
    expect(fixedCves(had, [scan('api', [], 'Its log has no report.')])).toEqual([])
    expect(fixedCves([scan('api', [aVulnerability(a)], 'One entry could not be read.')], [scan('api', [])])).toEqual([])
  })
})

describe('the vulnerabilities that changed between two snapshots', () => {
  const changes = (before: Scan[], after: Scan[]) =>
    vulnerabilityChanges(before, after).map(({ id, from, change }) => [from.component, id, change])
  const old = [scan('api', [aVulnerability(a), aVulnerability(b)]), scan('web', [aVulnerability(c)])]
  const recent = [
    scan('api', [aVulnerability(b, { installed: '1.0.1' }), aVulnerability(c)]),
    scan('web', [aVulnerability(c)]),
  ]

  it('are new or fixed, whatever the version', () =>
    expect(changes(old, recent)).toEqual([
      ['api', c, 'New'],
      ['api', a, 'Fixed'],
    ]))

  it('are the other way round if the snapshots are', () =>
    expect(changes(recent, old)).toEqual([
      ['api', a, 'New'],
      ['api', c, 'Fixed'],
    ]))

  it('are not known of components that were not scanned in both, or not read to the end', () => {
    expect(changes(old, [scan('other', [aVulnerability(a)])])).toEqual([])
    expect(changes(old, [scan('api', [], 'cut off'), scan('web', [])])).toEqual([['web', c, 'Fixed']])
  })
})
