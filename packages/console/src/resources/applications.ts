import { applicationType } from '@slipway/model/builds/application'
import { applicationFields } from '@slipway/model/views/application-fields'
import type { AccessCheck } from '../api/access/access-review'
import { getQuery, listQuery } from '../api/queries'
import { importComponentChecks } from './components'

export const applications = {
  list: (namespace: string) => listQuery(applicationType, { namespace, mask: applicationFields }),
  get: (namespace: string, name: string) => getQuery(applicationType, { namespace, name }, { live: true }),
  /** Only their names, for a table with applications of many namespaces: a watch for each would be too many. */
  displayNames: (namespace: string) =>
    listQuery(applicationType, { namespace, mask: ['metadata.name', 'spec.displayName'] }, { live: false }),
}

/** The permissions needed to create an application, on a page that can add a component too. */
export const importApplicationChecks = (namespace: string): AccessCheck[] => [
  { verb: 'create', type: applicationType, namespace },
  ...importComponentChecks(namespace),
]
