import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Certificate } from '../certificate'
import { defaultLimits, guardConnections, rejectConnection, type ConnectionLimits } from './http-connection'
import { notAllowed } from './request'
import { createScheduler, serve, type Handler } from './response'
import { upgrade } from './websocket'

export interface ListenOptions {
  host: string
  /** 0 for any free port. */
  port: number
  /** With a certificate, the port speaks TLS only (unless `plainHttp` is set); without one, plain HTTP. */
  certificate?: Certificate
  /** Also accepts plain HTTP on a TLS port. Bearer tokens are then sent in the clear. */
  plainHttp?: boolean
  limits?: Partial<ConnectionLimits>
}

export interface Listener {
  url: string
  port: number
  /** Closes every connection, but not the API server itself. */
  close(): Promise<void>
}

const keepAliveMs = 30_000
const idleMs = 65_000
/** The first byte of every TLS connection: a handshake record. No HTTP method starts with it. */
const tlsHandshake = 0x16

/** The response of Go's servers. Source: golang/go, net/http/server.go, badRequestError of an HTTPS server. */
const notTls = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'

/** Serves an API server on a port: HTTP, and websockets for watches and logs. */
export async function listen(server: Handler, options: ListenOptions): Promise<Listener> {
  const { host, port, certificate, plainHttp = certificate === undefined } = options
  const limits = { ...defaultLimits, ...options.limits }
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: 64 * 1024 })
  const schedule = createScheduler()
  const checks = { connectionsCheckingInterval: Math.min(5_000, limits.headersMs / 2) }
  const plain = createServer(checks)
  const secure = certificate && createTlsServer({ ...certificate, ...checks, handshakeTimeout: limits.headersMs })
  const servers = secure ? [plain, secure] : [plain]
  for (const http of servers) {
    http.keepAliveTimeout = idleMs
    guardConnections(http, limits)
    http.on('request', (incoming, outgoing) => void serve(server, incoming, outgoing, limits, schedule))
    http.on('upgrade', (incoming, socket, head) => void upgrade(server, sockets, incoming, socket, head, limits))
    http.on('connect', (_incoming, socket) => void rejectConnection(socket, notAllowed()))
  }
  const connections = new Set<Socket>()
  const net = createNetServer((connection) => {
    connections.add(connection)
    connection.setKeepAlive(true, keepAliveMs).setNoDelay(true)
    // Clients may disconnect at any time.
    connection.on('error', () => undefined)
    connection.on('close', () => connections.delete(connection))
    if (!secure) return void plain.emit('connection', connection)
    const abort = () => connection.destroy()
    connection.setTimeout(limits.headersMs, abort)
    connection.once('readable', () => {
      const first = connection.read(1) as Buffer | null
      if (!first) return void connection.destroy()
      const isTls = first[0] === tlsHandshake
      if (!isTls && !plainHttp) return void connection.resume().end(notTls, () => connection.destroy())
      connection.off('timeout', abort).setTimeout(0)
      connection.unshift(first)
      const http = isTls ? secure : plain
      http.emit('connection', connection)
    })
  })
  await new Promise<void>((resolve, reject) => {
    net.once('error', reject)
    net.listen(port, host, () => {
      net.off('error', reject)
      resolve()
    })
  })
  const address = net.address() as AddressInfo // A TCP server has an AddressInfo, unlike one on a pipe.
  const authority = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    port: address.port,
    url: `${secure ? 'https' : 'http'}://${authority}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        // Ends their connection checks; they do not listen.
        for (const http of servers) http.close()
        net.close(() => resolve())
        for (const connection of connections) connection.destroy()
      }),
  }
}
