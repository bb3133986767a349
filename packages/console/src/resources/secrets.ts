import { secretType } from '@slipway/kube/core-types'
import { permission } from '../api/access/permission'
import { getQuery, listQuery } from '../api/queries'

/** The gateway blanks the values of every secret: `data` has the keys only (ADR 40). */
export const secrets = {
  list: (namespace: string) => listQuery(secretType, { namespace }),
  get: (namespace: string, name: string) => getQuery(secretType, { namespace, name }, { live: true }),
}

export const createSecretPermission = permission("You don't have access to create a secret", ['create', secretType])

/** To create a secret as part of an import. */
export const addSecretPermission = permission("You don't have access to add a secret", ['create', secretType])

/** A secret is patched, since its values cannot be read. */
export const editSecretPermission = permission("You don't have access to edit this secret", ['patch', secretType])
