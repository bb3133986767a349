import { roleBindingType, type RoleBinding } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/releases/release'
import { releasePlanType } from '@slipway/model/releases/release-plan'
import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import {
  aComponent,
  anApplication,
  aPipelineRun,
  aRelease,
  aRoleBinding,
  aTaskRun,
  condition,
} from '@slipway/model/testing'
import { anIntegrationTestScenario, aReleasePlan, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { onboardingAnnotation } from '../git-host/onboarding-error'
import { asReported } from '../integration/build-facts'
import { timestamp } from '../tekton/task-run-status'
import { pushBuild, quietRepositorySeed } from './faults-builds'
import { repositoryOf } from './project'
import { seed, type ScenarioContext, type Seed } from './scenario'

const hourMs = 3_600_000
const longName = 'a-name-of-sixty-three-characters-which-is-all-that-a-label-hold'
const specialText = 'Zürich · 東京 · العربية · 🚢 <b>not bold</b> & "quoted"'

/** Invalid data that the API server accepts: annotations, conditions, names, dangling references. */
export function* nonsenseObjects(namespace: string, context: ScenarioContext): Iterable<Seed> {
  const { nowMs } = context
  yield seed(applicationType, anApplication({ metadata: { name: 'without-components', namespace } }))
  yield seed(
    applicationType,
    anApplication({ metadata: { name: 'words', namespace }, spec: { displayName: specialText } }),
  )
  yield seed(applicationType, anApplication({ metadata: { name: longName, namespace } }))
  const componentOf = (name: string, marks: Record<string, string> = {}, application = 'words') =>
    aComponent({
      metadata: { name, namespace, annotations: { [annotations.buildStatus]: '{}', ...marks } },
      spec: { application, source: { git: { url: `https://github.com/faults/${name}` } } },
    })
  const component = (...args: Parameters<typeof componentOf>) => seed(componentType, componentOf(...args))
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
  const built = componentOf(longName)
  yield seed(componentType, built)
  const failed = { [annotations.buildRequest]: 'configure-pac', [onboardingAnnotation]: 'error-token-unauthorized' }
  yield component('cannot-be-onboarded', failed)

  const startMs = nowMs - hourMs
  const startTime = timestamp(startMs)
  const applicationLabels = { [labels.application]: 'words', [labels.component]: longName }
  const repository = repositoryOf(`github.com/faults/${longName}`, new Map(), context)
  const run = (name: string, over: Parameters<typeof aPipelineRun>[0] = {}) => {
    const { metadata } = pushBuild({ component: built, repository, name, startMs }, context)
    const marks = { ...metadata.annotations, ...over.metadata?.annotations }
    const ofBuild = { ...metadata, annotations: marks }
    const build = aPipelineRun({ ...over, metadata: ofBuild })
    return seed(pipelineRunType, isFinished(build) ? asReported(build) : build)
  }
  const ended = (reason: string, status: 'True' | 'False' | 'Unknown' = 'False') => ({
    startTime,
    completionTime: startTime,
    conditions: [{ ...condition('Succeeded', status, reason), message: specialText }],
  })
  const bare = { metadata: { name: 'without-labels', namespace, labels: undefined }, status: ended('Failed') }
  yield seed(pipelineRunType, aPipelineRun(bare))
  yield run('reason-nobody-knows', { status: ended('SomethingQuiteNew') })
  // Managed by another controller, which reports no conditions.
  yield run('without-conditions', { spec: { managedBy: 'faults.slipway.dev/quiet' }, status: { startTime } })
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
  yield quietRepositorySeed(repository)
  const orphan = aTaskRun({ metadata: { name: 'task-of-no-run', namespace }, status: ended('Failed') })
  yield seed(taskRunType, orphan)

  const statuses = (value: string) => ({ annotations: { [annotations.testStatus]: value } })
  const snapshot = (name: string, over: Parameters<typeof aSnapshot>[0] = {}) =>
    seed(
      snapshotType,
      aSnapshot({
        ...over,
        metadata: { name, namespace, labels: applicationLabels, ...over.metadata },
        spec: { application: 'words', ...over.spec },
      }),
    )
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
      aRelease({
        metadata: { name, namespace, labels: applicationLabels },
        spec: { releasePlan: 'not-there', snapshot: snapshotName },
      }),
    )
  yield release('of-a-missing-plan', 'without-components')
  yield release('of-a-missing-snapshot', 'not-there')
  const succeeded = (name: string, application: string, completionTime?: string) =>
    seed(
      releaseType,
      aRelease({
        metadata: { name, namespace, labels: { [labels.application]: application } },
        spec: { releasePlan: 'targets-nothing', snapshot: 'without-components' },
        status: {
          startTime,
          ...(completionTime && { completionTime }),
          conditions: [condition('Released', 'True', 'Succeeded')],
        },
      }),
    )
  yield succeeded('released-without-an-end', 'words')
  yield succeeded('released-in-the-future', 'without-components', timestamp(nowMs + 400 * 24 * hourMs))
  yield* nonsenseAccess(namespace)
}

/** Access that was not granted in the console. */
function* nonsenseAccess(namespace: string): Iterable<Seed> {
  const binding = (
    name: string,
    subjects: NonNullable<RoleBinding['subjects']>,
    role = clusterRoleName('contributor'),
  ) => seed(roleBindingType, aRoleBinding({ metadata: { name, namespace }, roleRef: { name: role }, subjects }))
  const apiGroup = roleBindingType.group
  yield binding('of-nobody', [])
  yield binding('of-a-group-and-an-account', [
    { kind: 'Group', apiGroup, name: 'nobody-is-in-it' },
    { kind: 'ServiceAccount', name: 'not-there', namespace: 'not-there' },
  ])
  yield binding('of-a-person-with-a-name', [{ kind: 'User', apiGroup, name: specialText }])
  yield binding('to-a-role-that-is-not-there', [{ kind: 'User', apiGroup, name: 'ada@slipway.test' }], 'not-there')
}
