import { expect, it, test } from 'vitest'
import { fieldPath, formatFieldMask, namesOfPath } from './field-mask'

test.each([
  [['metadata', 'name'], 'metadata.name'],
  [['metadata', 'labels', 'example.com/team'], 'metadata.labels.`example.com/team`'],
  [['spec', 'build-nudges-ref'], 'spec.build-nudges-ref'],
  [['data', 'a`b'], 'data.`a``b`'],
])('the path of %j is %s', (names, path) => {
  expect(fieldPath(...names)).toBe(path)
  expect(namesOfPath(path)).toEqual(names)
})

it('a mask joins its paths with commas, and no mask gives no parameter', () => {
  expect(formatFieldMask(['metadata.name', 'spec'])).toBe('metadata.name,spec')
  expect(formatFieldMask(undefined)).toBeUndefined()
})
