import { afterAll, describe } from 'vitest'
import { findKubectl } from '../../../scripts/lib/tools.mjs'
import { createApiServer, type ApiServer } from '../src/api-server'
import { selfSignedCertificate } from '../src/certificate'
import { listen, type Listener } from '../src/node/listen'
import { memoryStorage } from '../src/storage/memory'
import { kubectlSuite, type KubectlServer } from './kubectl-suite'

const kubectl = findKubectl()
if (!kubectl) console.log('kubectl.test.ts is skipped: there is no kubectl')
const token = 'admin-token'

let server: ApiServer
let listener: Listener

async function open(): Promise<KubectlServer> {
  server = await createApiServer({
    storage: memoryStorage(),
    authenticate: (given) => (given === token ? { name: 'admin', groups: ['system:masters'] } : undefined),
  })
  const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
  const watches: string[] = []
  const counting: ApiServer = {
    ...server,
    async fetch(request) {
      const response = await server.fetch(request)
      if (/[?&]watch=(true|1)/.test(request.url)) watches.push(request.url)
      return response
    },
  }
  listener = await listen(counting, { host: '127.0.0.1', port: 0, certificate })
  return {
    url: listener.url,
    ca: certificate.cert,
    token,
    send(method, path, body) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'text/plain'
      const headers = { authorization: `Bearer ${token}`, 'content-type': type }
      return server.fetch(new Request(`http://cluster.test${path}`, { method, headers, body }))
    },
    watchesOf: async (namespace) => watches.filter((url) => url.includes(`/namespaces/${namespace}/`)).length,
  }
}

describe.skipIf(!kubectl)('kubectl', () => {
  afterAll(async () => {
    await listener.close()
    await server.close()
  })
  kubectlSuite(kubectl ?? '', open, { isEmbedded: true })
})
