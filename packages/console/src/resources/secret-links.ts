import type { Clock } from '@slipway/kube/clock'
import type { JsonPatchOperation } from '@slipway/kube/client'
import { serviceAccountType, type Secret, type ServiceAccount } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { isNotFound } from '@slipway/kube/status'
import { serviceAccountOf, withoutSecret, withSecret } from '@slipway/model/secrets/service-account'
import type { AppliedWrite } from '../api/writes/perform-writes'
import { isRetryableFailure, retrying } from '../api/writes/retrying'
import { updateObject } from '../api/writes/update-object'
import { patch, refresh, type Write } from '../api/writes/writes'

export interface LinkChanges {
  link?: readonly Secret[]
  /** Names, since a secret that no longer exists can be unlinked too. */
  unlink?: readonly string[]
}

/** The platform creates the service account of a component a moment after the component. */
class MissingServiceAccountError extends Error {
  override readonly name = 'MissingServiceAccountError'
  constructor(name: string) {
    super(`The service account ${name} does not exist. If the component is new, try again in a moment.`)
  }
}

/**
 * Links secrets to a component and unlinks others, with one patch of its service account. If another client changes the
 * service account at the same moment, its changes are kept.
 * @returns the patch; none if there was nothing to change
 * @throws ApiError, DisconnectedError or MissingServiceAccountError
 */
export async function changeLinks(
  namespace: string,
  component: string,
  changes: LinkChanges,
  clock: Clock,
): Promise<AppliedWrite[]> {
  const name = serviceAccountOf(component)
  const update = async () => {
    try {
      const done = await updateObject(serviceAccountType, { namespace, name }, (account) =>
        linksPatch(account, changes),
      )
      if (!done) return []
      refresh(done.write, done.result)
      return [done]
    } catch (error) {
      if (!isNotFound(error)) throw error
      if (changes.link?.length) throw new MissingServiceAccountError(name)
      return []
    }
  }
  const isRetryable = (error: unknown) => error instanceof MissingServiceAccountError || isRetryableFailure(error)
  return retrying(update, { clock, isRetryable })
}

/** The patch of `changeLinks`, to be shown: the service account may have changed by the time it is sent. */
export function linkWrites(account: ServiceAccount | undefined, changes: LinkChanges): Write[] {
  const steps = account ? linksPatch(account, changes) : []
  if (!account || steps.length === 0) return []
  return [patch(serviceAccountType, { namespace: namespaceOf(account), name: nameOf(account) }, steps)]
}

/** No steps if the links are as they should be. */
function linksPatch(account: ServiceAccount, { link = [], unlink = [] }: LinkChanges): JsonPatchOperation[] {
  let changed: ServiceAccount = account
  for (const name of unlink) changed = { ...changed, ...withoutSecret(changed, name) }
  for (const secret of link) changed = { ...changed, ...withSecret(changed, secret) }
  const before = [account.secrets ?? [], account.imagePullSecrets ?? []]
  const after = [changed.secrets ?? [], changed.imagePullSecrets ?? []]
  if (JSON.stringify(after) === JSON.stringify(before)) return []
  return (['imagePullSecrets', 'secrets'] as const).flatMap((member): JsonPatchOperation[] => {
    const value = changed[member] ?? []
    // Only a member that is present can be replaced.
    if (account[member]) return [{ op: 'replace', path: `/${member}`, value }]
    return value.length > 0 ? [{ op: 'add', path: `/${member}`, value }] : []
  })
}
