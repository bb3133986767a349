import { configMapType, namespaceType, podType, roleBindingType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { releaseType } from '@slipway/model/releases/release'
import { clusterRoleName } from '@slipway/model/access/roles/user-actions'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import {
  aComponent,
  anApplication,
  aConfigMap,
  aNamespace,
  aPipelineRun,
  aRelease,
  aRoleBinding,
  condition,
} from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { pruneSkip } from '../controllers/pruning'
import { asReported } from '../integration/build-facts'
import { finishedPipelineRun } from '../tekton/history'
import { outcomes, type Outcome } from '../tekton/outcome'
import { timestamp } from '../tekton/task-run-status'
import { allowed, user } from './allowed'
import { gitHostSeed } from './changes'
import { createBuiltComponent, queued } from './faults-builds'
import { nonsenseObjects } from './faults-nonsense'
import { seed, type ArchivedSeeds, type Scenario, type ScenarioContext, type Seed } from './scenario'
import { teamNamespace } from './team'
import { uidFor } from './uids'

const hourMs = 3_600_000
const team = { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor' } as const

/** README.md lists the contents of each namespace. */
const failing = 'faults-runs'
const nonsense = 'faults-nonsense'
const terminating = 'faults-leaving'
const denied = 'faults-denied'
const lost = 'faults-lost'

/** Every failure that a user can encounter. */
export const faults: Scenario = {
  *seeds(context) {
    // Its objects are never pruned.
    for (const namespace of [failing, nonsense, terminating, lost]) {
      yield* teamNamespace(namespace, team, context, { [pruneSkip]: 'true' })
    }
    yield gitHostSeed(context)
    yield* missingSettings(context)
    yield* failingRuns(context)
    yield* nonsenseObjects(nonsense, context)
    yield* terminatingObjects()
    yield* deniedKinds(context)
    yield* lostLogs(context)
  },
  *archived(context) {
    yield lostObjects(context)
  },
}

/**
 * No build pipelines, and an unreadable banner and notifications, which only one user may list. Public info stays
 * valid, since the console needs it.
 */
function* missingSettings({ users }: ScenarioContext): Iterable<Seed> {
  const inInfo = (name: string, data: Record<string, string>) =>
    aConfigMap({ metadata: { name, namespace: publicInfoLocation.namespace }, data })
  yield seed(configMapType, inInfo('konflux-banner-configmap', { 'banner-content.yaml': '- summary: [unclosed' }), {
    mode: 'overwrite',
  })
  const notifications = {
    'notification-nonsense': '{"type": "info", "summary":',
    'notification-of-other-types': '[{"type": "catastrophe", "summary": 7}, null, "text"]',
  }
  for (const [name, content] of Object.entries(notifications)) {
    const notification = inInfo(name, { 'notification-content.json': content })
    notification.metadata.labels = { [labels.systemNotification]: 'true' }
    yield seed(configMapType, notification)
  }
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }]
  yield* allowed(publicInfoLocation.namespace, 'faults-notifications', rules, user(users.admin))
}

/** A run for each outcome of a task, and for each way to stop a run. */
function* failingRuns(context: ScenarioContext): Iterable<Seed> {
  const { nowMs, world } = context
  const { build, seeds } = createBuiltComponent(failing, context)
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
    const startMs = nowMs - (index + 2) * hourMs
    const run = build(name, startMs, forced)
    if (status) run.spec.status = status
    const { pipelineRun, taskRuns, pods, logs } = finishedPipelineRun({ run, startMs, world })
    yield seed(pipelineRunType, asReported(pipelineRun))
    yield* taskRuns.map((taskRun) => seed(taskRunType, taskRun))
    const ofTask = pods.filter(({ metadata }) => metadata.labels?.[labels.pipelineTask] === 'build-container')
    for (const pod of ofTask) yield seed(podType, pod, { logs: logs.filter((log) => log.pod === pod.metadata.name) })
  }
  yield seed(pipelineRunType, queued(build('waits', nowMs)))
  const missing = build('finds-no-pipeline', nowMs - hourMs)
  missing.spec.pipelineRef = { resolver: 'bundles', params: [{ name: 'name', value: 'there-is-none' }] }
  const { pipelineRun } = finishedPipelineRun({ run: missing, startMs: nowMs - hourMs, world })
  yield seed(pipelineRunType, asReported(pipelineRun))
  yield* seeds()
}

/** Deleted objects that are held by a finalizer. */
function* terminatingObjects(): Iterable<Seed> {
  const namespace = terminating
  const metadata = (name: string) => ({ name, namespace, finalizers: ['faults.slipway.dev/held'] })
  const deleted = { mode: 'delete' } as const
  yield seed(applicationType, anApplication({ metadata: { name: 'stays', namespace } }))
  yield seed(applicationType, anApplication({ metadata: metadata('leaves') }), deleted)
  const marks = { annotations: { [annotations.buildStatus]: '{}' } }
  const component = aComponent({ metadata: { ...metadata('leaves-too'), ...marks }, spec: { application: 'stays' } })
  yield seed(componentType, component, deleted)
  const ofBuild = { [labels.component]: 'leaves-too', [labels.pipelineType]: 'build' }
  const metadataOf = (name: string, more: Record<string, string> = {}) => ({
    ...metadata(name),
    labels: { [labels.application]: 'stays', ...more },
  })
  yield seed(pipelineRunType, aPipelineRun({ metadata: metadataOf('run-leaves', ofBuild) }), deleted)
  yield seed(
    snapshotType,
    aSnapshot({ metadata: metadataOf('snapshot-leaves'), spec: { application: 'stays' } }),
    deleted,
  )
  yield seed(releaseType, aRelease({ metadata: metadataOf('release-leaves') }), deleted)
  const binding = aRoleBinding({
    metadata: metadata('access-leaves'),
    roleRef: { name: clusterRoleName('contributor') },
    subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: 'ada@slipway.test' }],
  })
  yield seed(roleBindingType, binding, deleted)
}

/** What each user may list in one namespace; everything else is forbidden. */
function* deniedKinds({ users }: ScenarioContext): Iterable<Seed> {
  yield seed(namespaceType, aNamespace({ metadata: { name: denied } }))
  const application = anApplication({ metadata: { name: 'checkout', namespace: denied } })
  yield seed(applicationType, application)
  yield seed(componentType, aComponent({ metadata: { name: 'checkout-api', namespace: denied } }))
  const read = ['get', 'list', 'watch']
  const { group: appstudio } = applicationType
  const permissions: [keyof typeof users, [group: string, resources: string[], verbs: string[]][]][] = [
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
  for (const [person, granted] of permissions) {
    const rules = [
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
      ...granted.map(([group, resources, verbs]) => ({ apiGroups: [group], resources, verbs })),
    ]
    yield* allowed(denied, `faults-${person}`, rules, user(users[person]))
  }
}

/** Builds with missing data, in the cluster and in the archive. */
function lostBuilds(context: ScenarioContext) {
  const { nowMs, world } = context
  const { build, seeds } = createBuiltComponent(lost, context)
  const finished = (name: string, hoursAgo: number, forced: Record<string, Outcome>) => {
    const startMs = nowMs - hoursAgo * hourMs
    const { pipelineRun, taskRuns } = finishedPipelineRun({ run: build(name, startMs, forced), startMs, world })
    return { pipelineRun: asReported(pipelineRun), taskRuns }
  }
  const ghost = (name: string, reason: string): PipelineRun => {
    const startMs = nowMs - 48 * hourMs
    const run = build(name, startMs)
    const startTime = timestamp(startMs)
    return {
      ...run,
      metadata: { ...run.metadata, uid: uidFor(world, 'ghost', lost, name), creationTimestamp: startTime },
      status: { startTime, conditions: [condition('Succeeded', 'Unknown', reason)] },
    }
  }
  return {
    withoutPods: finished('logs-are-lost', 3, { '*': 'success' }),
    withoutLogs: finished('archived-without-logs', 50, { 'build-container': 'fail' }),
    // The archive saw their start and their deletion, but nothing in between.
    ghosts: [ghost('ghost-that-runs', 'Running'), ghost('ghost-that-waits', 'ResolvingTaskRef')],
    // After all builds, since it contains their commits.
    seeds: seeds(),
  }
}

/** A run whose pods and logs are deleted. */
function* lostLogs(context: ScenarioContext): Iterable<Seed> {
  const { withoutPods, seeds } = lostBuilds(context)
  yield seed(pipelineRunType, withoutPods.pipelineRun)
  yield* withoutPods.taskRuns.map((taskRun) => seed(taskRunType, taskRun))
  yield* seeds
}

function lostObjects(context: ScenarioContext): ArchivedSeeds {
  const { ghosts, withoutLogs } = lostBuilds(context)
  return { objects: [...ghosts, withoutLogs.pipelineRun, ...withoutLogs.taskRuns], logs: [] }
}
