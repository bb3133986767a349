import type { Authorizer, Attributes } from '../authorization/authorizer'
import { forbiddenMessage } from '../authorization/forbidden'
import { anonymous, serviceAccountGroups, type UserInfo } from '../authorization/user'
import { badRequest, forbidden } from '../errors'

const authenticated = 'system:authenticated'
const unauthenticated = 'system:unauthenticated'
const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const serviceAccountPattern = new RegExp(`^system:serviceaccount:(${label}):(${label}(?:\\.${label})*)$`)
const extraPrefix = 'impersonate-extra-'

/**
 * The user that a request acts as: the sender, or the user in its impersonation headers if the sender may impersonate
 * that user. Groups in the headers replace the user's groups, except those that every user is in.
 * Source: k8s.io/apiserver, endpoints/filters/impersonation.go.
 * @throws StatusError 400 for attributes without a user, 403 if denied
 */
export function impersonatedUser(headers: Headers, sender: UserInfo, authorizer: Authorizer): UserInfo {
  const name = headers.get('impersonate-user') ?? ''
  const groups = listOf(headers, 'impersonate-group')
  const uid = headers.get('impersonate-uid') ?? ''
  const extra = extraOf(headers)
  if (!name) {
    const parts = [
      // An empty group header counts as well.
      ...(headers.has('impersonate-group') ? (groups.length > 0 ? groups : ['']) : []).map((group) => ['Group', group]),
      ...[...extra].flatMap(([key, values]) => values.map((value) => ['UserExtra', value, key])),
      ...(uid ? [['UID', uid]] : []),
    ]
    if (parts.length === 0) return sender
    // Object references, as Go prints them.
    const printed = parts.map(([kind, name, fieldPath = '']) =>
      kind === 'Group' ? `{Group  ${name}    }` : `{${kind}  ${name}  authentication.k8s.io/v1  ${fieldPath}}`,
    )
    throw badRequest(`requested [${printed.join(' ')}] without impersonating a user`)
  }
  const assertMayImpersonate = (attributes: Omit<Attributes, 'user' | 'verb'>) => {
    const request = { user: sender, verb: 'impersonate', ...attributes }
    const { allowed, reason } = authorizer.authorize(request)
    if (allowed) return
    const { group = '', resource = '', name: target } = attributes
    throw forbidden(forbiddenMessage(request, reason), { group, plural: resource }, target)
  }
  const [, namespace, account] = serviceAccountPattern.exec(name) ?? []
  if (namespace && account) assertMayImpersonate({ resource: 'serviceaccounts', namespace, name: account })
  else assertMayImpersonate({ resource: 'users', name })
  for (const group of groups) assertMayImpersonate({ resource: 'groups', name: group })
  for (const [key, values] of extra) {
    for (const value of values) {
      assertMayImpersonate({ group: 'authentication.k8s.io', resource: 'userextras', subresource: key, name: value })
    }
  }
  if (uid) assertMayImpersonate({ group: 'authentication.k8s.io', resource: 'uids', name: uid })
  return {
    name,
    groups: groupsOf(name, groups, namespace),
    ...(uid && { uid }),
    ...(extra.size > 0 && { extra: Object.fromEntries(extra) }),
  }
}

function groupsOf(name: string, given: string[], serviceAccountNamespace: string | undefined): string[] {
  if (name === anonymous.name) return given.includes(unauthenticated) ? given : [...given, unauthenticated]
  const groups = given.length === 0 && serviceAccountNamespace ? serviceAccountGroups(serviceAccountNamespace) : given
  return groups.includes(authenticated) || groups.includes(unauthenticated) ? groups : [...groups, authenticated]
}

/** Values of a repeatable header: `Headers` joins them with a comma and a space. */
const listOf = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? '').split(', ').filter((value) => value !== '')

function extraOf(headers: Headers): Map<string, string[]> {
  const extra = new Map<string, string[]>()
  headers.forEach((_, name) => {
    if (!name.startsWith(extraPrefix)) return
    const key = decodeExtraKey(name.slice(extraPrefix.length))
    extra.set(key, [...(extra.get(key) ?? []), ...listOf(headers, name)])
  })
  return extra
}

/** Badly encoded text is used as is. */
function decodeExtraKey(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
