import type { Secret, ServiceAccount } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { isLinkable } from '@slipway/model/secrets/secret'
import { linkedSecrets, serviceAccountOf } from '@slipway/model/secrets/service-account'
import { objectRows, type RowKind } from '../../api/source'

/** An entry of a service account. */
export interface LinkedSecret {
  name: string
  /** `undefined` if the secret does not exist. */
  secret: Secret | undefined
  /** Whether images are pulled with it; every linked secret is available to tasks. */
  isForImages: boolean
}

export const linkedSecretRows: RowKind<LinkedSecret> = {
  idOf: ({ name }) => name,
  nameOf: ({ name }) => name,
  isBeingDeleted: ({ secret }) => secret !== undefined && objectRows.isBeingDeleted(secret),
}

/** The service account of a component, from those of its namespace. */
export const findAccount = (
  accounts: readonly ServiceAccount[] | undefined,
  component: string,
): ServiceAccount | undefined => accounts?.find((account) => nameOf(account) === serviceAccountOf(component))

/** What a service account refers to, including secrets that do not exist. */
export function toLinkedSecrets(account: ServiceAccount | undefined, secrets: readonly Secret[]): LinkedSecret[] {
  if (!account) return []
  const byName = new Map(secrets.map((secret) => [nameOf(secret), secret]))
  const forImages = new Set(account.imagePullSecrets?.map(({ name }) => name))
  return [...linkedSecrets(account)].map((name) => ({
    name,
    secret: byName.get(name),
    isForImages: forImages.has(name),
  }))
}

/** The secrets that can be linked to a service account and are not. */
export function unlinkedSecrets(account: ServiceAccount | undefined, secrets: readonly Secret[]): Secret[] {
  const linked = account ? linkedSecrets(account) : new Set()
  return secrets.filter(
    (secret) => isLinkable(secret) && !linked.has(nameOf(secret)) && !objectRows.isBeingDeleted(secret),
  )
}
