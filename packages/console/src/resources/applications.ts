import type { FieldPath } from '@slipway/kube/field-mask'
import { applicationType } from '@slipway/model/builds/application'
import type { AccessCheck } from '../api/access/access-review'
import { getQuery, listQuery, rowFields } from '../api/queries'
import { importComponentChecks } from './components'

/** The fields that lists of applications show. */
const listedFields: readonly FieldPath[] = [...rowFields, 'spec.displayName']

export const applications = {
  list: (namespace: string) => listQuery(applicationType, { namespace, mask: listedFields }),
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
