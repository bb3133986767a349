import { stringify } from 'yaml'
import type { Credentials } from './credentials'
import { users } from './users'

const cluster = 'slipway'

/** A kubeconfig with one context for each built-in user and `system`; kubectl begins as the admin. */
export function kubeconfig(server: string, { tokens }: Credentials): string {
  const names = ['system', ...users.map(({ name }) => name)]
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    clusters: [{ name: cluster, cluster: { server } }],
    users: names.map((name) => ({ name, user: { token: tokens[name] } })),
    contexts: names.map((name) => ({ name, context: { cluster, user: name } })),
  })
}
