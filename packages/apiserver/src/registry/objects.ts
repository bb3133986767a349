import type { ObjectMeta } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { CompiledSchema } from '../apiextensions/structural-schema'
import type { Change, Stored } from '../storage/storage'
import type { AnyObject, ResourceInfo } from '../resource'
import type { Selection } from './selection'

/**
 * Conversion between stored text and served objects. Stored text is served without parsing wherever possible: most
 * objects of lists and watches need no processing.
 */

/** One stored version of an object. */
export type Version = Pick<Stored, 'value' | 'revision'>

/** The object in the requested API version. Versions differ in nothing else (conversion strategy None). */
export function deserialize(resource: ResourceInfo, { value, revision }: Version): AnyObject {
  const stored = JSON.parse(value) as AnyObject // Written by `serialize`.
  const object = resource.conversion ? resource.conversion.toServed(stored) : stored
  object.apiVersion = apiVersionOf(resource.type)
  object.kind = resource.type.kind
  object.metadata.resourceVersion = String(revision)
  if (resource.isCustom) resource.compiled().applyDefaults(object)
  return object
}

/** The previous state with the revision of the change, as a watch reports an object that no longer matches. */
export const objectBefore = (resource: ResourceInfo, change: Change): AnyObject | undefined =>
  change.previous === undefined
    ? undefined
    : deserialize(resource, { value: change.previous, revision: change.revision })

/** Metadata comes first, for `metadataOf` and `servedJson`. */
export function serialize(resource: ResourceInfo, object: AnyObject): string {
  const { apiVersion, kind, metadata, ...rest } = resource.conversion ? resource.conversion.toStored(object) : object
  const { resourceVersion: _, ...storedMetadata } = metadata
  return JSON.stringify({ apiVersion, kind, metadata: storedMetadata, ...rest })
}

/** Equivalent to `JSON.stringify` of `deserialize`, except for member order. The version must be the stored one. */
export const servedJson = (resource: ResourceInfo, version: Version): string =>
  text(resource, version, headOf(resource))

/** The same for an item of a list: items of built-in kinds do not repeat kind and apiVersion. */
export const itemJson = (resource: ResourceInfo, version: Version): string =>
  text(resource, version, resource.isCustom ? headOf(resource) : '')

/** The object form of `itemJson`. */
export function itemOf({ isCustom }: ResourceInfo, object: AnyObject): object {
  if (isCustom) return object
  const { apiVersion: _apiVersion, kind: _kind, ...item } = object
  return item
}

const headOf = ({ type }: ResourceInfo): string =>
  `"apiVersion":${JSON.stringify(apiVersionOf(type))},"kind":${JSON.stringify(type.kind)},`

function text(resource: ResourceInfo, version: Version, head: string): string {
  const start = metadataStart(version.value)
  if (start < 0 || resource.conversion || (resource.isCustom && !hasDefaults(resource, version))) {
    const object = deserialize(resource, version)
    return JSON.stringify(head ? object : itemOf(resource, object))
  }
  const rest = version.value.slice(start + 1)
  return `{${head}"metadata":{"resourceVersion":"${version.revision}"${rest.startsWith('}') ? '' : ','}${rest}`
}

/** The metadata of a stored text, without parsing the rest. */
export function metadataOf(text: string): ObjectMeta {
  const start = metadataStart(text)
  // Written by `serialize`.
  if (start < 0) return (JSON.parse(text) as AnyObject).metadata
  return JSON.parse(text.slice(start, objectEnd(text, start))) as ObjectMeta
}

/** True if a stored object is being deleted. Most texts need not be parsed to tell. */
export const isBeingDeleted = (text: string): boolean =>
  text.includes('"deletionTimestamp"') && metadataOf(text).deletionTimestamp !== undefined

/** True if a stored object matches the selection. Parses no more of it than necessary. */
export function isSelected(resource: ResourceInfo, selection: Selection, version: Version): boolean {
  if (selection.isEverything) return true
  return selection.matches(
    selection.isByMetadata ? { metadata: metadataOf(version.value) } : deserialize(resource, version),
  )
}

const headPattern = /^\{"apiVersion":"[^"\\]*","kind":"[^"\\]*","metadata":(?=\{)/

/** Start of the metadata in a text; -1 if it was not written by `serialize`. */
const metadataStart = (text: string): number => headPattern.exec(text)?.[0].length ?? -1

const [quote, backslash, opening, closing] = [0x22, 0x5c, 0x7b, 0x7d]

/** Index after the closing brace of the JSON object at `start`. */
function objectEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === opening) depth++
    else if (code === closing && --depth === 0) return at + 1
    else if (code === quote) at = stringEnd(text, at)
  }
  return text.length
}

/** Index of the closing quote of the JSON string at `start`. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

/** For one schema, the versions known to contain all of its defaults (ADR 47). */
interface DefaultedVersions {
  /** Bounded; the oldest is evicted first. */
  revisions: Set<number>
  /** Texts being written, which have no revision yet when watches receive the change. */
  writing: string[]
}

const defaultedVersions = new WeakMap<CompiledSchema, DefaultedVersions>()
const rememberedRevisions = 100_000

function defaultedVersionsOf(resource: ResourceInfo): DefaultedVersions {
  const schema = resource.compiled()
  const known = defaultedVersions.get(schema) ?? { revisions: new Set(), writing: [] }
  defaultedVersions.set(schema, known)
  return known
}

function remember({ revisions }: DefaultedVersions, revision: number) {
  revisions.add(revision)
  const [oldest] = revisions.size > rememberedRevisions ? revisions : []
  if (oldest !== undefined) revisions.delete(oldest)
}

/**
 * Writes the text of an object that has its defaults, so that readers need not check for them.
 * @param write returns the revision
 */
export async function writeWithDefaults(
  resource: ResourceInfo,
  text: string,
  write: () => Promise<number>,
): Promise<number> {
  if (!resource.isCustom) return write()
  const known = defaultedVersionsOf(resource)
  // An array, because there are few texts and a set would hash them in full.
  known.writing.push(text)
  try {
    const revision = await write()
    remember(known, revision)
    return revision
  } finally {
    known.writing.splice(known.writing.indexOf(text), 1)
  }
}

/** False if the schema has gained a default since the text was written. The text is parsed once to find out. */
function hasDefaults(resource: ResourceInfo, version: Version): boolean {
  const known = defaultedVersionsOf(resource)
  if (known.revisions.has(version.revision) || known.writing.includes(version.value)) return true
  const object = JSON.parse(version.value) as AnyObject // Written by `serialize`.
  resource.compiled().applyDefaults(object)
  if (JSON.stringify(object) !== version.value) return false
  remember(known, version.revision)
  return true
}
