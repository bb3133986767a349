import { stringify } from 'yaml'
import type { Credentials } from './credentials'
import { users } from './users'

const cluster = 'slipway'

/** A kubeconfig with one context for each built-in user and `system`; kubectl begins as the admin. */
export function kubeconfig(apiUrl: string, { tokens, certificate }: Credentials): string {
  // kubectl sends tokens over TLS only; the API server speaks it on the same port.
  const server = apiUrl.replace(/^http:/, 'https:')
  const authority = Buffer.from(certificate.cert).toString('base64')
  const names = ['system', ...users.map(({ name }) => name)]
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': authority } }],
    users: names.map((name) => ({ name, user: { token: tokens[name] } })),
    contexts: names.map((name) => ({ name, context: { cluster, user: name } })),
  })
}
