import { isRecord } from '@slipway/kube/object'
import type { StatusCause } from '@slipway/kube/status'
import type { UserInfo } from '../access/user'
import { badRequest, invalidObject } from '../errors'
import { isTrue, type ResourceRequest } from '../http/request-info'
import { forbidden, invalid, notSupported, required, tooLong } from '../schema/field-error'
import type { FieldValidation } from './decode'
import type { ResourceInfo } from './resource'
import type { DeleteOptions, WriteOptions } from './writer'

/** A request about a resource, once it is known who makes it. */
export interface ResourceCall {
  request: Request
  url: URL
  info: ResourceInfo
  about: ResourceRequest
  user: UserInfo
}

export interface ReadOptions<T extends WriteOptions> {
  options: T
  /** Filled while the write is prepared. */
  warnings: string[]
}

/** Source: k8s.io/apimachinery, meta/v1/validation. */
const maxManagerLength = 128

/** @throws StatusError 422 */
export function refusePatchOptions(query: URLSearchParams, isApply: boolean) {
  const causes: StatusCause[] = []
  if (isApply && !query.get('fieldManager')) causes.push(required('fieldManager', 'is required for apply patch'))
  if (!isApply && query.has('force')) causes.push(forbidden('force', 'may not be specified for non-apply patch'))
  if (causes.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', causes)
}

/** Who writes: by its own account, else the program that its user agent names. @throws StatusError 422 */
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

/** @throws StatusError 422 for values that these options cannot have */
export function writeOptionsOf(
  call: ResourceCall,
  query: URLSearchParams,
): ReadOptions<WriteOptions & { manager: string }> {
  const { info, user, about } = call
  const kind = {
    group: 'meta.k8s.io',
    kind: about.verb === 'delete' ? 'DeleteOptions' : `${optionsKind[about.verb]}Options`,
  }
  const dryRun = query.getAll('dryRun').filter((value) => value !== '')
  const other = dryRun.find((value) => value !== 'All')
  if (other !== undefined) throw invalidObject(kind, '', [notSupported('dryRun', other, ['All'])])
  const validation = query.get('fieldValidation') || 'Warn'
  if (!isFieldValidation(validation)) {
    throw invalidObject(kind, '', [notSupported('fieldValidation', validation, ['Ignore', 'Strict', 'Warn'])])
  }
  const warnings = [...(info.warnings ?? [])]
  const warn = (text: string) => {
    if (!warnings.includes(text)) warnings.push(text)
  }
  const manager = managerOf(call, query, kind)
  return { options: { user, isDryRun: dryRun.length > 0, fieldValidation: validation, warn, manager }, warnings }
}

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

/** Options of a deletion come in its body, else in the query. */
export function deleteOptionsOf(
  call: ResourceCall,
  body: unknown,
  query: URLSearchParams,
): ReadOptions<DeleteOptions> & { isAccepted: boolean } {
  const given = isRecord(body) ? body : Object.fromEntries(query)
  const merged = new URLSearchParams(query)
  const { dryRun, propagationPolicy, preconditions, orphanDependents } = given
  if (Array.isArray(dryRun)) for (const value of dryRun) merged.append('dryRun', textOf(value, 'dryRun'))
  const { options, warnings } = writeOptionsOf(call, merged)
  const propagation = propagations.find((value) => value === propagationPolicy)
  const causes: StatusCause[] = []
  if (propagationPolicy && !propagation) {
    causes.push(notSupported('propagationPolicy', propagationPolicy, [...propagations, 'nil']))
  }
  if (propagationPolicy && orphanDependents !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set'
    causes.push(invalid('propagationPolicy', propagationPolicy, detail))
  }
  if (causes.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causes)
  const isOrphaning = orphanDependents !== undefined && isTrue(textOf(orphanDependents, 'orphanDependents'))
  const orphan = orphanDependents === undefined ? undefined : isOrphaning ? 'Orphan' : 'Background'
  const { uid, resourceVersion } = isRecord(preconditions) ? preconditions : {}
  return {
    options: {
      ...options,
      propagation: propagation ?? orphan,
      preconditions: {
        ...(typeof uid === 'string' && { uid }),
        ...(typeof resourceVersion === 'string' && { resourceVersion }),
      },
    },
    warnings,
    isAccepted: orphan === 'Background',
  }
}

/** @throws StatusError 400 for what no option of a deletion can be */
function textOf(value: unknown, field: string): string {
  if (typeof value === 'string' || typeof value === 'boolean') return `${value}`
  throw badRequest(`json: cannot unmarshal into field DeleteOptions.${field}`)
}
