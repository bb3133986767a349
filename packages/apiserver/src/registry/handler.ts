import { apiVersionOf } from '@slipway/kube/resource-type'
import type { Authorizer } from '../authorization/authorizer'
import type { UserInfo } from '../authorization/user'
import { isUndeletable } from '../admission/namespace-lifecycle'
import { pods } from '../builtin/pods'
import type { Clock } from '@slipway/kube/clock'
import {
  badRequest,
  deleted,
  listMediaTypes,
  methodNotAllowed,
  methodNotHere,
  notAcceptable,
  notAcceptableObject,
  notFound,
  StatusError,
  unknownPath,
} from '../errors'
import { bodyOf, bytesOf, readBody, refuseBodyType, type YamlReader } from '../http/body'
import { gzipped } from '../http/compression'
import { encoded, jsonType, responseOf, wantsProtobuf, wantsYaml, type Encoded } from '../http/negotiation'
import type { PodLogs } from '../logs/pod-logs'
import { isTrue } from '../http/request-info'
import { streamOf } from '../http/text-stream'
import type { Storage } from '../storage/storage'
import { includeObjectOf, representationOf } from '../table/representation'
import { isList, metadataOf, tableOf } from '../table/table'
import { messageOf } from '../protobuf/kinds'
import { timestamp } from '../timestamp'
import { applyConfiguration } from './apply'
import { deleteOptionsOf, refusePatchOptions, writeOptionsOf, type ResourceCall } from './call-options'
import { decode } from './decode'
import { listObjects, listStored, listTexts } from './list'
import { checkName } from './metadata'
import { itemOf, objectOf, servedText, type Version } from './objects'
import { patchOf } from './patch'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from './resource'
import { selectionOf } from './selection'
import { createWarnings } from './warnings'
import type { Watches } from './watch'
import { forbiddenWrite, setNamespace, type Target, type UpdateOptions, type Writer, type Written } from './writer'

export interface HandlerParts {
  storage: Storage
  clock: Clock
  writer: Writer
  watches: Watches
  podLogs: PodLogs
  authorizer: Authorizer
  answerReview: AnswerReview
  yaml: YamlReader
}

/** Answers what is posted and not stored. @throws StatusError */
export type AnswerReview = (
  info: ResourceInfo,
  body: AnyObject,
  asked: { user: UserInfo; namespace: string | undefined; name: string | undefined },
) => Promise<AnyObject>

/** Tries of a change that names no version, when other writes come between. Source: k8s.io/apiserver, patch.go. */
const conflictRetries = 5

/** Answers requests about resources, once access is decided. */
export function createHandler(parts: HandlerParts): (call: ResourceCall) => Promise<Response> {
  const { storage, clock, writer, watches, podLogs, authorizer, yaml } = parts

  return async function handle(call) {
    const { request, url, info, requestInfo } = call
    const { subresource, verb } = requestInfo
    const place = namespaceOf(call)
    if (subresource === 'log' && info === pods) return log(call)
    if (subresource !== undefined && !(subresource === 'status' && info.hasStatus)) {
      throw info.isCustom ? notFound(info.type, requestInfo.name ?? '') : unknownPath()
    }
    const isServed = subresource ? ['get', 'update', 'patch'].includes(verb) : info.verbs.includes(verb)
    if (!isServed) throw info.isCustom ? methodNotAllowed(info.type, verb) : methodNotHere()
    const isNamed = requestInfo.name !== undefined
    // The token of a service account is asked for by name.
    if (verb === 'create' ? isNamed && !info.review : !isNamed && (verb === 'update' || verb === 'patch')) {
      throw methodNotHere()
    }
    const represent = representer(call)
    switch (verb) {
      case 'get':
        if (isServedAsStored(call)) return answerStored(call, 200, stored(targetOf(call)))
        return answer(call, 200, represent(read(targetOf(call))))
      case 'list':
        if (isServedAsStored(call)) return answerList(call, place)
        return answer(call, 200, represent(listObjects(storage, info, place, url.searchParams)))
      case 'watch':
        return new Response(
          watches.open({
            info,
            namespace: place,
            query: url.searchParams,
            represent: isServedWhole(request) ? undefined : represent,
            signal: request.signal,
          }),
          { headers: headersOf(jsonType, createWarnings(info.warnings).headers) },
        )
      case 'create':
        return info.review ? review(call) : create(call)
      case 'update':
        return update(call)
      case 'patch':
        return patch(call)
      case 'delete':
        return remove(call)
      case 'deletecollection':
        return removeAll(call)
    }
  }

  /** A list of whole objects: nothing has to look into them. */
  function answerList({ request, info, url }: ResourceCall, place: string | undefined): Response {
    const page = listStored(storage, info, place, url.searchParams)
    const bytes = page.items.reduce((sum, { value }) => sum + value.length, 0)
    const body = streamOf(listTexts(info, page))
    return gzipped(
      request,
      new Response(body, { headers: headersOf(jsonType, createWarnings(info.warnings).headers) }),
      bytes,
    )
  }

  function stored({ info, namespace, name }: Target): Version {
    const found = storage.get(collectionOf(info.type), keyOf(namespace, name))
    if (!found) throw notFound(info.type, name)
    return found
  }

  function read(target: Target): AnyObject {
    return objectOf(target.info, stored(target))
  }

  function answerWritten(call: ResourceCall, code: number, written: Written, warnings: readonly string[]): Response {
    return written.stored && isServedAsStored(call)
      ? answerStored(call, code, written.stored, warnings)
      : answer(call, code, representer(call)(written.object), warnings)
  }

  function representer({
    request,
    url,
    info,
    requestInfo,
  }: ResourceCall): (answer: AnyObject | ReturnType<typeof listObjects>) => object {
    const accept = request.headers.get('accept')
    const representation =
      wantsYaml(accept) || isServedInProtobuf({ request, info, requestInfo }) ? 'Object' : representationOf(accept)
    if (!representation) {
      if (info.isCustom) throw notAcceptable()
      throw notAcceptableObject(['list', 'watch'].includes(requestInfo.verb) ? listMediaTypes : undefined)
    }
    if (representation === 'Object') {
      return (answer) =>
        isList(answer) ? { ...answer, items: answer.items.map((item) => itemOf(info, item)) } : answer
    }
    if (representation !== 'Table') {
      const wantsList = representation === 'PartialObjectMetadataList' && requestInfo.verb !== 'watch'
      return (answer) => {
        if (isList(answer) === wantsList) return metadataOf(answer)
        const found = isList(answer) ? `a list (${info.listKind})` : `not a list (${info.type.kind})`
        const message = `you requested ${representation}, but the requested object is ${found}`
        throw new StatusError(406, 'NotAcceptable', message)
      }
    }
    const asked = url.searchParams.get('includeObject')
    const includeObject = includeObjectOf(asked)
    if (!includeObject) {
      const fault = `Invalid value: ${JSON.stringify(asked)}: must be 'Metadata', 'Object', 'None', or empty`
      throw badRequest(`Unable to convert to Table as requested: includeObject: ${fault}`)
    }
    // In a watch, only the first event says what the columns are.
    let noHeaders = false
    return (object) => {
      const table = tableOf(object, {
        type: info.type,
        columns: info.columns,
        isCustom: info.isCustom,
        includeObject,
        noHeaders,
        now: clock.now(),
      })
      noHeaders = true
      return table
    }
  }

  /** Reading is as in Kubernetes; writing is the door of whoever plays the kubelet. */
  async function log(call: ResourceCall): Promise<Response> {
    const { request, url, requestInfo } = call
    if (requestInfo.verb !== 'get' && requestInfo.verb !== 'create') throw methodNotHere()
    const pod = read(targetOf(call))
    if (requestInfo.verb === 'get') {
      const body = podLogs.read(pod, url.searchParams, request.signal)
      const headers = { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' }
      return new Response(body, { headers })
    }
    const { options, warnings } = writeOptionsOf(call, url.searchParams)
    const bytes = await bytesOf(request)
    if (!options.isDryRun) await podLogs.append(pod, url.searchParams, bytes)
    return answer(call, 201, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }, warnings)
  }

  async function review(call: ResourceCall): Promise<Response> {
    const { request, info, user, url } = call
    refuseBodyType(request)
    const { options, warnings } = writeOptionsOf(call, url.searchParams)
    const { value, duplicates } = await readBody(request, yaml)
    const body = decode(info, value, { ...options, duplicates })
    const namespace = namespaceOf(call)
    setNamespace(namespace, body)
    const answered = await parts.answerReview(info, body, { user, namespace, name: call.requestInfo.name })
    return answer(call, 201, answered, warnings)
  }

  async function create(call: ResourceCall): Promise<Response> {
    const { request, info, url } = call
    refuseBodyType(request)
    const { options, warnings } = writeOptionsOf(call, url.searchParams)
    const { value, duplicates } = await readBody(request, yaml)
    const written = await writer.create(info, namespaceOf(call), value, { ...options, duplicates })
    return answerWritten(call, 201, written, warnings)
  }

  async function update(call: ResourceCall): Promise<Response> {
    const { request, info, url } = call
    const { options, warnings } = writeOptionsOf(call, url.searchParams)
    const { value, duplicates } = await readBody(request, yaml)
    // Read again when the write starts again: what the first reading left out or filled in, the second one finds so.
    const written = await writer.update(targetOf(call), () => value, {
      ...options,
      duplicates,
      subresource: subresourceOf(call),
      needsResourceVersion: info.isCustom,
      retries: conflictRetries,
    })
    return answerWritten(call, 200, written, warnings)
  }

  async function patch(call: ResourceCall): Promise<Response> {
    const { request, info, url } = call
    const change = await patchOf(request, info, yaml)
    const { options, warnings } = writeOptionsOf(call, url.searchParams)
    refusePatchOptions(url.searchParams, change.isApply)
    const subresource = subresourceOf(call)
    const target = targetOf(call)
    const { duplicates } = change
    const { strictError } = change
    const updateOptions: UpdateOptions = { ...options, duplicates, strictError, subresource, retries: conflictRetries }
    if (!change.isApply) {
      const written = await writer.update(target, (current) => change.apply(current()), updateOptions)
      return answerWritten(call, 200, written, warnings)
    }
    const applied = (live: AnyObject | undefined) =>
      applyConfiguration(info, live, change.config, {
        manager: options.manager,
        isForced: isTrue(url.searchParams.get('force')),
        now: timestamp(clock),
        ...(subresource && { subresource }),
      })
    const isThere = storage.get(collectionOf(info.type), keyOf(target.namespace, target.name)) !== undefined
    if (isThere || subresource) {
      const written = await writer.update(target, (current) => applied(current()), { ...updateOptions, isApply: true })
      return answerWritten(call, 200, written, warnings)
    }
    authorizeCreation(call)
    const named = applied(undefined)
    checkName(named.metadata, target.name)
    const written = await writer.create(info, target.namespace, named, {
      ...options,
      duplicates,
      strictError,
      isApply: true,
    })
    return answerWritten(call, 201, written, warnings)
  }

  /** An apply that creates needs leave to create, too. */
  function authorizeCreation({ info, requestInfo, user }: ResourceCall) {
    const { group, plural } = info.type
    const { namespace, name = '' } = requestInfo
    const { allowed } = authorizer.authorize({ user, verb: 'create', group, resource: plural, namespace, name })
    if (!allowed) throw forbiddenWrite(info, name, `User ${JSON.stringify(user.name)} cannot create it`)
  }

  async function remove(call: ResourceCall): Promise<Response> {
    const { request, url } = call
    const target = targetOf(call)
    const { options, warnings, isAccepted } = deleteOptionsOf(call, await bodyOf(request, yaml), url.searchParams)
    refuseUndeletable(target)
    const result = await writer.delete(target, options)
    const { info } = target
    if (result.isGone && !info.answersDeleted) return answer(call, 200, deleted(info.type, result.object), warnings)
    return answer(call, isAccepted && !result.isGone ? 202 : 200, representer(call)(result.object), warnings)
  }

  async function removeAll(call: ResourceCall): Promise<Response> {
    const { request, url, info } = call
    const { options, warnings } = deleteOptionsOf(call, await bodyOf(request, yaml), url.searchParams)
    selectionOf(info, url.searchParams)
    const list = listObjects(storage, info, namespaceOf(call), url.searchParams)
    for (const { metadata } of list.items) {
      const target = { info, namespace: metadata.namespace, name: metadata.name ?? '' }
      await writer.delete(target, options).catch((error: unknown) => {
        if (!(error instanceof StatusError && error.status.code === 404)) throw error
      })
    }
    return answer(call, 200, representer(call)(list), warnings)
  }
}

/** The namespace of a request, as far as the kind has one. */
const namespaceOf = ({ info, requestInfo }: ResourceCall): string | undefined =>
  info.type.namespaced ? requestInfo.namespace : undefined

function targetOf(call: ResourceCall): Target {
  return { info: call.info, namespace: namespaceOf(call), name: call.requestInfo.name ?? '' }
}

const subresourceOf = ({ requestInfo }: ResourceCall) =>
  requestInfo.subresource === 'status' ? ('status' as const) : undefined

function refuseUndeletable({ info, name }: Target) {
  if (info.type.group === '' && info.type.kind === 'Namespace' && isUndeletable(name)) {
    throw forbiddenWrite(info, name, 'this namespace may not be deleted')
  }
}

function answer(
  call: ResourceCall,
  code: number,
  body: object,
  warnings = createWarnings(call.info.warnings).headers,
): Response {
  return answerText(call, code, encoded(body, call.request.headers.get('accept')), warnings)
}

/** A whole object: nothing has to look into it. */
function answerStored(
  call: ResourceCall,
  code: number,
  stored: Version,
  warnings = createWarnings(call.info.warnings).headers,
): Response {
  return answerText(call, code, { content: servedText(call.info, stored), mediaType: jsonType }, warnings)
}

function answerText(
  { request }: ResourceCall,
  code: number,
  { content, mediaType }: Encoded,
  warnings: readonly string[],
): Response {
  const init = { status: code, headers: headersOf(mediaType, warnings) }
  return gzipped(request, responseOf(content, init), content.length)
}

const headersOf = (mediaType: string, warnings: readonly string[] = []): [string, string][] => [
  ['content-type', mediaType],
  ['cache-control', 'no-cache, private'],
  ...warnings.map((warning): [string, string] => ['warning', warning]),
]

/** Whole, and as JSON. */
const isServedAsStored = (call: ResourceCall): boolean =>
  isServedWhole(call.request) && !wantsYaml(call.request.headers.get('accept')) && !isServedInProtobuf(call)

/** Watches are in JSON whatever is asked for. */
function isServedInProtobuf({
  request,
  info,
  requestInfo,
}: Pick<ResourceCall, 'request' | 'info' | 'requestInfo'>): boolean {
  if (requestInfo.verb === 'watch' || info.isCustom || !wantsProtobuf(request.headers.get('accept'))) return false
  return messageOf(apiVersionOf(info.type), info.type.kind) !== undefined
}

/** Objects as they are: neither as a table nor their metadata alone. */
const isServedWhole = ({ headers }: Request): boolean => {
  const accept = headers.get('accept')
  return wantsYaml(accept) || representationOf(accept) === 'Object'
}
