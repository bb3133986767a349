/** The user of a request, as authenticated or impersonated. */
export interface UserInfo {
  name: string
  groups: string[]
  uid?: string
  extra?: Record<string, string[]>
}

/** The user of requests without a token. */
export const anonymous: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

const serviceAccountPrefix = 'system:serviceaccount:'

/** User name of a service account in requests and reviews. */
export const serviceAccountUser = (namespace: string, name: string): string =>
  `${serviceAccountPrefix}${namespace}:${name}`

/** Groups of every service account in the namespace, besides `system:authenticated`. */
export const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
]

/** A UserInfo in the form that reviews and `kubectl auth whoami` show. */
export const shownUser = ({ name, uid, groups, extra }: UserInfo): object => ({
  username: name,
  ...(uid && { uid }),
  groups,
  ...(extra && { extra }),
})
