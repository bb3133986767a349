import { createApiServer } from '../src/api-server'
import { selfSignedCertificate } from '../src/certificate'
import { listen } from '../src/node'
import { sqliteStorage } from '../src/storage/sqlite'

/** The measured server in a separate process. Reports its readiness and its memory to the parent. */
const [path = '', protocol = 'http'] = process.argv.slice(2)
const token = 'bench'
const startMs = performance.now()
const storage = sqliteStorage(path)
const openedMs = performance.now() - startMs
const server = await createApiServer({
  storage,
  authenticate: (given) => (given === token ? { name: 'bench', groups: ['system:masters'] } : undefined),
})
const certificate = protocol === 'https' ? selfSignedCertificate(['127.0.0.1'], new Date()) : undefined
const listener = await listen(server, { host: '127.0.0.1', port: 0, ...(certificate && { certificate }) })
process.send?.({
  url: listener.url,
  token,
  ...(certificate && { ca: certificate.cert }),
  startedMs: performance.now() - startMs,
  openedMs,
})

process.on('message', (message) => {
  if (message === 'memory') process.send?.({ rssBytes: process.memoryUsage().rss })
  if (message === 'stop') void stop()
})

async function stop() {
  await listener.close()
  await server.close()
  process.disconnect()
}
