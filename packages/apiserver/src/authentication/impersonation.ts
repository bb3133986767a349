import { parseImpersonation } from '@slipway/kube/impersonation'
import type { UserInfo } from '@slipway/kube/user'
import type { Authorizer } from '../authorization/authorizer'
import { forbiddenMessage } from '../authorization/forbidden'
import { badRequest, forbidden } from '../errors'

/**
 * The user that a request acts as: the sender, or the user in its impersonation headers if the sender may impersonate
 * that user.
 * @throws StatusError 400 for attributes without a user, 403 if denied
 */
export function impersonatedUser(headers: Headers, sender: UserInfo, authorizer: Authorizer): UserInfo {
  const impersonation = parseImpersonation(headers)
  if (!impersonation) return sender
  const { user, required } = impersonation
  if (!user) {
    // Object references, as Go prints them.
    const printed = required.map(({ resource, name, subresource = '' }) =>
      resource === 'groups'
        ? `{Group  ${name}    }`
        : `{${resource === 'uids' ? 'UID' : 'UserExtra'}  ${name}  authentication.k8s.io/v1  ${subresource}}`,
    )
    throw badRequest(`requested [${printed.join(' ')}] without impersonating a user`)
  }
  for (const attributes of required) {
    const request = { user: sender, verb: 'impersonate', ...attributes }
    const { allowed, reason } = authorizer.authorize(request)
    const { group = '', resource = '', name } = attributes
    if (!allowed) throw forbidden(forbiddenMessage(request, reason), { group, plural: resource }, name)
  }
  return user
}
