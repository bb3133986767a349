import { type FieldPath, fieldPath } from '@slipway/kube/field-mask'
import { specOf } from '@slipway/kube/object'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
} from '@slipway/model/snapshots/integration-test-scenario'
import { annotations, labels } from '@slipway/model/labels'
import { queryOptions } from '@tanstack/react-query'
import { permission } from '../api/access/permission'
import { isBeingDeleted } from '../api/archive/origin'
import { getQuery, listQuery } from '../api/queries'
import { notFoundError } from './not-found'

const contextFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  fieldPath('metadata', 'labels', labels.optional),
  fieldPath('metadata', 'annotations', annotations.testKind),
  'spec.application',
  'spec.componentGroup',
  'spec.contexts.name',
]

const listedFields: readonly FieldPath[] = [...contextFields, 'spec.resolverRef', 'status.conditions']

export const integrationTestScenarios = {
  /** Only their applications or groups, contexts and kinds. */
  contexts: (namespace: string) => listQuery(integrationTestScenarioType, { namespace, mask: contextFields }),
  /** With the fields that the table of integration tests and the tests of a snapshot show. */
  listed: (namespace: string) => listQuery(integrationTestScenarioType, { namespace, mask: listedFields }),
  get: (namespace: string, name: string) => getQuery(integrationTestScenarioType, { namespace, name }, { live: true }),
  /** A test of an application; not found while it is being deleted or if it belongs to another application. */
  ofApplication: (namespace: string, application: string, name: string) =>
    queryOptions({
      ...integrationTestScenarios.get(namespace, name),
      select: (test: IntegrationTestScenario): IntegrationTestScenario => {
        if (specOf(test).application === application && !isBeingDeleted(test)) return test
        throw notFoundError(
          integrationTestScenarioType,
          { namespace, name },
          `The application ${application} has no integration test ${name}.`,
        )
      },
    }),
}

export const addIntegrationTestPermission = permission("You don't have access to add an integration test", [
  'create',
  integrationTestScenarioType,
])

export const editIntegrationTestPermission = permission("You don't have access to edit this integration test", [
  'update',
  integrationTestScenarioType,
])
