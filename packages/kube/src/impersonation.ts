import type { ResourceAttributes } from './core-types'
import { anonymous, serviceAccountGroups, type UserInfo } from './user'

/** Source: k8s.io/apiserver, endpoints/filters/impersonation.go. */
export interface Impersonation {
  /** `undefined` if the headers do not say which user: then the request is invalid. */
  user: UserInfo | undefined
  /** What the sender must be allowed to impersonate. */
  required: ResourceAttributes[]
}

const authenticated = 'system:authenticated'
const unauthenticated = 'system:unauthenticated'
const authentication = 'authentication.k8s.io'
const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const serviceAccountPattern = new RegExp(`^system:serviceaccount:(${label}):(${label}(?:\\.${label})*)$`)
const extraPrefix = 'impersonate-extra-'

/** The user that a request acts as; `undefined` if that is its sender. */
export function parseImpersonation(headers: Headers): Impersonation | undefined {
  const name = decode(headers.get('impersonate-user') ?? '')
  const groups = valuesOf(headers, 'impersonate-group')
  const uid = decode(headers.get('impersonate-uid') ?? '')
  const extra = extraOf(headers)
  const [, namespace, account] = serviceAccountPattern.exec(name) ?? []
  const subject = account ? { resource: 'serviceaccounts', namespace, name: account } : { resource: 'users', name }
  // Without a user, an empty group header counts as well.
  const requestedGroups = !name && headers.has('impersonate-group') && groups.length === 0 ? [''] : groups
  const required: ResourceAttributes[] = [
    ...(name ? [subject] : []),
    ...requestedGroups.map((group) => ({ resource: 'groups', name: group })),
    ...Object.entries(extra).flatMap(([subresource, values]) =>
      values.map((value) => ({ group: authentication, resource: 'userextras', subresource, name: value })),
    ),
    ...(uid ? [{ group: authentication, resource: 'uids', name: uid }] : []),
  ]
  if (required.length === 0) return undefined
  const user = {
    name,
    groups: groupsOf(name, groups, namespace),
    ...(uid && { uid }),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
  return { user: name ? user : undefined, required }
}

/** The given groups replace the user's, except those that every user is in. */
function groupsOf(name: string, given: string[], serviceAccountNamespace: string | undefined): string[] {
  if (name === anonymous.name) return given.includes(unauthenticated) ? given : [...given, unauthenticated]
  const groups = given.length === 0 && serviceAccountNamespace ? serviceAccountGroups(serviceAccountNamespace) : given
  return groups.includes(authenticated) || groups.includes(unauthenticated) ? groups : [...groups, authenticated]
}

/** Values of a repeatable header: `Headers` joins them with a comma and a space. */
const valuesOf = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? '')
    .split(', ')
    .filter((value) => value !== '')
    .map(decode)

const nonAscii = /[\x80-\xff]/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Kubernetes reads the bytes of a header as UTF-8; `Headers` has a character for each. Other bytes stay as they are. */
function decode(value: string): string {
  if (!nonAscii.test(value)) return value
  try {
    return utf8.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)))
  } catch {
    return value
  }
}

function extraOf(headers: Headers): Record<string, string[]> {
  const extra = new Map<string, string[]>()
  headers.forEach((_, name) => {
    if (!name.startsWith(extraPrefix)) return
    const key = decodeExtraKey(name.slice(extraPrefix.length))
    extra.set(key, [...(extra.get(key) ?? []), ...valuesOf(headers, name)])
  })
  return Object.fromEntries(extra)
}

/** Badly encoded text is used as is. */
function decodeExtraKey(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
