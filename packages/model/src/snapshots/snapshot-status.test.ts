import type { Condition } from '@slipway/kube/object'
import { expect, test } from 'vitest'
import { condition } from '../testing'
import { aSnapshot } from '../testing/tests-and-releases'
import { snapshotStatus, type SnapshotStatus, statusMessageOf } from './snapshot-status'

const integration = (status: Condition['status'], reason: string, message = '') => ({
  ...condition('AppStudioIntegrationStatus', status, reason),
  message,
})
const tests = (status: Condition['status'], reason: string, message = '') => ({
  ...condition('AppStudioTestSucceeded', status, reason),
  message,
})
const open = integration('Unknown', 'InProgress')
const finished = integration('True', 'Finished')
const withConditions = (conditions: Condition[] | undefined) => aSnapshot({ status: { conditions } })

test.each<[string, Condition[] | undefined, SnapshotStatus]>([
  ['no conditions', undefined, 'Unknown'],
  ['an empty list of conditions', [], 'Unknown'],
  ['other conditions only', [condition('AddedToGlobalCandidateList', 'True')], 'Pending'],
  ['an invalid image', [integration('False', 'Invalid')], 'Invalid'],
  ['an invalid image after a test', [integration('False', 'Invalid'), tests('True', 'Passed')], 'Invalid'],
  ['cancelled tests', [integration('False', 'Canceled')], 'Cancelled'],
  ['an error of the service', [integration('False', 'ErrorOccured')], 'Failed'],
  ['tests that run', [open], 'In Progress'],
  ['tests that are repeated', [tests('Unknown', 'InProgress'), open], 'In Progress'],
  ['tests that are about to be repeated', [tests('True', 'Passed'), open], 'In Progress'],
  ['tests that passed', [finished, tests('True', 'Passed')], 'Succeeded'],
  ['tests that passed, without the other condition', [tests('True', 'Passed')], 'Succeeded'],
  ['tests that failed', [finished, tests('False', 'Failed')], 'Failed'],
  ['only an unfinished outcome', [tests('Unknown', 'InProgress')], 'In Progress'],
  ['an end without an outcome', [finished], 'Unknown'],
  ['a status that no version has', [{ ...finished, status: 'Maybe' as 'Unknown' }], 'In Progress'],
  ['tests that passed in an old snapshot', [condition('HACBSStudioTestSucceeded', 'True', 'Passed')], 'Succeeded'],
  ['tests that run in an old snapshot', [condition('HACBSIntegrationStatus', 'Unknown', 'InProgress')], 'In Progress'],
])('SNAP-29 the status of a snapshot with %s', (_, conditions, expected) =>
  expect(snapshotStatus(withConditions(conditions))).toBe(expected),
)

test.each<[string, Condition[] | undefined, string | undefined]>([
  ['no conditions', undefined, undefined],
  ['no messages', [finished, tests('True', 'Passed')], undefined],
  [
    'an outcome',
    [integration('True', 'Finished', 'is finished'), tests('False', 'Failed', 'Some failed')],
    'Some failed',
  ],
  [
    'repeated tests',
    [tests('Unknown', 'InProgress', 're-run'), integration('Unknown', 'InProgress', 're-run')],
    're-run',
  ],
  [
    'an invalid image after a test',
    [integration('False', 'Invalid', 'invalid digest'), tests('True', 'Passed', 'All passed')],
    'invalid digest',
  ],
])('the message of a snapshot with %s', (_, conditions, expected) =>
  expect(statusMessageOf(withConditions(conditions))).toBe(expected),
)
