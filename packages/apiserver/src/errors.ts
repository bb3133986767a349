import type { KubeObject } from '@slipway/kube/object'
import { qualifiedPlural, type ResourceType } from '@slipway/kube/resource-type'
import { failureStatus, type Status, type StatusCause } from '@slipway/kube/status'
import { invalidMessage } from './field-error'

/** An error with the Status to return to the client. Source of the messages: k8s.io/apimachinery, api/errors. */
export class StatusError extends Error {
  readonly status: Status & { code: number }
  readonly headers: Record<string, string>

  constructor(code: number, reason: string, message: string, details?: Status['details']) {
    super(message)
    this.name = 'StatusError'
    this.status = failureStatus(code, reason, message, details)
    this.headers = details?.retryAfterSeconds ? { 'retry-after': String(details.retryAfterSeconds) } : {}
  }
}

type Named = Pick<ResourceType, 'group' | 'plural'>

export const detailsOf = ({ group, plural }: Named, name?: string): NonNullable<Status['details']> => ({
  ...(name && { name }),
  ...(group && { group }),
  kind: plural,
})

const quoted = (type: Named, name: string) => `${qualifiedPlural(type)} ${JSON.stringify(name)}`

export const badRequest = (message: string) => new StatusError(400, 'BadRequest', message)

/** @param text value of a query parameter */
export const notANumber = (text: string) =>
  badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)

export const unauthorized = () => new StatusError(401, 'Unauthorized', 'Unauthorized')

/** @param message the complete message, from `authorization/forbidden` */
export const forbidden = (message: string, type?: Named, name?: string, causes?: StatusCause[]) =>
  new StatusError(403, 'Forbidden', message, {
    ...(type && detailsOf(type, name)),
    ...(causes && { causes }),
  })

export const notFound = (type: Named, name: string) =>
  new StatusError(404, 'NotFound', `${quoted(type, name)} not found`, detailsOf(type, name))

/** Nothing is served at this path. */
export class UnknownPathError extends StatusError {
  constructor() {
    super(404, 'NotFound', 'the server could not find the requested resource', {})
    this.name = 'UnknownPathError'
  }
}

export const unknownPath = () => new UnknownPathError()

export const methodNotAllowed = (type: Named, verb: string) =>
  new StatusError(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind ${JSON.stringify(qualifiedPlural(type))}`,
    detailsOf(type),
  )

/** The method is for collections and the path names one object, or vice versa. */
export const methodNotAllowedOnPath = () =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})

const mediaTypes = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
export const listMediaTypes = `${mediaTypes}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`

export const notAcceptable = (accepted = mediaTypes) =>
  new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted}`)

/** For built-in kinds, which the real server routes through other code with its own message. */
export const notAcceptableObject = (available = mediaTypes) =>
  new StatusError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available}`, {})

/** @param isTerminating the existing object is being deleted */
export const alreadyExists = (type: Named, name: string, isTerminating = false) =>
  new StatusError(
    409,
    'AlreadyExists',
    `${isTerminating ? 'object is being deleted: ' : ''}${quoted(type, name)} already exists`,
    detailsOf(type, name),
  )

export const conflict = (
  type: Named,
  name: string,
  detail = 'the object has been modified; please apply your changes to the latest version and try again',
) =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${quoted(type, name)}: ${detail}`,
    detailsOf(type, name),
  )

export const expired = (message: string) => new StatusError(410, 'Expired', message)

export const tooLarge = (limit: number) => tooLargeBecause(`limit is ${limit}`)

export const tooLargeBecause = (detail: string) =>
  new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${detail}`)

export const unsupportedMediaType = (accepted: readonly string[]) =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  )

/** A patch of a built-in kind. */
export const unsupportedPatchType = () =>
  new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {})

/** @param type its kind appears in the message and in the details */
export function invalidObject(type: Pick<ResourceType, 'group' | 'kind'>, name: string, causes: StatusCause[]) {
  const named = firstCauses(causes)
  return new StatusError(422, 'Invalid', invalidMessage(type.kind, type.group, name, named), {
    ...(name && { name }),
    ...(type.group && { group: type.group }),
    ...(type.kind && { kind: type.kind }),
    causes: named,
  })
}

/** More than anyone reads; a large object may have tens of thousands. */
const maxCauses = 100

/** The first causes, with a count of the rest if there are very many. */
export const firstCauses = (causes: StatusCause[]): StatusCause[] =>
  causes.length <= maxCauses
    ? causes
    : [...causes.slice(0, maxCauses), { field: '<nil>', message: `and ${causes.length - maxCauses} more` }]

/** The patch is valid but cannot be applied to this object. */
export const unprocessable = () =>
  new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {})

export const futureRevision = (requested: number, current: number) =>
  new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })

export const internalError = (detail: string) =>
  new StatusError(500, 'InternalError', `Internal error occurred: ${detail}`, { causes: [{ message: detail }] })

/** The disk is full. Kubernetes has no reason for this: etcd returns an internal error. */
export const insufficientStorage = (message: string) => new StatusError(507, 'InsufficientStorage', message)

/** The response to a deletion that removed the object. */
export const deleted = (type: Named, object: KubeObject): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: { ...detailsOf(type, object.metadata.name), ...(object.metadata.uid && { uid: object.metadata.uid }) },
})
