import { expect, it, test } from 'vitest'
import { paths, pattern } from './paths'

it('NAV-01 every page of a namespace is below /ns/{namespace}', () => {
  expect(pattern(paths.namespace)).toBe('/ns/:namespace')
  expect(pattern(paths.applications)).toBe('/ns/:namespace/applications')
  expect(pattern(paths.createApplication)).toBe('/ns/:namespace/import')
  expect(pattern(paths.access)).toBe('/ns/:namespace/access')
  expect(pattern(paths.grantAccess)).toBe('/ns/:namespace/access/grant')
  expect(pattern(paths.editAccess)).toBe('/ns/:namespace/access/edit/:binding')
})

test.each([
  ['team-a', '/ns/team-a/applications'],
  ['a/../b', '/ns/a%2F..%2Fb/applications'],
  [':a/b', '/ns/%3Aa%2Fb/applications'],
  ['ü?x#y', '/ns/%C3%BC%3Fx%23y/applications'],
])('a name stays in its segment: %s', (namespace, expected) => {
  expect(paths.applications({ namespace })).toBe(expected)
})
