import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { PendingResponses } from './pending-responses'

/** Header lines that only concern the upgrade, such as the one to HTTP/2 that Java's client requests with every call. */
const upgradeHeaders = new Set(['upgrade', 'http2-settings'])

/**
 * Serves a request for an upgrade as if it had not asked for one. Node stops parsing a connection at such a request, so
 * the connection starts again with the same request without the upgrade, and with what came after it. Source: RFC 9110,
 * section 7.8. Node 24.9 has `shouldUpgradeCallback` for this.
 * @param head the bytes received after the head of the request
 */
export function ignoreUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  pending: PendingResponses,
): void {
  // An error while nothing is listening would end the process.
  const onError = () => socket.destroy()
  socket.on('error', onError)
  pending.after(socket, () => {
    socket.off('error', onError)
    if (socket.destroyed) return
    socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]))
    server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket)
  })
}

/** Node decodes what it parses of a head as Latin-1, so this restores its bytes. */
function headWithoutUpgrade({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (upgradeHeaders.has(name.toLowerCase())) continue
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgradeOptions(value) : value}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

const withoutUpgradeOptions = (connection: string): string =>
  connection
    .split(',')
    .filter((option) => !upgradeHeaders.has(option.trim().toLowerCase()))
    .join(',')
