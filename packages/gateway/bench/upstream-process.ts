import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import { aPipelineRun, runsPath, smallPath, largePath } from './objects'

/** A stand-in for a Kubernetes API that is as fast as possible, since its responses are prepared. */
const runs = Array.from({ length: 5_000 }, (_, number) => Buffer.from(JSON.stringify(aPipelineRun(number))))
const listOf = (items: readonly Buffer[]) =>
  Buffer.concat([
    // In the field order of custom resources.
    Buffer.from('{"apiVersion":"tekton.dev/v1","items":['),
    ...items.flatMap((item, index) => (index > 0 ? [Buffer.from(','), item] : [item])),
    Buffer.from('],"kind":"PipelineRunList","metadata":{"resourceVersion":"105000"}}\n'),
  ])
const lists = new Map<string, Buffer>()
const data = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`key-${index}`, 'x'.repeat(64)]))
const small = Buffer.from(
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'small', namespace: 'bench' }, data }),
)
const large = listOf(runs.slice(0, 60))

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://upstream')
  if (pathname === smallPath) return send(response, small)
  if (pathname === largePath) return send(response, large)
  if (pathname !== runsPath) return response.writeHead(404).end()
  const limit = searchParams.get('limit') ?? '5000'
  const list = lists.get(limit) ?? listOf(runs.slice(0, Number(limit)))
  lists.set(limit, list)
  // Without a length, as the API server sends large lists.
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(list)
})

function send(response: ServerResponse, body: Buffer) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}

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

async function sendEvents(count: number) {
  for (let event = 0; event < count; event++) {
    await Promise.all([...sockets.clients].map(sendOne))
  }
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
process.on('message', (message: { sendEvents?: number; steadily?: [perSecond: number, forMs: number] } | 'stop') => {
  if (message === 'stop') {
    for (const socket of sockets.clients) socket.terminate()
    server.close(() => process.disconnect())
    server.closeAllConnections()
  } else if (message.sendEvents !== undefined)
    void sendEvents(message.sendEvents).then(() => process.send?.({ sent: message.sendEvents }))
  else if (message.steadily) void sendSteadily(...message.steadily).then((count) => process.send?.({ sent: count }))
})

// Exits with its parent.
process.on('disconnect', () => process.exit())
