import type { JsonPatchOperation } from '@slipway/kube/client'
import type { Secret } from '@slipway/kube/core-types'
import { mapPatch, versionCondition } from '@slipway/kube/json-patch'
import { annotations, labels } from '../labels'
import { secretTypes } from './secret'
import { toRfc3339 } from './token-expiry'

/** What an edit changes; everything else stays as it is. `undefined` removes an entry. */
export interface SecretChanges {
  /** In base64. Existing values are never read, so each is either replaced, removed or kept. */
  data: Readonly<Record<string, string | undefined>>
  labels: Readonly<Record<string, string | undefined>>
  annotations: Readonly<Record<string, string | undefined>>
}

/** Labels that the platform reads, which have fields of their own. */
const platformLabels: readonly string[] = [labels.commonSecret, labels.credentials, labels.scmHost, labels.secretFor]

/** The labels that users edit as such. */
export const ownLabels = ({ metadata }: Secret): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => !platformLabels.includes(key)))

/**
 * The annotation that says when the credentials expire, after they were replaced.
 * @param expiry `undefined` if the new ones do not say
 */
export const expiryChange = (expiry: Date | undefined): SecretChanges['annotations'] => ({
  [annotations.credentialExpires]: expiry && toRfc3339(expiry),
})

/** Keys without which the API server rejects a secret of the type. */
export const requiredKeys = ({ type }: Secret): readonly string[] =>
  type === undefined ? [] : (keysOfType[type] ?? [])

const keysOfType: Readonly<Record<string, readonly string[]>> = {
  [secretTypes.basicAuth]: ['username', 'password'],
  [secretTypes.sshAuth]: ['ssh-privatekey'],
  [secretTypes.dockerConfigJson]: ['.dockerconfigjson'],
  [secretTypes.dockerConfig]: ['.dockercfg'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
}

/**
 * The patch that applies changes to a secret, on condition that it is still this version of it.
 * @returns empty if there is nothing to change
 */
export function secretPatch(secret: Secret, changes: SecretChanges): JsonPatchOperation[] {
  const operations = [
    ...mapPatch('/metadata/labels', secret.metadata.labels, changes.labels),
    ...mapPatch('/metadata/annotations', secret.metadata.annotations, changes.annotations),
    // Existing values are blank, so that a new one that is equal to them differs all the same.
    ...mapPatch('/data', secret.data, changes.data, { isEqual: () => false }),
  ]
  if (operations.length === 0) return []
  return [versionCondition(secret), ...operations]
}
