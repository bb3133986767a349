import type { Condition } from '@slipway/kube/object'
import { describe, expect, test } from 'vitest'
import { labels } from '../labels'
import {
  failureMessages,
  type Release,
  releaseConditions,
  releaseStatus,
  type ReleaseStatus,
  releaseTrigger,
  releaseVerdict,
} from './release'
import { aRelease, condition } from '../testing'

describe('status of a release', () => {
  test.each<[string, Condition[] | undefined, ReleaseStatus]>([
    ['RELSTAT-01 no status', undefined, 'Unknown'],
    ['RELSTAT-01 no conditions', [], 'Unknown'],
    ['RELSTAT-02 no Released condition', [condition('Validated', 'True')], 'Pending'],
    ['RELSTAT-03 released', [condition('Validated', 'True'), condition('Released', 'True', 'Succeeded')], 'Succeeded'],
    ['RELSTAT-04 in progress', [condition('Released', 'False', 'Progressing')], 'In Progress'],
    ['RELSTAT-04 in progress with another status', [condition('Released', 'Unknown', 'Progressing')], 'In Progress'],
    ['RELSTAT-04 in progress with status True', [condition('Released', 'True', 'Progressing')], 'In Progress'],
    ['RELSTAT-05 failed', [condition('Released', 'False', 'Failed')], 'Failed'],
    ['RELSTAT-06 failed for another reason', [condition('Released', 'False', 'Skipped')], 'Pending'],
    ['RELSTAT-06 succeeded but not true', [condition('Released', 'False', 'Succeeded')], 'Pending'],
    ['RELSTAT-06 failed but true', [condition('Released', 'True', 'Failed')], 'Pending'],
    ['RELSTAT-06 failed with status Unknown', [condition('Released', 'Unknown', 'Failed')], 'Pending'],
    ['RELSTAT-06 no reason', [{ type: 'Released', status: 'True' }], 'Pending'],
  ])('%s', (_, conditions, expected) =>
    expect(releaseStatus(aRelease({ status: conditions && { conditions } }))).toBe(expected),
  )
})

test.each<[string, Release['status'], ReleaseStatus]>([
  ['no status yet', undefined, 'Pending'],
  ['no conditions yet', { startTime: '2026-01-31T09:00:00Z' }, 'Pending'],
  ['Validated only', { conditions: [condition('Validated', 'True')] }, 'Pending'],
  ['ended well', { conditions: [condition('Released', 'True', 'Succeeded')] }, 'Succeeded'],
  ['failed', { conditions: [condition('Released', 'False', 'Failed')] }, 'Failed'],
])('RELSTAT-01, RELSTAT-02 a release waits until its service has begun it: %s', (_, status, expected) =>
  expect(releaseVerdict(aRelease({ status }))).toBe(expected),
)

test('RELSTAT-07 the conditions of a release as a whole are Processed, Validated and Released', () =>
  expect(Object.values(releaseConditions)).toEqual(['Processed', 'Validated', 'Released']))

describe('why a release failed', () => {
  const failed = (type: string, message: string): Condition => ({ ...condition(type, 'False', 'Failed'), message })

  test.each<[string, Condition[] | undefined, string[]]>([
    ['no conditions', undefined, []],
    ['nothing has failed', [condition('Released', 'True', 'Succeeded')], []],
    [
      'the outcome first',
      [failed('ManagedPipelineProcessed', 'task verify failed'), failed('Released', 'Release processing failed')],
      ['Release processing failed', 'task verify failed'],
    ],
    ['the conditions of older services', [failed('Processed', 'no run'), failed('Released', 'no run')], ['no run']],
    ['no message', [failed('Validated', ' '), { type: 'Released', status: 'False', reason: 'Failed' }], []],
    ['an unknown type', [failed('Blessed', 'not at all')], []],
  ])('%s', (_, conditions, expected) => expect(failureMessages(aRelease({ status: { conditions } }))).toEqual(expected))
})

test.each([
  ['a plan, by the status', { automated: true }, undefined, 'Automatic'],
  ['a user, by the status', { automated: false }, 'true', 'Manual'],
  ['a plan, by the label before there is a status', undefined, 'true', 'Automatic'],
  ['a user, by the label', undefined, 'false', 'Manual'],
  ['an unknown source', undefined, undefined, 'Manual'],
])('REL-26 a release was triggered by %s', (_, status, label, expected) => {
  const marks = label ? { [labels.automated]: label } : {}
  expect(releaseTrigger(aRelease({ metadata: { labels: marks }, status }))).toBe(expected)
})
