import { describe, expect, it, test } from 'vitest'
import { copiedPacKey, labels } from '../labels'
import type { PipelineRun } from './pipeline-run'
import {
  cancelRequestOf,
  isRerunLikely,
  rerunOf,
  rerunsOf,
  runsSince,
  snapshotOf,
  stopDisabledReason,
  stopRequests,
} from './run-actions'
import { aPipelineRun, condition } from '../testing'

const runWith = (own: Record<string, string | undefined>) => aPipelineRun({ metadata: { labels: own } })

describe('stopping', () => {
  const running = [condition('Succeeded', 'Unknown', 'Running')]
  test.each<[string, PipelineRun, string | undefined]>([
    ['a running run can be stopped', aPipelineRun({ status: { conditions: running } }), undefined],
    ['a waiting run cannot be stopped', aPipelineRun(), 'This pipeline run is not running'],
    [
      'a run that is being cancelled cannot be stopped',
      aPipelineRun({ spec: { status: 'CancelledRunFinally' }, status: { conditions: running } }),
      'This pipeline run is already being stopped',
    ],
    [
      'a successful run cannot be stopped',
      aPipelineRun({ status: { conditions: [condition('Succeeded', 'True')] } }),
      'This pipeline run has ended',
    ],
    [
      'a run that ended before its cancellation cannot be stopped',
      aPipelineRun({
        spec: { status: 'CancelledRunFinally' },
        status: { conditions: [condition('Succeeded', 'False', 'Failed')] },
      }),
      'This pipeline run has ended',
    ],
  ])('RUN-16 %s', (_, run, expected) => expect(stopDisabledReason(run, 'stop')).toBe(expected))

  const already = 'This pipeline run is already being stopped'
  test.each<[PipelineRun['spec']['status'], [string?, string?, string?], 'cancel' | 'cancelAll']>([
    [undefined, [undefined, undefined, 'This pipeline run is not running'], 'cancel'],
    ['StoppedRunFinally', [already, undefined, undefined], 'cancel'],
    ['CancelledRunFinally', [already, already, undefined], 'cancelAll'],
    ['Cancelled', [already, already, already], 'cancel'],
  ])('RUN-16 a run that is being ended can only be ended faster: %s', (status, reasons, next) => {
    const run = aPipelineRun({ spec: status ? { status } : {}, status: { conditions: running } })
    expect((['stop', 'cancel', 'cancelAll'] as const).map((request) => stopDisabledReason(run, request))).toEqual(
      reasons,
    )
    expect(cancelRequestOf(run)).toBe(next)
  })

  it('RUN-17, RUN-18 uses Tekton’s stop requests', () =>
    expect(stopRequests).toMatchObject({ stop: 'StoppedRunFinally', cancel: 'CancelledRunFinally' }))
})

describe('rerunning', () => {
  const build = { [labels.pipelineType]: 'build', [labels.component]: 'api' }
  const tested = { [labels.pipelineType]: 'test', [labels.component]: undefined }
  const retest = { disabledReason: 'Comment `/retest` on pull request to rerun' }
  const missing = { disabledReason: 'Missing snapshot or scenario' }
  const unavailable = { disabledReason: 'Action not available for this build type' }
  test.each<[string, Record<string, string | undefined>, ReturnType<typeof rerunOf>]>([
    ['RUN-22 a push', { ...build, [labels.eventType]: 'push' }, { kind: 'build', component: 'api' }],
    ['RUN-22 a push of GitLab', { ...build, [labels.eventType]: 'Push' }, { kind: 'build', component: 'api' }],
    ['RUN-22 an incoming webhook', { ...build, [labels.eventType]: 'incoming' }, { kind: 'build', component: 'api' }],
    ['RUN-24 a pull request', { ...build, [labels.eventType]: 'pull_request' }, retest],
    ['RUN-24 a retest', { ...build, [labels.eventType]: 'retest-all-comment' }, retest],
    ['RUN-24 a build without an event', build, retest],
    [
      'RUN-27 a build without a component',
      { ...build, [labels.component]: undefined, [labels.eventType]: 'push' },
      unavailable,
    ],
    [
      'RUN-23 a test',
      { ...tested, [labels.snapshot]: 'snap', [labels.scenario]: 'smoke' },
      { kind: 'test', snapshot: 'snap', scenario: 'smoke' },
    ],
    ['RUN-25 a test without a snapshot', { ...tested, [labels.scenario]: 'smoke' }, missing],
    ['RUN-25 a test without a scenario', { ...tested, [labels.snapshot]: 'snap' }, missing],
    [
      'RUN-26 a managed release',
      { [labels.pipelineType]: 'managed' },
      { disabledReason: 'Cannot re-run pipeline run for the type managed' },
    ],
    ['RUN-27 a run without a type', { [labels.pipelineType]: undefined }, unavailable],
  ])('%s', (_, own, expected) => expect(rerunOf(runWith(own))).toEqual(expected))

  it('RUN-22 a build whose event is named by a copy of its label', () => {
    const event = copiedPacKey(labels.eventType)
    expect(rerunOf(runWith({ ...build, [labels.eventType]: undefined, [event]: 'push' }))).toEqual({
      kind: 'build',
      component: 'api',
    })
  })

  it('RUN-23 a test whose snapshot is named by an annotation', () => {
    const { metadata, ...run } = runWith({ ...tested, [labels.scenario]: 'smoke' })
    const noted = { ...run, metadata: { ...metadata, annotations: { [labels.snapshot]: 'snap' } } }
    expect(rerunOf(noted)).toEqual({ kind: 'test', snapshot: 'snap', scenario: 'smoke' })
  })
})

describe('rerunning several runs', () => {
  const build = (component: string, event = 'push') =>
    runWith({ [labels.pipelineType]: 'build', [labels.component]: component, [labels.eventType]: event })
  const tested = (snapshot: string, scenario: string) =>
    runWith({ [labels.pipelineType]: 'test', [labels.snapshot]: snapshot, [labels.scenario]: scenario })
  const test1 = { kind: 'test', snapshot: 'one', scenario: 'e2e' }
  test.each<[string, PipelineRun[], unknown[]]>([
    ['nothing for none', [], []],
    ['nothing for those that cannot be rerun', [build('api', 'pull_request')], []],
    ['one build for several of a component', [build('api'), build('api')], [{ kind: 'build', component: 'api' }]],
    [
      'one build for each component',
      [build('api'), build('web')],
      [
        { kind: 'build', component: 'api' },
        { kind: 'build', component: 'web' },
      ],
    ],
    ['one test for several runs of it', [tested('one', 'e2e'), tested('one', 'e2e')], [test1]],
    ['a test for each snapshot', [tested('one', 'e2e'), tested('two', 'e2e')], [test1, { ...test1, snapshot: 'two' }]],
    [
      'all tests of a snapshot for several of them',
      [tested('one', 'e2e'), tested('one', 'smoke'), tested('one', 'e2e')],
      [{ ...test1, scenario: 'all' }],
    ],
  ])('RUN-22, RUN-23 requests %s', (_, runs, expected) =>
    expect(rerunsOf(runs).map(({ request }) => request)).toEqual(expected),
  )

  it('says which runs each request repeats', () => {
    const runs = [tested('one', 'e2e'), build('api'), tested('one', 'smoke')]
    expect(rerunsOf(runs).map((each) => each.runs)).toEqual([[runs[0], runs[2]], [runs[1]]])
  })
})

describe('a rerun is likely to be wanted', () => {
  const ended = [condition('Succeeded', 'False', 'Failed')]
  test.each<[string, string | undefined, PipelineRun['status'], boolean]>([
    ['of a build that has ended', 'build', { conditions: ended }, true],
    ['of a test that has ended', 'test', { conditions: ended }, true],
    ['not of a build that runs', 'build', { conditions: [condition('Succeeded', 'Unknown', 'Running')] }, false],
    ['not of a release, which is made again as a whole', 'managed', { conditions: ended }, false],
    ['not of a run without a type', undefined, { conditions: ended }, false],
  ])('%s', (_, type, status, expected) =>
    expect(isRerunLikely(aPipelineRun({ metadata: { labels: { [labels.pipelineType]: type } }, status }))).toBe(
      expected,
    ),
  )
})

describe('the runs since a rerun request', () => {
  const built = (name: string, minute: number, own: Record<string, string> = {}) =>
    aPipelineRun({
      metadata: {
        name,
        uid: name,
        creationTimestamp: `2026-01-31T09:0${minute}:00Z`,
        labels: { [labels.component]: 'api', [labels.eventType]: 'push', ...own },
      },
    })
  const run = built('first', 1)
  const known = new Set(['first', 'second'])
  const second = built('second', 2)
  test.each<[string, PipelineRun, string[]]>([
    ['a newer build of the component', built('third', 3, { [labels.eventType]: 'incoming' }), ['third']],
    ['a build from the same second as the newest known one', built('third', 2), ['third']],
    ['not an older build that was fetched later', built('third', 0), []],
    ['not a build of another component', built('third', 3, { [labels.component]: 'web' }), []],
    ['not a build of a pull request', built('third', 3, { [labels.eventType]: 'pull_request' }), []],
  ])('include: %s', (_, other, expected) =>
    expect(runsSince([run, second, other], run, known).map(({ metadata }) => metadata.name)).toEqual(expected),
  )
  it('are empty for a run that cannot be rerun', () => {
    const merged = built('merged', 1, { [labels.eventType]: 'pull_request' })
    expect(runsSince([merged, built('other', 3, { [labels.eventType]: 'pull_request' })], merged, new Set())).toEqual(
      [],
    )
  })
})

it('finds the snapshot of a run in its annotation, or else in its label', () => {
  const labelled = { [labels.snapshot]: 'of-label' }
  expect(snapshotOf(runWith(labelled))).toBe('of-label')
  const annotated = aPipelineRun({
    metadata: { labels: labelled, annotations: { [labels.snapshot]: 'of-annotation' } },
  })
  expect(snapshotOf(annotated)).toBe('of-annotation')
  expect(snapshotOf(aPipelineRun())).toBeUndefined()
})
