import { expect, test } from 'vitest'
import { satisfies } from './node-version.mjs'

test.each<[version: string, expected: boolean]>([
  ['v18.20.0', false],
  ['v20.18.9', false],
  ['v20.19.0', true],
  ['v20.20.2', true],
  ['v21.7.0', false],
  ['v22.12.0', false],
  ['v22.13.0', true],
  ['v23.9.0', false],
  ['v24.0.0', true],
  ['v25.1.0-nightly', true],
])('%s', (version, expected) => expect(satisfies(version, '^20.19.0 || ^22.13.0 || >=24')).toBe(expected))
