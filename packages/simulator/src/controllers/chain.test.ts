import { namespaceType, roleBindingType } from '@slipway/kube/core-types'
import type { Condition } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { traceIdOf } from '@slipway/model/releases/delivery'
import { releaseType } from '@slipway/model/releases/release'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { succeededCondition } from '@slipway/model/runs/tekton'
import { aComponent, anApplication, aNamespace } from '@slipway/model/testing'
import {
  anIntegrationTestScenario,
  aReleasePlan,
  aReleasePlanAdmission,
} from '@slipway/model/testing/tests-and-releases'
import { testStatusesOf } from '@slipway/model/snapshots/snapshot-tests'
import { expect, it } from 'vitest'
import { audited, startAudit } from '../../test/audit'
import { startWorld } from '../../test/world'
import { parseBuildStatus } from '../git-host/build-status'
import { settings } from '../git-host/store'
import { outcomeAnnotation } from '../tekton/outcome'
import { automaticReleases } from './automatic-releases'
import { buildReports } from './build-reports'
import { buildServiceAccounts } from './build-service-accounts'
import { buildSnapshots } from './build-snapshots'
import { componentOnboarding } from './component-onboarding'
import { imageRepositories } from './image-repositories'
import { overrideSnapshots } from './override-snapshots'
import { pipelineRuns } from './pipeline-runs'
import { pipelinesAsCode } from './pipelines-as-code'
import { releasePlanAdmissions, releasePlans } from './release-plans'
import { releases } from './releases'
import { snapshotTests } from './snapshot-tests'
import { sourceControl } from './source-control'
import { taskRuns } from './task-runs'
import { tenantNamespaces } from './tenant-namespaces'
import { testScenarios } from './test-scenarios'

const controllers = [
  tenantNamespaces,
  componentOnboarding,
  buildServiceAccounts,
  imageRepositories,
  pipelinesAsCode({ consoleUrl: 'https://console.slipway.test' }),
  sourceControl,
  pipelineRuns,
  taskRuns,
  buildReports('current'),
  buildSnapshots,
  testScenarios('current'),
  snapshotTests('current'),
  overrideSnapshots,
  automaticReleases,
  releasePlans,
  releasePlanAdmissions('current'),
  releases('current'),
]

/** Types and reasons of conditions, without those that were skipped. */
const reasons = (conditions: Condition[] = []) =>
  conditions
    .filter(({ reason }) => reason !== 'Skipped')
    .map(({ type, reason = '' }) => `${type.replace(/^AppStudio|PipelineProcessed$/g, '')} ${reason}`)

/** Annotation of a pipeline in which nothing fails at random. */
const alwaysSucceeds = { [outcomeAnnotation]: JSON.stringify({ '*': 'success' }) }

/** Names without generated parts, in the namespace `team-payments` unless another is given. */
const expectedChain = [
  'Component checkout-api: created',
  'Component checkout-api: enabled',
  'PipelineRun checkout-api-on-pull-request-*: created',
  'PipelineRun checkout-api-on-pull-request-*: Started',
  'PipelineRun checkout-api-on-pull-request-*: ResolvingPipelineRef',
  'PipelineRun checkout-api-on-pull-request-*: Running',
  'PipelineRun checkout-api-on-pull-request-*: Completed',
  'PipelineRun checkout-api-on-pull-request-*: Completed, reported',
  'Snapshot checkout-{time}: created',
  'PipelineRun checkout-api-on-pull-request-*: Completed, reported, has a snapshot',
  'Snapshot checkout-{time}: checkout-unit-tests Pending',
  'PipelineRun checkout-unit-tests-*: created',
  'Snapshot checkout-{time}: checkout-unit-tests InProgress',
  'PipelineRun checkout-unit-tests-*: Started',
  'PipelineRun checkout-unit-tests-*: ResolvingPipelineRef',
  'Snapshot checkout-{time}: checkout-unit-tests InProgress, IntegrationStatus InProgress',
  'PipelineRun checkout-unit-tests-*: Running',
  'PipelineRun checkout-unit-tests-*: Succeeded',
  'Snapshot checkout-{time}: checkout-unit-tests TestPassed, IntegrationStatus InProgress',
  'Snapshot checkout-{time}: checkout-unit-tests TestPassed, IntegrationStatus Finished, TestSucceeded Passed',
  'PipelineRun checkout-api-on-push-*: created',
  'PipelineRun checkout-api-on-push-*: Started',
  'PipelineRun checkout-api-on-push-*: ResolvingPipelineRef',
  'PipelineRun checkout-api-on-push-*: Running',
  'PipelineRun checkout-api-on-push-*: Completed',
  'Component checkout-api: enabled, has an image',
  'PipelineRun checkout-api-on-push-*: Completed, reported',
  'Snapshot checkout-{time}: created',
  'PipelineRun checkout-api-on-push-*: Completed, reported, has a snapshot',
  'Snapshot checkout-{time}: checkout-unit-tests Pending',
  'PipelineRun checkout-unit-tests-*: created',
  'Snapshot checkout-{time}: checkout-unit-tests InProgress',
  'PipelineRun checkout-unit-tests-*: Started',
  'PipelineRun checkout-unit-tests-*: ResolvingPipelineRef',
  'Snapshot checkout-{time}: checkout-unit-tests InProgress, IntegrationStatus InProgress',
  'PipelineRun checkout-unit-tests-*: Running',
  'PipelineRun checkout-unit-tests-*: Succeeded',
  'Snapshot checkout-{time}: checkout-unit-tests TestPassed, IntegrationStatus InProgress',
  'Snapshot checkout-{time}: checkout-unit-tests TestPassed, IntegrationStatus Finished, TestSucceeded Passed',
  'Release checkout-{time}-{sha}-*: created',
  'Snapshot checkout-{time}: checkout-unit-tests TestPassed, IntegrationStatus Finished, TestSucceeded Passed, AutoReleased AutoReleased',
  'Release checkout-{time}-{sha}-*: Released Progressing',
  'Release checkout-{time}-{sha}-*: Released Progressing, Validated Succeeded',
  'RoleBinding checkout-{time}-{sha}-*-rolebinding-*: created',
  'RoleBinding release-managed/checkout-{time}-{sha}-*-rolebinding-*: created',
  'PipelineRun release-managed/managed-*: created',
  'Release checkout-{time}-{sha}-*: Released Progressing, Validated Succeeded, Managed Progressing',
  'PipelineRun release-managed/managed-*: Started',
  'PipelineRun release-managed/managed-*: ResolvingPipelineRef',
  'PipelineRun release-managed/managed-*: Running',
  'PipelineRun release-managed/managed-*: Succeeded',
  'RoleBinding checkout-{time}-{sha}-*-rolebinding-*: deleted',
  'RoleBinding release-managed/checkout-{time}-{sha}-*-rolebinding-*: deleted',
  'Release checkout-{time}-{sha}-*: Released Progressing, Validated Succeeded, Managed Succeeded',
  'Release checkout-{time}-{sha}-*: Released Succeeded, Validated Succeeded, Managed Succeeded',
]

it('a new component is built, tested and released automatically', async () => {
  const world = await startWorld({ controllers, objects: [[namespaceType, aNamespace()]] })
  const { client } = world
  const audit = await startAudit(world, 'team-payments', [
    audited({
      type: componentType,
      describe: ({ metadata, status }) => {
        const state = parseBuildStatus(metadata.annotations?.[annotations.buildStatus])?.pac?.state
        const image = status?.lastPromotedImage ? ', has an image' : ''
        return state ? `${state}${image}` : 'created'
      },
    }),
    audited({
      type: pipelineRunType,
      describe: (run) => {
        const marks = run.metadata.annotations ?? {}
        const snapshot = marks[labels.snapshot] ? ', has a snapshot' : ''
        const state = run.metadata.labels?.[labels.runState] === 'completed' ? ', reported' : ''
        return `${succeededCondition(run)?.reason ?? 'created'}${state}${snapshot}`
      },
    }),
    audited({
      type: snapshotType,
      describe: (snapshot) => {
        const tests = testStatusesOf(snapshot).map(({ scenario, status }) => `${scenario} ${status}`)
        return [...tests, ...reasons(snapshot.status?.conditions)].join(', ') || 'created'
      },
    }),
    audited({
      type: releaseType,
      describe: ({ status }) => reasons(status?.conditions).join(', ') || 'created',
    }),
    audited({
      type: roleBindingType,
      describe: ({ metadata }) => (metadata.name?.includes('-rolebinding-') ? 'created' : ''),
    }),
  ])
  await client.create(namespaceType, aNamespace({ metadata: { name: 'release-managed' } }))
  await client.create(applicationType, anApplication())
  await client.create(
    integrationTestScenarioType,
    anIntegrationTestScenario({ metadata: { annotations: alwaysSucceeds } }),
  )
  await client.create(releasePlanType, aReleasePlan())
  await client.create(releasePlanAdmissionType, aReleasePlanAdmission({ metadata: { annotations: alwaysSucceeds } }))
  await client.create(
    componentType,
    aComponent({
      metadata: { annotations: { ...alwaysSucceeds, [settings.activity]: 'off', [settings.autoMerge]: '1800' } },
      spec: { source: { git: { url: 'https://github.com/payments/checkout-api' } }, containerImage: undefined },
    }),
  )
  const isReleased = async () => (await client.list(releaseType)).items.some(({ status }) => status?.completionTime)
  for (let minutes = 0; !(await isReleased()) && minutes < 90; minutes++) await world.advance(60_000)
  audit.close()
  expect(audit.lines()).toEqual(expectedChain)
  const [release] = (await client.list(releaseType)).items
  const all = [
    ...(await client.list(pipelineRunType)).items,
    ...(await client.list(snapshotType)).items,
    ...(await client.list(releaseType)).items,
  ]
  const sameTrace = all.filter((each) => release && traceIdOf(each) === traceIdOf(release))
  expect(release && traceIdOf(release)).toMatch(/^[0-9a-f]{32}$/)
  expect(sameTrace.map(({ kind, metadata }) => metadata.labels?.[labels.pipelineType] ?? kind).sort()).toEqual([
    'Release',
    'Snapshot',
    'build',
    'managed',
    'test',
  ])
  await world.close()
})
