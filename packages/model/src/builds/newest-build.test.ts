import { expect, test } from 'vitest'
import { annotations } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { aComponent, aPipelineRun } from '../testing'
import { newestBuildKey } from './newest-build'

const started = (startTime: string | undefined) =>
  aPipelineRun({
    metadata: { creationTimestamp: '2026-01-31T08:00:00Z' },
    status: { startTime, completionTime: undefined, conditions: undefined },
  })

test.each<[title: string, noted: string | undefined, builds: PipelineRun[], expected: string]>([
  ['the start of its newest build', '1', [started('2026-01-31T09:00:00Z')], '2026-01-31T09:00:00Z'],
  ['a build that waits, after all others', '1', [started(undefined)], '~2026-01-31T08:00:00Z'],
  ['the noted time without a build', '1769850060', [], '2026-01-31T09:01:00Z'],
  ['nothing without either', undefined, [], ''],
  ['nothing for a time that is empty', '', [], ''],
  ['nothing for a time that is not a number', 'yesterday', [], ''],
  ['nothing for a time that no date can have', '1e300', [], ''],
])('a component is sorted by %s', (_, noted, builds, expected) => {
  const component = aComponent({ metadata: { annotations: { [annotations.lastBuiltTime]: noted } } })
  expect(newestBuildKey(component, builds)).toBe(expected)
})
