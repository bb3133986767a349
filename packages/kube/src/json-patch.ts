import type { JsonPatchOperation } from './client/writes'
import type { KubeObject } from './object'

type TextMap = Readonly<Record<string, string>>

interface MapPatchOptions {
  /** Whether a value need not be written again; the same text by default. */
  isEqual?: (before: string | undefined, after: string) => boolean
}

/**
 * The steps that change some entries of a map, such as labels, and keep the others. JSON Patch can neither add a member
 * to a missing map nor remove a missing member.
 * @param path of the map in the object
 * @param current the map as it is; `undefined` if the object does not have it
 * @param changes the new values by key: `undefined` removes the key
 */
export function mapPatch(
  path: string,
  current: TextMap | undefined,
  changes: Readonly<Record<string, string | undefined>>,
  { isEqual = (before, after) => before === after }: MapPatchOptions = {},
): JsonPatchOperation[] {
  if (!current) {
    const added = Object.entries(changes).filter(([, value]) => value !== undefined)
    return added.length > 0 ? [{ op: 'add', path, value: Object.fromEntries(added) }] : []
  }
  return Object.entries(changes).flatMap(([key, value]): JsonPatchOperation[] => {
    const member = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const isPresent = Object.hasOwn(current, key)
    if (value === undefined) return isPresent ? [{ op: 'remove', path: member }] : []
    if (isEqual(current[key], value)) return []
    return [{ op: isPresent ? 'replace' : 'add', path: member, value }]
  })
}

/**
 * The step that makes a patch conditional on an object being still the version that was read. An API server compares the
 * version in the result of a patch with the stored one, and responds with 409 if they differ.
 */
export const versionCondition = ({ metadata }: KubeObject): JsonPatchOperation => ({
  op: 'replace',
  path: '/metadata/resourceVersion',
  value: metadata.resourceVersion,
})
