import { isRecord } from '@slipway/kube/object'
import { asText } from '@slipway/kube/parse'
import { type Term, type TermList, termLists, termsOf } from '../builds/artifact-terms'
import type { Release } from './release'

/** An image that a release has pushed. */
export interface ReleasedImage {
  /** The component's name; `undefined` if it has none. */
  name: string | undefined
  urls: string[]
  arches: string[]
  /** Everything else about it, such as its digest. */
  others: Term[]
}

/** Where something was released to. */
export interface ReleasedUrl {
  label: string
  /** A URL, or the reference of an image. */
  text: string
}

/** What a release has produced. Its pipelines define the shape, so anything that is not known stays as it is. */
export interface ReleaseArtifacts {
  images: ReleasedImage[]
  urls: ReleasedUrl[]
  /** Artifacts besides those. */
  additional: TermList[]
  /** Data in place of the artifacts above, or in addition to them, whose shape is not known. */
  unrecognized: TermList[]
}

export function releaseArtifacts({ status }: Release): ReleaseArtifacts {
  const { artifacts } = status ?? {}
  const found: ReleaseArtifacts = { images: [], urls: [], additional: [], unrecognized: [] }
  if (artifacts === undefined || artifacts === null) return found
  if (!isRecord(artifacts)) return { ...found, unrecognized: termLists('artifacts', artifacts) }
  const { images, index_image: index, 'github-release': github, ...others } = artifacts
  readImages(images, found)
  readUrls('index_image', index, indexUrls, found)
  readUrls('github-release', github, githubUrls, found)
  found.additional = Object.entries(others).flatMap(([name, value]) => termLists(name, value))
  return found
}

function readImages(value: unknown, found: ReleaseArtifacts) {
  if (value === undefined || value === null) return
  if (!Array.isArray(value)) found.unrecognized.push(...termLists('images', value))
  else found.images = value.map(imageOf)
}

function imageOf(value: unknown): ReleasedImage {
  if (!isRecord(value)) {
    const url = asText(value)
    return { name: undefined, urls: url ? [url] : [], arches: [], others: url ? [] : termsOf(value) }
  }
  const known = { name: asText(value.name), urls: textsIn(value.urls), arches: textsIn(value.arches) }
  // What could not be read is not lost either.
  const others = Object.entries(value).filter(([key]) => new Map(Object.entries(known)).get(key) === undefined)
  return {
    name: known.name,
    urls: known.urls ?? [],
    arches: known.arches ?? [],
    others: others.length > 0 ? termsOf(Object.fromEntries(others)) : [],
  }
}

/** The texts of a list, or a single one; `undefined` for anything else, even in part. */
function textsIn(value: unknown): string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).map(asText)
  return texts.every((text) => text !== undefined) ? texts : undefined
}

const indexUrls = {
  index_image: 'Index image',
  index_image_resolved: 'Index image (resolved)',
  target_index: 'Target index',
}
const githubUrls = { url: 'GitHub release' }

/** @param labels of the fields that contain URLs; the first one is also that of a text in place of an object */
function readUrls(name: string, value: unknown, labels: Readonly<Record<string, string>>, found: ReleaseArtifacts) {
  if (value === undefined || value === null) return
  const [first = name] = Object.keys(labels)
  const fields = typeof value === 'string' ? { [first]: value } : value
  if (!isRecord(fields)) {
    found.unrecognized.push(...termLists(name, value))
    return
  }
  const unread: Record<string, unknown> = {}
  for (const [key, each] of Object.entries(fields)) {
    const text = asText(each)
    const label = Object.hasOwn(labels, key) ? labels[key] : undefined
    if (label && text) found.urls.push({ label, text })
    else unread[key] = each
  }
  if (Object.keys(unread).length > 0) found.unrecognized.push({ name, terms: termsOf(unread) })
}
