import { isTrue } from '@slipway/kube/api-request'
import type { Clock } from '@slipway/kube/clock'
import type { UserInfo } from '@slipway/kube/user'
import type { Authorizer } from '../../authorization/authorizer'
import { deleted, methodNotAllowed, methodNotAllowedOnPath, notFound, StatusError, unknownPath } from '../../errors'
import { readBodyValue, readBytes, readBody, assertBodyType, type YamlReader } from '../../http/body'
import { gzipped } from '../../http/compression'
import { jsonType } from '../../http/negotiation'
import type { PodLogs } from '../../kubelet/pod-logs'
import { streamOf } from '../../http/text-stream'
import type { Storage } from '../../storage/storage'
import { deleteOptionsOf, checkPatchOptions, writeOptionsOf, type ResourceCall } from './call-options'
import { decode } from '../../registry/decode'
import { listObjects, listStored, listTexts, minimumRevision } from './list'
import { setNamespace } from '../../registry/metadata'
import type { Target, Written } from '../../registry/object-store'
import { deserialize, type Version } from '../../registry/objects'
import { patchOf } from './patch'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../../resource'
import { selectionOf } from '../../registry/selection'
import { headersOf, isServedAsStored, isServedWhole, representer, respond, respondWithStored } from './representation'
import { createWarnings } from './warnings'
import type { Watches } from './watch'
import { forbiddenWrite, type Intent, type Writer } from '../../registry/writer'

export interface HandlerParts {
  storage: Storage
  clock: Clock
  writer: Writer
  watches: Watches
  podLogs: PodLogs
  authorizer: Authorizer
  runReview: RunReview
  yaml: YamlReader
}

/** Evaluates a review, which is posted but not stored. @throws StatusError */
export type RunReview = (
  resource: ResourceInfo,
  body: AnyObject,
  context: { user: UserInfo; namespace: string | undefined; name: string | undefined },
) => Promise<AnyObject>

/** Handles resource requests that have been authorized. */
export function createHandler(parts: HandlerParts): (call: ResourceCall) => Promise<Response> {
  const { storage, clock, writer, watches, podLogs, authorizer, yaml } = parts

  return async function handle(call) {
    const { request, url, resource, requestInfo } = call
    const { subresource, verb } = requestInfo
    const namespace = namespaceOf(call)
    const served = resource.subresources?.find(({ name }) => name === subresource)?.servedBy
    if (served === 'log') return log(call)
    if (served) return handle({ ...call, resource: served, requestInfo: { ...requestInfo, subresource: undefined } })
    if (subresource !== undefined && !(subresource === 'status' && resource.hasStatus)) {
      throw resource.isCustom ? notFound(resource.type, requestInfo.name ?? '') : unknownPath()
    }
    const isServed = subresource ? ['get', 'update', 'patch'].includes(verb) : resource.verbs.includes(verb)
    if (!isServed) throw resource.isCustom ? methodNotAllowed(resource.type, verb) : methodNotAllowedOnPath()
    const isNamed = requestInfo.name !== undefined
    // A token is requested for a named service account.
    if (verb === 'create' ? isNamed && !resource.review : !isNamed && (verb === 'update' || verb === 'patch')) {
      throw methodNotAllowedOnPath()
    }
    const represent = representer(call, clock)
    switch (verb) {
      case 'get':
        minimumRevision(storage, url.searchParams)
        if (isServedAsStored(call)) return respondWithStored(call, 200, stored(targetOf(call)))
        return respond(call, 200, represent(read(targetOf(call))))
      case 'list':
        if (isServedAsStored(call)) return respondWithList(call, namespace)
        return respond(call, 200, represent(listObjects(storage, resource, namespace, url.searchParams)))
      case 'watch':
        return new Response(
          watches.open({
            resource,
            namespace,
            query: url.searchParams,
            represent: isServedWhole(request) ? undefined : represent,
            signal: request.signal,
          }),
          { headers: headersOf(jsonType, createWarnings(resource.warnings).headers) },
        )
      case 'create':
        return resource.review ? review(call) : create(call)
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

  /** A list of whole objects, served without parsing them. */
  function respondWithList({ request, resource, url }: ResourceCall, namespace: string | undefined): Response {
    const page = listStored(storage, resource, namespace, url.searchParams)
    const bytes = page.items.reduce((sum, { value }) => sum + value.length, 0)
    const body = streamOf(listTexts(resource, page))
    return gzipped(
      request,
      new Response(body, { headers: headersOf(jsonType, createWarnings(resource.warnings).headers) }),
      bytes,
    )
  }

  function stored({ resource, namespace, name }: Target): Version {
    const found = storage.get(collectionOf(resource.type), keyOf(namespace, name))
    if (!found) throw notFound(resource.type, name)
    return found
  }

  function read(target: Target): AnyObject {
    return deserialize(target.resource, stored(target))
  }

  function respondWithWritten(call: ResourceCall, written: Written, warnings: readonly string[]): Response {
    const code = written.isCreated ? 201 : 200
    return written.stored && isServedAsStored(call)
      ? respondWithStored(call, code, written.stored, warnings)
      : respond(call, code, representer(call, clock)(written.object), warnings)
  }

  /** Reading works as in Kubernetes; writing is our own extension for a simulated kubelet. */
  async function log(call: ResourceCall): Promise<Response> {
    const { request, url, requestInfo } = call
    if (requestInfo.verb !== 'get' && requestInfo.verb !== 'create') throw methodNotAllowedOnPath()
    const pod = read(targetOf(call))
    if (requestInfo.verb === 'get') {
      const body = podLogs.read(pod, url.searchParams, request.signal)
      if (!body) return new Response(null, { status: 204 })
      const headers = { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' }
      return new Response(body, { headers })
    }
    const { options, warnings } = writeOptionsOf(call, url.searchParams)
    const bytes = await readBytes(request)
    if (!options.isDryRun) await podLogs.append(pod, url.searchParams, bytes)
    return respond(
      call,
      201,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
      warnings,
    )
  }

  async function review(call: ResourceCall): Promise<Response> {
    const { request, resource, user, url } = call
    assertBodyType(request)
    const { options, warnings } = writeOptionsOf(call, url.searchParams)
    const { value, duplicates } = await readBody(request, yaml)
    const body = decode(resource, value, { ...options, duplicates })
    const namespace = namespaceOf(call)
    setNamespace(namespace, body)
    const reviewed = await parts.runReview(resource, body, { user, namespace, name: call.requestInfo.name })
    return respond(call, 201, reviewed, warnings)
  }

  async function create(call: ResourceCall): Promise<Response> {
    const { request, url } = call
    assertBodyType(request)
    const { options, warnings } = writeOptionsOf(call, url.searchParams)
    const { value, duplicates } = await readBody(request, yaml)
    const intent = { type: 'create', body: value } as const
    const written = await writer.write(targetOf(call), intent, { ...options, duplicates })
    return respondWithWritten(call, written, warnings)
  }

  async function update(call: ResourceCall): Promise<Response> {
    const { request, resource, url } = call
    const { options, warnings } = writeOptionsOf(call, url.searchParams)
    const { value, duplicates } = await readBody(request, yaml)
    const intent: Intent = {
      type: 'update',
      // A retry decodes the same value again: pruning and defaulting it twice changes nothing.
      change: () => value,
      subresource: subresourceOf(call),
      needsResourceVersion: resource.isCustom,
    }
    const written = await writer.write(targetOf(call), intent, { ...options, duplicates })
    return respondWithWritten(call, written, warnings)
  }

  async function patch(call: ResourceCall): Promise<Response> {
    const { request, resource, url } = call
    const change = await patchOf(request, resource, yaml)
    const { options, warnings } = writeOptionsOf(call, url.searchParams)
    checkPatchOptions(url.searchParams, change.isApply)
    const subresource = subresourceOf(call)
    const { duplicates, strictError } = change
    const intent: Intent = change.isApply
      ? {
          type: 'apply',
          config: change.config,
          isForced: isTrue(url.searchParams.get('force')),
          subresource,
          assertMayCreate: () => authorizeCreation(call),
        }
      : { type: 'update', change: (current) => change.apply(current()), subresource }
    const written = await writer.write(targetOf(call), intent, { ...options, duplicates, strictError })
    return respondWithWritten(call, written, warnings)
  }

  /** An apply that creates an object also needs permission to create it. */
  function authorizeCreation({ resource, requestInfo, user }: ResourceCall) {
    const { group, plural } = resource.type
    const { namespace, name = '' } = requestInfo
    const { allowed } = authorizer.authorize({ user, verb: 'create', group, resource: plural, namespace, name })
    if (!allowed) throw forbiddenWrite(resource, name, `User ${JSON.stringify(user.name)} cannot create it`)
  }

  async function remove(call: ResourceCall): Promise<Response> {
    const { request, url } = call
    const target = targetOf(call)
    const { options, warnings, isAccepted } = deleteOptionsOf(
      call,
      await readBodyValue(request, yaml),
      url.searchParams,
    )
    const result = await writer.delete(target, options)
    const { resource } = target
    if (result.isDeleted && !resource.returnsDeletedObject)
      return respond(call, 200, deleted(resource.type, result.object), warnings)
    return respond(call, isAccepted && !result.isDeleted ? 202 : 200, representer(call, clock)(result.object), warnings)
  }

  async function removeAll(call: ResourceCall): Promise<Response> {
    const { request, url, resource } = call
    const { options, warnings } = deleteOptionsOf(call, await readBodyValue(request, yaml), url.searchParams)
    selectionOf(resource, url.searchParams)
    const list = listObjects(storage, resource, namespaceOf(call), url.searchParams)
    for (const { metadata } of list.items) {
      const target = { resource, namespace: metadata.namespace, name: metadata.name ?? '' }
      await writer.delete(target, options).catch((error: unknown) => {
        if (!(error instanceof StatusError && error.status.code === 404)) throw error
      })
    }
    return respond(call, 200, representer(call, clock)(list), warnings)
  }
}

/** The namespace of a request; `undefined` for cluster-scoped kinds. */
const namespaceOf = ({ resource, requestInfo }: ResourceCall): string | undefined =>
  resource.type.namespaced ? requestInfo.namespace : undefined

function targetOf(call: ResourceCall): Target {
  return { resource: call.resource, namespace: namespaceOf(call), name: call.requestInfo.name ?? '' }
}

const subresourceOf = ({ requestInfo }: ResourceCall) =>
  requestInfo.subresource === 'status' ? ('status' as const) : undefined
