import type { Random } from '../src/keyed-random'

/** An unreliable network between a client and a server in this process. */
export interface FaultyNetwork {
  fetch: typeof fetch
  /** Makes this share of the requests fail, from 0 to 1, each in a random way. */
  fail(share: number): void
  /** Aborts all open responses, as a reset connection does. */
  cut(): void
  /** Makes all open responses hang: they neither send anything nor end. */
  mute(): void
}

/** Ways in which a request fails. A lost request ignores its abort signal. */
const faults = [
  'refused',
  'request lost',
  'response lost',
  'reset after response',
  'cut in the body',
  'lost in the body',
]

export function faultyNetwork(server: { fetch(request: Request): Promise<Response> }, random: Random): FaultyNetwork {
  let share = 0
  const open = new Set<{ cut(): void; mute(): void }>()
  const reset = () => new TypeError('fetch failed')
  const never = () => new Promise<never>(() => {})

  /** Passes the body on until the connection fails, after a number of bytes or on request. */
  function bodyOf(source: ReadableStream<Uint8Array>, failAfterBytes: number, isSilent: boolean) {
    const reader = source.getReader()
    let left = failAfterBytes
    let isMute = false
    let connection: { cut(): void; mute(): void }
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          connection = {
            cut() {
              open.delete(connection)
              if (!isMute) controller.error(reset())
              void reader.cancel().catch(() => {})
            },
            mute() {
              open.delete(connection)
              isMute = true
              void reader.cancel().catch(() => {})
            },
          }
          open.add(connection)
        },
        async pull(controller) {
          const { value, done } = await reader.read()
          if (isMute) return never()
          if (!open.has(connection)) return
          if (done) {
            open.delete(connection)
            return controller.close()
          }
          controller.enqueue(value.subarray(0, left))
          left -= value.length
          if (left > 0) return
          if (!isSilent) return connection.cut()
          connection.mute()
          return never()
        },
        cancel() {
          open.delete(connection)
          return reader.cancel()
        },
      },
      { highWaterMark: 0 },
    )
  }

  return {
    fail: (next) => void (share = next),
    cut: () => [...open].forEach((each) => each.cut()),
    mute: () => [...open].forEach((each) => each.mute()),
    async fetch(input, init) {
      const fault = random() < share ? faults[Math.floor(random() * faults.length)] : undefined
      if (fault === 'refused') throw reset()
      if (fault === 'request lost') return never()
      const response = await server.fetch(new Request(input, init))
      if (fault === 'response lost') return never()
      if (fault === 'reset after response') throw reset()
      if (!response.body) return response
      const failsInBody = fault === 'cut in the body' || fault === 'lost in the body'
      const body = bodyOf(response.body, failsInBody ? 1 + random() * 20_000 : Infinity, fault === 'lost in the body')
      return new Response(body, response)
    },
  }
}
