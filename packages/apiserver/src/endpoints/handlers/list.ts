import { isRecord, type KubeList, type ListMeta } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import { badRequest, expired, futureRevision, type StatusError, notANumber } from '../../errors'
import { CompactedError, type Storage, type Stored } from '../../storage/storage'
import { checkListOptions } from './list-options'
import { metadataIndexOf } from '../../registry/metadata-index'
import { isSelected, itemJson, deserialize } from '../../registry/objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../../resource'
import { selectionOf } from '../../registry/selection'

/** How many objects a scan reads at a time. */
const chunkLength = 500

interface ListQuery {
  limit: number
  /** Key to start after, and the revision to read. */
  after: string | undefined
  revision: number | undefined
}

export interface Page {
  metadata: ListMeta
  items: Stored[]
}

/** A page of a list. All pages of a list are read at the same revision. @throws StatusError */
export function listStored(
  storage: Storage,
  resource: ResourceInfo,
  namespace: string | undefined,
  query: URLSearchParams,
): Page {
  const selection = selectionOf(resource, query)
  const { limit, after, revision } = readQuery(storage, query)
  const collection = collectionOf(resource.type)
  const prefix = namespace === undefined ? '' : keyOf(namespace, '')
  const readAt = revision ?? storage.revision()
  const items: Stored[] = []
  let lastKey = after
  let isMore = false
  try {
    // A name is a single key, unless the list spans all namespaces.
    const only =
      selection.name !== undefined && (namespace !== undefined || !resource.type.namespaced)
        ? selection.name
        : undefined
    if (only !== undefined && revision === undefined) {
      const stored = storage.get(collection, keyOf(namespace, only))
      if (stored && isSelected(resource, selection, stored)) items.push(stored)
    } else if (selection.isByMetadata && !selection.isEverything && revision === undefined) {
      const keys = metadataIndexOf(storage).select(
        collection,
        (key, metadata) =>
          key.startsWith(prefix) && (after === undefined || key > after) && selection.matches({ metadata }),
      )
      isMore = limit > 0 && keys.length > limit
      for (const key of isMore ? keys.slice(0, limit) : keys) {
        const stored = storage.get(collection, key)
        if (stored) items.push(stored)
        lastKey = key
      }
    } else {
      scan: for (;;) {
        // Reading one more than fits reveals whether there is another page.
        const length = limit && selection.isEverything ? Math.min(chunkLength, limit - items.length + 1) : chunkLength
        const chunk = storage.list(collection, { prefix, after: lastKey, limit: length, revision })
        for (const stored of chunk) {
          if (isSelected(resource, selection, stored)) {
            if (limit && items.length === limit) {
              isMore = true
              break scan
            }
            items.push(stored)
          }
          lastKey = stored.key
        }
        if (chunk.length < length) break
      }
    }
    const metadata: ListMeta = { resourceVersion: String(readAt) }
    if (isMore && lastKey !== undefined) {
      metadata.continue = tokenOf({ revision: readAt, after: lastKey })
      if (selection.isEverything) {
        metadata.remainingItemCount = storage.count(collection, { prefix, after: lastKey, revision })
      }
    }
    return { metadata, items }
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    throw expiredError(after)
  }
}

/** A page of a list, with its items parsed. @throws StatusError */
export function listObjects(
  storage: Storage,
  resource: ResourceInfo,
  namespace: string | undefined,
  query: URLSearchParams,
): KubeList<AnyObject> {
  const { metadata, items } = listStored(storage, resource, namespace, query)
  return { ...listHead(resource, metadata), items: items.map((stored) => deserialize(resource, stored)) }
}

/** A page of a list as JSON, in pieces: the stored texts are joined without parsing them. */
export function* listTexts(resource: ResourceInfo, { metadata, items }: Page): Generator<string> {
  yield JSON.stringify({ ...listHead(resource, metadata), items: [] }).slice(0, -2)
  let separator = ''
  for (const stored of items) {
    yield separator
    yield itemJson(resource, stored)
    separator = ','
  }
  yield ']}'
}

const listHead = (resource: ResourceInfo, metadata: ListMeta) => ({
  kind: resource.listKind,
  apiVersion: apiVersionOf(resource.type),
  // Lists of custom objects always have `continue`.
  metadata: resource.isCustom ? { continue: '', ...metadata } : metadata,
})

function readQuery(storage: Storage, query: URLSearchParams): ListQuery {
  const limit = Number(query.get('limit') ?? 0)
  if (!Number.isInteger(limit)) throw notANumber(query.get('limit') ?? '')
  const token = query.get('continue')
  const version = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  checkListOptions(query)
  const current = storage.revision()
  if (token) {
    if (version && version !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue')
    }
    const { revision, after } = readToken(token)
    return { limit: Math.max(0, limit), after, revision: revision < 0 || revision === current ? undefined : revision }
  }
  const revision = minimumRevision(storage, query)
  // The real server serves resourceVersion=0 from its watch cache, which does not page.
  if (version === '0') return { limit: 0, after: undefined, revision: undefined }
  const isExact = match === 'Exact' || (match === '' && limit > 0 && revision > 0)
  return { limit: Math.max(0, limit), after: undefined, revision: isExact && revision < current ? revision : undefined }
}

/**
 * The revision that the result of a read must be at least as new as; 0 if any will do.
 * @throws StatusError 400, or 504 if it is in the future
 */
export function minimumRevision(storage: Storage, query: URLSearchParams): number {
  const revision = revisionOf(query.get('resourceVersion') || '0')
  const current = storage.revision()
  if (revision > current) throw futureRevision(revision, current)
  return revision
}

/** @throws StatusError 400 */
export function revisionOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const shown = JSON.stringify(text)
  const detail = `Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: invalid syntax`
  throw badRequest(`invalid resource version: resourceVersion: ${detail}`)
}

interface Position {
  /** -1 means the current revision when the token is used. */
  revision: number
  after: string
}

/** Names may contain any character, but `btoa` takes bytes only: hence `encodeURI`. */
const tokenOf = ({ revision, after }: Position): string =>
  btoa(encodeURI(JSON.stringify({ v: tokenVersion, rv: revision, start: after })))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Source: k8s.io/apiserver, storage/continue.go. @throws StatusError 400 */
function readToken(token: string): Position {
  const invalidToken = (detail: string) => badRequest(`invalid continue token: continue key is not valid: ${detail}`)
  const position = invalidBase64At(token)
  if (position !== undefined) throw invalidToken(`illegal base64 data at input byte ${position}`)
  const value = parseToken(token)
  if (value === undefined) throw invalidToken('unexpected end of JSON input')
  const { v: version, rv, start } = value
  if (version !== tokenVersion) {
    throw invalidToken(`server does not recognize this encoded version ${typeof version === 'string' ? version : ''}`)
  }
  if (typeof start !== 'string' || start === '') throw invalidToken(`encoded start key empty (version ${tokenVersion})`)
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv)) throw invalidToken('incorrect encoded start resourceVersion')
  return { revision: rv, after: start }
}

const tokenVersion = 'meta.k8s.io/v1'

/** Position of the first error in unpadded base64url text; `undefined` if it is valid. */
function invalidBase64At(text: string): number | undefined {
  const at = text.search(/[^\w-]/)
  if (at >= 0) return at
  return text.length % 4 === 1 ? text.length - 1 : undefined
}

function parseToken(token: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(decodeURI(atob(token.replaceAll('-', '+').replaceAll('_', '/'))))
    return isRecord(value) ? value : {}
  } catch {
    return undefined
  }
}

/** The error for a page at a compacted revision. Its token continues from the current state. */
function expiredError(after: string | undefined): StatusError {
  if (after === undefined) return expired('The resourceVersion for the provided list is too old.')
  const error = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  )
  error.status.metadata.continue = tokenOf({ revision: -1, after })
  return error
}
