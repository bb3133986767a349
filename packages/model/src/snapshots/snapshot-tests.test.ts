import { describe, expect, it } from 'vitest'
import { annotations, copiedPacKey, labels } from '../labels'
import type { RunStatusWord } from '../runs/run-status'
import { condition, aPipelineRun } from '../testing'
import { anIntegrationTestScenario, aSnapshot } from '../testing/tests-and-releases'
import { appliesTo, isOfPush, readinessOf, type SnapshotTest, testsOfSnapshot, testStatusesOf } from './snapshot-tests'

const event = copiedPacKey(labels.eventType)
const pullRequest = copiedPacKey(labels.pullRequestNumber)
const snapshot = (marks: Record<string, string | undefined>) =>
  aSnapshot({ metadata: { labels: marks as Record<string, string> } })
const ofPullRequest = { [event]: 'pull_request', [pullRequest]: '7' }

it.each<[string, Record<string, string | undefined>, boolean]>([
  ['a push', { [event]: 'push' }, true],
  ['a push to GitLab', { [event]: 'Push' }, true],
  ['the push of a merged pull request', { [event]: 'push', [pullRequest]: '7' }, true],
  ['a manual build', { [event]: 'incoming' }, true],
  ['no event', { [event]: undefined }, true],
  ['a pull request', ofPullRequest, false],
  ['a merge request', { [event]: 'Merge_Request', [pullRequest]: '7' }, false],
  ['a comment on a pull request', { [event]: 'retest-all-comment', [pullRequest]: '7' }, false],
])('isOfPush for a snapshot of %s', (_, marks, expected) => expect(isOfPush(snapshot(marks))).toBe(expected))

it.each<[string[], Record<string, string | undefined>, boolean]>([
  [[], {}, true],
  [['application'], {}, true],
  [['all'], ofPullRequest, true],
  [['push'], {}, true],
  [['push'], ofPullRequest, false],
  [['pull_request'], ofPullRequest, true],
  [['pull_request'], {}, false],
  [['component'], {}, true],
  [['component'], { [labels.snapshotType]: 'group' }, false],
  [['group'], { [labels.snapshotType]: 'group' }, true],
  [['override'], { [labels.snapshotType]: 'override' }, true],
  [['override'], {}, false],
  [['component_checkout-api'], {}, true],
  [['component_checkout'], {}, false],
  [['group', 'push'], {}, true],
  [['disabled'], {}, false],
])('a test with the contexts %j applies to a snapshot with %j: %s', (contexts, marks, expected) => {
  const test = anIntegrationTestScenario({ spec: { contexts: contexts.map((name) => ({ name })) } })
  expect(appliesTo(test, snapshot(marks))).toBe(expected)
})

const reporting = (reports: unknown, reason = 'InProgress') =>
  aSnapshot({
    metadata: {
      name: 'shop-1',
      annotations: { [annotations.testStatus]: typeof reports === 'string' ? reports : JSON.stringify(reports) },
    },
    status: { conditions: [condition('AppStudioIntegrationStatus', 'True', reason)] },
  })

it.each(['', '{', '{}', 'null', '[1, null, {"scenario": 1}, {"scenario": "unit"}]'])(
  'testStatusesOf returns no statuses for the invalid value %j',
  (value) => expect(testStatusesOf(reporting(value))).toEqual([]),
)

const unit = anIntegrationTestScenario({ metadata: { name: 'unit' } })
const report = (status: string, more: object = {}) => ({
  scenario: 'unit',
  status,
  lastUpdateTime: '2026-01-31T09:10:00Z',
  details: 'As reported',
  startTime: '2026-01-31T09:01:00Z',
  testPipelineRunName: 'unit-1',
  ...more,
})
const runOf = (name: string, minute: number, more: Parameters<typeof aPipelineRun>[0] = {}) =>
  aPipelineRun({
    metadata: {
      name,
      labels: { [labels.scenario]: 'unit', [labels.snapshot]: 'shop-1' },
      creationTimestamp: `2026-01-31T09:0${minute}:00Z`,
    },
    status: {
      startTime: `2026-01-31T09:0${minute}:00Z`,
      conditions: [condition('Succeeded', 'Unknown', 'Running')],
    },
    ...more,
  })
const ended = (name: string, minute: number, status: 'True' | 'False') =>
  runOf(name, minute, {
    status: {
      startTime: `2026-01-31T09:0${minute}:00Z`,
      completionTime: `2026-01-31T09:0${minute}:30Z`,
      conditions: [condition('Succeeded', status)],
    },
  })

describe('a test of a snapshot', () => {
  const passedText = 'The required test passed.'
  const failedText = '0 of 1 required test passed; unit failed.'
  it.each<[string, string, RunStatusWord, RunStatusWord, SnapshotTest['shown'], string]>([
    [
      'failed tests',
      'TestFail',
      'Test Failures',
      'Test Failures',
      { status: 'Succeeded', verdict: 'Test Failures' },
      failedText,
    ],
    [
      'warnings',
      'TestPassed',
      'Test Warnings',
      'Test Warnings',
      { status: 'Succeeded', verdict: 'Test Warnings' },
      passedText,
    ],
    ['skipped tests', 'TestPassed', 'Skipped', 'Skipped', { status: 'Succeeded', verdict: 'Skipped' }, passedText],
    ['a worse report', 'TestFail', 'Test Warnings', 'Failed', { status: 'Failed', verdict: 'Failed' }, failedText],
    // The service decides about the release, whatever the tasks of the run say.
    [
      'a better report',
      'TestPassed',
      'Test Failures',
      'Succeeded',
      { status: 'Succeeded', verdict: 'Test Failures' },
      passedText,
    ],
  ])('STAT-01 is shown as on the page of its run: %s', (_, reported, verdict, expected, shown, text) => {
    const run = ended('unit-1', 1, 'True')
    const tests = testsOfSnapshot(reporting([report(reported)]), [unit], [run], { verdictOf: () => verdict })
    expect(tests).toMatchObject([{ status: expected, shown }])
    expect(readinessOf(tests).text).toBe(text)
  })

  it.each<[string, unknown[], ReturnType<typeof runOf>[], Partial<SnapshotTest>]>([
    ['that has not been reported', [], [], { status: 'PipelineNotStarted', runName: undefined, details: undefined }],
    [
      'without a run',
      [{ ...report('Pending'), testPipelineRunName: undefined, startTime: undefined }],
      [],
      { status: 'PipelineNotStarted', runName: undefined, startTime: undefined },
    ],
    ['that is running', [report('InProgress')], [runOf('unit-1', 1)], { status: 'Running', runName: 'unit-1' }],
    [
      'whose run is waiting',
      [report('InProgress')],
      [runOf('unit-1', 1, { spec: { status: 'PipelineRunPending' }, status: {} })],
      { status: 'Pending', runName: 'unit-1' },
    ],
    ['that passed', [report('TestPassed')], [ended('unit-1', 1, 'True')], { status: 'Succeeded' }],
    [
      'that failed although its run succeeded',
      [report('TestFail')],
      [ended('unit-1', 1, 'True')],
      { status: 'Failed' },
    ],
    ['whose report is late', [report('InProgress')], [ended('unit-1', 1, 'False')], { status: 'Failed' }],
    [
      'whose run is gone',
      [report('TestPassed', { completionTime: '2026-01-31T09:05:00Z' })],
      [],
      {
        status: 'Succeeded',
        runName: 'unit-1',
        run: undefined,
        startTime: '2026-01-31T09:01:00Z',
        completionTime: '2026-01-31T09:05:00Z',
        details: 'As reported',
      },
    ],
    [
      'that is being repeated',
      [report('TestFail')],
      [ended('unit-1', 1, 'False'), runOf('unit-2', 5)],
      { status: 'Running', runName: 'unit-2', details: undefined },
    ],
    [
      'whose newer run is gone',
      [report('TestPassed', { startTime: '2026-01-31T09:05:00Z', testPipelineRunName: 'unit-2' })],
      [ended('unit-1', 1, 'False')],
      { status: 'Succeeded', runName: 'unit-2' },
    ],
    ['whose run could not be created', [report('TestInvalid')], [], { status: 'Failed', details: 'As reported' }],
    ['whose run was deleted', [report('Deleted')], [], { status: 'Unknown' }],
    ['with a status of a later version', [report('constructor')], [], { status: 'Unknown' }],
    [
      'with nonsense beside its status',
      [report('TestPassed', { details: 7, startTime: {}, testPipelineRunName: [] })],
      [],
      { status: 'Succeeded', runName: undefined, startTime: undefined, details: undefined },
    ],
    [
      'of another snapshot only',
      [],
      [
        runOf('other', 1, {
          metadata: { name: 'other', labels: { [labels.scenario]: 'unit', [labels.snapshot]: 'shop-2' } },
        }),
      ],
      { runName: undefined },
    ],
  ])('%s', (_, reports, runs, expected) =>
    expect(testsOfSnapshot(reporting(reports), [unit], runs)).toMatchObject([{ name: 'unit', ...expected }]),
  )

  it('is skipped if it was added after the others had ended', () =>
    expect(
      testsOfSnapshot(reporting([report('TestPassed', { scenario: 'e2e' })], 'Finished'), [unit], []),
    ).toMatchObject([
      { name: 'e2e', test: undefined, status: 'Succeeded' },
      { name: 'unit', status: 'Skipped' },
    ]))

  it('is unknown if all have ended and none is reported', () =>
    expect(testsOfSnapshot(reporting([], 'Finished'), [unit], [])).toMatchObject([{ status: 'Unknown' }]))

  it('is listed if it applies or has been run', () => {
    const other = anIntegrationTestScenario({
      metadata: { name: 'groups' },
      spec: { contexts: [{ name: 'group' }] },
    })
    expect(testsOfSnapshot(reporting([]), [unit, other], []).map(({ name }) => name)).toEqual(['unit'])
    expect(
      testsOfSnapshot(reporting([report('TestPassed', { scenario: 'groups' })]), [unit, other], []).map(
        ({ name }) => name,
      ),
    ).toEqual(['groups', 'unit'])
  })

  it('is optional by its label, and once it is deleted by its report or its run', () => {
    const optional = anIntegrationTestScenario({ metadata: { name: 'unit', labels: { [labels.optional]: 'true' } } })
    expect(testsOfSnapshot(reporting([]), [optional], [])).toMatchObject([{ isOptional: true }])
    const gone = testsOfSnapshot(reporting([report('TestPassed', { isOptionalScenario: true })]), [], [])
    expect(gone).toMatchObject([{ isOptional: true }])
    const marked = runOf('unit-1', 1, {
      metadata: {
        name: 'unit-1',
        labels: { [labels.scenario]: 'unit', [labels.snapshot]: 'shop-1', [labels.optional]: 'true' },
      },
    })
    expect(testsOfSnapshot(reporting([]), [], [marked])).toMatchObject([{ isOptional: true }])
  })
})

describe('the readiness of a snapshot', () => {
  const a = (name: string, status: SnapshotTest['status'], more: Partial<SnapshotTest> = {}): SnapshotTest => ({
    name,
    test: undefined,
    isOptional: false,
    status,
    shown: { status, verdict: status },
    runName: undefined,
    run: undefined,
    startTime: undefined,
    completionTime: undefined,
    details: undefined,
    ...more,
  })
  const invalid = anIntegrationTestScenario({
    status: {
      conditions: [
        { ...condition('IntegrationTestScenarioValid', 'False', 'Invalid'), message: 'No such application.' },
      ],
    },
  })

  it.each<[SnapshotTest[], 'ready' | 'waiting' | 'failed', string]>([
    [[], 'ready', 'No test is required for a release of this snapshot.'],
    [[a('e2e', 'Failed', { isOptional: true })], 'ready', 'No test is required for a release of this snapshot.'],
    [[a('unit', 'Succeeded')], 'ready', 'The required test passed.'],
    [[a('unit', 'Succeeded'), a('e2e', 'Succeeded'), a('late', 'Skipped')], 'ready', 'All 2 required tests passed.'],
    [
      [a('a', 'Succeeded'), a('b', 'Succeeded'), a('e2e', 'PipelineNotStarted')],
      'waiting',
      '2 of 3 required tests passed; e2e has not started: its pipeline run has not been created yet.',
    ],
    [
      [a('e2e', 'PipelineNotStarted', { details: 'No quota is left.' })],
      'waiting',
      '0 of 1 required test passed; e2e has not started: no quota is left.',
    ],
    [
      [a('e2e', 'PipelineNotStarted', { test: invalid })],
      'waiting',
      '0 of 1 required test passed; e2e has not started: its definition is invalid: No such application.',
    ],
    [[a('e2e', 'Running')], 'waiting', '0 of 1 required test passed; e2e is running.'],
    [[a('e2e', 'Cancelling')], 'waiting', '0 of 1 required test passed; e2e is being cancelled.'],
    [
      [a('a', 'Running'), a('b', 'Failed'), a('c', 'Cancelled'), a('d', 'Unknown'), a('e', 'Succeeded')],
      'failed',
      '1 of 5 required tests passed; b failed; c was cancelled; d has an unknown outcome; another one has not passed.',
    ],
  ])('of %j is %s', (tests, state, text) => expect(readinessOf(tests)).toMatchObject({ state, text }))

  it('explains a waiting run as its caller knows', () => {
    const tests = [a('e2e', 'Pending', { run: runOf('e2e-1', 1) })]
    expect(readinessOf(tests).text).toBe('0 of 1 required test passed; e2e has not started.')
    const { text, waiting } = readinessOf(tests, () => 'The quota of this namespace is used up.')
    expect(text).toBe('0 of 1 required test passed; e2e has not started: the quota of this namespace is used up.')
    expect(waiting?.name).toBe('e2e')
  })
})
