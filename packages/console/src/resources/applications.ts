import { applicationType } from '@slipway/model/supply-chain/application'
import { getQuery, listQuery } from '../api/queries'
import { applicationFields } from './listed-fields'

export const applications = {
  list: (namespace: string) => listQuery(applicationType, { namespace, mask: applicationFields }),
  get: (namespace: string, name: string) => getQuery(applicationType, { namespace, name }, { live: true }),
}
