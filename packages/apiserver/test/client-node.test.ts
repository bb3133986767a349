import { once } from 'node:events'
import { Writable } from 'node:stream'
import { CoreV1Api, Log } from '@kubernetes/client-node'
import { afterAll, expect, it } from 'vitest'
import { createApiServer, type ApiServer } from '../src/api-server'
import { selfSignedCertificate } from '../src/certificate'
import { listen, type Listener } from '../src/node/listen'
import { memoryStorage } from '../src/storage/memory'
import { clientNodeSuite, configFor, type ClientNodeServer } from './client-node-suite'

const token = 'admin-token'
const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
let server: ApiServer
let listener: Listener

const post = (path: string, body: string, type: string) =>
  server.fetch(
    new Request(`http://cluster.test${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body,
    }),
  )

async function open(): Promise<ClientNodeServer> {
  server = await createApiServer({
    storage: memoryStorage(),
    authenticate: (given) => (given === token ? { name: 'admin', groups: ['system:masters'] } : undefined),
  })
  listener = await listen(server, { host: '127.0.0.1', port: 0, certificate })
  return {
    url: listener.url,
    ca: certificate.cert,
    token,
    post: (path, body) => post(path, JSON.stringify(body), 'application/json'),
  }
}

afterAll(async () => {
  await listener.close()
  await server.close()
})
clientNodeSuite(open)

it('Log reads what a simulated kubelet wrote', async () => {
  const config = configFor({ url: listener.url, ca: certificate.cert, token })
  const namespace = 'default'
  const containers = [{ name: 'step', image: 'image' }]
  const pod = { metadata: { name: 'p' }, spec: { containers } }
  await config.makeApiClient(CoreV1Api).createNamespacedPod({ namespace, body: pod })
  await post(`/api/v1/namespaces/${namespace}/pods/p/log?container=step`, 'one\ntwo\nthree\n', 'text/plain')
  let text = ''
  const stream = new Writable({
    write(chunk, _, done) {
      text += String(chunk)
      done()
    },
  })
  await new Log(config).log(namespace, 'p', 'step', stream, { tailLines: 2 })
  if (!stream.writableFinished) await once(stream, 'finish')
  expect(text).toBe('two\nthree\n')
})
