import { isRecord } from '@slipway/kube/object'
import { badRequest, invalidObject, tooLargeBecause, unsupportedMediaType, unsupportedPatchType } from '../../errors'
import { maxValues, TextCollector, tooManyValues } from '../../body-limits.js'
import { mediaTypeOf, readJsonText, readYamlText, readText, type Body, type YamlReader } from '../../http/body'
import type { DecodeOptions } from '../../registry/decode'
import { applyJsonPatch } from './json-patch'
import { invalid } from '../../field-error'
import type { AnyObject, ResourceInfo } from '../../resource'
import { mergePatch, strategicMergePatch } from './merge-patch'
import { fullSchemaOf } from '../../registry/full-schema'

export type Patch = {
  /** Error texts for duplicate or unknown members. */
  duplicates: string[]
  strictError: DecodeOptions['strictError']
} & (
  | {
      isApply: false
      /** @throws StatusError if it cannot be applied to this object */
      apply(current: AnyObject): unknown
    }
  | { isApply: true; config: unknown }
)

const jsonPatch = 'application/json-patch+json'
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const applyYaml = 'application/apply-patch+yaml'

/** Source: k8s.io/apiserver, endpoints/handlers/patch.go. */
const maxJsonPatchOperations = 10_000

/** @throws StatusError 400, 413, 415 */
export async function patchOf(request: Request, resource: ResourceInfo, yaml: YamlReader): Promise<Patch> {
  const mediaType = mediaTypeOf(request)
  const accepted = resource.isCustom ? [jsonPatch, merge, applyYaml] : [jsonPatch, merge, strategic, applyYaml]
  if (!accepted.includes(mediaType)) throw resource.isCustom ? unsupportedMediaType(accepted) : unsupportedPatchType()
  const { value, duplicates } = await parsePatch(await readText(request), mediaType, yaml)
  if (mediaType === applyYaml) return { isApply: true, config: value, duplicates, strictError: strictApplyError }
  if (mediaType === jsonPatch) {
    const texts = [...duplicates, ...unknownMembers(value)].map((text) => `json patch ${text}`)
    return { isApply: false, duplicates: texts, strictError: strictPatchError, apply: jsonPatcher(value) }
  }
  if (!isRecord(value)) {
    const target = 'Go value of type map[string]interface {}'
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goType(value)} into ${target}`)
  }
  const apply = (current: AnyObject) =>
    mediaType === merge ? mergePatch(current, value) : strategicMergePatch(current, value, fullSchemaOf(resource))
  return { isApply: false, duplicates, strictError: strictPatchError, apply }
}

/** Source of both: k8s.io/apiserver, endpoints/handlers/patch.go. */
const strictApplyError = (texts: string) => badRequest(`error strict decoding YAML: ${texts}`)
const strictPatchError = (texts: string, object: unknown) =>
  invalidObject({ group: '', kind: '' }, '', [
    invalid('patch', JSON.stringify(object), `strict decoding error: ${texts}`),
  ])

/** Most clients apply JSON, which parses faster than YAML. */
async function parsePatch(text: string, mediaType: string, yaml: YamlReader): Promise<Body> {
  if (mediaType === jsonPatch) return readJsonText(text, maxValues + 5 * maxJsonPatchOperations)
  if (mediaType !== applyYaml) return readJsonText(text)
  if (!/^\s*\{/.test(text)) return readYamlText(text, yaml)
  try {
    return readJsonText(text)
  } catch {
    return readYamlText(text, yaml)
  }
}

const goType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : value === null ? 'null' : typeof value

/** @throws StatusError 400, 413 */
function jsonPatcher(value: unknown): (current: AnyObject) => unknown {
  if (!Array.isArray(value)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goType(value)} into Go value of type []handlers.jsonPatchOp`,
    )
  }
  const other: unknown = value.find((operation) => !isRecord(operation))
  if (other !== undefined) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goType(other)} into Go value of type handlers.jsonPatchOp`,
    )
  }
  if (value.length > maxJsonPatchOperations) {
    const text = `The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${value.length}`
    throw tooLargeBecause(text)
  }
  const operations: readonly unknown[] = value
  const values = value.reduce<number>((sum, { value: one }: Record<string, unknown>) => sum + countOf(one), 0)
  if (values > maxValues) throw badRequest(tooManyValues().message)
  return (current) => applyJsonPatch(current, operations)
}

/** Number of values in a value, itself included. */
const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, item) => sum + countOf(item), 1)
    : 1

const operationMembers = ['op', 'path', 'from', 'value']

function unknownMembers(value: unknown): string[] {
  const unknown = new TextCollector()
  for (const [index, operation] of (Array.isArray(value) ? value : []).entries()) {
    for (const key of Object.keys(isRecord(operation) ? operation : {})) {
      if (!operationMembers.includes(key)) unknown.add(() => `unknown field ${JSON.stringify(`[${index}].${key}`)}`)
    }
  }
  return unknown.texts
}
