import { expect, test } from 'vitest'
import { inNamespace, namespaceInPath, paths } from './paths'

// The addresses of all routes are in guards.test.tsx.

test('APP-33, IMP-01 the application of a new component is a parameter of its URL', () =>
  expect(paths.createComponent({ namespace: 'team', application: 'shop' })).toBe('/ns/team/import?application=shop'))

test('TRIG-01 a new release without any field has the plain URL', () =>
  expect(paths.triggerReleaseOf({ namespace: 'team' })).toBe('/ns/team/release/release-plan/trigger?'))

test('TRIG-04, TRIG-05 the fields of a new release are parameters of its URL', () =>
  expect(paths.triggerReleaseOf({ namespace: 'team', releasePlan: 'to-production', snapshot: 'shop&1' })).toBe(
    '/ns/team/release/release-plan/trigger?releasePlan=to-production&snapshot=shop%261',
  ))

test.each([
  ['team-a', '/ns/team-a/applications'],
  ['a/../b', '/ns/a%2F..%2Fb/applications'],
  [':a/b', '/ns/%3Aa%2Fb/applications'],
  ['ü?x#y', '/ns/%C3%BC%3Fx%23y/applications'],
])('a name stays in its segment: %s', (namespace, expected) => {
  expect(paths.applications({ namespace })).toBe(expected)
})

test.each([
  ['NAV-13 replaces the namespace', '/ns/a/applications', '/ns/b/applications'],
  ['NAV-14 keeps only the first section', '/ns/a/applications/x/components', '/ns/b/applications'],
  ['NAV-14 keeps a section with nothing below it', '/ns/a/applications/', '/ns/b/applications'],
  ['NAV-14 keeps the encoding of a section', '/ns/a/odd%2Fone/x', '/ns/b/odd%2Fone'],
  ['NAV-13 goes from the root of a namespace to the root of another', '/ns/a', '/ns/b'],
  ['keeps a path without a namespace', '/ns', '/ns'],
  ['keeps other paths', '/releasemonitor', '/releasemonitor'],
])('a change of namespace %s', (_, pathname, expected) => expect(inNamespace(pathname, 'b')).toBe(expected))

test.each([
  ['/ns/a/applications/x', 'a'],
  ['/ns/a%2Fb', 'a/b'],
  ['/ns/', undefined],
  ['/ns', undefined],
  ['/', undefined],
  ['/nsx/a', undefined],
  ['/ns/%E0%A4%A', undefined],
])('%s is within %s', (pathname, expected) => expect(namespaceInPath(pathname)).toBe(expected))
