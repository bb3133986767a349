import type { FieldPath } from '@slipway/kube/field-mask'
import { serviceAccountType } from '@slipway/kube/core-types'
import type { AccessCheck } from '../api/access/access-review'
import { listQuery } from '../api/queries'

const linkFields: readonly FieldPath[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.deletionTimestamp',
  'secrets.name',
  'imagePullSecrets.name',
]

export const serviceAccounts = {
  /** With the secrets that are linked to them. */
  linked: (namespace: string) => listQuery(serviceAccountType, { namespace, mask: linkFields }),
}

/** The permissions needed to link secrets to components and to unlink them. */
export const linkSecretsChecks = (namespace: string): AccessCheck[] => [
  { verb: 'patch', type: serviceAccountType, namespace },
]
