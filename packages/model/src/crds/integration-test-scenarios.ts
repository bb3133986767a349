import { integrationTestScenarioType } from '../snapshots/integration-test-scenario'
import {
  conditions,
  defineCrd,
  listOf,
  object,
  reference,
  resolver,
  string,
  strings,
  textParams,
  type Schema,
} from './define-crd'

const params = listOf(object({ ...strings('name', 'value'), values: listOf(string) }, ['name']))
const contexts = listOf(object(strings('name', 'description'), ['name']))
const common: Record<string, Schema> = { application: reference, params, contexts }
const status = object({ conditions })
const resolverRef: Schema = { ...resolver, properties: { ...resolver.properties, resourceKind: string } }
/** Of versions before the last one. */
const environment = object(
  {
    ...strings('name', 'type'),
    configuration: object({
      env: textParams,
      target: object({ deploymentTargetClaim: object(strings('claimName'), ['claimName']) }, ['deploymentTargetClaim']),
    }),
  },
  ['name', 'type'],
)
const applicationColumn = { name: 'Application', type: 'string', jsonPath: '.spec.application' } as const

export const integrationTestScenarios = defineCrd({
  group: integrationTestScenarioType.group,
  kind: 'IntegrationTestScenario',
  plural: 'integrationtestscenarios',
  shortNames: ['its'],
  versions: [
    {
      name: 'v1beta2',
      spec: object({ ...common, componentGroup: reference, resolverRef, dependents: listOf(string) }, ['resolverRef']),
      status,
      columns: [applicationColumn, { name: 'ComponentGroup', type: 'string', jsonPath: '.spec.componentGroup' }],
    },
    {
      name: 'v1beta1',
      spec: object({ ...common, environment, resolverRef: resolver }, ['application', 'resolverRef']),
      status,
      columns: [applicationColumn],
    },
    {
      name: 'v1alpha1',
      spec: object({ ...common, environment, bundle: string, pipeline: string }, ['application', 'bundle', 'pipeline']),
      status,
      columns: [applicationColumn],
    },
  ],
})
