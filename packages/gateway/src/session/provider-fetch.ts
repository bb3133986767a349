import { Agent, fetch } from 'undici'

/** Calls to the identity provider, which follow no redirect and trust the given authorities alone, if any. */
export interface ProviderFetch {
  (url: string, init?: object): Promise<Response>
  close(): Promise<void>
}

/** @param readCa asked at each call, so that a new file takes effect */
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
    // The Response of undici is that of Node, in another copy.
    return (await fetch(url, { ...init, dispatcher: agent, redirect: 'manual' })) as unknown as Response
  }
  return Object.assign(call, { close: () => agent.destroy() })
}
