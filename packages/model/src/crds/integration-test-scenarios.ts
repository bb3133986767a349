import { conditions, defineCrd, listOf, open, reference, resolver, string, type Schema } from './define-crd'

const params = listOf(open({ name: string, value: string, values: listOf(string) }, ['name']))
const contexts = listOf(open({ name: string, description: string }, ['name']))
const common: Record<string, Schema> = { application: reference, params, contexts }
const status = open({ conditions })
const resolverRef: Schema = { ...resolver, properties: { ...resolver.properties, resourceKind: string } }
const applicationColumn = { name: 'Application', type: 'string', jsonPath: '.spec.application' } as const

export const integrationTestScenarios = defineCrd({
  group: 'appstudio.redhat.com',
  kind: 'IntegrationTestScenario',
  plural: 'integrationtestscenarios',
  shortNames: ['its'],
  versions: [
    {
      name: 'v1beta2',
      spec: open({ ...common, componentGroup: reference, resolverRef, dependents: listOf(string) }, ['resolverRef']),
      status,
      columns: [applicationColumn, { name: 'ComponentGroup', type: 'string', jsonPath: '.spec.componentGroup' }],
    },
    {
      name: 'v1beta1',
      spec: open({ ...common, resolverRef: resolver }, ['application', 'resolverRef']),
      status,
      columns: [applicationColumn],
    },
    {
      name: 'v1alpha1',
      spec: open({ ...common, bundle: string, pipeline: string }, ['application', 'bundle', 'pipeline']),
      status,
      columns: [applicationColumn],
    },
  ],
})
