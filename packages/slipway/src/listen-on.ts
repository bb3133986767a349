import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Lets a server listen. @param port 0 for any free port */
export async function listenOn(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    // It listens on a port.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
