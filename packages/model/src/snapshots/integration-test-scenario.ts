import type { Condition, KubeObject } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'
import type { Param } from '../runs/tekton'

export interface IntegrationTestScenario extends KubeObject {
  spec: {
    application?: string
    /** Instead of the application. */
    componentGroup?: string
    resolverRef: {
      resolver: string
      resourceKind?: 'pipeline' | 'pipelinerun'
      params: { name: string; value: string }[]
    }
    params?: (Partial<Param> & { name: string; values?: string[] })[]
    /** The snapshots for which it runs: `application`, `push`, `pull_request`, `component_{name}`, `group`, … */
    contexts?: { name: string; description?: string }[]
  }
  status?: { conditions?: Condition[] }
}

/** Type of the condition that says whether a scenario is valid. */
export const scenarioValidCondition = 'IntegrationTestScenarioValid'

export const integrationTestScenarioType = defineResource<IntegrationTestScenario>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1beta2',
  kind: 'IntegrationTestScenario',
  plural: 'integrationtestscenarios',
  namespaced: true,
})
