import { applicationType } from '@slipway/model/application'
import { getQuery, listQuery } from '../api/queries'

export const applications = {
  list: (namespace: string) => listQuery(applicationType, { namespace }),
  get: (namespace: string, name: string) => getQuery(applicationType, { namespace, name }, { live: true }),
}
