import { describe, expect, it } from 'vitest'
import { foundIn, type Scan } from '../vulnerabilities/scans'
import type { Vulnerability } from '../vulnerabilities/vulnerability'
import { fixedCves, markNew, vulnerabilityChanges } from './released-vulnerabilities'

const vulnerability = (id: string, over: Partial<Vulnerability> = {}): Vulnerability => ({
  id,
  aliases: [],
  severity: 'High',
  package: 'zlib',
  installed: '1.0',
  fixedIn: '1.1',
  link: undefined,
  ...over,
})

const scan = (component: string, vulnerabilities: Vulnerability[], gap?: string): Scan => ({
  namespace: 'team',
  application: 'checkout',
  component,
  image: undefined,
  commit: undefined,
  pipelineRun: `${component}-build`,
  taskRun: `${component}-scan`,
  scannedAt: '2026-01-01T09:00:00Z',
  vulnerabilities,
  gap,
})

const [a, b, c] = ['CVE-2026-1', 'CVE-2026-2', 'CVE-2026-3'] as const

describe('a vulnerability is new', () => {
  const newIds = (now: Scan[], released: Scan[] | undefined) =>
    markNew(foundIn(now), released).map(({ id, from, isNew }) => [from.component, id, isNew])

  it('if the same component of the last release did not have it', () => {
    expect(
      newIds(
        [scan('api', [vulnerability(a, { installed: '1.0.1' }), vulnerability(b)]), scan('web', [vulnerability(a)])],
        [scan('api', [vulnerability(a)]), scan('web', [])],
      ),
    ).toEqual([
      ['api', a, false],
      ['api', b, true],
      ['web', a, true],
    ])
  })

  it('for all that is known, where the released image was not scanned, or not all of it was read', () => {
    const now = [scan('api', [vulnerability(a)]), scan('web', [vulnerability(a)])]
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
            vulnerability(a, { package: 'zlib' }),
            vulnerability(a, { package: 'expat' }),
            vulnerability(b),
            vulnerability('RHSA-2026:1', { aliases: [c], package: '-' }),
            vulnerability('PVE-2026-7'),
          ]),
          scan('web', [vulnerability(a)]),
        ],
        [
          scan('api', [vulnerability(b), vulnerability('CVE-2026-9')]),
          scan('web', [vulnerability(a, { package: 'other' })]),
        ],
      ),
    ).toEqual([
      { key: a, component: 'api', packages: ['expat', 'zlib'] },
      { key: c, component: 'api', packages: [] },
    ])
  })

  it('nothing in a component that was not scanned, or of which not all was read', () => {
    const had = [scan('api', [vulnerability(a)]), scan('web', [vulnerability(a)])]
    expect(fixedCves(had, [])).toEqual([])
    expect(fixedCves(had, [scan('api', [], 'Its log has no report.')])).toEqual([])
    expect(fixedCves([scan('api', [vulnerability(a)], 'One entry could not be read.')], [scan('api', [])])).toEqual([])
  })
})

describe('the vulnerabilities that changed between two snapshots', () => {
  const changes = (before: Scan[], after: Scan[]) =>
    vulnerabilityChanges(before, after).map(({ id, from, change }) => [from.component, id, change])
  const old = [scan('api', [vulnerability(a), vulnerability(b)]), scan('web', [vulnerability(c)])]
  const recent = [
    scan('api', [vulnerability(b, { installed: '1.0.1' }), vulnerability(c)]),
    scan('web', [vulnerability(c)]),
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
    expect(changes(old, [scan('other', [vulnerability(a)])])).toEqual([])
    expect(changes(old, [scan('api', [], 'cut off'), scan('web', [])])).toEqual([['web', c, 'Fixed']])
  })
})
