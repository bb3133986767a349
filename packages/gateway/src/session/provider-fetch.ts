import { Agent, fetch } from 'undici'

/** Large enough for the user info of a member of ten thousand groups. */
const maxBodyBytes = 1024 * 1024

/**
 * Calls the identity provider without following redirects; if authorities are given, it trusts only those. The bodies of responses fail
 * beyond 1 MiB, decompressed: the gateway reads them into memory.
 */
export interface ProviderFetch {
  (url: string, init?: object): Promise<Response>
  close(): Promise<void>
}

/** @param readCa called on each request, so that a new file takes effect */
export function providerFetch(readCa: (() => string) | undefined): ProviderFetch {
  let ca = readCa?.()
  let agent = new Agent({ connect: { ca } })

  async function call(url: string, init: object = {}): Promise<Response> {
    const nowCa = readCa?.()
    if (nowCa !== ca) {
      ca = nowCa
      void agent.close()
      agent = new Agent({ connect: { ca } })
    }
    // undici's Response is the same class as Node's, in another copy.
    const response = (await fetch(url, { ...init, dispatcher: agent, redirect: 'manual' })) as unknown as Response
    return limitBody(response)
  }
  return Object.assign(call, { close: () => agent.destroy() })
}

function limitBody(response: Response): Response {
  if (!response.body) return response
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= maxBodyBytes) controller.enqueue(chunk)
      else controller.error(new Error(`the provider's response is larger than ${maxBodyBytes} bytes`))
    },
  })
  return new Response(response.body.pipeThrough(limit), response)
}
