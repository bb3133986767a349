import { specOf } from '@slipway/kube/object'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
} from '@slipway/model/snapshots/integration-test-scenario'
import { integrationTestContextFields, integrationTestFields } from '@slipway/model/views/integration-test-fields'
import { queryOptions } from '@tanstack/react-query'
import { permission } from '../api/access/permission'
import { isBeingDeleted } from '../api/archive/origin'
import { getQuery, listQuery } from '../api/queries'
import { notFoundError } from './not-found'

export const integrationTestScenarios = {
  /** Only their applications or groups, contexts and kinds. */
  contexts: (namespace: string) =>
    listQuery(integrationTestScenarioType, { namespace, mask: integrationTestContextFields }),
  /** Those of an application, or of a component group, as a view. */
  view: (namespace: string, ownerKind: 'application' | 'componentGroup', owner: string) => ({
    kind: integrationTestScenarioType.plural,
    namespaces: [namespace],
    where: { [ownerKind]: [owner] },
  }),
  /** The same as a list of the namespace, for pages that join them with others. */
  listed: (namespace: string) => listQuery(integrationTestScenarioType, { namespace, mask: integrationTestFields }),
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
