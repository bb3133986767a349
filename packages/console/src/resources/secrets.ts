import { secretType } from '@slipway/kube/core-types'
import type { AccessCheck, AccessVerb } from '../api/access/access-review'
import { getQuery, listQuery } from '../api/queries'

/** The gateway blanks the values of every secret: `data` has the keys only (ADR 40). */
export const secrets = {
  list: (namespace: string) => listQuery(secretType, { namespace }),
  get: (namespace: string, name: string) => getQuery(secretType, { namespace, name }, { live: true }),
}

const check = (verb: AccessVerb, namespace: string): AccessCheck => ({ verb, type: secretType, namespace })

/** The permissions needed to add a secret. */
export const createSecretChecks = (namespace: string): AccessCheck[] => [check('create', namespace)]

/** The permissions needed to edit a secret, which is patched since its values cannot be read. */
export const editSecretChecks = (namespace: string): AccessCheck[] => [check('patch', namespace)]

/** The permissions needed to delete a secret. */
export const deleteSecretChecks = (namespace: string): AccessCheck[] => [check('delete', namespace)]
