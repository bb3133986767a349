import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A wire between browser and gateway that can fail as a network can: without a word to either side. */
export interface FaultProxy {
  url: string
  /** Destroys every connection, websockets included, and refuses new ones. */
  cut(): void
  /** Accepts connections, and nothing comes out of them or of the present ones any more, in either direction. */
  swallow(): void
  /** New connections work again; what was swallowed is gone. */
  heal(): void
  /** Destroys every websocket; whoever connects again is connected. */
  dropSockets(): void
  /** Every websocket stays open at both ends, and nothing comes out of it any more; new ones work. */
  muteSockets(): void
  /** Refuses new websockets, until it is undone. */
  refuseSockets(): () => void
  /**
   * Sends a text to the browser through every websocket, as if the gateway had.
   * @param text below 126 bytes
   * @returns through how many
   */
  say(text: string): number
  close(): Promise<void>
}

/** @param target the port to lead to, asked for when the first connection comes: it may not be known before */
export async function startFaultProxy(target: () => number): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  /** The browser's ends of websockets, with the gateway's. */
  const websockets = new Map<Socket, Socket>()
  /** The same for every connection. */
  const pairs = new Map<Socket, Socket>()
  let isCut = false
  let isSwallowing = false
  let isRefusing = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy()) // the other end is gone, as it is meant to be after a cut
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
      // A frame of text, whole and unmasked; the length of a longer one would need more bytes.
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
