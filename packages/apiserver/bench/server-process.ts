import { createApiServer } from '../src/api-server'
import { selfSignedCertificate } from '../src/certificate'
import { listen } from '../src/node/listen'
import { sqliteStorage } from '../src/storage/sqlite'

/** The measured server in a separate process. */
const [path = ''] = process.argv.slice(2)
const token = 'bench'
const server = await createApiServer({
  storage: sqliteStorage(path),
  authenticate: (given) => (given === token ? { name: 'bench', groups: ['system:masters'] } : undefined),
})
const certificate = selfSignedCertificate(['127.0.0.1'], new Date())
const listener = await listen(server, { host: '127.0.0.1', port: 0, certificate })
process.send?.({ url: listener.url, token, ca: certificate.cert })

process.on('message', (message) => {
  if (message === 'stop') void stop()
})

async function stop() {
  await listener.close()
  await server.close()
  process.disconnect()
}
