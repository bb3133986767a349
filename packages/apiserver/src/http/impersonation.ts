import type { Authorizer, Attributes } from '../access/authorizer'
import { forbiddenMessage } from '../access/forbidden'
import type { UserInfo } from '../access/user'
import { badRequest, forbidden } from '../errors'

const authenticated = 'system:authenticated'
const serviceAccountPattern = /^system:serviceaccount:([^:]+):([^:]+)$/
const extraPrefix = 'impersonate-extra-'

/**
 * The user that a request acts as: the one who sent it, unless it names another and its sender may act as that one.
 * Given groups are the whole truth, but for what everybody is in.
 * Source: k8s.io/apiserver, endpoints/filters/impersonation.go.
 * @throws StatusError 400 for parts without a user, 403
 */
export function impersonated(headers: Headers, sender: UserInfo, authorizer: Authorizer): UserInfo {
  const name = headers.get('impersonate-user') ?? ''
  const groups = listOf(headers, 'impersonate-group')
  const uid = headers.get('impersonate-uid') ?? ''
  const extra = extraOf(headers)
  if (!name) {
    if (groups.length === 0 && !uid && Object.keys(extra).length === 0) return sender
    throw badRequest('impersonating parts of a user requires impersonating a user')
  }
  const demand = (attributes: Omit<Attributes, 'user' | 'verb'>) => {
    const asked = { user: sender, verb: 'impersonate', ...attributes }
    const { allowed, reason } = authorizer.authorize(asked)
    if (allowed) return
    const { group = '', resource = '', name: target } = attributes
    throw forbidden(forbiddenMessage(asked, reason), { group, plural: resource }, target)
  }
  const [, namespace, account] = serviceAccountPattern.exec(name) ?? []
  if (namespace && account) demand({ resource: 'serviceaccounts', namespace, name: account })
  else demand({ resource: 'users', name })
  for (const group of groups) demand({ resource: 'groups', name: group })
  if (uid) demand({ group: 'authentication.k8s.io', resource: 'uids', name: uid })
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) {
      demand({ group: 'authentication.k8s.io', resource: 'userextras', subresource: key, name: value })
    }
  }
  return {
    name,
    groups: groupsOf(groups, namespace),
    ...(uid && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}

function groupsOf(given: string[], serviceAccountNamespace: string | undefined): string[] {
  const groups =
    given.length === 0 && serviceAccountNamespace
      ? ['system:serviceaccounts', `system:serviceaccounts:${serviceAccountNamespace}`]
      : given
  return groups.includes(authenticated) || groups.includes('system:unauthenticated')
    ? groups
    : [...groups, authenticated]
}

/** Values of a header that may be repeated. */
const listOf = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? '').split(', ').filter((value) => value !== '')

function extraOf(headers: Headers): Record<string, string[]> {
  const extra: Record<string, string[]> = {}
  headers.forEach((_, name) => {
    if (name.startsWith(extraPrefix)) extra[decodeURIComponent(name.slice(extraPrefix.length))] = listOf(headers, name)
  })
  return extra
}
