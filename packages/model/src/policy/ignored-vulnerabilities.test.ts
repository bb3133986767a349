import { describe, expect, test } from 'vitest'
import { changesAfter, exemptionOf, standingOf } from './ignored-vulnerabilities'
import { sourcesOf } from './waivers'

const id = 'CVE-2026-1001'
const nowMs = Date.parse('2026-11-29T12:00:00Z')
const until = '2026-12-03T00:00:00Z'
const untilMs = Date.parse(until)
const digest = `sha256:${'a'.repeat(64)}`
const subject = { component: 'api', image: `quay.io/team/api:1@${digest}` }
const vulnerability = { id, aliases: ['RHSA-2026:1234'], severity: 'High' as const, fixedIn: '2.0' }
const unfixed = { ...vulnerability, fixedIn: undefined }
const exclude = (value: string, over: object = {}) => ({ volatileConfig: { exclude: [{ value, ...over }] } })
const include = (value: string, over: object = {}) => ({ volatileConfig: { include: [{ value, ...over }] } })
const of = (spec: object, at = nowMs, judged: Parameters<typeof exemptionOf>[0] = vulnerability) =>
  exemptionOf(judged, subject, sourcesOf(spec), at)

describe('an exclusion exempts a vulnerability', () => {
  test.each<[string, object]>([
    ['by its CVE', exclude(`cve.cve_blockers:${id}`)],
    ['by its advisory', exclude('cve.cve_blockers:RHSA-2026:1234')],
    ['by its CVE, in all rules', exclude(`cve.*:${id}`)],
    ['with the rule', exclude('cve.cve_blockers')],
    ['with the package', exclude('cve')],
    ['with the package, in the other form', exclude('cve.*')],
    ['with everything', exclude('*')],
    ['with a collection', exclude('@redhat')],
    ['for its component', exclude('cve', { componentNames: ['api'] })],
    ['for its image', exclude('cve', { imageDigest: digest })],
    ['for good', { config: { exclude: [`cve.cve_blockers:${id}`] } }],
    ['more specific than the inclusion', { config: { include: ['@redhat'], exclude: ['cve.cve_blockers'] } }],
  ])('%s', (_, source) => expect(of({ sources: [source] })).toMatchObject({ kind: 'excluded' }))

  test('for good, in the configuration of the policy', () =>
    expect(of({ sources: [{}], configuration: { exclude: ['cve'] } })).toEqual({ kind: 'excluded', by: 'cve' }))
})

describe('an exclusion does not exempt a vulnerability', () => {
  test.each<[string, object]>([
    ['if it names another', exclude('cve.cve_blockers:CVE-2026-1002')],
    ['if it names the rule for vulnerabilities without a fix', exclude('cve.unpatched_cve_blockers')],
    ['if it names another package', exclude('tests')],
    ['if it names another collection', exclude('@slsa3')],
    ['if it is for another component', exclude('cve', { componentNames: ['web'] })],
    ['if it is for another image', exclude('cve', { imageDigest: `sha256:${'b'.repeat(64)}` })],
    ['before it begins', exclude('cve', { effectiveOn: until })],
    ['if an inclusion is more specific', { config: { include: ['cve.cve_blockers'], exclude: ['cve'] } }],
    ['if several inclusions outweigh it', { config: { include: ['@minimal', '@redhat'], exclude: ['cve'] } }],
    ['if nothing is excluded', {}],
  ])('%s', (_, source) => expect(of({ sources: [source] })).toBeUndefined())

  test('if the source has a configuration of its own in place of that of the policy', () =>
    expect(of({ sources: [{ config: { include: ['*'] } }], configuration: { exclude: ['cve'] } })).toBeUndefined())

  test('if another source blocks it', () => expect(of({ sources: [exclude('cve'), {}] })).toBeUndefined())

  test('if the policy has no sources', () => expect(of({})).toBeUndefined())
})

test.each<[string, object, object | undefined]>([
  ['by default only critical and high ones with a fix', {}, undefined],
  [
    'other levels, which the policy sets',
    { ruleData: { restrict_cve_security_levels: ['critical'] } },
    { kind: 'not blocking' },
  ],
  ['levels in data that is kept elsewhere', { data: ['oci::quay.io/data'] }, undefined],
  [
    'levels of its own besides such data',
    { data: ['x'], ruleData: { restrict_cve_security_levels: [] } },
    { kind: 'not blocking' },
  ],
  ['levels that are nonsense', { ruleData: { restrict_cve_security_levels: 'critical' } }, undefined],
  ['none, since other rules are included only', { config: { include: ['tests'] } }, { kind: 'not blocking' }],
])('a policy blocks %s', (_, source, expected) => expect(of({ sources: [source] })).toEqual(expected))

test('a vulnerability without a fix is not blocked by default', () =>
  expect(of({ sources: [{}] }, nowMs, unfixed)).toEqual({ kind: 'not blocking' }))

test.each<[string, number, object | undefined]>([
  ['a second before', untilMs - 1_000, { kind: 'excluded', by: 'cve', untilMs }],
  ['at', untilMs, { kind: 'excluded', by: 'cve', untilMs }],
  ['a second after', untilMs + 1_000, undefined],
])('an exclusion with an end: %s it', (_, atMs, expected) =>
  expect(of({ sources: [exclude('cve', { effectiveUntil: until })] }, atMs)).toEqual(expected),
)

test.each<[string, number, boolean]>([
  ['a second before', untilMs - 1_000, true],
  ['at', untilMs, false],
])('an inclusion that outweighs an exclusion: %s its beginning', (_, atMs, isExempt) => {
  const source = {
    config: { include: ['*'], exclude: ['cve'] },
    ...include(`cve.cve_blockers:${id}`, { effectiveOn: until }),
  }
  expect(of({ sources: [source] }, atMs)).toEqual(
    isExempt ? { kind: 'excluded', by: 'cve', untilMs: untilMs - 1 } : undefined,
  )
})

test('an exemption does not end with an exclusion that another one covers', () => {
  const covered = { volatileConfig: { exclude: [{ value: `cve.*:${id}`, effectiveUntil: until }, { value: 'cve' }] } }
  expect(of({ sources: [covered] })).toEqual({ kind: 'excluded', by: `cve.*:${id}` })
})

test('an exemption ends when the policy no longer falls back on its own exclusion', () => {
  const sources = [include('tests', { effectiveOn: until })]
  expect(of({ sources, configuration: { exclude: ['cve'] } })).toEqual({ kind: 'excluded', by: 'cve' })
  expect(of({ sources: [include('*', { effectiveOn: until })], configuration: { exclude: ['cve'] } })).toEqual({
    kind: 'excluded',
    by: 'cve',
    untilMs: untilMs - 1,
  })
})

describe('days of leeway', () => {
  const published = '2026-11-27T00:00:00Z'
  const endMs = Date.parse('2026-11-30T00:00:00Z')
  const leeway = { ruleData: { cve_leeway: { critical: 3, high: 3 } } }
  const recent = { ...vulnerability, published }

  test.each<[string, number, object | undefined]>([
    ['a second before', endMs - 1_000, { kind: 'leeway', untilMs: endMs }],
    ['at', endMs, { kind: 'leeway', untilMs: endMs }],
    ['a second after', endMs + 1_000, undefined],
  ])('exempt a vulnerability since its publication: %s their end', (_, atMs, expected) =>
    expect(of({ sources: [leeway] }, atMs, recent)).toEqual(expected),
  )

  test.each<[string, object, Parameters<typeof exemptionOf>[0]]>([
    ['are none for another severity', { ruleData: { cve_leeway: { critical: 3 } } }, recent],
    ['are none for a vulnerability without a date', leeway, vulnerability],
    ['are none if they are nonsense', { ruleData: { cve_leeway: { high: '3' } } }, recent],
    ['are none with a date that is nonsense', leeway, { ...vulnerability, published: 'soon' }],
  ])('%s', (_, source, judged) => expect(of({ sources: [source] }, nowMs, judged)).toBeUndefined())

  test('do not hold in another source that blocks', () =>
    expect(of({ sources: [leeway, {}] }, nowMs, recent)).toBeUndefined())

  test('go on where an exclusion ends', () => {
    const both = { ...leeway, ...exclude('cve', { effectiveUntil: '2026-11-29T18:00:00Z' }) }
    expect(of({ sources: [both] }, nowMs, recent)).toEqual({ kind: 'excluded', by: 'cve', untilMs: endMs })
  })

  test('do not ignore a vulnerability', () =>
    expect(
      standingOf(recent, subject, [{ name: 'a', sources: sourcesOf({ sources: [leeway] }) }], nowMs),
    ).toMatchObject({ state: 'Leeway', untilMs: endMs }))
})

test('an exclusion has its issue', () =>
  expect(of({ sources: [exclude('cve', { reference: 'https://issues.test/1' })] })).toEqual({
    kind: 'excluded',
    by: 'cve',
    reference: 'https://issues.test/1',
  }))

test('changes of a policy are the moments at which exceptions begin and after which they end', () => {
  const source = exclude('cve', { effectiveOn: '2026-11-01T00:00:00Z', effectiveUntil: until })
  expect(changesAfter(sourcesOf({ sources: [source] }), nowMs)).toEqual([untilMs + 1])
  expect(changesAfter(sourcesOf({ sources: [source] }), 0)).toEqual([Date.parse('2026-11-01T00:00:00Z'), untilMs + 1])
})

const ignoring = { name: 'a', sources: sourcesOf({ sources: [exclude('cve', { effectiveUntil: until })] }) }
const ignoringLonger = { name: 'b', sources: sourcesOf({ sources: [exclude('cve')] }) }
const blocking = { name: 'c', sources: sourcesOf({ sources: [{}] }) }
const notBlocking = { name: 'd', sources: sourcesOf({ sources: [{ config: { include: ['tests'] } }] }) }
const unknown = { name: 'e', sources: undefined }
test.each<[string, Parameters<typeof standingOf>[2], object | undefined]>([
  ['no policy', [], undefined],
  ['one that ignores it', [ignoring], { state: 'Ignored', untilMs }],
  ['two that ignore it', [ignoring, ignoringLonger], { state: 'Ignored', untilMs }],
  ['one that ignores and one that does not block it', [ignoringLonger, notBlocking], { state: 'Ignored' }],
  ['one that does not block it', [notBlocking], { state: 'Not blocking' }],
  ['one that ignores and one that blocks it', [ignoring, blocking], { state: 'Partly ignored' }],
  ['one that ignores it and an unknown one', [ignoring, unknown], { state: 'Partly ignored' }],
  ['one that blocks it and an unknown one', [blocking, unknown], undefined],
  ['an unknown one', [unknown], { state: 'Not known' }],
])('a vulnerability under %s', (_, policies, expected) => {
  const standing = standingOf(vulnerability, subject, policies, nowMs)
  if (expected) expect(standing).toMatchObject(expected)
  else expect(standing).toBeUndefined()
})
