import { nameOf, namespaceOf } from '@slipway/kube/object'
import {
  integrationTestScenarioType,
  scenarioValidCondition,
  type IntegrationTestScenario,
} from '@slipway/model/snapshots/integration-test-scenario'
import { defineController, objectKeyOf, on, ownerReference, type Controller } from '../controller'
import { findOwner, ownerNameOf, ownerTypes } from '../integration/snapshot-owner'
import type { PlatformVersion } from '../platform-version'
import { conditionOf, setCondition } from '../set-condition'

/** What is reported of a scenario that can be run. Source: integration-service. */
export const validScenario = {
  type: scenarioValidCondition,
  status: 'True',
  reason: 'Valid',
  message: 'Integration test scenario is Valid.',
} as const

/** Whether a scenario can be run: its application or component group exists. */
export const isValid = (scenario: IntegrationTestScenario): boolean =>
  conditionOf(scenario, scenarioValidCondition)?.status !== 'False'

/** Reports whether each scenario is valid, and makes its application or component group its owner. */
export const testScenarios = (platform: PlatformVersion): Controller => {
  const owners = ownerTypes(platform)
  return defineController<IntegrationTestScenario>({
    name: 'test-scenarios',
    type: integrationTestScenarioType,
    wakes: owners.map((type) =>
      on(type, (owner, { informer }) =>
        informer(integrationTestScenarioType)
          .list(namespaceOf(owner))
          .filter(({ spec }) => ownerNameOf(spec, type) === nameOf(owner))
          .map(objectKeyOf),
      ),
    ),
    writes: [[integrationTestScenarioType, 'update', 'updateStatus']],
    async reconcile(scenario, context) {
      const { client, timestamp } = context
      if (scenario.metadata.deletionTimestamp) return
      const found = findOwner(scenario, owners, context)
      if (found && !scenario.metadata.ownerReferences?.length) {
        // The owner is not its controller.
        const owner = { ...ownerReference(found.type, found.owner), controller: false, blockOwnerDeletion: false }
        const metadata = { ...scenario.metadata, ownerReferences: [owner] }
        return void (await client.replace(integrationTestScenarioType, { ...scenario, metadata }))
      }
      const before = scenario.status?.conditions
      const kind = scenario.spec.componentGroup === undefined ? 'application' : 'component group'
      const validity = found
        ? validScenario
        : ({
            ...validScenario,
            status: 'False',
            reason: 'Invalid',
            message: `Failed to get ${kind} for scenario.`,
          } as const)
      const conditions = setCondition(before, validity, timestamp())
      if (conditions === before) return
      const status = { ...scenario.status, conditions }
      await client.replaceStatus(integrationTestScenarioType, { ...scenario, status })
    },
  })
}
