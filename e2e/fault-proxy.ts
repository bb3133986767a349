import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy between browser and gateway that can fail like a network, without notifying either side. */
export interface FaultProxy {
  url: string
  /** Destroys every connection, including websockets, and refuses new ones. */
  cut(): void
  /** Accepts connections, but drops all data in both directions, also on existing connections. */
  swallow(): void
  /** Makes new connections work again; dropped data stays lost. */
  heal(): void
  /** Destroys every websocket; new ones work. */
  dropSockets(): void
  /** Drops all data of existing websockets, which stay open at both ends; new ones work. */
  muteSockets(): void
  /** Refuses new websockets. Returns a function that undoes this. */
  refuseSockets(): () => void
  /**
   * Sends a text to the browser through every websocket, as if from the gateway.
   * @param text at most 125 bytes
   * @returns number of websockets
   */
  say(text: string): number
  close(): Promise<void>
}

/** @param target returns the target port. Called at the first connection, since the port may not be known earlier */
export async function startFaultProxy(target: () => number): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  /** The browser's sockets of websockets, with the gateway's. */
  const websockets = new Map<Socket, Socket>()
  /** Pairs of sockets of all connections. */
  const pairs = new Map<Socket, Socket>()
  let isCut = false
  let isSwallowing = false
  let isRefusing = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy()) // the other end is closed, as expected after a cut
  }
  const server = createServer((near) => {
    keep(near)
    if (isCut) return near.resetAndDestroy()
    if (isSwallowing) return void near.resume()
    const far = connect(target(), '127.0.0.1')
    keep(far)
    near.once('data', (head: Buffer) => {
      if (!/^upgrade: websocket\r$/im.test(head.toString('latin1'))) return
      if (isRefusing) return near.resetAndDestroy()
      websockets.set(near, far)
      near.on('close', () => websockets.delete(near))
    })
    near.pipe(far).pipe(near)
    pairs.set(near, far)
    near.on('close', () => {
      pairs.delete(near)
      far.destroy()
    })
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const mute = (near: Socket, far: Socket) => {
    near.unpipe(far).resume()
    far.unpipe(near).resume()
    websockets.delete(near)
  }
  const destroyAll = () => sockets.forEach((socket) => socket.resetAndDestroy())
  return {
    // A listening TCP server's address is an object; only one on a named pipe is a string.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      destroyAll()
    },
    swallow() {
      isSwallowing = true
      for (const [near, far] of pairs) mute(near, far)
    },
    heal() {
      isCut = false
      isSwallowing = false
    },
    dropSockets() {
      for (const near of websockets.keys()) near.resetAndDestroy()
    },
    muteSockets() {
      for (const [near, far] of websockets) mute(near, far)
    },
    refuseSockets() {
      isRefusing = true
      return () => void (isRefusing = false)
    },
    say(text) {
      const words = Buffer.from(text)
      // A complete unmasked text frame; a longer one would need more bytes for its length.
      const frame = Buffer.concat([Buffer.from([0x81, words.length]), words])
      for (const near of websockets.keys()) near.write(frame)
      return websockets.size
    },
    async close() {
      destroyAll()
      server.close()
      await once(server, 'close')
    },
  }
}
