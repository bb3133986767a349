import { integrationTestScenarioType, type IntegrationTestScenario } from '../snapshots/integration-test-scenario'
import { copiedPacKey, labels } from '../labels'
import {
  releasePlanAdmissionType,
  releasePlanType,
  type ReleasePlan,
  type ReleasePlanAdmission,
} from '../releases/release-plan'
import { snapshotType, type Snapshot } from '../snapshots/snapshot'
import { builder } from '../testing'

/** Objects from a build to its release; by default for `checkout`, which `release-managed` releases. */

const namespace = 'team-payments'
const target = 'release-managed'

/** A snapshot of a push build of `checkout-api` that no controller has processed yet. */
export const aSnapshot = builder<Snapshot>(snapshotType, () => ({
  metadata: {
    name: 'checkout-20260131-090000-000',
    namespace,
    labels: {
      [labels.application]: 'checkout',
      [labels.component]: 'checkout-api',
      [labels.buildPipelineRun]: 'checkout-api-on-push-x4k2p',
      [labels.snapshotType]: 'component',
      [copiedPacKey(labels.eventType)]: 'push',
    },
  },
  spec: {
    application: 'checkout',
    components: [
      {
        name: 'checkout-api',
        containerImage: `registry.slipway.test/payments/checkout-api@sha256:${'0123456789abcdef'.repeat(4)}`,
        source: { git: { url: 'https://git.slipway.test/payments/checkout-api', revision: 'c0ffee'.padEnd(40, '0') } },
      },
    ],
  },
}))

/** Required, for every snapshot of `checkout`. */
export const anIntegrationTestScenario = builder<IntegrationTestScenario>(integrationTestScenarioType, () => ({
  metadata: { name: 'checkout-unit-tests', namespace },
  spec: {
    application: 'checkout',
    resolverRef: {
      resolver: 'git',
      resourceKind: 'pipeline',
      params: [
        { name: 'url', value: 'https://git.slipway.test/catalog/pipelines' },
        { name: 'revision', value: 'main' },
        { name: 'pathInRepo', value: 'pipelines/unit-tests.yaml' },
      ],
    },
  },
}))

const pipelineIn = (path: string) => ({
  resolver: 'git',
  params: [
    { name: 'url', value: 'https://git.slipway.test/catalog/release-pipelines' },
    { name: 'revision', value: 'production' },
    { name: 'pathInRepo', value: path },
  ],
})

/** Releases every push snapshot that passes its tests, through the admission below. */
export const aReleasePlan = builder<ReleasePlan>(releasePlanType, () => ({
  metadata: {
    name: 'checkout-to-production',
    namespace,
    labels: {
      [labels.autoRelease]: 'true',
      [labels.standingAttribution]: 'true',
      [labels.author]: 'user.slipway.test',
    },
  },
  spec: { application: 'checkout', target, releaseGracePeriodDays: 7 },
}))

/** Pushes the images of admitted releases to a registry. */
export const aReleasePlanAdmission = builder<ReleasePlanAdmission>(releasePlanAdmissionType, () => ({
  metadata: { name: 'checkout-to-production', namespace: target, labels: { [labels.blockReleases]: 'false' } },
  spec: {
    applications: ['checkout'],
    origin: namespace,
    policy: 'default',
    pipeline: {
      pipelineRef: pipelineIn('pipelines/managed/push-to-external-registry/push-to-external-registry.yaml'),
      serviceAccountName: 'release-pipeline',
    },
    data: {
      mapping: {
        components: [{ name: 'checkout-api', repository: 'registry.slipway.test/released/checkout-api' }],
        defaults: { tags: ['latest'] },
      },
    },
  },
}))
