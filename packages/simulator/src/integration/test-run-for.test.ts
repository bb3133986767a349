import { annotations } from '@slipway/model/labels'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { describe, expect, it } from 'vitest'
import { keyedRandom } from '../keyed-random'
import { isSuperseded } from './promotion'
import { testRunFor } from './test-run-for'

describe('a scenario', () => {
  it('has a run with a new name for each repetition, and never the name of another run', () => {
    const random = (key: string) => keyedRandom('test', key)
    const input = { snapshot: aSnapshot(), scenario: anIntegrationTestScenario(), random }
    const nameFor = (more: { previous?: string; isTaken?: (name: string) => boolean } = {}) =>
      testRunFor({ ...input, ...more })?.metadata.name
    const first = nameFor()
    expect(first).toMatch(/./)
    expect(nameFor()).toBe(first)
    expect(nameFor({ previous: first })).not.toBe(first)
    expect(nameFor({ isTaken: (name) => name === first })).not.toBe(first)
  })
})

it.each<[string | undefined, string | undefined, boolean]>([
  ['1769850000000', '1769850000', false],
  ['1769850000000', '1769850001', true],
  ['1769850000000', undefined, false],
  [undefined, '1769850001', false],
])('a snapshot of a build of %s is superseded by a build of %s: %s', (startMs, lastBuiltTime, expected) => {
  const marks = { [annotations.buildStartTime]: startMs }
  expect(isSuperseded(aSnapshot({ metadata: { annotations: marks } }), lastBuiltTime)).toBe(expected)
})
