import type { ObjectMeta } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { CompiledSchema } from '../schema/structural-schema'
import type { Change, Stored } from '../storage/storage'
import type { AnyObject, ResourceInfo } from './resource'
import type { Selection } from './selection'

/**
 * Between the texts that are stored and the objects that are served. Texts are served as they are stored wherever that
 * is right: lists and watches are mostly made of objects that nobody looks into.
 */

/** What is kept of an object, of one moment. */
export type Version = Pick<Stored, 'value' | 'revision'>

/** In the version asked for: versions of a kind differ in nothing else (conversion strategy None). */
export function objectOf(info: ResourceInfo, { value, revision }: Version): AnyObject {
  const stored = JSON.parse(value) as AnyObject // Written by `textOf`.
  const object = info.storedAs ? info.storedAs.serve(stored) : stored
  object.apiVersion = apiVersionOf(info.type)
  object.kind = info.type.kind
  object.metadata.resourceVersion = String(revision)
  if (info.isCustom) info.compiled().applyDefaults(object)
  return object
}

/** The state before a change, with the revision of the change: what a watch tells of an object that goes. */
export const objectBefore = (info: ResourceInfo, change: Change): AnyObject | undefined =>
  change.previous === undefined ? undefined : objectOf(info, { value: change.previous, revision: change.revision })

/** Metadata come first, for `metadataOf` and `servedText`. */
export function textOf(info: ResourceInfo, object: AnyObject): string {
  const { apiVersion, kind, metadata, ...rest } = info.storedAs ? info.storedAs.keep(object) : object
  const { resourceVersion: _, ...kept } = metadata
  return JSON.stringify({ apiVersion, kind, metadata: kept, ...rest })
}

/** What `JSON.stringify` would make of `objectOf`, but for the order of members. The version must be the stored one. */
export const servedText = (info: ResourceInfo, version: Version): string => text(info, version, headOf(info))

/** The same in a list: items of Kubernetes' own kinds do not repeat what the list says of all of them. */
export const itemText = (info: ResourceInfo, version: Version): string =>
  text(info, version, info.isCustom ? headOf(info) : '')

/** An object as `itemText` has it. */
export function itemOf({ isCustom }: ResourceInfo, object: AnyObject): object {
  if (isCustom) return object
  const { apiVersion: _apiVersion, kind: _kind, ...item } = object
  return item
}

const headOf = ({ type }: ResourceInfo): string =>
  `"apiVersion":${JSON.stringify(apiVersionOf(type))},"kind":${JSON.stringify(type.kind)},`

function text(info: ResourceInfo, version: Version, head: string): string {
  const start = metadataStart(version.value)
  if (start < 0 || info.storedAs || (info.isCustom && !hasDefaults(info, version))) {
    const object = objectOf(info, version)
    return JSON.stringify(head ? object : itemOf(info, object))
  }
  const rest = version.value.slice(start + 1)
  return `{${head}"metadata":{"resourceVersion":"${version.revision}"${rest.startsWith('}') ? '' : ','}${rest}`
}

/** The metadata of a stored text, without reading the rest of it. */
export function metadataOf(text: string): ObjectMeta {
  const start = metadataStart(text)
  // Written by `textOf`.
  if (start < 0) return (JSON.parse(text) as AnyObject).metadata
  return JSON.parse(text.slice(start, objectEnd(text, start))) as ObjectMeta
}

/** Is a stored object being deleted? Of most, nothing has to be read to know. */
export const isBeingDeleted = (text: string): boolean =>
  text.includes('"deletionTimestamp"') && metadataOf(text).deletionTimestamp !== undefined

/** Is a stored object among those selected? Reads no more of it than it must. */
export function isSelected(info: ResourceInfo, selection: Selection, version: Version): boolean {
  if (selection.isEverything) return true
  return selection.matches(selection.isByMetadata ? { metadata: metadataOf(version.value) } : objectOf(info, version))
}

const headPattern = /^\{"apiVersion":"[^"\\]*","kind":"[^"\\]*","metadata":(?=\{)/

/** Where the metadata of a text begin; -1 when it was not written by `textOf`. */
const metadataStart = (text: string): number => headPattern.exec(text)?.[0].length ?? -1

const [quote, backslash, opening, closing] = [0x22, 0x5c, 0x7b, 0x7d]

/** Behind the closing brace of the JSON object that begins there. */
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

/** The closing quote of the JSON string that begins there. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

/** Of a schema: what is known to hold every default of it. */
interface WithDefaults {
  /** Bounded, oldest first out. */
  revisions: Set<number>
  /** Texts that are just being written, and have no revision yet when those who watch are told of them. */
  writing: string[]
}

const withDefaults = new WeakMap<CompiledSchema, WithDefaults>()
const rememberedRevisions = 100_000

function knownOf(info: ResourceInfo): WithDefaults {
  const schema = info.compiled()
  const known = withDefaults.get(schema) ?? { revisions: new Set(), writing: [] }
  withDefaults.set(schema, known)
  return known
}

function remember({ revisions }: WithDefaults, revision: number) {
  revisions.add(revision)
  const [oldest] = revisions.size > rememberedRevisions ? revisions : []
  if (oldest !== undefined) revisions.delete(oldest)
}

/**
 * Writes a text that was made of an object with its defaults, so that nobody needs to look for them in it.
 * @param write answers the revision
 */
export async function writingDefaults(info: ResourceInfo, text: string, write: () => Promise<number>): Promise<number> {
  if (!info.isCustom) return write()
  const known = knownOf(info)
  // A list: there are few, and a set would look at every letter of them.
  known.writing.push(text)
  try {
    const revision = await write()
    remember(known, revision)
    return revision
  } finally {
    known.writing.splice(known.writing.indexOf(text), 1)
  }
}

/** A text from before its schema had a default lacks it. That takes reading the text, but only once. */
function hasDefaults(info: ResourceInfo, version: Version): boolean {
  const known = knownOf(info)
  if (known.revisions.has(version.revision) || known.writing.includes(version.value)) return true
  const object = JSON.parse(version.value) as AnyObject // Written by `textOf`.
  info.compiled().applyDefaults(object)
  if (JSON.stringify(object) !== version.value) return false
  remember(known, version.revision)
  return true
}
