import { nameOf, namespaceOf, specOf, uidOf, type KubeObject } from '@slipway/kube/object'
import { projection } from '@slipway/views/projection'
import type { ViewKind } from '@slipway/views/view-kind'
import { describe, expect, it, test } from 'vitest'
import { commitOf } from '../builds/commit'
import { sourceOf } from '../builds/component-source'
import { commitShaOf, gitFactsOf, pullRequestOf } from '../git/git-facts'
import { annotations, copiedPacKey, labels } from '../labels'
import { commitVerdict } from '../releases/commit-verdict'
import { releaseDurationMs, releaseStatus, releaseVerdict } from '../releases/release'
import { admittedApplications, attachedAdmission, flagText } from '../releases/release-plan'
import { releasePlanVerdict } from '../releases/release-plan-verdict'
import { releaseRunOf, releaseRunTypes } from '../releases/release-runs'
import { rerunOf, snapshotOf, snapshotsOf } from '../runs/run-actions'
import { pipelineRunStatus } from '../runs/run-status'
import { eventTypeText, pipelineTypeText } from '../runs/run-type'
import { reportedResultOf } from '../runs/task-results'
import { durationMsOf, isFinished, startKey } from '../runs/tekton'
import { uneditableReason } from '../snapshots/integration-test-edit'
import { scenarioValidCondition } from '../snapshots/integration-test-scenario'
import { invalidReasonOf, testSourceOf } from '../snapshots/integration-test-source'
import { componentsIn } from '../snapshots/snapshot'
import { newComponentsOf, originOfSnapshot, pullRequestsIn, referenceOf } from '../snapshots/snapshot-origin'
import { snapshotStatus } from '../snapshots/snapshot-status'
import { appliesTo, isOptional } from '../snapshots/snapshot-tests'
import { runVerdict } from '../snapshots/verdict'
import { anApplication, aComponent, aPipelineRun, aRelease, condition } from '../testing'
import {
  anIntegrationTestScenario,
  aReleasePlan,
  aReleasePlanAdmission,
  aSnapshot,
} from '../testing/tests-and-releases'
import { applicationView } from './applications'
import { type CommitRow, commitRowOf, commitView, componentCommitView } from './commits'
import { componentView } from './components'
import { integrationTestView } from './integration-tests'
import { pipelineRunView } from './pipeline-runs'
import { releasePlanAdmissionView } from './release-plan-admissions'
import { releasePlanView } from './release-plans'
import { releaseView } from './releases'
import { snapshotView } from './snapshots'
import { viewKinds } from './view-kinds'

const sha = '0123456789abcdef0123456789abcdef01234567'
const managedFields = [{ manager: 'tekton', operation: 'Update' as const }]
const created = { uid: 'uid-1', resourceVersion: '7', creationTimestamp: '2026-01-31T09:00:00Z', managedFields }

const run = aPipelineRun({
  metadata: {
    ...created,
    labels: {
      [labels.snapshot]: 'checkout-older',
      [labels.scenario]: 'checkout-unit-tests',
      [labels.releaseName]: 'checkout-x4k2p',
      [labels.releaseNamespace]: 'team-payments',
      [labels.commitSha]: sha,
      [labels.eventType]: 'pull_request',
      [labels.pullRequestNumber]: '12',
    },
    annotations: {
      [labels.snapshot]: 'checkout-20260131',
      [annotations.pacShaTitle]: 'Round prices',
      [annotations.pacRepositoryUrl]: 'https://github.com/payments/checkout-api',
      [annotations.pacBranch]: 'refs/heads/main',
      [annotations.pacSender]: 'jane',
    },
  },
  spec: { status: 'StoppedRunFinally' },
  status: {
    startTime: '2026-01-31T09:00:05Z',
    completionTime: '2026-01-31T09:02:05Z',
    conditions: [condition('Succeeded', 'True', 'Completed')],
    results: [
      { name: 'TEST_OUTPUT', value: JSON.stringify({ result: 'FAILURE', successes: 1, failures: 1, warnings: 0 }) },
    ],
    pipelineSpec: { tasks: [] },
  },
})

const snapshot = aSnapshot({
  metadata: {
    ...created,
    labels: { [copiedPacKey(labels.eventType)]: 'pull_request', [copiedPacKey(labels.commitSha)]: sha },
    annotations: {
      [copiedPacKey(annotations.pacShaTitle)]: 'Round prices',
      [annotations.buildPullRequestNumber]: '12',
      [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://github.com/payments/checkout-api',
      [copiedPacKey(annotations.pacBranch)]: 'refs/heads/main',
      [copiedPacKey(annotations.pacSender)]: 'jane',
    },
  },
  status: { conditions: [condition('AppStudioTestSucceeded', 'True', 'Finished')] },
})

const release = aRelease({
  metadata: {
    ...created,
    labels: {
      [labels.component]: 'checkout-api',
      [copiedPacKey(labels.eventType)]: 'pull_request',
      [copiedPacKey(labels.pullRequestNumber)]: '12',
    },
    annotations: {
      [copiedPacKey(annotations.pacBranch)]: 'refs/heads/main',
      [copiedPacKey(annotations.pacSender)]: 'jane',
    },
  },
  status: {
    startTime: '2026-01-31T09:00:05Z',
    completionTime: '2026-01-31T09:02:05Z',
    conditions: [condition('Released', 'True', 'Succeeded')],
    tenantProcessing: { pipelineRun: 'team-payments/tenant-run' },
    managedProcessing: { pipelineRun: 'release-managed/managed-run' },
    finalProcessing: { pipelineRun: 'team-payments/final-run' },
    collectorsProcessing: { tenantCollectorsProcessing: { pipelineRun: 'team-payments/collector-run' } },
  },
})

const plan = aReleasePlan({
  metadata: {
    ...created,
    labels: { [labels.autoRelease]: 'true', [labels.standingAttribution]: 'false', [labels.blockReleases]: 'true' },
  },
  spec: { target: 'release-managed', data: { mapping: { components: ['checkout-api'] } } },
  status: { releasePlanAdmission: { name: 'release-managed/production', active: true } },
})

const admission = aReleasePlanAdmission({
  metadata: { ...created, labels: { [labels.blockReleases]: 'true' } },
  spec: { applications: ['checkout', 'ledger'], origin: 'team-payments', data: { mapping: {} } },
})

const component = aComponent({
  metadata: { ...created, annotations: { [annotations.gitProvider]: 'github' } },
  spec: { source: { git: { url: 'https://github.com/payments/checkout-api', revision: 'main' } } },
  status: { lastBuiltCommit: sha, lastPromotedImage: 'registry.slipway.test/payments/checkout-api@sha256:1' },
})

const application = anApplication({ metadata: created })

const integrationTest = anIntegrationTestScenario({
  metadata: {
    ...created,
    labels: { [labels.optional]: 'true' },
    annotations: { [annotations.testKind]: 'enterprise-contract' },
  },
  spec: { contexts: [{ name: 'push' }], params: [{ name: 'POLICY_CONFIGURATION', value: 'team-payments/policy' }] },
  status: { conditions: [condition(scenarioValidCondition, 'False', 'Invalid')] },
})

const ofCommit = commitRowOf([run])
const commit: CommitRow = { ...ofCommit, metadata: { ...ofCommit.metadata, uid: created.uid, managedFields } }

const rowOf = <T extends KubeObject>({ mask }: ViewKind<T>, object: T): T => projection<T>(mask)(object)

const identity = (object: KubeObject) => [
  uidOf(object),
  nameOf(object),
  namespaceOf(object),
  object.metadata.creationTimestamp,
  object.metadata.deletionTimestamp,
]

/** What the cells, links, filters and actions of each list page read. */
const readings = [
  [
    pipelineRunView,
    run,
    (row: typeof run) => [
      pipelineRunStatus(row),
      reportedResultOf(row),
      runVerdict(row),
      isFinished(row),
      startKey(row),
      durationMsOf(row),
      pipelineTypeText(row),
      eventTypeText(row),
      snapshotOf(row),
      snapshotsOf(row),
      commitShaOf(row),
      gitFactsOf(sha, [row]),
      pullRequestOf(row),
      rerunOf(row),
      specOf(row).status,
      [labels.application, labels.component, labels.scenario, labels.releaseName, labels.releaseNamespace].map(
        (key) => row.metadata.labels?.[key],
      ),
    ],
  ],
  [
    snapshotView,
    snapshot,
    (row: typeof snapshot) => [
      snapshotStatus(row),
      originOfSnapshot(row),
      referenceOf(row),
      pullRequestsIn(row),
      newComponentsOf(row),
      componentsIn(row).map(({ name }) => name),
      specOf(row).application,
    ],
  ],
  [
    releaseView,
    release,
    (row: typeof release) => [
      releaseStatus(row),
      releaseVerdict(row),
      releaseDurationMs(row),
      pullRequestOf(row),
      specOf(row),
      releaseRunTypes.map((type) => releaseRunOf(row, type)),
      row.metadata.labels,
    ],
  ],
  [
    releasePlanView,
    plan,
    (row: typeof plan) => [
      specOf(row).application,
      specOf(row).componentGroup,
      specOf(row).target,
      [labels.autoRelease, labels.standingAttribution].map((label) => flagText(row, label)),
      attachedAdmission(row),
      releasePlanVerdict(row),
    ],
  ],
  [
    releasePlanAdmissionView,
    admission,
    (row: typeof admission) => [
      admittedApplications(row),
      specOf(row).componentGroups,
      specOf(row).origin,
      flagText(row, labels.blockReleases),
    ],
  ],
  [
    componentView,
    component,
    (row: typeof component) => [
      sourceOf(row),
      specOf(row).application,
      specOf(row).containerImage,
      row.status?.lastPromotedImage,
      row.metadata.annotations,
    ],
  ],
  [
    integrationTestView,
    integrationTest,
    (row: typeof integrationTest) => [
      specOf(row).application,
      isOptional(row),
      row.metadata.annotations,
      testSourceOf(row),
      invalidReasonOf(row),
      uneditableReason(row),
      appliesTo(row, snapshot),
    ],
  ],
  [applicationView, application, (row: typeof application) => [specOf(row).displayName]],
  ...[commitView, componentCommitView].map((kind) => [
    kind,
    commit,
    ({ metadata: _, pipelineRuns, ...facts }: CommitRow) => [
      facts,
      commitVerdict(pipelineRuns, 'Succeeded'),
      commitOf(sha, pipelineRuns).pipelineRuns.map((each) => [uidOf(each), nameOf(each), snapshotOf(each)]),
    ],
  ]),
] as unknown as readonly [ViewKind, KubeObject, (row: KubeObject) => unknown][]

describe.each(readings.map(([kind, object, read]) => ({ id: kind.id, kind, object, read })))(
  'the view kind $id',
  (each) => {
    const { kind, object, read } = each
    const row = rowOf(kind, object)

    it('has rows with all that its list page shows', () => {
      expect([...identity(row), read(row)]).toEqual([...identity(object), read(object)])
      for (const [name, field] of Object.entries(kind.fields))
        expect([name, field.of(row)]).toEqual([name, field.of(object)])
      expect([kind.text(row), kind.identifiers(row)]).toEqual([kind.text(object), kind.identifiers(object)])
    })

    it('has rows without fields that no list page shows', () => {
      expect(row.metadata).not.toHaveProperty('managedFields')
      expect(row.metadata).not.toHaveProperty('resourceVersion')
      expect(JSON.stringify(row).length).toBeLessThan(JSON.stringify(object).length)
    })

    it('is sorted by one of its fields', () => expect(Object.keys(kind.fields)).toContain(kind.order.replace('-', '')))

    it('can be read of an object with nothing but a name', () => {
      const bare = { metadata: { name: 'bare' } }
      for (const field of Object.values(kind.fields)) expect(() => field.of(bare)).not.toThrow()
      expect(kind.text(bare)).toContain('bare')
      expect(kind.identifiers(bare)).toEqual(['bare'])
    })
  },
)

it('every view kind has a reading above, and an id of its own', () => {
  expect(new Set(viewKinds.map(({ id }) => id))).toEqual(new Set(readings.map(([{ id }]) => id)))
})

const fieldsOf = <T extends KubeObject>({ fields }: ViewKind<T>, object: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.of(object)]))

const ms = (time: string) => Date.parse(time)

test('a run has the fields of its row', () => {
  expect(fieldsOf(pipelineRunView, run)).toEqual({
    name: 'checkout-api-on-push-x4k2p',
    namespace: 'team-payments',
    started: ms('2026-01-31T09:00:05Z'),
    duration: 120_000,
    status: 'Succeeded',
    type: 'Build',
    trigger: 'Pull Request',
    branch: 'main',
    byUser: 'jane',
    application: 'checkout',
    component: 'checkout-api',
    scenario: 'checkout-unit-tests',
    'pull request': '#12',
    isForPullRequest: 'yes',
    commit: sha,
    snapshot: ['checkout-older', 'checkout-20260131'],
    release: 'checkout-x4k2p',
    pushBuild: undefined,
    pushBuildBy: undefined,
    updated: undefined,
  })
  expect(pipelineRunView.identifiers(run)).toEqual([
    'checkout-api-on-push-x4k2p',
    sha,
    'Round prices',
    'jane',
    'github.com/payments/checkout-api#12/',
    'payments/checkout-api#12/',
    '#12/',
  ])
})

test.each([
  ['both labels', { [labels.updatedNamespace]: 'team-a', [labels.updatedComponent]: 'api' }, 'team-a/api'],
  ['no namespace', { [labels.updatedComponent]: 'api' }, undefined],
  ['no component', { [labels.updatedNamespace]: 'team-a' }, undefined],
])('a run with %s looks for updates of the component in its namespace, or of none', (_, own, expected) =>
  expect(fieldsOf(pipelineRunView, aPipelineRun({ metadata: { labels: own } })).updated).toBe(expected),
)

test.each([
  ['a push', {}, ['checkout/checkout-api', 'checkout/checkout-api/jane']],
  ['a test', { [labels.pipelineType]: 'test' }, [undefined, undefined]],
  ['no application', { [labels.application]: undefined }, ['/checkout-api', '/checkout-api/jane']],
  ['no component', { [labels.component]: undefined }, [undefined, undefined]],
])('a run of %s is a build of the component, by its user, or none', (_, changed, expected) => {
  const { pushBuild, pushBuildBy } = fieldsOf(
    pipelineRunView,
    aPipelineRun({
      metadata: {
        labels: {
          [labels.application]: 'checkout',
          [labels.component]: 'checkout-api',
          [labels.pipelineType]: 'build',
          [labels.eventType]: 'push',
          ...changed,
        },
        annotations: { [annotations.pacSender]: 'jane' },
      },
    }),
  )
  expect([pushBuild, pushBuildBy]).toEqual(expected)
})

const started = (startTime: string | undefined, creationTimestamp: string, isOver = false) =>
  fieldsOf(
    pipelineRunView,
    aPipelineRun({
      metadata: { creationTimestamp },
      status: { startTime, conditions: isOver ? [condition('Succeeded', 'False', 'Cancelled')] : [] },
    }),
  ).started

test.each([
  ['started', started('2026-01-31T09:00:05Z', '2026-01-31T09:00:00Z'), ms('2026-01-31T09:00:05Z')],
  ['waiting', started(undefined, '2026-01-31T09:00:00Z'), ms('2026-01-31T09:00:00Z') + 1e15],
  ['cancelled before it started', started(undefined, '2026-01-31T09:00:00Z', true), ms('2026-01-31T09:00:00Z')],
  ['without any time', started(undefined, ''), undefined],
])('a run that is %s is sorted by its start, and waiting ones are the newest', (_, actual, wanted) =>
  expect(actual).toBe(wanted),
)

test('a snapshot has the fields of its row', () => {
  expect(fieldsOf(snapshotView, snapshot)).toEqual({
    name: 'checkout-20260131-090000-000',
    created: ms('2026-01-31T09:00:00Z'),
    components: 1,
    status: 'Succeeded',
    application: 'checkout',
    component: ['checkout-api'],
    branch: 'main',
    byUser: 'jane',
    isReleasable: 'no',
    isUnmerged: 'yes',
  })
  expect(snapshotView.text(snapshot)).toBe(`checkout-20260131-090000-000 Round prices ${sha}`)
})

test('SNAP-20 a snapshot is of the application of its label', () => {
  const labelled = aSnapshot({
    metadata: { labels: { [labels.application]: 'ledger' } },
    spec: { application: 'shop' },
  })
  expect(fieldsOf(snapshotView, labelled).application).toBe('ledger')
})

test.each([
  ['True', 'push', 'yes'],
  ['True', 'pull_request', 'no'],
  ['False', 'push', 'no'],
] as const)('a snapshot whose tests are %s, of a %s, is releasable: %s', (status, event, isReleasable) => {
  const object = aSnapshot({
    metadata: { labels: { [copiedPacKey(labels.eventType)]: event } },
    status: { conditions: [condition('AppStudioTestSucceeded', status, 'Finished')] },
  })
  expect(fieldsOf(snapshotView, object).isReleasable).toBe(isReleasable)
})

test('a release has the fields of its row', () => {
  expect(fieldsOf(releaseView, release)).toEqual({
    name: 'checkout-x4k2p',
    namespace: 'team-payments',
    created: ms('2026-01-31T09:00:00Z'),
    completed: ms('2026-01-31T09:02:05Z'),
    completionTime: ms('2026-01-31T09:02:05Z'),
    duration: 120_000,
    status: 'Succeeded',
    application: 'checkout',
    anyApplication: 'checkout',
    component: 'checkout-api',
    anyComponent: 'checkout-api',
    branch: 'main',
    byUser: 'jane',
    releasePlan: 'checkout-to-production',
    releaseSnapshot: 'checkout-snapshot',
    tenantCollectorPipelineRun: 'collector-run',
    tenantPipelineRun: 'tenant-run',
    managedPipelineRun: 'managed-run',
    finalPipelineRun: 'final-run',
  })
})

test('a release that has not completed is sorted as the next to complete, and can be filtered by what it does not have', () => {
  const none = { [labels.application]: undefined, [labels.component]: undefined }
  const waiting = aRelease({ metadata: { creationTimestamp: '2026-01-31T09:00:00Z', labels: none } })
  expect(fieldsOf(releaseView, waiting)).toMatchObject({
    completed: undefined,
    completionTime: ms('2026-01-31T09:00:00Z') + 1e15,
    application: undefined,
    anyApplication: 'No application',
    component: undefined,
    anyComponent: 'No component',
  })
})

test('a release plan and an admission have the fields of their rows', () => {
  expect(fieldsOf(releasePlanView, plan)).toEqual({
    name: nameOf(plan),
    application: 'checkout',
    target: 'release-managed',
    autoRelease: 'True',
    standingAttribution: 'False',
    status: 'Matched',
    admission: 'release-managed/production',
  })
  expect(
    fieldsOf(releasePlanView, aReleasePlan({ spec: { application: undefined, componentGroup: 'all' } })),
  ).toMatchObject({ application: 'all', status: 'Not Matched' })
  expect(fieldsOf(releasePlanAdmissionView, admission)).toEqual({
    name: nameOf(admission),
    application: ['checkout', 'ledger'],
    origin: 'team-payments',
    blockReleases: 'True',
  })
})

test('a component and an application have the fields of their rows', () => {
  expect(fieldsOf(componentView, component)).toEqual({
    name: 'checkout-api',
    awaitsMerge: 'no',
    application: 'checkout',
    isBeingDeleted: 'no',
  })
  expect(componentView.identifiers(component)).toEqual([
    'checkout-api',
    'registry.slipway.test/payments/checkout-api',
    sha,
  ])
  expect(fieldsOf(applicationView, application)).toEqual({ name: 'checkout' })
})

test('an integration test has the fields of its row', () => {
  expect(fieldsOf(integrationTestView, integrationTest)).toEqual({
    name: 'checkout-unit-tests',
    application: 'checkout',
    componentGroup: undefined,
    isOptional: 'yes',
  })
})

describe('commits', () => {
  const aRun = (name: string, minute: number, own: Record<string, string>, commitSha: string | undefined = sha) =>
    aPipelineRun({
      metadata: {
        name,
        creationTimestamp: `2026-01-31T09:0${minute}:00Z`,
        labels: { [labels.application]: 'checkout', [labels.commitSha]: commitSha, ...own },
      },
      status: { conditions: [condition('Succeeded', minute > 2 ? 'False' : 'True')] },
    })
  const api = { [labels.component]: 'checkout-api', [labels.pipelineType]: 'build' }
  const web = { [labels.component]: 'checkout-web', [labels.pipelineType]: 'build' }
  const runs = [aRun('web', 1, web), aRun('api', 2, api), aRun('api-test', 3, { ...api, [labels.scenario]: 'unit' })]
  const keysOf = ({ groups }: ViewKind, run: KubeObject) => groups?.keyOf(run)

  test('COM-03, COM-05 are the runs of one SHA, in an application or in one of its components', () => {
    expect(runs.map((run) => keysOf(commitView, run))).toEqual(runs.map(() => `checkout/${sha}`))
    expect(runs.map((run) => keysOf(componentCommitView, run))).toEqual([
      `checkout/checkout-web/${sha}`,
      `checkout/checkout-api/${sha}`,
      `checkout/checkout-api/${sha}`,
    ])
  })

  test.each([
    ['without a commit', aRun('manual', 1, api, ''), undefined, undefined],
    ['without an application', aRun('alone', 1, { ...api, [labels.application]: '' }), undefined, undefined],
    ['without a component', aRun('group', 1, { [labels.component]: '' }), `checkout/${sha}`, undefined],
  ])('leave out runs %s', (_, run, ofApplication, ofComponent) => {
    expect([keysOf(commitView, run), keysOf(componentCommitView, run)]).toEqual([ofApplication, ofComponent])
  })

  test('STAT-44 have the fields of their rows, with the status of the newest run', () => {
    const row = commitView.groups?.rowOf(runs) ?? commitRowOf(runs)
    expect(fieldsOf(commitView, row as CommitRow)).toEqual({
      committedAt: ms('2026-01-31T09:01:00Z'),
      status: 'Failed',
      commit: sha,
      application: 'checkout',
      component: ['checkout-api', 'checkout-web'],
      'pull request': undefined,
    })
    expect(fieldsOf(commitView, commit)['pull request']).toBe('#12')
    expect(commitView.text(commit)).toBe(`Round prices ${sha}`)
    expect(commitView.identifiers(commit)).toEqual([sha])
  })
})
