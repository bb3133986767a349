import { nameOf, namespaceOf } from '@slipway/kube/object'
import { applicationType } from '@slipway/model/builds/application'
import {
  integrationTestScenarioType,
  scenarioValidCondition,
  type IntegrationTestScenario,
} from '@slipway/model/snapshots/integration-test-scenario'
import { defineController, ownerReference, on } from '../controller'
import { conditionOf, setCondition } from '../set-condition'

/** What is reported of a scenario that can be run. Source: integration-service. */
export const validScenario = {
  type: scenarioValidCondition,
  status: 'True',
  reason: 'Valid',
  message: 'Integration test scenario is Valid.',
} as const

/** Whether a scenario can be run: its application exists. */
export const isValid = (scenario: IntegrationTestScenario): boolean =>
  conditionOf(scenario, scenarioValidCondition)?.status !== 'False'

/** Reports whether each scenario is valid, and makes its application its owner. */
export const testScenarios = defineController<IntegrationTestScenario>({
  name: 'test-scenarios',
  type: integrationTestScenarioType,
  wakes: [
    on(applicationType, (application, { informer }) =>
      informer(integrationTestScenarioType)
        .list(namespaceOf(application))
        .filter(({ spec }) => spec.application === nameOf(application))
        .map((scenario) => ({ namespace: namespaceOf(scenario), name: nameOf(scenario) })),
    ),
  ],
  writes: [[integrationTestScenarioType, 'update', 'updateStatus']],
  async reconcile(scenario, { client, informer, timestamp }) {
    // Component groups are not simulated, nor are their tests.
    if (scenario.metadata.deletionTimestamp || scenario.spec.componentGroup) return
    const found = informer(applicationType).get(namespaceOf(scenario), scenario.spec.application ?? '')
    const application = found?.metadata.deletionTimestamp ? undefined : found
    if (application && !scenario.metadata.ownerReferences?.length) {
      // The application is not its controller.
      const owner = { ...ownerReference(applicationType, application), controller: false, blockOwnerDeletion: false }
      const metadata = { ...scenario.metadata, ownerReferences: [owner] }
      return void (await client.replace(integrationTestScenarioType, { ...scenario, metadata }))
    }
    const before = scenario.status?.conditions
    const validity = application
      ? validScenario
      : ({
          ...validScenario,
          status: 'False',
          reason: 'Invalid',
          message: 'Failed to get application for scenario.',
        } as const)
    const conditions = setCondition(before, validity, timestamp())
    if (conditions === before) return
    await client.replaceStatus(integrationTestScenarioType, { ...scenario, status: { ...scenario.status, conditions } })
  },
})
