import { isTrue } from '@slipway/kube/api-request'
import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { UserInfo } from '@slipway/kube/user'
import { badRequest, invalidObject } from '../../errors'
import type { ResourceRequest } from '../../http/request-info'
import { forbidden, invalid, notSupported, required, tooLong } from '../../field-error'
import type { FieldValidation } from '../../registry/decode'
import type { ResourceInfo } from '../../resource'
import { createWarnings } from './warnings'
import type { Precondition } from '../../registry/preconditions'
import type { DeleteOptions, WriteOptions } from '../../registry/writer'

/** A request for a resource by an authenticated user. */
export interface ResourceCall {
  request: Request
  url: URL
  resource: ResourceInfo
  requestInfo: ResourceRequest
  user: UserInfo
}

export interface ReadOptions<T extends WriteOptions> {
  options: T
  /** Header values, added while the write is prepared. */
  warnings: readonly string[]
}

/** Source: k8s.io/apimachinery, meta/v1/validation. */
const maxManagerLength = 128

/** @throws StatusError 422 */
export function checkPatchOptions(query: URLSearchParams, isApply: boolean) {
  const causes: StatusCause[] = []
  if (isApply && !query.get('fieldManager')) causes.push(required('fieldManager', 'is required for apply patch'))
  if (!isApply && query.has('force')) causes.push(forbidden('force', 'may not be specified for non-apply patch'))
  if (causes.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', causes)
}

/** The field manager: the query parameter, or else the program in the user agent. @throws StatusError 422 */
function managerOf({ request }: ResourceCall, query: URLSearchParams, kind: { group: string; kind: string }): string {
  const given = query.get('fieldManager')
  if (!given) {
    const [program = ''] = (request.headers.get('user-agent') ?? '').split('/')
    return program.replace(/[\p{C}]/gu, '').slice(0, maxManagerLength) || 'unknown'
  }
  const bad = [...given].findIndex((character) => /\p{C}/u.test(character))
  const causes = given.length > maxManagerLength ? [tooLong('fieldManager', maxManagerLength)] : []
  if (bad >= 0) causes.push(invalid('fieldManager', given, `invalid character (at position ${bad})`))
  if (causes.length > 0) throw invalidObject(kind, '', causes)
  return given
}

/** @throws StatusError 422 for invalid values */
export function writeOptionsOf(
  call: ResourceCall,
  query: URLSearchParams,
): ReadOptions<WriteOptions & { manager: string }> {
  const { resource, user, requestInfo } = call
  const kind = { group: 'meta.k8s.io', kind: `${optionsKind[requestInfo.verb]}Options` }
  const dryRun = query.getAll('dryRun').filter((value) => value !== '')
  const dryRunErrors = dryRunCauses(dryRun)
  if (dryRunErrors.length > 0) throw invalidObject(kind, '', dryRunErrors)
  const validation = query.get('fieldValidation') || 'Warn'
  if (!isFieldValidation(validation)) {
    throw invalidObject(kind, '', [notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn'])])
  }
  const { headers: warnings, warn } = createWarnings(resource.warnings)
  const manager = managerOf(call, query, kind)
  return { options: { user, isDryRun: dryRun.length > 0, fieldValidation: validation, warn, manager }, warnings }
}

const dryRunCauses = (dryRun: readonly string[]): StatusCause[] =>
  dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])]

const optionsKind: Record<ResourceRequest['verb'], string> = {
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
  get: 'Get',
  list: 'List',
  watch: 'List',
}

const isFieldValidation = (text: string): text is FieldValidation =>
  text === 'Strict' || text === 'Warn' || text === 'Ignore'

const propagations = ['Foreground', 'Background', 'Orphan'] as const

/**
 * Options of a deletion, from the body if it has one, otherwise from the query.
 * Source: k8s.io/apiserver, endpoints/handlers/delete.go.
 * @param body `undefined` only if the request has none
 * @throws StatusError 400 for a body that is not DeleteOptions, 422 for invalid values
 */
export function deleteOptionsOf(
  { resource, user }: ResourceCall,
  body: unknown,
  query: URLSearchParams,
): { options: DeleteOptions; warnings: readonly string[]; isAccepted: boolean } {
  const { dryRun, propagationPolicy, preconditions, orphanDependents } =
    body === undefined ? deleteOptionsInQuery(query) : deleteOptionsInBody(body)
  const causes = dryRunCauses(dryRun)
  const propagation = propagations.find((value) => value === propagationPolicy)
  if (propagationPolicy && !propagation) {
    causes.push(notSupported('propagationPolicy', propagationPolicy, [...propagations, 'nil']))
  }
  if (propagationPolicy && orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set'
    causes.push(invalid('propagationPolicy', propagationPolicy, detail))
  }
  if (causes.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causes)
  const orphan = orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background'
  const { headers: warnings, warn } = createWarnings(resource.warnings)
  return {
    options: {
      user,
      isDryRun: dryRun.length > 0,
      fieldValidation: 'Ignore',
      warn,
      propagation: propagation ?? orphan,
      preconditions,
    },
    warnings,
    isAccepted: orphan === 'Background',
  }
}

interface RawDeleteOptions {
  dryRun: string[]
  propagationPolicy?: string
  orphanDependents?: boolean
  preconditions: Precondition
}

/** Each precondition is a query parameter. Source: k8s.io/apimachinery, meta/v1/conversion.go. */
function deleteOptionsInQuery(query: URLSearchParams): RawDeleteOptions {
  const orphanDependents = query.get('orphanDependents')
  return {
    dryRun: query.getAll('dryRun').filter((value) => value !== ''),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    orphanDependents: orphanDependents === null ? undefined : isTrue(orphanDependents),
    preconditions: { uid: query.get('uid') ?? undefined, resourceVersion: query.get('resourceVersion') ?? undefined },
  }
}

function deleteOptionsInBody(body: unknown): RawDeleteOptions {
  if (!isRecord(body)) throw badRequest(`couldn't get version/kind; json: cannot unmarshal ${goType(body)}`)
  const { kind, dryRun, propagationPolicy, orphanDependents, preconditions } = body
  if (kind !== undefined && kind !== 'DeleteOptions') {
    throw badRequest(`decoded object cannot be converted to DeleteOptions: ${JSON.stringify(kind)}`)
  }
  const { uid, resourceVersion } = isRecord(preconditions) ? preconditions : {}
  const isStringList = Array.isArray(dryRun) && dryRun.every((value) => typeof value === 'string')
  if (!isUnset(dryRun) && !isStringList) throw wrongType('dryRun', dryRun)
  if (!isUnset(preconditions) && !isRecord(preconditions)) throw wrongType('preconditions', preconditions)
  return {
    dryRun: isStringList ? dryRun : [],
    propagationPolicy: optionOf('string', 'propagationPolicy', propagationPolicy),
    orphanDependents: optionOf('boolean', 'orphanDependents', orphanDependents),
    preconditions: {
      uid: optionOf('string', 'preconditions.uid', uid),
      resourceVersion: optionOf('string', 'preconditions.resourceVersion', resourceVersion),
    },
  }
}

const isUnset = (value: unknown): value is undefined | null => value === undefined || value === null

/** @throws StatusError 400 for a value of the wrong type: ignoring it could turn a dry run into a real deletion */
function optionOf(type: 'string', field: string, value: unknown): string | undefined
function optionOf(type: 'boolean', field: string, value: unknown): boolean | undefined
function optionOf(type: 'string' | 'boolean', field: string, value: unknown): unknown {
  if (isUnset(value)) return undefined
  if (typeof value !== type) throw wrongType(field, value)
  return value
}

const wrongType = (field: string, value: unknown) =>
  badRequest(`json: cannot unmarshal ${goType(value)} into Go struct field DeleteOptions.${field}`)

const goType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : value === null ? 'null' : typeof value
