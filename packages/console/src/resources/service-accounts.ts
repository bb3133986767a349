import type { FieldPath } from '@slipway/kube/field-mask'
import { serviceAccountType } from '@slipway/kube/core-types'
import { permission } from '../api/access/permission'
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
  links: (namespace: string) => listQuery(serviceAccountType, { namespace, mask: linkFields }),
}

/** Linking secrets to components, and unlinking them. */
export const linkSecretsPermission = permission("You don't have access to manage linked secrets", [
  'patch',
  serviceAccountType,
])
