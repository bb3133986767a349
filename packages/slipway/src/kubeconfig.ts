import { stringify } from 'yaml'
import type { Credentials } from './credentials'
import { users } from './users'

const cluster = 'slipway'

/** A kubeconfig with one context for each built-in user and `system`; the default context is the admin. */
export function kubeconfig(apiUrl: string, { tokens, certificate }: Credentials): string {
  const authority = Buffer.from(certificate.cert).toString('base64')
  const names = ['system', ...users.map(({ name }) => name)]
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    clusters: [{ name: cluster, cluster: { server: apiUrl, 'certificate-authority-data': authority } }],
    users: names.map((name) => ({ name, user: { token: tokens[name] } })),
    contexts: names.map((name) => ({ name, context: { cluster, user: name } })),
  })
}
