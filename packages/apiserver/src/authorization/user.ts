/** Who sends a request, as the authenticator found out (or impersonation said). */
export interface UserInfo {
  name: string
  groups: string[]
  uid?: string
  extra?: Record<string, string[]>
}

/** Whoever shows no token. */
export const anonymous: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

const serviceAccountPrefix = 'system:serviceaccount:'

/** User name of a service account: how it appears in requests and in reviews. */
export const serviceAccountUser = (namespace: string, name: string): string =>
  `${serviceAccountPrefix}${namespace}:${name}`

/** Groups that every service account of the namespace is in, besides `system:authenticated`. */
export const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
]

/** A UserInfo as reviews and `kubectl auth whoami` show it. */
export const shownUser = ({ name, uid, groups, extra }: UserInfo): object => ({
  username: name,
  ...(uid && { uid }),
  groups,
  ...(extra && { extra }),
})
