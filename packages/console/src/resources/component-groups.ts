import { componentGroupType } from '@slipway/model/builds/component-group'
import { rowFields } from '@slipway/model/views/row-fields'
import { queryOptions } from '@tanstack/react-query'
import { permission } from '../api/access/permission'
import { getQuery, listQuery } from '../api/queries'
import { isServed } from '../api/served-types'

export const componentGroups = {
  /** Whether the cluster has the kind; also true if it does not say. A page that is loaded again asks again. */
  served: () =>
    queryOptions({
      queryKey: ['served', componentGroupType.plural],
      queryFn: () => isServed(componentGroupType),
      staleTime: Infinity,
    }),
  /** With their members, their order of tests and what was promoted. */
  listed: (namespace: string) =>
    listQuery(componentGroupType, {
      namespace,
      mask: [...rowFields, 'spec.components', 'spec.testGraph', 'status.globalCandidateList'],
    }),
  get: (namespace: string, name: string) => getQuery(componentGroupType, { namespace, name }, { live: true }),
}

export const createComponentGroupPermission = permission("You don't have access to create a component group", [
  'create',
  componentGroupType,
])

export const editComponentGroupPermission = permission("You don't have access to edit this component group", [
  'update',
  componentGroupType,
])
