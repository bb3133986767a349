import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import { aPipelineRun, smallPath } from './objects'

/** A stand-in for a Kubernetes API that is as fast as possible, since its responses are prepared. */
const data = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key-${index}`, 'x'.repeat(64)]))
const small = Buffer.from(
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'small', namespace: 'bench' }, data }),
)

const server = createServer((request, response) => {
  if (request.url !== smallPath) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': small.length }).end(small)
})

const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket) => socket.on('error', () => {}))

/** Number of events sent to each socket, used as their version, so that the reader notices missing ones. */
const sent = new Map<WebSocket, number>()

/** Each socket follows one run that changes repeatedly. */
function sendOne(socket: WebSocket, number: number): Promise<void> {
  const version = (sent.get(socket) ?? 0) + 1
  if (version === 1) socket.once('close', () => sent.delete(socket))
  sent.set(socket, version)
  const run = aPipelineRun(number)
  run.metadata.resourceVersion = String(version)
  run.status.completionTime = new Date(Date.UTC(2026, 0, 1) + version * 1000).toISOString()
  // In a field that every mask of the bench includes.
  run.metadata.labels['appstudio.openshift.io/component'] = `sent-${performance.timeOrigin + performance.now()}`
  const frame = JSON.stringify({ type: 'MODIFIED', object: run })
  return new Promise((resolve) => socket.send(frame, () => resolve()))
}

/** Sends events to one socket after the other at this rate for the given time. @returns how many */
async function sendSteadily(perSecond: number, forMs: number): Promise<number> {
  const all = [...sockets.clients]
  const startedMs = performance.now()
  let count = 0
  for (let passedMs = 0; passedMs < forMs; passedMs = performance.now() - startedMs) {
    for (const due = Math.floor((passedMs / 1000) * perSecond); count < due; count++) {
      const number = count % all.length
      const socket = all[number]
      if (socket) void sendOne(socket, number)
    }
    await setTimeout(10)
  }
  return count
}

// Longer than any pause of the bench, so that no client uses a connection that is being closed.
server.keepAliveTimeout = 120_000
server.listen(0, '127.0.0.1', () => {
  // Listening on a port, so the address is an object.
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
process.on('message', (message: { steadily: [perSecond: number, forMs: number] } | 'stop') => {
  if (message === 'stop') {
    for (const socket of sockets.clients) socket.terminate()
    server.close(() => process.disconnect())
    server.closeAllConnections()
  } else void sendSteadily(...message.steadily).then((count) => process.send?.({ sent: count }))
})

// Exits with its parent.
process.on('disconnect', () => process.exit())
