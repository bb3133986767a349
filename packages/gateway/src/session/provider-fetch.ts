import { Agent, fetch } from 'undici'

/** Calls the identity provider without following redirects; if authorities are given, it trusts only those. */
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
    return (await fetch(url, { ...init, dispatcher: agent, redirect: 'manual' })) as unknown as Response
  }
  return Object.assign(call, { close: () => agent.destroy() })
}
