import { configMapType, namespaceType, podType, roleBindingType, roleType, type Role } from '@slipway/kube/core-types'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/application'
import { componentType } from '@slipway/model/component'
import { integrationTestScenarioType } from '@slipway/model/integration-test-scenario'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/pipeline-run'
import { publicInfoLocation } from '@slipway/model/public-info'
import { releaseType } from '@slipway/model/release'
import { releasePlanType } from '@slipway/model/release-plan'
import { snapshotType } from '@slipway/model/snapshot'
import { taskRunType } from '@slipway/model/task-run'
import {
  aComponent,
  anApplication,
  aConfigMap,
  aNamespace,
  aPipelineRun,
  aRelease,
  aRoleBinding,
  aTaskRun,
  condition,
} from '@slipway/model/testing'
import { anIntegrationTestScenario, aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { onboardingAnnotation } from '../git-host/onboarding-error'
import { finishedPipelineRun } from '../tekton/history'
import { outcomeAnnotation, outcomes, type Outcome } from '../tekton/outcome'
import { timestamp } from '../tekton/task-run-status'
import { seed, type Scenario, type ScenarioContext, type Seed } from './scenario'
import { teamNamespace } from './team'
import { uidFor } from './uids'

const hourMs = 3_600_000
const team = { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor' } as const

/** What each namespace shows is listed in README.md. */
const failing = 'faults-runs'
const nonsense = 'faults-nonsense'
const leaving = 'faults-leaving'
const denied = 'faults-denied'
const lost = 'faults-lost'

/** Each failure that a person can meet, to be looked at. */
export const faults: Scenario = {
  *seeds(context) {
    for (const namespace of [failing, nonsense, leaving, lost]) yield* teamNamespace(namespace, team, context)
    yield* missingSettings()
    yield* failingRuns(context)
    yield* nonsenseObjects(context)
    yield* leavingObjects()
    yield* deniedKinds(context)
    yield* lostLogs(context)
  },
  *archived(context) {
    yield ghosts(context)
  },
}

/** No build pipelines, an unreadable banner and notification; public info stays readable, or nobody got far. */
function* missingSettings(): Iterable<Seed> {
  const inInfo = (name: string, data: Record<string, string>) =>
    aConfigMap({ metadata: { name, namespace: publicInfoLocation.namespace }, data })
  yield seed(configMapType, inInfo('konflux-banner-configmap', { 'banner-content.yaml': '- summary: [unclosed' }), {
    mode: 'overwrite',
  })
  const notification = inInfo('notification-nonsense', { 'notification-content.json': '{"type": "info", "summary":' })
  notification.metadata.labels = { [labels.systemNotification]: 'true' }
  yield seed(configMapType, notification)
}

const runOf = (namespace: string, name: string, forced: Record<string, Outcome>): PipelineRun =>
  aPipelineRun({
    metadata: { name, namespace, annotations: { [outcomeAnnotation]: JSON.stringify(forced) } },
    spec: {
      pipelineSpec: undefined,
      pipelineRef: { resolver: 'bundles', params: [{ name: 'name', value: 'docker-build-oci-ta' }] },
      params: [
        { name: 'git-url', value: 'https://git.slipway.test/payments/checkout-api' },
        { name: 'revision', value: 'main' },
        { name: 'output-image', value: 'registry.slipway.test/payments/checkout-api:main' },
      ],
    },
  })

/** A run for each way in which a task can end, and for each in which a run can. */
function* failingRuns({ nowMs, world }: ScenarioContext): Iterable<Seed> {
  yield seed(applicationType, anApplication({ metadata: { name: 'checkout', namespace: failing } }))
  yield seed(componentType, aComponent({ metadata: { name: 'checkout-api', namespace: failing } }))
  const ended: [string, Record<string, Outcome>, PipelineRun['spec']['status']?][] = [
    ...outcomes.map((outcome): [string, Record<string, Outcome>] => [
      `ends-${outcome}`,
      { 'build-container': outcome },
    ]),
    ['was-cancelled', { '*': 'success' }, 'Cancelled'],
    ['was-cancelled-finally', { '*': 'success' }, 'CancelledRunFinally'],
    ['was-stopped-finally', { '*': 'success' }, 'StoppedRunFinally'],
  ]
  for (const [index, [name, forced, status]] of ended.entries()) {
    const run = runOf(failing, name, forced)
    if (status) run.spec.status = status
    const startMs = nowMs - (index + 2) * hourMs
    const { pipelineRun, taskRuns, pods, logs } = finishedPipelineRun({ run, startMs, world })
    yield seed(pipelineRunType, pipelineRun)
    yield* taskRuns.map((taskRun) => seed(taskRunType, taskRun))
    const ofTask = pods.filter(({ metadata }) => metadata.labels?.[labels.pipelineTask] === 'build-container')
    for (const pod of ofTask) yield seed(podType, pod, { logs: logs.filter((log) => log.pod === pod.metadata.name) })
  }
  const waiting = aPipelineRun({
    metadata: { name: 'waits', namespace: failing },
    spec: { status: 'PipelineRunPending' },
  })
  yield seed(pipelineRunType, waiting)
  const missing = runOf(failing, 'finds-no-pipeline', {})
  missing.spec.pipelineRef = { resolver: 'bundles', params: [{ name: 'name', value: 'there-is-none' }] }
  yield seed(pipelineRunType, finishedPipelineRun({ run: missing, startMs: nowMs - hourMs, world }).pipelineRun)
}

const longName = 'a-name-of-sixty-three-characters-which-is-all-that-a-label-hold'
const words = 'Zürich · 東京 · العربية · 🚢 <b>not bold</b> & "quoted"'

/** What others write and nobody checks: annotations, conditions, names, references to what is not there. */
function* nonsenseObjects({ nowMs }: ScenarioContext): Iterable<Seed> {
  const namespace = nonsense
  yield seed(applicationType, anApplication({ metadata: { name: 'without-components', namespace } }))
  yield seed(applicationType, anApplication({ metadata: { name: 'words', namespace }, spec: { displayName: words } }))
  yield seed(applicationType, anApplication({ metadata: { name: longName, namespace } }))
  const component = (name: string, marks: Record<string, string>, application = 'words') =>
    seed(
      componentType,
      aComponent({
        metadata: { name, namespace, annotations: { [annotations.buildStatus]: '{}', ...marks } },
        spec: { application, source: { git: { url: `https://github.com/faults/${name}` } } },
      }),
    )
  yield component('of-a-deleted-application', {}, 'gone')
  yield component('status-is-no-json', { [annotations.buildStatus]: '{"pac": {"state": "enab' })
  yield component('status-has-other-types', {
    [annotations.buildStatus]: JSON.stringify({ pac: { state: 7, 'merge-url': ['x'], 'error-id': {} }, message: null }),
  })
  yield component('merge-url-is-a-script', {
    [annotations.buildStatus]: JSON.stringify({
      pac: { state: 'enabled', 'merge-url': 'javascript:alert(1)' },
      message: 'done',
    }),
  })
  yield component('pipeline-is-no-json', { [annotations.buildPipeline]: 'docker-build' })
  yield component('annotation-of-200-kb', { 'faults.slipway.dev/much': 'x'.repeat(200_000) })
  yield component(longName, {})
  const failed = { [annotations.buildRequest]: 'configure-pac', [onboardingAnnotation]: 'error-token-unauthorized' }
  yield component('cannot-be-onboarded', failed)

  const startTime = timestamp(nowMs - hourMs)
  const run = (name: string, over: Parameters<typeof aPipelineRun>[0] = {}) =>
    seed(pipelineRunType, aPipelineRun({ ...over, metadata: { name, namespace, ...over.metadata } }))
  const ended = (reason: string, status: 'True' | 'False' | 'Unknown' = 'False') => ({
    startTime,
    completionTime: startTime,
    conditions: [{ ...condition('Succeeded', status, reason), message: words }],
  })
  yield run('without-labels', { metadata: { labels: undefined }, status: ended('Failed') })
  yield run('reason-nobody-knows', { status: ended('SomethingQuiteNew') })
  yield run('without-conditions', { status: { startTime } })
  yield run('ended-before-it-began', {
    status: { ...ended('Completed', 'True'), completionTime: timestamp(nowMs - 2 * hourMs) },
  })
  yield run('results-are-nonsense', {
    status: {
      ...ended('Completed', 'True'),
      results: [
        { name: 'TEST_OUTPUT', value: '{"result": ' },
        { name: 'SCAN_OUTPUT', value: '{"vulnerabilities": {"critical": "many"}}' },
        { name: 'IMAGE_URL', value: '' },
      ],
    },
  })
  yield run('snapshot-failed', {
    metadata: {
      annotations: { [annotations.createSnapshotStatus]: '{"status":"failed","message":"Failed to create snapshot."}' },
    },
    status: ended('Completed', 'True'),
  })
  const orphan = aTaskRun({ metadata: { name: 'task-of-no-run', namespace }, status: ended('Failed') })
  yield seed(taskRunType, orphan)

  const statuses = (value: string) => ({ annotations: { [annotations.testStatus]: value } })
  const snapshot = (name: string, over: Parameters<typeof aSnapshot>[0] = {}) =>
    seed(snapshotType, aSnapshot({ ...over, metadata: { name, namespace, ...over.metadata } }))
  const tested = { conditions: [condition('AppStudioTestSucceeded', 'False', 'Failed')] }
  yield snapshot('test-status-is-no-json', { metadata: statuses('[{"scenario": '), status: tested })
  yield snapshot('test-status-is-no-list', { metadata: statuses('{"scenario":"one"}'), status: tested })
  yield snapshot('without-components', { spec: { components: [] }, status: tested })
  yield seed(
    integrationTestScenarioType,
    anIntegrationTestScenario({
      metadata: { name: 'of-a-deleted-application', namespace },
      spec: { application: 'gone' },
    }),
  )
  const plan = aReleasePlan({
    metadata: { name: 'targets-nothing', namespace },
    spec: { application: 'words', target: 'nowhere' },
  })
  yield seed(releasePlanType, plan)
  const release = (name: string, snapshotName: string) =>
    seed(
      releaseType,
      aRelease({ metadata: { name, namespace }, spec: { releasePlan: 'not-there', snapshot: snapshotName } }),
    )
  yield release('of-a-missing-plan', 'without-components')
  yield release('of-a-missing-snapshot', 'not-there')
}

/** Deleted, and held by a finalizer that nobody removes. */
function* leavingObjects(): Iterable<Seed> {
  const namespace = leaving
  const metadata = (name: string) => ({ name, namespace, finalizers: ['faults.slipway.dev/held'] })
  const gone = { mode: 'delete' } as const
  yield seed(applicationType, anApplication({ metadata: { name: 'stays', namespace } }))
  yield seed(applicationType, anApplication({ metadata: metadata('leaves') }), gone)
  const marks = { annotations: { [annotations.buildStatus]: '{}' } }
  const component = aComponent({ metadata: { ...metadata('leaves-too'), ...marks }, spec: { application: 'stays' } })
  yield seed(componentType, component, gone)
  yield seed(pipelineRunType, aPipelineRun({ metadata: metadata('run-leaves') }), gone)
  yield seed(snapshotType, aSnapshot({ metadata: metadata('snapshot-leaves') }), gone)
  yield seed(releaseType, aRelease({ metadata: metadata('release-leaves') }), gone)
}

/** What each person may list in one namespace; everything else is refused. */
function* deniedKinds({ users }: ScenarioContext): Iterable<Seed> {
  yield seed(namespaceType, aNamespace({ metadata: { name: denied } }))
  const application = anApplication({ metadata: { name: 'checkout', namespace: denied } })
  yield seed(applicationType, application)
  yield seed(componentType, aComponent({ metadata: { name: 'checkout-api', namespace: denied } }))
  const read = ['get', 'list', 'watch']
  const appstudio = 'appstudio.redhat.com'
  const allowed: [keyof typeof users, [group: string, resources: string[], verbs: string[]][]][] = [
    ['admin', [[appstudio, ['applications', 'components', 'snapshots', 'releases'], read]]],
    [
      'maintainer',
      [
        [appstudio, ['applications'], read],
        ['tekton.dev', ['pipelineruns'], read],
      ],
    ],
    ['contributor', [[appstudio, ['applications'], ['get']]]],
  ]
  for (const [user, rules] of allowed) {
    const name = `faults-${user}`
    const role: Role = {
      apiVersion: apiVersionOf(roleType),
      kind: roleType.kind,
      metadata: { name, namespace: denied },
      rules: [
        { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
        ...rules.map(([group, resources, verbs]) => ({ apiGroups: [group], resources, verbs })),
      ],
    }
    yield seed(roleType, role)
    yield seed(
      roleBindingType,
      aRoleBinding({
        metadata: { name, namespace: denied },
        roleRef: { kind: 'Role', name },
        subjects: [{ kind: 'User', apiGroup: roleType.group, name: users[user] }],
      }),
    )
  }
}

/** A run whose pods have gone, logs and all. */
function* lostLogs({ nowMs, world }: ScenarioContext): Iterable<Seed> {
  yield seed(applicationType, anApplication({ metadata: { name: 'checkout', namespace: lost } }))
  const run = runOf(lost, 'logs-are-lost', { '*': 'success' })
  const { pipelineRun, taskRuns } = finishedPipelineRun({ run, startMs: nowMs - 3 * hourMs, world })
  yield seed(pipelineRunType, pipelineRun)
  yield* taskRuns.map((taskRun) => seed(taskRunType, taskRun))
}

/** The archive heard of the beginning of a run, of its deletion, and of nothing between. */
function ghosts({ nowMs, world }: ScenarioContext) {
  const ghost = (name: string, reason: string): PipelineRun => {
    const run = runOf(lost, name, {})
    const startTime = timestamp(nowMs - 48 * hourMs)
    return {
      ...run,
      metadata: { ...run.metadata, uid: uidFor(world, 'ghost', lost, name), creationTimestamp: startTime },
      status: { startTime, conditions: [condition('Succeeded', 'Unknown', reason)] },
    }
  }
  const objects = [ghost('ghost-that-runs', 'Running'), ghost('ghost-that-waits', 'ResolvingTaskRef')]
  const run = runOf(lost, 'archived-without-logs', { 'build-container': 'fail' })
  const { pipelineRun, taskRuns } = finishedPipelineRun({ run, startMs: nowMs - 50 * hourMs, world })
  return { objects: [...objects, pipelineRun, ...taskRuns], logs: [] }
}
