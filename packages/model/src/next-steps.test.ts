import type { Condition } from '@slipway/kube/object'
import { describe, expect, test } from 'vitest'
import { annotations, labels } from './labels'
import { aComponent, aPipelineRun, aRelease, condition, type Overrides } from './testing'
import { aReleasePlan, anIntegrationTestScenario } from './testing/tests-and-releases'
import type { Component } from './builds/component'
import { enterpriseContractKind } from './snapshots/integration-test-edit'
import { lacksNothing, type NextStep, nextSteps, nextStepsOf, type StepState } from './next-steps'

const mergeUrl = 'https://github.com/payments/api/pull/4'
const flow = (pac: object) => ({ annotations: { [annotations.buildStatus]: JSON.stringify({ pac }) } })
const github = { source: { git: { url: 'https://github.com/payments/api' } } }
const gitlab = { source: { git: { url: 'https://gitlab.com/payments/api' } } }
const component = (name: string, metadata: object = {}, spec: Overrides<Component>['spec'] = github) =>
  aComponent({ metadata: { name, ...metadata }, spec })
const proposed = flow({ state: 'enabled', 'merge-url': mergeUrl })
const requested = { annotations: { [annotations.buildRequest]: 'configure-pac' } }
const push = (name: string) =>
  aPipelineRun({
    metadata: { name: `${name}-on-push`, labels: { [labels.component]: name, [labels.eventType]: 'push' } },
  })
const matched = { releasePlanAdmission: { name: 'release-managed/prod', active: true } }
const plan = (name: string, status?: object) => aReleasePlan({ metadata: { name }, ...(status && { status }) })
const release = (releasePlan: string, status: Condition['status'], reason: string) =>
  aRelease({ spec: { releasePlan }, status: { conditions: [condition('Released', status, reason)] } })
const enterpriseContract = { metadata: { annotations: { [annotations.testKind]: enterpriseContractKind } } }
const others = { application: 'ledger' }
const beingDeleted = { deletionTimestamp: '2026-01-31T09:00:00Z' }

type Lists = Parameters<typeof nextStepsOf>[1]
/** An application that lacks nothing. */
const complete: Lists = {
  components: [component('api', proposed), component('web', proposed, gitlab)],
  runs: [push('api'), push('web')],
  scenarios: [anIntegrationTestScenario()],
  releasePlans: [plan('prod', matched)],
  releases: [release('prod', 'True', 'Succeeded')],
  bot: 'konflux',
}
const stateOf = (step: NextStep, lists: Partial<Lists>) =>
  nextStepsOf('checkout', { ...complete, ...lists }).find((advice) => advice.step === step)?.state

const notMatched = 'No release plan admission in release-managed matches prod, and without one its releases fail.'

describe('a step has the state', () => {
  test.each<[title: string, step: NextStep, lists: Partial<Lists>, state: StepState]>([
    ['missing without components', 'component', { components: [] }, { is: 'missing' }],
    [
      'missing with components of others only',
      'component',
      { components: [component('api', {}, others), component('web', beingDeleted)] },
      { is: 'missing' },
    ],
    ['neutral while the components are unknown', 'component', { components: undefined }, { is: 'neutral' }],
    ['neutral with merged pipelines', 'component', {}, { is: 'neutral' }],
    [
      'proposed while a pull request is open',
      'component',
      { runs: [push('web')] },
      { is: 'proposed', component: 'api', mergeUrl, others: 0 },
    ],
    [
      'proposed for several components',
      'component',
      { runs: [] },
      { is: 'proposed', component: 'api', mergeUrl, others: 1 },
    ],
    [
      'proposed without an address while the pull request is sent',
      'component',
      { components: [component('api', requested)] },
      { is: 'proposed', component: 'api', mergeUrl: undefined, others: 0 },
    ],
    ['neutral while it is unknown what was merged', 'component', { runs: undefined }, { is: 'neutral' }],
    ['neutral while the account of the platform is unknown', 'component', { bot: undefined }, { is: 'neutral' }],

    ['missing without tests', 'integration-test', { scenarios: [] }, { is: 'missing' }],
    [
      'missing with tests of others only',
      'integration-test',
      {
        scenarios: [anIntegrationTestScenario({ spec: others }), anIntegrationTestScenario({ metadata: beingDeleted })],
      },
      { is: 'missing' },
    ],
    [
      'missing with the check of the enterprise contract only',
      'integration-test',
      { scenarios: [anIntegrationTestScenario(enterpriseContract)] },
      { is: 'missing' },
    ],
    [
      'done with a test besides it',
      'integration-test',
      { scenarios: [anIntegrationTestScenario(), anIntegrationTestScenario(enterpriseContract)] },
      { is: 'done', count: 1 },
    ],
    ['done with a test', 'integration-test', {}, { is: 'done', count: 1 }],
    ['neutral while the tests are unknown', 'integration-test', { scenarios: undefined }, { is: 'neutral' }],

    ['missing without plans', 'release-plan', { releasePlans: [] }, { is: 'missing' }],
    [
      'missing with plans of others only',
      'release-plan',
      { releasePlans: [aReleasePlan({ spec: others }), aReleasePlan({ metadata: beingDeleted })] },
      { is: 'missing' },
    ],
    [
      'blocked if no plan is matched',
      'release-plan',
      { releasePlans: [plan('prod'), plan('stage')] },
      { is: 'blocked', reason: notMatched },
    ],
    [
      'done if one of them is matched',
      'release-plan',
      { releasePlans: [plan('prod'), plan('stage', matched)] },
      { is: 'done', count: 2 },
    ],
    ['neutral while the plans are unknown', 'release-plan', { releasePlans: undefined }, { is: 'neutral' }],

    ['neutral if a component is on GitHub', 'github-app', {}, { is: 'neutral' }],
    ['unneeded on GitLab only', 'github-app', { components: [component('api', {}, gitlab)] }, { is: 'unneeded' }],
    ['neutral without components', 'github-app', { components: [] }, { is: 'neutral' }],
    ['neutral if a component is on GitLab', 'gitlab-app', {}, { is: 'neutral' }],
    ['unneeded on GitHub only', 'gitlab-app', { components: [component('api')] }, { is: 'unneeded' }],
    [
      'neutral if a git host is unknown',
      'gitlab-app',
      { components: [component('api', {}, { source: { git: { url: 'https://git.slipway.test/payments/api' } } })] },
      { is: 'neutral' },
    ],

    ['ready if nothing was released', 'code-change', { releases: [] }, { is: 'ready' }],
    [
      'ready if only another plan was released',
      'code-change',
      { releases: [release('of-others', 'True', 'Succeeded')] },
      { is: 'ready' },
    ],
    [
      'ready if no release has succeeded',
      'code-change',
      { releases: [release('prod', 'False', 'Failed'), release('prod', 'False', 'Progressing')] },
      { is: 'ready' },
    ],
    ['neutral once it was released', 'code-change', {}, { is: 'neutral' }],
    [
      'neutral while no plan is matched',
      'code-change',
      { releases: [], releasePlans: [plan('prod')] },
      { is: 'neutral' },
    ],
    ['neutral without components', 'code-change', { releases: [], components: [] }, { is: 'neutral' }],
    ['neutral while the releases are unknown', 'code-change', { releases: undefined }, { is: 'neutral' }],

    [
      'incomplete if components have no pipeline',
      'build-pipelines',
      { components: [component('api'), component('web', flow({ state: 'error' })), component('docs', proposed)] },
      { is: 'incomplete', count: 2 },
    ],
    ['done if all of them have one', 'build-pipelines', {}, { is: 'done', count: 2 }],
    ['neutral while a pull request is open', 'build-pipelines', { runs: [] }, { is: 'neutral' }],
    ['neutral without components', 'build-pipelines', { components: [] }, { is: 'neutral' }],
  ])('%s: %s', (_, step, lists, state) => expect(stateOf(step, lists)).toEqual(state))
})

describe('the steps are in the order', () => {
  test.each<[title: string, lists: Partial<Lists>, first: NextStep[], last?: NextStep[]]>([
    ['of the specification if nothing is missing', {}, []],
    [
      'in which an empty application needs them',
      { components: [], runs: [], scenarios: [], releasePlans: [], releases: [] },
      ['component', 'integration-test', 'release-plan'],
    ],
    [
      'in which one with an open pull request needs them',
      { runs: [], scenarios: [], releasePlans: [], releases: [] },
      ['component', 'integration-test', 'release-plan'],
    ],
    ['that has a missing test first', { scenarios: [] }, ['integration-test']],
    ['that has a plan without an admission first', { releasePlans: [plan('prod')] }, ['release-plan']],
    ['that has a push first if all is ready for it', { releases: [] }, ['code-change']],
    [
      'that has the GitHub app last on GitLab',
      { components: [component('web', proposed, gitlab)] },
      [],
      ['github-app'],
    ],
    [
      'that has missing pipelines first and the unneeded app last',
      { components: [component('api')] },
      ['build-pipelines'],
      ['gitlab-app'],
    ],
  ])('%s', (_, lists, first, last = []) => {
    const rest = nextSteps.filter((step) => !first.includes(step) && !last.includes(step))
    expect(nextStepsOf('checkout', { ...complete, ...lists }).map(({ step }) => step)).toEqual([
      ...first,
      ...rest,
      ...last,
    ])
  })

  test('of the specification, without advice, if nothing is known', () => {
    const unknown = Object.fromEntries(Object.keys(complete).map((key) => [key, undefined])) as Record<
      keyof Lists,
      undefined
    >
    expect(nextStepsOf('checkout', unknown)).toEqual(nextSteps.map((step) => ({ step, state: { is: 'neutral' } })))
  })
})

test.each<[title: string, lists: Partial<Lists>, expected: boolean]>([
  ['lacks nothing with a released component, a test and a plan', {}, true],
  ['lacks nothing that is known while a list is unknown', { scenarios: undefined }, true],
  ['lacks a test', { scenarios: [] }, false],
  ['lacks an admission', { releasePlans: [plan('prod')] }, false],
  ['lacks the merge of a build pipeline', { runs: [push('web')] }, false],
  ['lacks a first release', { releases: [] }, false],
])('an application %s', (_, lists, expected) =>
  expect(lacksNothing(nextStepsOf('checkout', { ...complete, ...lists }))).toBe(expected),
)
