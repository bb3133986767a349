import { describe, expect, it, test, vi } from 'vitest'
import {
  awaitsFirstMerge,
  botName,
  type BuildPipelineState,
  buildPipelineLabels,
  buildPipelineState,
  buildTrigger,
  isPushBuild,
  pushBuildsByComponent,
  isUndecided,
  lacksBuildPipeline,
  pipelineRequests,
  pipelineRequestsIn,
  pullRequestFlowOf,
} from './build-pipeline-state'
import { annotations, labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { aComponent, aPipelineRun } from '../testing'

const bot = 'konflux-staging'
const configured = 'Sat, 31 Jan 2026 09:00:00 UTC'
const pac = (pac: object) => ({ [annotations.buildStatus]: JSON.stringify({ pac, message: 'done' }) })
const enabled = pac({ state: 'enabled', 'merge-url': 'https://git.test/1', 'configuration-time': configured })
const request = (value: string) => ({ [annotations.buildRequest]: value })
const sample = { [annotations.sample]: 'true' }
const component = (marks: Record<string, string>) => aComponent({ metadata: { annotations: marks } })

const build = (sender: string, creationTimestamp = '2026-01-31T09:30:00Z', event = 'push'): PipelineRun =>
  aPipelineRun({
    metadata: {
      creationTimestamp,
      labels: { [labels.eventType]: event },
      annotations: { [annotations.pacSender]: sender },
    },
  })
const byAda = [build('ada')]

describe('the state of a build pipeline', () => {
  test.each<[string, Record<string, string>, PipelineRun[] | undefined, BuildPipelineState]>([
    ['PAC-01 a sample', sample, [], 'sample'],
    ['PAC-02 a request to configure', request('configure-pac'), [], 'configureRequested'],
    ['PAC-02, PAC-26 a request to migrate', request('configure-pac-no-mr'), [], 'configureRequested'],
    ['PAC-03 a request to roll back', request('unconfigure-pac'), [], 'unconfigureRequested'],
    ['PAC-23 a request to build does not affect it', request('trigger-pac-build'), [], 'disabled'],
    ['PAC-04 no push yet', enabled, [], 'pending'],
    ['PAC-04, PAC-19, PAC-42 only pushes of the bot', enabled, [build(`${bot}[bot]`)], 'pending'],
    ['PAC-04, PAC-20 a push before the setup', enabled, [build('ada', '2026-01-31T08:59:59Z')], 'pending'],
    ['PAC-05 a push of a user', enabled, byAda, 'ready'],
    ['PAC-05 a push of a user before the bot’s last push', enabled, [build(bot), build('ada')], 'ready'],
    ['PAC-06 builds still loading', enabled, undefined, 'loading'],
    ['PAC-07 an error', pac({ state: 'error', 'error-message': 'no access' }), undefined, 'error'],
    ['PAC-07 an unknown state', pac({ state: 'broken' }), byAda, 'error'],
    ['PAC-08, PAC-17 no flow', pac({ state: 'disabled' }), byAda, 'disabled'],
    ['PAC-08 no annotation', {}, byAda, 'disabled'],
    ['PAC-09 a sample overrides a request', { ...sample, ...request('configure-pac'), ...enabled }, byAda, 'sample'],
    ['PAC-09 a request overrides the state', { ...request('configure-pac'), ...enabled }, byAda, 'configureRequested'],
    [
      'PAC-09 a roll back overrides the state',
      { ...request('unconfigure-pac'), ...enabled },
      [],
      'unconfigureRequested',
    ],
    ['an invalid configuration time', pac({ state: 'enabled', 'configuration-time': 'soon' }), byAda, 'ready'],
  ])('%s', (_, marks, builds, expected) => expect(buildPipelineState(component(marks), { builds, bot })).toBe(expected))

  it('PAC-29 is pending until a build of the merge appears', () => {
    const proposed = component(enabled)
    const builds = [build(bot, '2026-01-31T09:00:01Z')]
    expect(buildPipelineState(proposed, { builds, bot })).toBe('pending')
    expect(buildPipelineState(proposed, { builds: [build('ada'), ...builds], bot })).toBe('ready')
  })

  it('is undecided until the bot is known', () => {
    expect(buildPipelineState(component(enabled), { builds: byAda, bot: undefined })).toBe('loading')
  })

  it('PAC-41 uses the earlier time of a component that was configured before it was moved', () => {
    const before = JSON.stringify({
      metadata: { annotations: pac({ state: 'enabled', 'configuration-time': configured }) },
    })
    const moved = pac({ state: 'enabled', 'configuration-time': 'Sun, 01 Feb 2026 12:00:00 UTC' })
    expect(buildPipelineState(component(moved), { builds: byAda, bot })).toBe('pending')
    expect(buildPipelineState(component({ ...moved, [annotations.lastApplied]: before }), { builds: byAda, bot })).toBe(
      'ready',
    )
    for (const nonsense of ['{', '[]', '{"metadata":7}', '{"metadata":{"annotations":{}}}']) {
      const marks = { ...moved, [annotations.lastApplied]: nonsense }
      expect(buildPipelineState(component(marks), { builds: byAda, bot })).toBe('pending')
    }
  })

  test.each<[string, boolean, Record<string, string>, object]>([
    ['whose pipeline is proposed', true, enabled, {}],
    ['that was built', false, enabled, { status: { lastBuiltCommit: 'abc' } }],
    ['without the address of a pull request', false, pac({ state: 'enabled' }), {}],
    ['whose pull request failed', false, pac({ state: 'error', 'merge-url': 'https://git.test/1' }), {}],
    ['whose pipeline is being rolled back', false, { ...enabled, ...request('unconfigure-pac') }, {}],
    ['of a sample', false, { ...enabled, ...sample }, {}],
    ['without a build status', false, {}, {}],
  ])('a component %s waits for its first merge: %s', (_, isWaiting, marks, own) => {
    expect(awaitsFirstMerge({ ...component(marks), ...own })).toBe(isWaiting)
  })

  test.each<[string, BuildPipelineState, string | undefined]>([
    ['PAC-10', 'disabled', 'Default'],
    ['PAC-11', 'configureRequested', 'Sending pull request'],
    ['PAC-12', 'unconfigureRequested', 'Rolling back'],
    ['PAC-13', 'pending', 'Merge pull request'],
    ['PAC-14', 'ready', 'Custom'],
    ['PAC-15', 'error', 'Pull request failed'],
    ['PAC-16', 'sample', undefined],
    ['PAC-16', 'loading', undefined],
  ])('%s the badge of a component in state %s is %s', (_, state, label) => {
    expect(buildPipelineLabels[state]).toBe(label)
  })

  test.each<[string, BuildPipelineState, 'Manual' | 'Automatic']>([
    ['CMP-28', 'disabled', 'Manual'],
    ['CMP-29', 'sample', 'Automatic'],
    ['CMP-29', 'configureRequested', 'Automatic'],
    ['CMP-29', 'unconfigureRequested', 'Automatic'],
    ['CMP-29', 'loading', 'Automatic'],
    ['CMP-29', 'pending', 'Automatic'],
    ['CMP-29', 'ready', 'Automatic'],
    ['CMP-29', 'error', 'Automatic'],
  ])('%s the build trigger of a component in state %s is %s', (_, state, trigger) => {
    expect(buildTrigger(state)).toBe(trigger)
  })

  test.each<[BuildPipelineState, boolean]>([
    ['disabled', true],
    ['error', true],
    ['pending', false],
    ['ready', false],
  ])('a component in state %s lacks a build pipeline: %s', (state, isLacking) => {
    expect(lacksBuildPipeline(state)).toBe(isLacking)
  })

  it('PAC-18 is undecided while up to ten builds might show it', () => {
    const builds = Array.from({ length: 9 }, () => build(bot))
    expect(isUndecided(component(enabled), { builds, bot })).toBe(true)
    expect(isUndecided(component(enabled), { builds: [...builds, build(bot)], bot })).toBe(false)
    expect(isUndecided(component(enabled), { builds: byAda, bot })).toBe(false)
    expect(isUndecided(component({}), { builds: [], bot })).toBe(false)
  })
})

describe('the pull request flow', () => {
  it('PAC-22 has a state, message, link and time', () => {
    const status = {
      state: 'error',
      'error-message': 'no access',
      'merge-url': 'https://git.test/1',
      'configuration-time': configured,
    }
    expect(pullRequestFlowOf(component(pac(status)))).toEqual({
      state: 'error',
      errorMessage: 'no access',
      mergeUrl: 'https://git.test/1',
      configuredAtMs: Date.UTC(2026, 0, 31, 9),
    })
  })

  test.each(['{"pac": {"state": "enab', '', 'null', '7', '[]', '"enabled"'])(
    'PAC-21 %j is ignored and logged once',
    (text) => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue()
      const odd = component({ [annotations.buildStatus]: text })
      expect(buildPipelineState(odd, { builds: byAda, bot })).toBe('disabled')
      expect(pullRequestFlowOf(odd)).toBeUndefined()
      expect(warn).toHaveBeenCalledTimes(1)
    },
  )

  test.each([{}, { pac: null }, { pac: 7 }, { pac: [] }, { pac: { state: 7, 'merge-url': ['x'] } }])(
    '%j contains no pull request flow',
    (status) =>
      expect(pullRequestFlowOf(component({ [annotations.buildStatus]: JSON.stringify(status) }))).toBeUndefined(),
  )

  it('has a link only if it is a web URL', () => {
    const flow = pullRequestFlowOf(component(pac({ state: 'enabled', 'merge-url': 'javascript:alert(1)' })))
    expect(flow?.mergeUrl).toBeUndefined()
  })
})

test.each<[string, Parameters<typeof botName>[0], string]>([
  ['production', { environment: 'production' }, 'red-hat-konflux'],
  ['staging', { environment: 'staging' }, 'konflux-staging'],
  ['unknown public info', undefined, 'red-hat-konflux'],
  [
    'a custom GitHub App',
    { environment: 'production', githubAppUrl: 'https://github.com/apps/acme-builds' },
    'acme-builds',
  ],
  [
    'a GitHub App at GitHub Enterprise',
    { environment: 'staging', githubAppUrl: 'https://git.acme.test/github-apps/acme/x' },
    'acme',
  ],
  ['another kind of URL', { environment: 'staging', githubAppUrl: 'https://acme.test/help' }, 'konflux-staging'],
])('PAC-42 the bot for %s', (_, info, expected) => expect(botName(info)).toBe(expected))

describe('push builds', () => {
  const run = (marks: Record<string, string>) => aPipelineRun({ metadata: { labels: marks } })
  test.each<[string, Record<string, string>, boolean]>([
    ['a push', { [labels.eventType]: 'push' }, true],
    ['a GitLab push', { [labels.eventType]: 'Push' }, true],
    ['a push that merged a pull request', { [labels.eventType]: 'push', [labels.pullRequestNumber]: '4' }, true],
    ['a requested build', { [labels.eventType]: 'incoming' }, true],
    ['a pull request', { [labels.eventType]: 'pull_request', [labels.pullRequestNumber]: '4' }, false],
    ['a pull request without a number', { [labels.eventType]: 'pull_request' }, false],
    ['a merge request', { [labels.eventType]: 'Merge_Request', [labels.pullRequestNumber]: '4' }, false],
    [
      'a comment on a pull request',
      { [labels.eventType]: 'retest-all-comment', [labels.pullRequestNumber]: '4' },
      false,
    ],
    ['a comment on a pushed commit', { [labels.eventType]: 'retest-all-comment' }, true],
    ['a manual build', {}, true],
    ['a test', { [labels.pipelineType]: 'test', [labels.eventType]: 'push' }, false],
  ])('CMP-33 %s', (_, marks, expected) => expect(isPushBuild(run(marks))).toBe(expected))

  it('CMP-16, CMP-33 the latest build of a component is the last one started, excluding pull requests', () => {
    const at = (name: string, startTime: string | undefined, event = 'push', own = 'checkout-api') =>
      aPipelineRun({
        metadata: {
          name,
          creationTimestamp: '2026-01-31T10:00:00Z',
          labels: { [labels.eventType]: event, [labels.component]: own },
        },
        status: { startTime },
      })
    const latest = (component: string, runs: PipelineRun[]) =>
      pushBuildsByComponent(runs).get(component)?.[0]?.metadata.name
    const runs = [
      at('old', '2026-01-31T09:00:00Z'),
      at('new', '2026-01-31T09:30:00Z'),
      at('proposal', '2026-01-31T09:45:00Z', 'pull_request'),
      at('other', '2026-01-31T09:50:00Z', 'push', 'checkout-web'),
    ]
    expect(latest('checkout-api', runs)).toBe('new')
    expect(latest('checkout-api', [...runs, at('waiting', undefined)])).toBe('waiting')
    expect(latest('nobody', runs)).toBeUndefined()
  })
})

test.each<[BuildPipelineState, string[]]>([
  ['sample', []],
  ['disabled', ['configure-pac', 'configure-pac-no-mr']],
  ['error', ['configure-pac', 'configure-pac-no-mr']],
  ['configureRequested', ['configure-pac', 'configure-pac-no-mr']],
  ['pending', ['unconfigure-pac']],
  ['ready', ['unconfigure-pac']],
  ['loading', ['unconfigure-pac']],
  ['unconfigureRequested', ['unconfigure-pac']],
])('PAC-43 in state %s the possible requests are %j', (state, requests) => {
  expect(pipelineRequestsIn(state).map((request) => pipelineRequests[request])).toEqual(requests)
})
