import { systemClock, type Clock } from './clock'
import { selfSubjectAccessReviewType, selfSubjectRulesReviewType } from './core-types'
import { type FieldPath, formatFieldMask } from './field-mask'
import { isRecord, soundObject, type KubeList, type KubeObject } from './object'
import type { WatchHandlers } from './list-watch'
import { queryString, resourcePath } from './path'
import { apiVersionOf, type ResourceType } from './resource-type'
import { createResendingReads } from './resend'
import { formatFieldSelector, formatLabelSelector, type LabelSelector } from './selector'
import { ApiError, failureMessage, isStatus, type Status } from './status'
import { readWatch } from './watch-stream'

export interface ReadOptions {
  namespace?: string
  signal?: AbortSignal
}

export interface ListOptions extends ReadOptions {
  labels?: LabelSelector
  fields?: Record<string, string>
  /** The fields that are wanted of each object; a server that knows no masks answers whole ones. */
  mask?: readonly FieldPath[]
  limit?: number
  continue?: string
  resourceVersion?: string
}

export interface WatchOptions extends Omit<ListOptions, 'signal' | 'limit' | 'continue'> {
  /** The server says about once a minute which version has been reached. */
  allowWatchBookmarks?: boolean
}

export interface WriteOptions {
  namespace?: string
  /** Ask the server to check the write and store nothing. */
  dryRun?: boolean
  fieldManager?: string
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
  pretty?: boolean
  signal?: AbortSignal
}

export interface ReplaceOptions extends WriteOptions {
  /** Of the object that is meant; must be that of the payload. */
  name?: string
}

export interface DeleteOptions extends Omit<WriteOptions, 'fieldManager' | 'fieldValidation'> {
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  preconditions?: { uid?: string; resourceVersion?: string }
}

/** One step of RFC 6902. */
export type JsonPatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; from: string; path: string }

/** Calls to a Kubernetes API. Every method rejects with `ApiError`, or with the reason of the caller's own signal. */
export interface KubeClient {
  /** One page; the items carry the apiVersion and kind of their type. */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<KubeList<T>>
  get<T extends KubeObject>(type: ResourceType<T>, name: string, options?: ReadOptions): Promise<T>
  create<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>
  replace<T extends KubeObject>(type: ResourceType<T>, object: T, options?: ReplaceOptions): Promise<T>
  /** Writes `status` and nothing else. */
  replaceStatus<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<T>
  patch<T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    patch: JsonPatchOperation[],
    options?: WriteOptions,
  ): Promise<T>
  /** The object while finalizers keep it, else the server's Status. */
  delete<T extends KubeObject>(type: ResourceType<T>, name: string, options?: DeleteOptions): Promise<T | Status>
  /** What changes, over HTTP, until either side ends it; a refusal is an `onClose` without an `onOpen`. */
  watch(type: ResourceType, options: WatchOptions, handlers: WatchHandlers): { close(): void }
  /** Any other path of the API that answers JSON. */
  request<A = unknown>(path: string, init?: RequestInit): Promise<A>
  /** A path that answers text, such as the log of a pod. */
  text(path: string, init?: RequestInit): Promise<string>
  /** The same as it comes, for as long as it comes: only the beginning of the answer has to be in time. */
  stream(path: string, init?: RequestInit): Promise<ReadableStream<Uint8Array>>
  /** With a `probeUrl`: sends every read again from which nothing has been heard for a while. Writes are never repeated. */
  resendSilentReads(): void
}

export interface KubeClientOptions {
  /**
   * What comes before `/api` and `/apis`, without a final slash: `http://127.0.0.1:8090`, `/api/k8s`, or with the
   * prefix of a plugin `/api/k8s/plugins/kubearchive`.
   */
  baseUrl: string
  fetch?: typeof fetch
  /** Sent with every request, such as `{ authorization: 'Bearer …' }`. */
  headers?: Record<string, string>
  /** A call without an answer ends after this long; 60 000 by default. `Infinity` for a server in the same process. */
  timeoutMs?: number
  /**
   * The address of something small on the same server. With one, a read that hears nothing is sent again as soon as the
   * server can be reached (`resend.ts`); without one it waits for its time-out.
   */
  probeUrl?: string
  /** When false, a silent read is left to its time-out; asked each time. */
  mayProbe?(): boolean
  clock?: Clock
}

/** Is this a 401 of the gateway itself, as opposed to one that an upstream answered? */
export const isSessionEnd = (response: Response): boolean =>
  response.status === 401 && response.headers.get('www-authenticate') === 'Session'

export function createKubeClient(options: KubeClientOptions): KubeClient {
  const { baseUrl, headers = {}, timeoutMs = 60_000, probeUrl, mayProbe, clock = systemClock } = options
  // Looked up per call, so that a test or a tracer may replace the global.
  const send: typeof fetch = (...call) => (options.fetch ?? globalThis.fetch)(...call)
  const reads =
    probeUrl === undefined
      ? undefined
      : createResendingReads({
          probe: async (signal) => (await send(probeUrl, { signal })).text(),
          mayProbe,
          clock,
        })

  const exchange = (path: string, init: RequestInit = {}) =>
    inTime(`${baseUrl}${path}`, init.signal, (url, signal) => {
      if (!reads || !isRead(path, init)) return answered(url, init, signal)
      return reads.run((each, heard) => answered(url, init, each, heard), signal)
    })

  const open = (url: string, init: RequestInit, signal: AbortSignal) =>
    send(url, {
      ...init,
      signal,
      headers: { accept: 'application/json', ...headers, ...(init.headers as Record<string, string> | undefined) },
    })

  async function answered(url: string, init: RequestInit, signal: AbortSignal, heard?: () => void) {
    const response = await open(url, init, signal)
    heard?.()
    return { url, response, text: heard ? await textOf(response, heard) : await response.text() }
  }

  /**
   * Settles in time whatever becomes of the work: a request may be lost in a way that its own signal does not end.
   * @throws ApiError, or the reason of the caller's signal
   */
  function inTime<A>(
    url: string,
    given: AbortSignal | null | undefined,
    work: (url: string, signal: AbortSignal) => Promise<A>,
  ): Promise<A> {
    return new Promise((resolve, reject) => {
      const stop = new AbortController()
      const end = (error: unknown) => {
        settle()
        reject(error as Error) // Made here, or given by the caller.
        stop.abort(error)
      }
      const aborted = () => end(given?.reason)
      const timedOut = () => {
        const message = `Call to ${url} timed out after ${timeoutMs}ms.`
        end(new ApiError({ code: 408, reason: 'Timeout', url, message }))
      }
      const cancel = timeoutMs === Infinity ? () => {} : clock.after(timeoutMs, timedOut)
      const settle = () => {
        cancel()
        given?.removeEventListener('abort', aborted)
      }
      given?.addEventListener('abort', aborted)
      if (given?.aborted) return aborted()
      work(url, stop.signal).then(
        (answer) => {
          settle()
          resolve(answer)
        },
        (cause: unknown) => {
          const detail = cause instanceof Error && cause.message ? cause.message : 'network failure'
          const message = `Call to ${url} failed: ${detail}`
          end(new ApiError({ code: 0, reason: 'NetworkFailure', url, cause, message }))
        },
      )
    })
  }

  async function request<A>(path: string, init?: RequestInit): Promise<A> {
    const { response, text, url } = await exchange(path, init)
    return answerOf<A>(response, text, url)
  }

  const write = <A>(
    method: string,
    path: string,
    body: unknown,
    contentType: string,
    { signal, ...rest }: WriteOptions,
  ) =>
    request<A>(`${path}${queryString(writeQuery(rest))}`, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: body === undefined ? undefined : { 'content-type': contentType },
      signal,
    })

  return {
    request,
    resendSilentReads: () => reads?.sendAgain(),
    async text(path, init) {
      const headers = { accept: '*/*', ...(init?.headers as Record<string, string> | undefined) }
      const { response, text, url } = await exchange(path, { ...init, headers })
      return response.ok ? text : answerOf<never>(response, text, url)
    },
    async stream(path, init = {}) {
      const headers = { accept: '*/*', ...(init.headers as Record<string, string> | undefined) }
      const signalOf = (signal: AbortSignal) => (init.signal ? AbortSignal.any([init.signal, signal]) : signal)
      const url = `${baseUrl}${path}`
      const response = await inTime(url, init.signal, (_, signal) => open(url, { ...init, headers }, signalOf(signal)))
      if (response.ok) return response.body ?? new Blob().stream()
      return answerOf<never>(response, await inTime(url, init.signal, () => response.text()), url)
    },
    watch(type, { namespace, labels, fields, mask, resourceVersion, allowWatchBookmarks }, handlers) {
      const query = queryString({
        watch: true,
        labelSelector: labels && formatLabelSelector(labels),
        fieldSelector: fields && formatFieldSelector(fields),
        fieldMask: formatFieldMask(mask),
        resourceVersion,
        allowWatchBookmarks,
      })
      const url = `${baseUrl}${resourcePath(type, { namespace })}${query}`
      return readWatch((signal) => send(url, { signal, headers: { accept: 'application/json', ...headers } }), handlers)
    },
    async list(type, { namespace, labels, fields, mask, limit, continue: token, resourceVersion, signal } = {}) {
      const query = queryString({
        labelSelector: labels && formatLabelSelector(labels),
        fieldSelector: fields && formatFieldSelector(fields),
        fieldMask: formatFieldMask(mask),
        limit,
        continue: token,
        resourceVersion,
      })
      const path = `${resourcePath(type, { namespace })}${query}`
      return listOf(type, await request(path, { signal }), `${baseUrl}${path}`)
    },
    async get(type, name, { namespace, signal } = {}) {
      const path = resourcePath(type, { namespace, name })
      return soundObject(await request(path, { signal })) ?? invalid(`${baseUrl}${path}`, 'an object')
    },
    async create(type, object, options = {}) {
      const namespace = sameOrThrow('namespace', object.metadata.namespace, options.namespace)
      return write('POST', resourcePath(type, { namespace }), withType(type, object), 'application/json', options)
    },
    async replace(type, object, { name: expected, ...options } = {}) {
      const name = object.metadata.name
      sameOrThrow('name', name, expected)
      if (!name) throw new Error('Resource payload name not specified')
      const namespace = sameOrThrow('namespace', object.metadata.namespace, options.namespace)
      return write('PUT', resourcePath(type, { namespace, name }), withType(type, object), 'application/json', options)
    },
    async replaceStatus(type, object) {
      const { name, namespace } = object.metadata
      const path = resourcePath(type, { namespace, name, subresource: 'status' })
      return write('PUT', path, withType(type, object), 'application/json', {})
    },
    patch: async (type, name, patch, options = {}) =>
      write(
        'PATCH',
        resourcePath(type, { namespace: options.namespace, name }),
        patch,
        'application/json-patch+json',
        options,
      ),
    async delete(type, name, { propagationPolicy, preconditions, dryRun, ...options } = {}) {
      // All options go into the body: a server that finds a body reads none from the query, not even `dryRun`.
      const body =
        propagationPolicy || preconditions || dryRun
          ? {
              apiVersion: 'v1',
              kind: 'DeleteOptions',
              propagationPolicy,
              preconditions,
              dryRun: dryRun ? ['All'] : undefined,
            }
          : undefined
      const path = resourcePath(type, { namespace: options.namespace, name })
      return write('DELETE', path, body, 'application/json', options)
    },
  }
}

/** Reviews are created, and change nothing. */
const reviewPaths: readonly string[] = [selfSubjectAccessReviewType, selfSubjectRulesReviewType].map((type) =>
  resourcePath(type),
)

/** Whether a call may be sent twice without harm. */
const isRead = (path: string, { method = 'GET' }: RequestInit): boolean =>
  method === 'GET' || (method === 'POST' && reviewPaths.includes(path))

/** The text of a response, each piece of which is reported as it arrives. */
async function textOf({ body }: Response, heard: () => void): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const pieces: string[] = []
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return pieces.join('') + decoder.decode()
    heard()
    pieces.push(decoder.decode(value, { stream: true }))
  }
}

const writeQuery = ({ dryRun, fieldManager, fieldValidation, pretty }: Omit<WriteOptions, 'signal'>) => ({
  dryRun: dryRun ? 'All' : undefined,
  fieldManager,
  fieldValidation,
  pretty,
})

/**
 * What was answered as a list of a kind. On the wire its items lack apiVersion and kind, which everything after this
 * needs; what is no object is left out.
 * @throws ApiError for what is no list
 */
export function listOf<T extends KubeObject>(type: ResourceType<T>, answer: unknown, url: string): KubeList<T> {
  if (!isRecord(answer) || !('items' in answer)) return invalid(url, 'a list')
  const { items, metadata } = answer
  if (items !== null && !Array.isArray(items)) return invalid(url, 'a list')
  const apiVersion = apiVersionOf(type)
  const objects = (items ?? []).flatMap((item: unknown) => {
    const object = soundObject<T>(item)
    return object ? { ...object, apiVersion, kind: type.kind } : []
  })
  return { ...answer, metadata: isRecord(metadata) ? metadata : {}, items: objects }
}

const withType = <T extends KubeObject>(type: ResourceType, object: T): T => ({
  ...object,
  apiVersion: apiVersionOf(type),
  kind: type.kind,
})

function sameOrThrow(what: 'namespace' | 'name', payload: string | undefined, option: string | undefined) {
  if (payload && option && payload !== option) {
    throw new Error(`Resource payload ${what} vs. query options ${what} mismatch`)
  }
  return payload ?? option
}

/** @throws ApiError for a failure, for a Status that is no success, and for an answer that is no JSON */
function answerOf<A>(response: Response, text: string, url: string): A {
  const body = parsed(text)
  const code = response.status
  if (response.ok && isStatus(body) && body.status !== 'Success') {
    throw new ApiError({
      code: body.code ?? code,
      url,
      status: body,
      message: failureMessage(body.code ?? code, '', body),
    })
  }
  if (!response.ok) {
    throw new ApiError({
      code,
      url,
      status: isStatus(body) ? body : undefined,
      message: failureMessage(code, response.statusText, body),
      isSessionEnd: isSessionEnd(response),
      retryAfter: response.headers.get('retry-after'),
    })
  }
  if (body === undefined) return invalid(url, 'JSON')
  return body as A
}

/** The server has answered with success, and with something that is of no use. */
function invalid(url: string, expected: string): never {
  const message = `Call to ${url} answered something that is not ${expected}.`
  throw new ApiError({ code: 200, url, reason: 'InvalidAnswer', message })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
