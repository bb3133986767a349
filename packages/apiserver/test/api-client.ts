import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** Objects that a suite created in a shared cluster and that are not deleted with its namespaces. */
export interface Leftovers {
  note(method: string, path: string, response: ApiResponse): void
  /** Deletes everything, and waits until the namespaces are deleted. */
  remove(api: Api): Promise<void>
}

/** What the contract needs to know about the server under test. */
export interface Target {
  url: string
  /** Token of a cluster administrator. */
  token: string
  /** True for our server, which has extensions: writable logs, responses that wait for the controllers. */
  isEmbedded: boolean
  /** Records created objects, to be removed afterwards. */
  leftovers?: Leftovers
}

// Responses are under test, so nothing is assumed about their shape.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any

export interface ApiResponse {
  code: number
  body: Json
  headers: Headers
}

export interface Call {
  body?: unknown
  type?: string
  headers?: Record<string, string> | [string, string][]
}

export interface EventStream {
  /** The next event; `undefined` if the watch has ended. */
  next(): Promise<Json>
  /** The next `count` events, as `TYPE name`. */
  take(count: number): Promise<string[]>
  close(): void
}

export const named = ({ type, object }: Json): string => `${type} ${object.metadata.name}`

export interface Api {
  call(method: string, path: string, call?: Call): Promise<ApiResponse>
  get(path: string): Promise<ApiResponse>
  post(path: string, body: unknown): Promise<ApiResponse>
  put(path: string, body: unknown): Promise<ApiResponse>
  patch(path: string, kind: 'json' | 'merge' | 'strategic' | 'apply', body: unknown): Promise<ApiResponse>
  delete(path: string, body?: unknown): Promise<ApiResponse>
  watch(path: string, headers?: Record<string, string>): Promise<EventStream>
  socket(
    path: string,
    options?: { protocols?: string[]; origin?: string | undefined; token?: string },
  ): Promise<EventStream & { protocol: string }>
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

export function apiOf({ url, token, leftovers }: Pick<Target, 'url' | 'token' | 'leftovers'>): Api {
  const send = url.startsWith('https:') ? secureRequest : request
  const authorization = `Bearer ${token}`

  async function call(method: string, path: string, { body, type, headers = {} }: Call = {}): Promise<ApiResponse> {
    const given: Record<string, string[]> = { authorization: [authorization], accept: ['application/json'] }
    for (const [name, value] of Array.isArray(headers) ? headers : Object.entries(headers)) {
      if (name === 'authorization' || name === 'accept') given[name] = [value]
      else given[name] = [...(given[name] ?? []), value]
    }
    if (type !== undefined || body !== undefined) given['content-type'] = [type ?? 'application/json']
    // Not fetch, which joins repeated headers into one line.
    const json = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(json)
    given['content-length'] = [String(bytes.length)]
    const attempt = async (): Promise<IncomingMessage> => {
      // Node accepts only one host, and would look for it in the certificate.
      const { host: [host] = [] } = given
      const options = host === undefined ? { headers: given } : { headers: { ...given, host }, servername: '' }
      const outgoing = send(`${url}${path}`, { method, ...options })
      outgoing.end(bytes)
      // `once` resolves to the arguments of the event.
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
      return incoming
    }
    let incoming = await attempt()
    while (isRetryable(incoming.statusCode)) {
      incoming.resume()
      await delay(Number(incoming.headers['retry-after']) * 1000)
      incoming = await attempt()
    }
    incoming.setEncoding('utf8')
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const responseHeaders = new Headers()
    for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
      for (const value of values) responseHeaders.append(name, value)
    }
    const response = { code: incoming.statusCode ?? 0, body: parsed(text), headers: responseHeaders }
    leftovers?.note(method, path, response)
    return response
  }

  return {
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, { body }),
    put: (path, body) => call('PUT', path, { body }),
    patch: (path, kind, body) => call('PATCH', path, { body, type: patchTypes[kind] }),
    delete: (path, body) => call('DELETE', path, { body }),
    async watch(path, headers = {}) {
      const aborted = new AbortController()
      const attempt = () => fetch(`${url}${path}`, { headers: { ...headers, authorization }, signal: aborted.signal })
      let response = await attempt()
      while (isRetryable(response.status)) {
        await delay(Number(response.headers.get('retry-after')) * 1000)
        response = await attempt()
      }
      if (!response.ok) throw new Error(await response.text())
      return streamOf(linesOf(response.body), () => aborted.abort())
    },
    socket: (path, { protocols = [], origin = 'http://console.test', token: other } = {}) =>
      new Promise((resolve, reject) => {
        const headers = other === '' ? {} : { authorization }
        const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, protocols, { headers, origin })
        const queue = queueOf<string>()
        socket.on('message', (data, isBinary) => queue.push(isBinary ? 'binary' : String(data)))
        socket.on('close', (code) => {
          if (code !== 1000)
            queue.push(JSON.stringify({ type: 'CLOSED', object: { metadata: { name: String(code) } } }))
          queue.end()
        })
        socket.on('error', reject)
        socket.on('unexpected-response', (_, response) => {
          let text = ''
          response.on('data', (chunk) => (text += String(chunk)))
          response.on('end', () =>
            reject(Object.assign(new Error(text), { code: response.statusCode, body: parsed(text) })),
          )
        })
        socket.on('open', () => {
          const stream = streamOf(queue, () => socket.close())
          resolve({ ...stream, protocol: socket.protocol })
        })
      }),
  }
}

/** True if a real server is still applying a changed definition; clients retry, as client-go does. */
const isRetryable = (code: number | undefined): boolean => code === 429

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function streamOf(lines: AsyncIterableIterator<string>, close: () => void): EventStream {
  const next = async () => {
    const { done, value } = await lines.next()
    return done ? undefined : parsed(value)
  }
  return {
    next,
    async take(count) {
      const events: string[] = []
      while (events.length < count) events.push(named(await next()))
      return events
    },
    close,
  }
}

async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

function queueOf<T>(): AsyncGenerator<T> & { push(item: T): void; end(): void } {
  const items: T[] = []
  let isEnded = false
  let wake = () => {}
  async function* drain(): AsyncGenerator<T> {
    for (;;) {
      while (items.length > 0) yield items.shift() as T // Checked above.
      if (isEnded) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  return Object.assign(drain(), {
    push(item: T) {
      items.push(item)
      wake()
    },
    end() {
      isEnded = true
      wake()
    },
  })
}
