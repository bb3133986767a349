import { expect, test } from 'vitest'
import { inNamespace, namespaceInPath, paths, pattern } from './paths'

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

test('an object whose name is also the word of a path has an address of its own', () => {
  const builders: ((params: never) => string)[] = Object.values(paths)
  const patterns = builders.map((build) => pattern<never>(build).replace(/\?.*$/, '').split('/'))
  const isParameter = (segment = '') => segment.startsWith(':')
  const clashes = patterns.flatMap((objects) =>
    patterns
      .filter((words) => words.length === objects.length && words.join() !== objects.join())
      // The same address for a name: each segment is the same, or a word where the other has a name.
      .filter((words) =>
        words.every((word, at) => word === objects[at] || (isParameter(objects[at]) && !isParameter(word))),
      )
      .map((words) => `${words.join('/')} is ${objects.join('/')} too`),
  )
  expect(clashes).toEqual([
    '/ns/:namespace/applications/:application/integrationtests/add is /ns/:namespace/applications/:application/integrationtests/:integrationTest too',
  ])
  const at = { namespace: 'team', application: 'shop' }
  expect(paths.integrationTest({ ...at, integrationTest: 'unit' })).toBe(
    '/ns/team/applications/shop/integrationtests/unit',
  )
  expect(paths.integrationTest({ ...at, integrationTest: 'add' })).toBe(
    '/ns/team/applications/shop/integrationtests/add/overview',
  )
})
