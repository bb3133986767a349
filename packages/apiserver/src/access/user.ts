/** Who sends a request, as the authenticator found out (or impersonation said). */
export interface UserInfo {
  name: string
  groups: string[]
  uid?: string
  extra?: Record<string, string[]>
}

const serviceAccountPrefix = 'system:serviceaccount:'

/** User name of a service account: how it appears in requests and in reviews. */
export const serviceAccountUser = (namespace: string, name: string): string =>
  `${serviceAccountPrefix}${namespace}:${name}`
