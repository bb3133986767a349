import { serviceAccountType, type Review } from '../core-types'
import type { KubeObject } from '../object'
import { queryString, resourcePath } from '../path'
import { apiVersionOf, type ResourceType } from '../resource-type'
import type { Status } from '../status'
import type { Transport } from './requests'

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

/** One step of RFC 6902. */
export type JsonPatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; from: string; path: string }

/** RFC 7386: members of an object to write; `null` removes one. */
export type MergePatch = Record<string, unknown>

/** Writes of objects, and reviews, which the server evaluates and does not store. */
export interface Writes {
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
}

export function createWrites({ request }: Pick<Transport, 'request'>): Writes {
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

  const postReview = async <S>(path: string, type: Pick<ResourceType, 'group' | 'version' | 'kind'>, spec: unknown) => {
    const body = { apiVersion: apiVersionOf(type), kind: type.kind, spec }
    return (await write<{ status: S }>('POST', path, body, 'application/json', {})).status
  }

  return {
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
    review: (type, spec) => postReview(resourcePath(type), type, spec),
    async createToken(namespace, name, expirationSeconds) {
      const path = resourcePath(serviceAccountType, { namespace, name, subresource: 'token' })
      const type = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }
      return (await postReview<{ token: string }>(path, type, { expirationSeconds })).token
    },
  }
}

const metadataType = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'

const writeQuery = ({ dryRun, fieldManager, fieldValidation, pretty }: Omit<WriteOptions, 'signal'>) => ({
  dryRun: dryRun ? 'All' : undefined,
  fieldManager,
  fieldValidation,
  pretty,
})

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
