import { systemClock, type Clock } from './clock'
import {
  podType,
  selfSubjectAccessReviewType,
  selfSubjectRulesReviewType,
  serviceAccountType,
  type Review,
} from './core-types'
import { type FieldPath, formatFieldMask } from './field-mask'
import { isRecord, asKubeObject, type KubeList, type KubeObject } from './object'
import { parseJson } from './parse'
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
  /** The fields to return of each object. A server without support for masks returns whole objects. */
  mask?: readonly FieldPath[]
  limit?: number
  continue?: string
  resourceVersion?: string
}

export interface WatchOptions extends Omit<ListOptions, 'signal' | 'limit' | 'continue'> {
  /** The server reports about once a minute which version the watch has reached. */
  allowWatchBookmarks?: boolean
}

export interface WriteOptions {
  namespace?: string
  /** The server validates the write and stores nothing. */
  dryRun?: boolean
  fieldManager?: string
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
  pretty?: boolean
  signal?: AbortSignal
}

export interface ReplaceOptions extends WriteOptions {
  /** Expected name of the object; must match the name in the payload. */
  name?: string
}

export interface DeleteOptions extends Omit<WriteOptions, 'fieldManager' | 'fieldValidation'> {
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  preconditions?: { uid?: string; resourceVersion?: string }
}

export interface PatchOptions extends WriteOptions {
  /** The response has only the metadata of the object, which is all that many callers need. */
  metadataOnly?: boolean
}

export interface LogOptions extends ReadOptions {
  container?: string
}

/** One step of RFC 6902. */
export type JsonPatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; from: string; path: string }

/** RFC 7386: members of an object to write; `null` removes one. */
export type MergePatch = Record<string, unknown>

/** Calls to a Kubernetes API. Every method rejects with `ApiError`, or with the reason of the caller's own signal. */
export interface KubeClient {
  /** One page; the items carry the apiVersion and kind of their type. */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<KubeList<T>>
  /** All pages of a list, one after another. */
  pages<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): AsyncGenerator<KubeList<T>, void>
  get<T extends KubeObject>(type: ResourceType<T>, name: string, options?: ReadOptions): Promise<T>
  create<T extends KubeObject>(type: ResourceType<T>, object: T, options?: WriteOptions): Promise<T>
  replace<T extends KubeObject>(type: ResourceType<T>, object: T, options?: ReplaceOptions): Promise<T>
  /** Writes only `status`. */
  replaceStatus<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<T>
  patch<T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    patch: JsonPatchOperation[] | MergePatch,
    options?: PatchOptions,
  ): Promise<T>
  /** Resolves to the object if finalizers delay its deletion, otherwise to the server's Status. */
  delete<T extends KubeObject>(type: ResourceType<T>, name: string, options?: DeleteOptions): Promise<T | Status>
  /** Posts a review, which the server evaluates and does not store. Resolves to its status. */
  review<T extends Review>(type: ResourceType<T>, spec: T['spec']): Promise<T['status']>
  /** A new bearer token of a service account. */
  createToken(namespace: string, serviceAccount: string, expirationSeconds: number): Promise<string>
  /** The log of a container up to now; of the only one by default. */
  log(pod: string, options?: LogOptions): Promise<string>
  /** The log of a container until it ends. */
  followLog(pod: string, options?: LogOptions): Promise<ReadableStream<Uint8Array>>
  /** Watches over HTTP until either side ends it. A rejected watch calls `onClose` without `onOpen`. */
  watch(type: ResourceType, options: WatchOptions, handlers: WatchHandlers): { close(): void }
  /** Requests any other API path that returns JSON. */
  request<A = unknown>(path: string, init?: RequestInit): Promise<A>
  /** Requests a path that returns text, such as the log of a pod. */
  text(path: string, init?: RequestInit): Promise<string>
  /** Like `text`, as a stream of any duration: the time-out applies only to the start of the response. */
  stream(path: string, init?: RequestInit): Promise<ReadableStream<Uint8Array>>
  /** With a `probeUrl`: resends every read that has received nothing for a while. Writes are never repeated. */
  resendSilentReads(): void
}

export interface KubeClientOptions {
  /**
   * What precedes `/api` and `/apis`, without a trailing slash: `http://127.0.0.1:8090`, `/api/k8s`, or
   * `/api/k8s/plugins/kubearchive` for a plugin.
   */
  baseUrl: string
  fetch?: typeof fetch
  /** Sent with every request, such as `{ authorization: 'Bearer …' }`. */
  headers?: Record<string, string>
  /** A call without a response fails after this time; 60 000 by default. Use `Infinity` for a server in the same process. */
  timeoutMs?: number
  /**
   * URL of a small resource on the same server. With it, a read that receives nothing is resent as soon as the server
   * can be reached (`resend.ts`); without it, such a read waits for its time-out.
   */
  probeUrl?: string
  /** While this returns false, a silent read waits for its time-out. Called before every probe. */
  mayProbe?(): boolean
  clock?: Clock
}

/** Whether this is a 401 from the gateway itself rather than from an upstream. */
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
    withTimeout(`${baseUrl}${path}`, init.signal, (url, signal) => {
      if (!reads || !isRead(path, init)) return fetchText(url, init, signal)
      return reads.run((each, onData) => fetchText(url, init, each, onData), signal)
    })

  const open = (url: string, init: RequestInit, signal: AbortSignal) =>
    send(url, {
      ...init,
      signal,
      headers: { accept: 'application/json', ...headers, ...(init.headers as Record<string, string> | undefined) },
    })

  async function fetchText(url: string, init: RequestInit, signal: AbortSignal, onData?: () => void) {
    const response = await open(url, init, signal)
    onData?.()
    return { url, response, text: onData ? await readText(response, onData) : await response.text() }
  }

  /**
   * Settles in time even if the work never does: a request can get lost in a way that its own signal does not end.
   * @throws ApiError, or the reason of the caller's signal
   */
  function withTimeout<A>(
    url: string,
    callerSignal: AbortSignal | null | undefined,
    work: (url: string, signal: AbortSignal) => Promise<A>,
  ): Promise<A> {
    return new Promise((resolve, reject) => {
      const stop = new AbortController()
      const end = (error: unknown) => {
        settle()
        reject(error as Error) // Created here, or the reason of the caller's signal.
        stop.abort(error)
      }
      const aborted = () => end(callerSignal?.reason)
      const timedOut = () => {
        const message = `Call to ${url} timed out after ${timeoutMs}ms.`
        end(new ApiError({ code: 408, reason: 'Timeout', url, message }))
      }
      const cancel = timeoutMs === Infinity ? () => {} : clock.after(timeoutMs, timedOut)
      const settle = () => {
        cancel()
        callerSignal?.removeEventListener('abort', aborted)
      }
      callerSignal?.addEventListener('abort', aborted)
      if (callerSignal?.aborted) return aborted()
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
    return parseResponse<A>(response, text, url)
  }

  const write = <A>(
    method: string,
    path: string,
    body: unknown,
    contentType: string,
    { signal, ...rest }: WriteOptions,
    headers: Record<string, string> = {},
  ) =>
    request<A>(`${path}${queryString(writeQuery(rest))}`, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: body === undefined ? undefined : { ...headers, 'content-type': contentType },
      signal,
    })

  async function text(path: string, init?: RequestInit): Promise<string> {
    const headers = { accept: '*/*', ...(init?.headers as Record<string, string> | undefined) }
    const { response, text, url } = await exchange(path, { ...init, headers })
    return response.ok ? text : parseResponse<never>(response, text, url)
  }

  async function stream(path: string, init: RequestInit = {}): Promise<ReadableStream<Uint8Array>> {
    const headers = { accept: '*/*', ...(init.headers as Record<string, string> | undefined) }
    const combine = (signal: AbortSignal) => (init.signal ? AbortSignal.any([init.signal, signal]) : signal)
    const url = `${baseUrl}${path}`
    const response = await withTimeout(url, init.signal, (_, signal) =>
      open(url, { ...init, headers }, combine(signal)),
    )
    if (response.ok) return response.body ?? new Blob().stream()
    return parseResponse<never>(response, await withTimeout(url, init.signal, () => response.text()), url)
  }

  const list: KubeClient['list'] = async (type, options = {}) => {
    const { namespace, labels, fields, mask, limit, continue: token, resourceVersion, signal } = options
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
  }

  const postReview = async <S>(path: string, type: Pick<ResourceType, 'group' | 'version' | 'kind'>, spec: unknown) => {
    const body = { apiVersion: apiVersionOf(type), kind: type.kind, spec }
    return (await write<{ status: S }>('POST', path, body, 'application/json', {})).status
  }

  return {
    request,
    resendSilentReads: () => reads?.sendAgain(),
    text,
    stream,
    list,
    async *pages(type, options = {}) {
      for (let token = options.continue ?? ''; ;) {
        const page = await list(type, { ...options, continue: token })
        yield page
        if (!page.metadata.continue) return
        token = page.metadata.continue
      }
    },
    review: (type, spec) => postReview(resourcePath(type), type, spec),
    async createToken(namespace, name, expirationSeconds) {
      const path = resourcePath(serviceAccountType, { namespace, name, subresource: 'token' })
      const type = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }
      return (await postReview<{ token: string }>(path, type, { expirationSeconds })).token
    },
    log: (pod, { signal, ...options } = {}) => text(logPath(pod, options), { signal }),
    followLog: (pod, { signal, ...options } = {}) => stream(logPath(pod, { ...options, follow: true }), { signal }),
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
    async get(type, name, { namespace, signal } = {}) {
      const path = resourcePath(type, { namespace, name })
      return asKubeObject(await request(path, { signal })) ?? failInvalid(`${baseUrl}${path}`, 'an object')
    },
    async create(type, object, options = {}) {
      const namespace = assertSame('namespace', object.metadata.namespace, options.namespace)
      return write('POST', resourcePath(type, { namespace }), withType(type, object), 'application/json', options)
    },
    async replace(type, object, { name: expected, ...options } = {}) {
      const name = object.metadata.name
      assertSame('name', name, expected)
      if (!name) throw new Error('Resource payload name not specified')
      const namespace = assertSame('namespace', object.metadata.namespace, options.namespace)
      return write('PUT', resourcePath(type, { namespace, name }), withType(type, object), 'application/json', options)
    },
    async replaceStatus(type, object) {
      const { name, namespace } = object.metadata
      const path = resourcePath(type, { namespace, name, subresource: 'status' })
      return write('PUT', path, withType(type, object), 'application/json', {})
    },
    patch: async (type, name, patch, { metadataOnly = false, ...options } = {}) =>
      write(
        'PATCH',
        resourcePath(type, { namespace: options.namespace, name }),
        patch,
        Array.isArray(patch) ? 'application/json-patch+json' : 'application/merge-patch+json',
        options,
        metadataOnly ? { accept: metadataType } : {},
      ),
    async delete(type, name, { propagationPolicy, preconditions, dryRun, ...options } = {}) {
      // All options go into the body: a server that receives a body ignores the query, even `dryRun`.
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

/** Reviews use POST but change nothing. */
const reviewPaths: readonly string[] = [selfSubjectAccessReviewType, selfSubjectRulesReviewType].map((type) =>
  resourcePath(type),
)

const metadataType = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'

const logPath = (name: string, { namespace, ...query }: LogOptions & { follow?: boolean }): string =>
  `${resourcePath(podType, { namespace, name, subresource: 'log' })}${queryString({ ...query, signal: undefined })}`

/** Whether a call can safely be sent twice. */
const isRead = (path: string, { method = 'GET' }: RequestInit): boolean =>
  method === 'GET' || (method === 'POST' && reviewPaths.includes(path))

/** Reads the text of a response and reports each chunk as it arrives. */
async function readText({ body }: Response, onData: () => void): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const pieces: string[] = []
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return pieces.join('') + decoder.decode()
    onData()
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
 * Reads a response body as a list of a kind. On the wire the items lack apiVersion and kind, which all later code
 * needs. Items that are not objects are dropped.
 * @throws ApiError for a body that is not a list
 */
export function listOf<T extends KubeObject>(type: ResourceType<T>, answer: unknown, url: string): KubeList<T> {
  if (!isRecord(answer) || !('items' in answer)) return failInvalid(url, 'a list')
  const { items, metadata } = answer
  if (items !== null && !Array.isArray(items)) return failInvalid(url, 'a list')
  const apiVersion = apiVersionOf(type)
  const objects = (items ?? []).flatMap((item: unknown) => {
    const object = asKubeObject<T>(item)
    return object ? { ...object, apiVersion, kind: type.kind } : []
  })
  return { ...answer, metadata: isRecord(metadata) ? metadata : {}, items: objects }
}

const withType = <T extends KubeObject>(type: ResourceType, object: T): T => ({
  ...object,
  apiVersion: apiVersionOf(type),
  kind: type.kind,
})

function assertSame(what: 'namespace' | 'name', payload: string | undefined, option: string | undefined) {
  if (payload && option && payload !== option) {
    throw new Error(`Resource payload ${what} vs. query options ${what} mismatch`)
  }
  return payload ?? option
}

/** @throws ApiError for a failure, a Status other than Success, and a body that is not valid JSON */
function parseResponse<A>(response: Response, text: string, url: string): A {
  const body = parseJson(text)
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
  if (body === undefined) return failInvalid(url, 'JSON')
  return body as A
}

/** The server reported success but returned something unusable. */
function failInvalid(url: string, expected: string): never {
  const message = `Call to ${url} returned something that is not ${expected}.`
  throw new ApiError({ code: 200, url, reason: 'InvalidAnswer', message })
}
