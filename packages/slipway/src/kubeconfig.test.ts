import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { completeCredentials } from './credentials'
import { kubeconfig } from './kubeconfig'

it('has a context with its own token for every built-in user and for the system', () => {
  const credentials = completeCredentials({})
  const config = parse(kubeconfig('https://127.0.0.1:8081', credentials))
  const names = ['system', 'admin', 'maintainer', 'contributor', 'outsider']
  expect(config).toEqual({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    clusters: [
      {
        name: 'slipway',
        cluster: {
          server: 'https://127.0.0.1:8081',
          'certificate-authority-data': Buffer.from(credentials.certificate.cert).toString('base64'),
        },
      },
    ],
    users: names.map((name) => ({ name, user: { token: credentials.tokens[name] } })),
    contexts: names.map((name) => ({ name, context: { cluster: 'slipway', user: name } })),
  })
})
