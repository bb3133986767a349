import { expect, it, test } from 'vitest'
import { copiedPacKey, labels } from '../labels'
import { eventTypeText, pipelineTypeText } from './run-type'
import { aPipelineRun } from '../testing'

const run = (label: string, value: string) => aPipelineRun({ metadata: { labels: { [label]: value } } })

test.each([
  ['STAT-56', 'push', 'Push'],
  ['STAT-56', 'Push', 'Push'],
  ['STAT-57', 'pull_request', 'Pull Request'],
  ['STAT-58', 'incoming', 'Incoming'],
  ['STAT-59', 'retest-all-comment', 'Retest All Comment'],
  ['an unknown event:', 'Merge_Request', 'Merge_Request'],
  ['an event named like a built-in property:', 'toString', 'toString'],
])('%s %s is shown as %s', (_, type, text) => expect(eventTypeText(run(labels.eventType, type))).toBe(text))

it('a test has the event of its build', () => {
  expect(eventTypeText(run(copiedPacKey(labels.eventType), 'pull_request'))).toBe('Pull Request')
})

test.each([
  ['STAT-55', 'build', 'Build'],
  ['STAT-55', 'test', 'Test'],
  ['STAT-55', 'tenant', 'Tenant'],
  ['STAT-55', 'managed', 'Managed'],
  ['STAT-55', 'release', 'Release'],
  ['STAT-55', 'final', 'Final'],
  ['another type:', 'tenant-collectors', 'Tenant-collectors'],
])('%s a run of type %s is shown as %s', (_, type, text) => {
  expect(pipelineTypeText(run(labels.pipelineType, type))).toBe(text)
})

it('a run without an event has no event text', () => expect(eventTypeText(aPipelineRun())).toBeUndefined())
