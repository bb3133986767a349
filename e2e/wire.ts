import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A wire between browser and gateway that can be cut, as a network can: without a word to either side. */
export interface Wire {
  url: string
  /** Destroys every connection, websockets included, and refuses new ones. */
  cut(): void
  heal(): void
  close(): Promise<void>
}

/** @param target the port to lead to, asked for when the first connection comes: it may not be known before */
export async function layWire(target: () => number): Promise<Wire> {
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy()) // the other end is gone, as it is meant to be after a cut
  }
  const server = createServer((near) => {
    keep(near)
    if (isCut) return near.resetAndDestroy()
    const far = connect(target(), '127.0.0.1')
    keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroyAll = () => sockets.forEach((socket) => socket.resetAndDestroy())
  return {
    // A listening TCP server's address is an object; only one on a named pipe is a string.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      destroyAll()
    },
    heal() {
      isCut = false
    },
    async close() {
      destroyAll()
      server.close()
      await once(server, 'close')
    },
  }
}
