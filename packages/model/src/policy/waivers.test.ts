import { expect, test } from 'vitest'
import { holdsFor, type PolicyRef, policyRefOf, type Waiver, type WaiverScope, waiversOf } from './waivers'

const digest = `sha256:${'a'.repeat(64)}`
const none = { fromMs: undefined, untilMs: undefined, isLasting: false }
const noon = Date.UTC(2026, 11, 3, 12)

test.each<[string, object, Partial<Waiver>]>([
  ['nothing but a rule', {}, {}],
  [
    'both bounds',
    { effectiveOn: '2026-12-03T12:00:00Z', effectiveUntil: '2026-12-03T13:00:00+01:00' },
    { fromMs: noon, untilMs: noon },
  ],
  ['a day alone, which is no time', { effectiveUntil: '2026-12-03' }, {}],
  ['a time that does not exist', { effectiveUntil: '2026-13-03T12:00:00Z' }, {}],
  ['a number', { effectiveUntil: 4 }, {}],
  ['a digest, in the older form', { imageRef: digest, imageUrl: 'quay.io/a/b' }, { digest }],
  ['a repository', { imageUrl: 'quay.io/a/b', imageDigest: digest }, { repository: 'quay.io/a/b' }],
  ['a digest', { imageDigest: digest, componentNames: ['api'] }, { digest }],
  ['components', { componentNames: ['api', '', 4] }, { components: ['api'] }],
  ['no components', { componentNames: [] }, {}],
  ['an issue', { reference: 'https://issues.test/1' }, { reference: 'https://issues.test/1' }],
])('an exception has %s', (_, criterion, expected) => {
  const sources = [{ volatileConfig: { exclude: [{ value: 'cve', ...criterion }] } }]
  expect(waiversOf({ sources })).toEqual([{ kind: 'exclude', value: 'cve', ...none, ...expected }])
})

test.each<[string, unknown, string[]]>([
  [
    'all sources',
    { sources: [{ volatileConfig: { exclude: [{ value: 'a' }] } }, { volatileConfig: { include: [{ value: 'b' }] } }] },
    ['exclude a', 'include b'],
  ],
  ['none', { sources: [{ config: { exclude: ['a'] } }] }, []],
  ['no specification', undefined, []],
  ['nonsense', { sources: [null, 4, { volatileConfig: { exclude: 'x', include: [null, {}, { value: 3 }] } }] }, []],
])('exceptions are read from %s', (_, spec, expected) =>
  expect(waiversOf(spec).map(({ kind, value }) => `${kind} ${value}`)).toEqual(expected),
)

test.each<[string, object, boolean]>([
  ['the source leaves the rule out for good', { config: { exclude: ['cve'] } }, true],
  ['the policy does, and the source has no configuration', {}, true],
  ['the policy does, but the source has a configuration', { config: { include: ['@redhat'] } }, false],
])('an exception is superfluous if %s: %j', (_, source, isLasting) => {
  const sources = [{ ...source, volatileConfig: { exclude: [{ value: 'cve' }] } }]
  expect(waiversOf({ sources, configuration: { exclude: ['cve'] } })).toMatchObject([{ isLasting }])
})

const image = `quay.io/payments/api:1@${digest}`
test.each<[string, WaiverScope, boolean]>([
  ['everything', {}, true],
  ['its digest', { digest }, true],
  ['another digest', { digest: `sha256:${'b'.repeat(64)}` }, false],
  ['its repository', { repository: 'quay.io/payments/api' }, true],
  ['a repository with a longer name', { repository: 'quay.io/payments/api-2' }, false],
  ['its name', { components: ['web', 'api'] }, true],
  ['another name', { components: ['web'] }, false],
])('an exception for %s holds for an image: %j %s', (_, scope, expected) =>
  expect(holdsFor(scope, { component: 'api', image })).toBe(expected),
)

test.each<[string, WaiverScope, string | undefined, boolean]>([
  ['a tag', { repository: 'quay.io/payments/api' }, 'quay.io/payments/api:1', true],
  ['a registry with a port', { repository: 'quay.io:5000/api' }, 'quay.io:5000/api', true],
  ['no image', { repository: 'quay.io/payments/api' }, undefined, false],
])('a repository is recognized in %s', (_, scope, image, expected) =>
  expect(holdsFor(scope, { component: 'api', image })).toBe(expected),
)

test('an exception for a component holds for each of its architectures', () =>
  expect(holdsFor({ components: ['api'] }, { component: `api-${digest}-arm64` })).toBe(true))

test.each<[string, unknown, PolicyRef | undefined]>([
  ['a namespace and a name', 'shared/default', { kind: 'object', namespace: 'shared', name: 'default' }],
  ['a name', 'default', { kind: 'object', namespace: 'team', name: 'default' }],
  ['a policy', '{"spec":{"sources":[]}}', { kind: 'inline', spec: { sources: [] } }],
  ['a specification', '{"sources":[]}', { kind: 'inline', spec: { sources: [] } }],
  ['broken JSON', '{"sources":', undefined],
  [
    'a repository',
    'github.com/conforma/config//slsa3',
    { kind: 'elsewhere', address: 'github.com/conforma/config//slsa3' },
  ],
  [
    'an address',
    'git::https://git.test/policy.git',
    { kind: 'elsewhere', address: 'git::https://git.test/policy.git' },
  ],
  ['nothing', '', undefined],
  ['no text', ['a'], undefined],
])('a verification names its policy by %s: %j', (_, value, expected) =>
  expect(policyRefOf(value, 'team')).toEqual(expected),
)
