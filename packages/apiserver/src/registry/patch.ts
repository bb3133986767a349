import { applyPatch, type Operation } from 'rfc6902'
import { badRequest, StatusError, unprocessable, unsupportedMediaType } from '../errors'
import { isRecord, mediaTypeOf, parsed, textOf } from '../http/body'
import { mergeApplied } from './apply'
import type { AnyObject, ResourceInfo } from './resource'
import { mergePatch, strategicMergePatch } from './merge-patch'

export interface Patch {
  /** Server-side apply creates what is not there. */
  isApply: boolean
  /** The whole configuration, for a creation by apply. */
  value: unknown
  /** @throws StatusError when it cannot be applied to this object */
  apply(current: AnyObject): unknown
}

const jsonPatch = 'application/json-patch+json'
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const applyYaml = 'application/apply-patch+yaml'

/** Source: k8s.io/apiserver, endpoints/handlers/patch.go. */
const maxJsonPatchOperations = 10_000

/** @throws StatusError 400, 413, 415 */
export async function patchOf(request: Request, info: ResourceInfo): Promise<Patch> {
  const mediaType = mediaTypeOf(request)
  const accepted = info.isCustom ? [jsonPatch, merge, applyYaml] : [jsonPatch, merge, strategic, applyYaml]
  if (!accepted.includes(mediaType)) throw unsupportedMediaType(accepted)
  const value = parsed(await textOf(request), mediaType === applyYaml)
  if (mediaType === jsonPatch) return { isApply: false, value, apply: jsonPatcher(value) }
  if (!isRecord(value)) throw badRequest('the patch must be an object')
  if (mediaType === merge) return { isApply: false, value, apply: (current) => mergePatch(current, value) }
  if (mediaType === strategic) {
    return { isApply: false, value, apply: (current) => strategicMergePatch(current, value, info.schema) }
  }
  return { isApply: true, value, apply: (current) => mergeApplied(current, value, info.schema) }
}

function jsonPatcher(value: unknown): Patch['apply'] {
  if (!Array.isArray(value) || !value.every(isOperation)) {
    throw badRequest('error decoding patch: the body must be a list of operations')
  }
  if (value.length > maxJsonPatchOperations) {
    const text = `The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${value.length}`
    throw new StatusError(413, 'RequestEntityTooLarge', text)
  }
  const operations: Operation[] = value
  return (current) => {
    // The library works in place, and inserts the very values of the patch, which may be applied again.
    const failure = applyPatch(current, structuredClone(operations)).find((result) => result !== null)
    if (failure) throw unprocessable(failure.message || failure.name)
    return current
  }
}

/** An operation whose pointers stay within JSON: one must not reach the prototype of an object. */
function isOperation(value: unknown): value is Operation {
  if (!isRecord(value) || typeof value['op'] !== 'string') return false
  return isPointer(value['path']) && (value['from'] === undefined || isPointer(value['from']))
}

const isPointer = (value: unknown): boolean =>
  typeof value === 'string' &&
  (value === '' || value.startsWith('/')) &&
  !value.split('/').includes('__proto__') &&
  !/\/constructor\/prototype(\/|$)/.test(value)
