import { apiVersionOf } from '@slipway/kube/resource-type'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { annotations, labels } from '@slipway/model/labels'
import { snapshotType, type Snapshot, type SnapshotComponent } from '@slipway/model/snapshots/snapshot'
import type { Overrides } from '@slipway/model/testing'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { applicationType } from '@slipway/model/builds/application'
import { ownerReference } from '../../controller'
import { imageRegistry } from '../../image-credentials'
import { snapshotName } from '../../integration/snapshot-for'
import { testConditions, withConditions } from '../../integration/test-conditions'
import { hexDigits } from '../../keyed-random'
import { timestamp } from '../../tekton/task-run-status'
import { seed, type ScenarioContext, type Seed } from '../scenario'
import { uidFor } from '../uids'
import { storefront } from './storefront'

const { namespace } = storefront
const application = 'storefront'
const hourMs = 3_600_000

type Conclusion = Parameters<typeof withConditions>[1]
const finished = [...testConditions.passed(), ...testConditions.autoReleased('The Snapshot was auto-released')]

interface SnapshotPlan {
  hoursAgo: number
  /** Labels in addition to those of a manually created snapshot. */
  labels?: Record<string, string>
  annotations?: Record<string, string>
  spec?: Overrides<Snapshot>['spec']
  /** Status and details, by the name of the test. */
  tests?: Record<string, [status: string, details: string]>
  conditions: Conclusion
}

const passed = 'Integration test passed'
const added = JSON.stringify({
  result: true,
  reason: "The Snapshot's component(s) was/were added to the global candidate list",
})

/** Snapshots that no push results in. */
const plans = (image: (name: string) => string): SnapshotPlan[] => {
  const component = (name: string): SnapshotComponent => ({ name, containerImage: image(name) })
  const components = [component('storefront-web'), component('storefront-cart')]
  return [
    { hoursAgo: 50, spec: { components, displayName: 'Created manually' }, conditions: finished },
    {
      hoursAgo: 49,
      labels: { [labels.snapshotType]: 'override' },
      annotations: { [annotations.addedToGlobalCandidateList]: added },
      spec: { components: [component('storefront-search')] },
      tests: { 'storefront-checkout-journeys': ['TestPassed', passed] },
      conditions: finished,
    },
    {
      hoursAgo: 48,
      labels: { [labels.snapshotType]: 'override' },
      spec: { components: [{ name: 'storefront-web', containerImage: `${imageRegistry}/storefront/web:latest` }] },
      conditions: testConditions.invalid(
        `${imageRegistry}/storefront/web:latest is invalid container image digest from component storefront-web`,
      ),
    },
    {
      hoursAgo: 47,
      spec: {
        components: [
          { name: 'storefront-theme', containerImage: `quay.io/storefront/theme@${image('').split('@')[1]}` },
        ],
        artifacts: { unstableFields: { sbom: 'spdx', charts: [{ name: 'storefront', version: '2.4.0' }] } },
      },
      conditions: [...testConditions.untested(), ...testConditions.autoReleased('The Snapshot was auto-released')],
    },
    {
      hoursAgo: 46,
      spec: { components },
      tests: {
        'storefront-unit-tests': [
          'Deleted',
          "Integration test which is running as pipeline run 'storefront-unit-tests-x7k2p', has been deleted",
        ],
        // A test that has been deleted.
        'storefront-load-tests': ['TestFail', 'Integration test failed'],
        'storefront-enterprise-contract': ['EnvironmentProvisionError', 'Failed to provision the environment'],
      },
      conditions: testConditions.failed(),
    },
    {
      hoursAgo: 0.02,
      spec: { components },
      tests: { 'storefront-unit-tests': ['Pending', 'Pending'] },
      conditions: testConditions.inProgress(aSnapshot()),
    },
  ]
}

/** Snapshots that users created, or with unusual test results. */
export function snapshotStates({ nowMs, world }: ScenarioContext): Seed[] {
  const image = (name: string) =>
    `${imageRegistry}/${namespace}/${name}@sha256:${hexDigits(world.random(`image of ${name}`), 64)}`
  const owner = ownerReference(applicationType, {
    metadata: { name: application, uid: uidFor(world, 'application', namespace, application) },
  })
  const snapshots = plans(image).map((plan) => {
    const atMs = nowMs - plan.hoursAgo * hourMs
    const at = timestamp(atMs)
    const statuses = Object.entries(plan.tests ?? {}).map(([scenario, [status, details]]) => ({
      scenario,
      status,
      details,
      lastUpdateTime: at,
      ...(status !== 'Pending' && { startTime: at, completionTime: at }),
    }))
    const { metadata, spec } = aSnapshot({ spec: { application, artifacts: {}, ...plan.spec } })
    const bare: Snapshot = {
      apiVersion: apiVersionOf(snapshotType),
      kind: snapshotType.kind,
      metadata: {
        ...metadata,
        name: snapshotName(application, atMs, () => false),
        namespace,
        creationTimestamp: at,
        ownerReferences: [owner],
        labels: { [labels.application]: application, ...plan.labels },
        annotations: {
          ...plan.annotations,
          ...(statuses.length > 0 && { [annotations.testStatus]: JSON.stringify(statuses) }),
        },
      },
      spec,
    }
    return seed(snapshotType, withConditions(bare, plan.conditions, at))
  })
  const lost = anIntegrationTestScenario({
    metadata: { name: 'retired-unit-tests', namespace, creationTimestamp: timestamp(nowMs - 900 * hourMs) },
    spec: { application: 'retired' },
    status: {
      conditions: [
        {
          type: 'IntegrationTestScenarioValid',
          status: 'False',
          reason: 'Invalid',
          message: 'Failed to get application for scenario.',
          lastTransitionTime: timestamp(nowMs - 800 * hourMs),
        },
      ],
    },
  })
  return [...snapshots, seed(integrationTestScenarioType, lost)]
}
