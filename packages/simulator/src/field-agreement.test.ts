import { namespaceType, podType } from '@slipway/kube/core-types'
import type { KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aComponent, anApplication, aNamespace } from '@slipway/model/testing'
import {
  anIntegrationTestScenario,
  aReleasePlan,
  aReleasePlanAdmission,
} from '@slipway/model/testing/tests-and-releases'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../test/world'
import { allControllers } from './controllers'
import { settings } from './git-host/store'
import { outcomeAnnotation } from './tekton/outcome'

/**
 * Paths of the fields that the console reads, by kind. A key that contains dots or slashes is in brackets; `[]` is any
 * item of a list. Real objects of the platform have the same paths, except that builds with an embedded pipeline have
 * that instead.
 */
const label = (key: string) => `metadata.labels.[${key}]`
const annotation = (key: string) => `metadata.annotations.[${key}]`
const identity = ['metadata.name', 'metadata.namespace', 'metadata.uid', 'metadata.creationTimestamp']
const condition = ['type', 'status', 'reason', 'message', 'lastTransitionTime'].map(
  (key) => `status.conditions.[].${key}`,
)
const duration = ['status.startTime', 'status.completionTime']

const anyRun = [
  ...identity,
  ...condition,
  ...duration,
  label(labels.application),
  label(labels.pipelineType),
  label(labels.pipeline),
  'spec.params.[].name',
  'spec.params.[].value',
  'spec.pipelineRef.resolver',
  'spec.taskRunTemplate.serviceAccountName',
  'spec.timeouts.pipeline',
  ...['apiVersion', 'kind', 'name', 'pipelineTaskName'].map((key) => `status.childReferences.[].${key}`),
  ...['name', 'params.[].name', 'params.[].value', 'taskRef.resolver'].map(
    (key) => `status.pipelineSpec.tasks.[].${key}`,
  ),
]

const buildRun = [
  ...anyRun,
  'status.results.[].name',
  'status.results.[].value',
  'spec.pipelineRef.params.[].name',
  'status.pipelineSpec.tasks.[].runAfter.[]',
  'status.pipelineSpec.finally.[].name',
  'status.pipelineSpec.results.[].name',
  'status.skippedTasks.[].name',
  'status.skippedTasks.[].reason',
  label(labels.component),
  label(labels.commitSha),
  label(labels.eventType),
  label(labels.pullRequestNumber),
  label(labels.organization),
  label(labels.repositoryName),
  label(labels.repository),
  label(labels.originalPipelineRunName),
  label(labels.runState),
  annotation(annotations.repository),
  annotation(annotations.buildCommitSha),
  annotation(annotations.branch),
  annotation(annotations.pacBranch),
  annotation(annotations.pacGitProvider),
  annotation(annotations.pacRepositoryUrl),
  annotation(annotations.pacSender),
  annotation(annotations.pacShaTitle),
  annotation(annotations.pacShaUrl),
  annotation(annotations.pacSourceBranch),
  annotation(annotations.pacLogUrl),
  annotation(labels.snapshot),
  annotation(annotations.createSnapshotStatus),
  annotation('chains.tekton.dev/signed'),
]

const testRun = [
  ...anyRun,
  'status.results.[].name',
  'status.results.[].value',
  label(labels.component),
  label(labels.snapshot),
  label(labels.scenario),
  label(copiedPacKey(labels.commitSha)),
  label(copiedPacKey(labels.eventType)),
  annotation(copiedPacKey(annotations.pacShaTitle)),
  annotation(copiedPacKey(annotations.pacShaUrl)),
  annotation(copiedPacKey(annotations.pacRepositoryUrl)),
]

const taskRun = [
  ...identity,
  ...condition,
  ...duration,
  label(labels.application),
  label(labels.component),
  label(labels.pipelineRun),
  label(labels.pipelineTask),
  label(labels.task),
  'metadata.ownerReferences.[].uid',
  'spec.taskRef.resolver',
  'spec.taskRef.params.[].name',
  'spec.params.[].name',
  'spec.serviceAccountName',
  'spec.timeout',
  'status.podName',
  'status.taskSpec.description',
  'status.taskSpec.steps.[].name',
  ...['name', 'type', 'value'].map((key) => `status.results.[].${key}`),
  ...['name', 'container', 'imageID', 'terminationReason'].map((key) => `status.steps.[].${key}`),
  ...['exitCode', 'reason', 'startedAt', 'finishedAt', 'containerID'].map((key) => `status.steps.[].terminated.${key}`),
  'status.steps.[].waiting.reason',
  'status.steps.[].running.startedAt',
]

const snapshot = [
  ...identity,
  ...condition,
  label(labels.application),
  label(labels.component),
  label(labels.buildPipelineRun),
  label(labels.snapshotType),
  label(copiedPacKey(labels.commitSha)),
  label(copiedPacKey(labels.eventType)),
  label(copiedPacKey(labels.organization)),
  label(copiedPacKey(labels.repositoryName)),
  annotation(annotations.testStatus),
  annotation(annotations.repository),
  annotation(copiedPacKey(annotations.pacShaTitle)),
  annotation(copiedPacKey(annotations.pacShaUrl)),
  annotation(copiedPacKey(annotations.pacSender)),
  annotation(copiedPacKey(annotations.pacRepositoryUrl)),
  'spec.application',
  'spec.components.[].name',
  'spec.components.[].containerImage',
  'spec.components.[].source.git.url',
  'spec.components.[].source.git.revision',
]

/** For releases and pods, only their definitions are known, not recorded objects. */
const release = [
  ...identity,
  ...condition,
  ...duration,
  label(labels.component),
  'spec.snapshot',
  'spec.releasePlan',
  'status.target',
  'status.automated',
  'status.attribution.author',
  'status.managedProcessing.pipelineRun',
  'status.managedProcessing.startTime',
  'status.managedProcessing.completionTime',
  'status.artifacts',
]
const pod = [
  ...identity,
  'spec.containers.[].name',
  'spec.containers.[].image',
  'status.phase',
  'status.containerStatuses.[].name',
  'status.containerStatuses.[].state.terminated.exitCode',
]

const component = [
  ...identity,
  annotation(annotations.buildStatus),
  annotation(annotations.buildPipeline),
  'spec.application',
  'spec.componentName',
  'spec.containerImage',
  'spec.source.git.url',
  'status.lastPromotedImage',
  'status.lastBuiltCommit',
]
const application = [...identity, 'spec.displayName']
const scenario = [
  ...identity,
  ...condition,
  'spec.application',
  'spec.resolverRef.resolver',
  'spec.resolverRef.params.[].name',
]
const plan = [...identity, ...condition, 'spec.application', 'spec.target', 'status.releasePlanAdmission.name']
const admission = [
  ...identity,
  ...condition,
  'spec.applications.[]',
  'spec.origin',
  'spec.policy',
  'status.releasePlans.[].name',
]

const ofType = (type: string) => (object: KubeObject) => object.metadata.labels?.[labels.pipelineType] === type
const kinds: [string, ResourceType, string[], (object: KubeObject) => boolean][] = [
  ['a build', pipelineRunType, buildRun, ofType('build')],
  ['a test run', pipelineRunType, testRun, ofType('test')],
  ['a release run', pipelineRunType, anyRun, ofType('managed')],
  ['a task run', taskRunType, taskRun, () => true],
  ['a pod', podType, pod, () => true],
  ['a component', componentType, component, () => true],
  ['an application', applicationType, application, () => true],
  ['an integration test', integrationTestScenarioType, scenario, () => true],
  ['a snapshot', snapshotType, snapshot, () => true],
  ['a release', releaseType, release, () => true],
  ['a release plan', releasePlanType, plan, () => true],
  ['a release plan admission', releasePlanAdmissionType, admission, () => true],
]

/** All distinct paths of a value. */
function pathsOf(value: unknown, at = '', found = new Set<string>()): Set<string> {
  if (at) found.add(at)
  if (Array.isArray(value)) for (const item of value) pathsOf(item, `${at}.[]`, found)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const step = /[./]/.test(key) ? `[${key}]` : key
      pathsOf(item, at ? `${at}.${step}` : step, found)
    }
  }
  return found
}

let world: World
/** Every state of the task runs, since a step waits and runs before it ends. */
const taskRunsSeen: KubeObject[] = []
const alwaysSucceeds = { [outcomeAnnotation]: JSON.stringify({ '*': 'success' }) }
const choice = { [annotations.buildPipeline]: JSON.stringify({ name: 'docker-build-oci-ta', bundle: 'latest' }) }

beforeAll(async () => {
  world = await startWorld({
    controllers: allControllers({ consoleUrl: 'https://console.slipway.test', hasArchive: false }),
    objects: [
      [namespaceType, aNamespace()],
      [namespaceType, aNamespace({ metadata: { name: 'release-managed' } })],
      [applicationType, anApplication()],
      [integrationTestScenarioType, anIntegrationTestScenario({ metadata: { annotations: alwaysSucceeds } })],
      [releasePlanType, aReleasePlan()],
      [releasePlanAdmissionType, aReleasePlanAdmission({ metadata: { annotations: alwaysSucceeds } })],
      [
        componentType,
        aComponent({
          metadata: {
            annotations: { ...alwaysSucceeds, ...choice, [settings.activity]: 'off', [settings.autoMerge]: '60' },
          },
          spec: { source: { git: { url: 'https://github.com/payments/checkout-api' } } },
        }),
      ],
    ],
  })
  const { metadata } = await world.client.list(taskRunType)
  const watch = world.client.watch(taskRunType, metadata, {
    onOpen: () => {},
    // The embedded API server sends one event per message.
    onMessage: (text) => taskRunsSeen.push((JSON.parse(text) as { object: KubeObject }).object),
    onClose: () => {},
  })
  const isReleased = async () =>
    (await world.client.list(releaseType)).items.some(({ status }) => status?.completionTime)
  for (let minutes = 0; !(await isReleased()) && minutes < 90; minutes++) await world.advance(60_000)
  watch.close()
})

afterAll(() => world.close())

it.each(kinds)('%s has every field that the console reads', async (_, type, paths, isOfKind) => {
  const items = type === taskRunType ? taskRunsSeen : (await world.client.list(type)).items
  // Builds of pull requests and of pushes have different fields.
  const found = new Set(items.filter(isOfKind).flatMap((object) => [...pathsOf(object)]))
  expect(paths.filter((path) => !found.has(path))).toEqual([])
})
