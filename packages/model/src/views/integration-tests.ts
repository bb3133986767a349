import { nameOf, specOf } from '@slipway/kube/object'
import type { ViewKind } from '@slipway/views/view-kind'
import { type IntegrationTestScenario, integrationTestScenarioType } from '../snapshots/integration-test-scenario'
import { isOptional } from '../snapshots/snapshot-tests'
import { integrationTestFields } from './integration-test-fields'
import { yesOrNo } from './yes-or-no'

/** Integration tests by name. Their newest runs are those of `pipelineRunView`: the first one of each scenario. */
export const integrationTestView: ViewKind<IntegrationTestScenario> = {
  id: integrationTestScenarioType.plural,
  type: integrationTestScenarioType,
  mask: integrationTestFields,
  fields: {
    name: { is: 'text', of: nameOf },
    application: { is: 'choice', of: (test) => specOf(test).application },
    componentGroup: { is: 'choice', of: (test) => specOf(test).componentGroup },
    isOptional: { is: 'choice', of: (test) => yesOrNo(isOptional(test)) },
  },
  order: 'name',
  text: nameOf,
  identifiers: (test) => [nameOf(test)],
}
