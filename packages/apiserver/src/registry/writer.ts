import type { StatusCause } from '@slipway/kube/status'
import { forbiddenObject } from '../authorization/forbidden'
import type { UserInfo } from '../authorization/user'
import type { Clock } from '@slipway/kube/clock'
import { timestamp } from '../timestamp'
import { alreadyExists, badRequest, conflict, invalidObject, notFound, type StatusError } from '../errors'
import { forbidden as forbiddenError } from '../errors'
import { randomSuffix, randomUid, type Random } from '../random'
import { invalid } from '../schema/field-error'
import { copyJson } from '../schema/json'
import { WriteConflict, type Storage, type Stored } from '../storage/storage'
import { managedFieldsOf } from './apply'
import type { Catalog } from './catalog'
import { decode, type DecodeOptions } from './decode'
import { isSameJson } from './equality'
import { checkName, finalizerWarnings, frozenCauses, metadataCauses } from './metadata'
import { objectOf, textOf, writingDefaults, type Version } from './objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from './resource'
import { refuseTooLarge } from './size'

export interface WriteOptions extends DecodeOptions {
  /** `undefined` for the server itself, which may hand out any role. */
  user: UserInfo | undefined
  /** Do everything but store. */
  isDryRun: boolean
  /** Whoever says to write, for `metadata.managedFields`; the server itself by default. */
  manager?: string
  /** The object comes with its `managedFields`, as `applyConfiguration` made them. */
  isApply?: boolean
}

/** What the server writes on its own account. */
export const serverWriteOptions: WriteOptions = {
  user: undefined,
  isDryRun: false,
  fieldValidation: 'Ignore',
  warn: () => undefined,
}

export interface Target {
  info: ResourceInfo
  namespace: string | undefined
  name: string
}

export interface UpdateOptions extends WriteOptions {
  subresource?: 'status'
  /** The body must say which version it changes. */
  needsResourceVersion?: boolean
  /** How often to start again when another write comes between. */
  retries: number
}

type TrackOptions = WriteOptions & Pick<UpdateOptions, 'subresource'>

export interface Precondition {
  uid?: string
  resourceVersion?: string
}

export interface DeleteOptions extends WriteOptions {
  preconditions?: Precondition
  propagation?: 'Background' | 'Foreground' | 'Orphan'
}

/** What came of a write. */
export interface Written {
  object: AnyObject
  /** As it is kept now; nothing after a dry run, and when the object went. */
  stored?: Version
}

export type DeleteResult = { isGone: boolean; object: AnyObject }

interface AdmittedWrite {
  info: ResourceInfo
  object: AnyObject
  old: AnyObject | undefined
  user: UserInfo | undefined
}

/** A check beyond the object itself, such as of its namespace or of the rights of who writes. @throws StatusError */
export type Validation = (write: AdmittedWrite) => void

/** What the server adds to an object, in place, before it is checked. No field manager owns it. @throws StatusError */
export type Admission = (write: AdmittedWrite) => void | Promise<void>

type Change = (current: () => AnyObject) => unknown

export interface Writer {
  create(info: ResourceInfo, namespace: string | undefined, body: unknown, options: WriteOptions): Promise<Written>
  /**
   * @param change makes the new object, out of a copy of the stored one if it asks for it; called again when the write
   * starts again
   */
  update(target: Target, change: Change, options: UpdateOptions): Promise<Written>
  delete(target: Target, options: DeleteOptions): Promise<DeleteResult>
}

export interface WriterParts {
  storage: Storage
  clock: Clock
  random: Random
  catalog: Catalog
  /** Before a write of an object, not of its status. */
  admit: Admission
  /** Right before an object is stored: nothing happens in between. */
  validate: Validation
}

const serverManager = 'kube-apiserver'
const generatedNameTries = 8
/** Room for five more characters in a DNS label. */
const generateNameLength = 58
export const foregroundFinalizer = 'foregroundDeletion'
export const orphanFinalizer = 'orphan'

export function createWriter({ storage, clock, random, catalog, admit, validate }: WriterParts): Writer {
  const read = ({ info, namespace, name }: Target): { stored: Stored; object: AnyObject } => {
    const stored = storage.get(collectionOf(info.type), keyOf(namespace, name))
    if (!stored) throw notFound(info.type, name)
    return { stored, object: objectOf(info, stored) }
  }

  function taken({ info, namespace, name }: Target): StatusError {
    const stored = storage.get(collectionOf(info.type), keyOf(namespace, name))
    return alreadyExists(info.type, name, !!stored && !!objectOf(info, stored).metadata.deletionTimestamp)
  }

  async function put(info: ResourceInfo, object: AnyObject, expected: number | undefined): Promise<Written> {
    const { namespace, name = '' } = object.metadata
    const collection = collectionOf(info.type)
    const key = keyOf(namespace, name)
    const value = textOf(info, object)
    refuseTooLarge(info, object, value)
    const revision = await writingDefaults(info, value, () =>
      storage.write({ collection, key, expected, type: 'put', value }),
    )
    object.metadata.resourceVersion = String(revision)
    return { object, stored: { value, revision } }
  }

  const erase = (info: ResourceInfo, object: AnyObject, expected: number) =>
    storage.write({
      collection: collectionOf(info.type),
      key: keyOf(object.metadata.namespace, object.metadata.name ?? ''),
      expected,
      type: 'delete',
      value: textOf(info, object),
    })

  function check(info: ResourceInfo, object: AnyObject, old: AnyObject | undefined, frozen: StatusCause[] = []) {
    const causes = [
      ...frozen,
      ...metadataCauses(info, object, old),
      ...info.compiled().validate(object, old),
      ...(info.validate?.(object, old) ?? []),
    ]
    const { group, kind } = info.type
    const shown = object.metadata.name ?? object.metadata.generateName ?? ''
    // What is kept in the core group is refused in its words.
    if (causes.length > 0) throw invalidObject({ kind, group: info.storedAs ? '' : group }, shown, causes)
  }

  /** Keeps who owns which fields, in place. */
  function track(info: ResourceInfo, old: AnyObject | undefined, object: AnyObject, options: TrackOptions) {
    const { manager = serverManager, subresource } = options
    const writer = { manager, now: timestamp(clock), ...(subresource && { subresource }) }
    const { metadata } = object
    if (!options.isApply) metadata.managedFields = managedFieldsOf(info, old, object, writer)
    if (metadata.managedFields === undefined) delete metadata.managedFields
  }

  async function create(
    info: ResourceInfo,
    namespace: string | undefined,
    body: unknown,
    options: WriteOptions,
  ): Promise<Written> {
    const object = decode(info, body, options)
    const { metadata } = object
    setNamespace(namespace, object)
    if (metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created')
    if (catalog.isTerminating(info)) {
      throw forbiddenWrite(
        info,
        metadata.name ?? '',
        'create not allowed while custom resource definition is terminating',
      )
    }
    const isGenerated = !metadata.name && !!metadata.generateName
    delete metadata.deletionTimestamp
    delete metadata.deletionGracePeriodSeconds
    metadata.uid = randomUid(random)
    metadata.creationTimestamp = timestamp(clock)
    delete metadata.generation
    if (info.hasGeneration) metadata.generation = 1
    if (info.hasStatus && info.isCustom) delete object['status']
    info.prepare?.(object, { clock })
    track(info, undefined, object, options)
    info.fill?.(object)
    finalizerWarnings(info, object).forEach(options.warn)
    await admit({ info, object, old: undefined, user: options.user })
    for (let attempt = 1; ; attempt++) {
      if (isGenerated) metadata.name = `${metadata.generateName?.slice(0, generateNameLength)}${randomSuffix(random)}`
      validate({ info, object, old: undefined, user: options.user })
      check(info, object, undefined)
      const name = metadata.name ?? ''
      try {
        if (options.isDryRun) {
          if (storage.get(collectionOf(info.type), keyOf(namespace, name))) throw taken({ info, namespace, name })
          return { object }
        }
        return await put(info, object, undefined)
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error
        if (!isGenerated || attempt === generatedNameTries) throw taken({ info, namespace, name })
      }
    }
  }

  async function update(target: Target, change: Change, options: UpdateOptions): Promise<Written> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await updateOnce(target, change, options)
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error
        if (error.actual === undefined) throw notFound(target.info.type, target.name)
        if (attempt >= options.retries) throw conflict(target.info.type, target.name)
      }
    }
  }

  async function updateOnce(target: Target, change: Change, options: UpdateOptions): Promise<Written> {
    const { info, namespace, name } = target
    const { stored, object: old } = read(target)
    const changed = decode(
      info,
      change(() => copyJson(old)),
      options,
    )
    const { metadata } = changed
    checkName(metadata, name)
    setNamespace(namespace, changed)
    if (metadata.resourceVersion && metadata.resourceVersion !== '0') {
      if (metadata.resourceVersion !== String(stored.revision)) throw conflict(info.type, name)
    } else if (options.needsResourceVersion) {
      // The real server names the resource here where it names the kind elsewhere.
      throw invalidObject({ group: info.type.group, kind: info.type.plural }, name, [
        invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ])
    }
    if (metadata.uid && metadata.uid !== old.metadata.uid) {
      throw conflict(info.type, name, preconditionFailed('UID', metadata.uid, old.metadata.uid))
    }
    const frozen = options.subresource ? [] : frozenCauses(metadata, old.metadata)
    const object = merged(info, old, changed, options.subresource)
    if (options.isApply) object.metadata.managedFields = metadata.managedFields
    info.prepare?.(object, { old, clock })
    track(info, old, object, options)
    info.fill?.(object)
    finalizerWarnings(info, object, old).forEach(options.warn)
    if (!options.subresource) await admit({ info, object, old, user: options.user })
    if (info.hasGeneration && !isSameJson(countedPart(info, object), countedPart(info, old))) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1
    }
    validate({ info, object, old, user: options.user })
    check(info, object, old, frozen)
    if (isSameJson(withoutTimes(object), withoutTimes(old))) return { object: old, stored }
    if (options.isDryRun) return { object }
    if (isFinished(object)) {
      object.metadata.resourceVersion = String(await erase(info, object, stored.revision))
      return { object }
    }
    return put(info, object, stored.revision)
  }

  async function remove(target: Target, options: DeleteOptions): Promise<DeleteResult> {
    for (;;) {
      try {
        return await removeOnce(target, options)
      } catch (error) {
        // Whoever names no version wants the object gone, whatever happens to it meanwhile.
        if (!(error instanceof WriteConflict)) throw error
      }
    }
  }

  async function removeOnce(target: Target, options: DeleteOptions): Promise<DeleteResult> {
    const { info } = target
    const { stored, object } = read(target)
    const { metadata } = object
    refuseOther(info, object, options.preconditions)
    const before = copyJson(object)
    if (options.propagation) {
      const wanted = { Foreground: foregroundFinalizer, Orphan: orphanFinalizer, Background: undefined }
      const others = (metadata.finalizers ?? []).filter(
        (finalizer) => finalizer !== foregroundFinalizer && finalizer !== orphanFinalizer,
      )
      const added = wanted[options.propagation]
      metadata.finalizers = added ? [...others, added] : others
      if (metadata.finalizers.length === 0) delete metadata.finalizers
    }
    const mark = () => {
      if (metadata.deletionTimestamp) return
      metadata.deletionTimestamp = timestamp(clock)
      if (info.terminate) return info.terminate(object, clock)
      metadata.deletionGracePeriodSeconds = 0
      if (metadata.generation !== undefined) metadata.generation++
    }
    if (info.terminate) mark()
    if (!metadata.finalizers?.length && !isNamespaceInUse(object)) {
      if (info.isGraceful) mark()
      if (!options.isDryRun) await erase(info, object, stored.revision)
      return { isGone: true, object }
    }
    mark()
    if (options.isDryRun || isSameJson(object, before)) return { isGone: false, object }
    await put(info, object, stored.revision)
    return { isGone: false, object }
  }

  return { create, update, delete: remove }
}

/** @throws StatusError 400 when the object says that it belongs elsewhere */
export function setNamespace(namespace: string | undefined, { metadata }: AnyObject) {
  if (metadata.namespace && metadata.namespace !== namespace) {
    if (namespace !== undefined) {
      throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
    }
    throw badRequest('namespace is not allowed on this type')
  }
  if (namespace === undefined) delete metadata.namespace
  else metadata.namespace = namespace
}

/** @throws StatusError 409 for an object that is not, or no longer, the one that is meant */
function refuseOther({ type, terminate }: ResourceInfo, { metadata }: AnyObject, meant: Precondition = {}) {
  const { name = '', uid, resourceVersion } = metadata
  const refuse = (part: string, wanted: string, actual: string | undefined, remark: string) => {
    // Kinds that are emptied first have a deletion of their own, which words this in another way.
    if (terminate) throw conflict(type, name, preconditionFailed(part, wanted, actual))
    const detail = `the ${part} in the precondition (${wanted}) does not match the ${part} in record (${actual})`
    // The real server names the kind here where it names the resource elsewhere.
    throw conflict({ group: type.group, plural: type.kind }, name, `${detail}. ${remark}`)
  }
  if (meant.uid && meant.uid !== uid) {
    refuse('UID', meant.uid, uid, 'The object might have been deleted and then recreated')
  }
  if (meant.resourceVersion && meant.resourceVersion !== resourceVersion) {
    refuse('ResourceVersion', meant.resourceVersion, resourceVersion, 'The object might have been modified')
  }
}

const preconditionFailed = (part: string, wanted: string, actual: string | undefined) =>
  `Precondition failed: ${part} in precondition: ${wanted}, ${part} in object meta: ${actual}`

/** What is stored when `changed` is written over `old`: each side of the status subresource leaves the other alone. */
function merged(info: ResourceInfo, old: AnyObject, changed: AnyObject, subresource: 'status' | undefined): AnyObject {
  if (subresource === 'status') return withStatus(withMetadataOfStatus(info, old, changed), changed['status'])
  const object = info.hasStatus ? withStatus(changed, old['status']) : changed
  const { metadata } = object
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation, resourceVersion } =
    old.metadata
  Object.assign(metadata, {
    uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation,
    resourceVersion,
  })
  return object
}

/**
 * `old` with what else whoever writes the status may write. It shares with `old` what stays as it is, so that whoever
 * compares the two is soon done: what is stored was prepared before, and preparing it again changes nothing in place.
 */
function withMetadataOfStatus(info: ResourceInfo, old: AnyObject, { metadata }: AnyObject): AnyObject {
  const object = { ...old, metadata: { ...old.metadata } }
  if (!info.statusTakesMetadata) return object
  const { labels, annotations, finalizers } = metadata
  Object.assign(object.metadata, { labels, annotations, finalizers })
  return object
}

function withStatus(object: AnyObject, status: unknown): AnyObject {
  if (status === undefined) delete object['status']
  else object['status'] = status
  return object
}

/** When fields were written says nothing new when nothing else does. */
function withoutTimes(object: AnyObject): AnyObject {
  const managedFields = object.metadata.managedFields?.map(({ time: _, ...entry }) => entry)
  return { ...object, metadata: { ...object.metadata, managedFields } }
}

/** The part of an object whose changes count as generations. */
function countedPart({ hasStatus }: ResourceInfo, { metadata: _, ...rest }: AnyObject): object {
  return hasStatus ? { ...rest, status: undefined } : rest
}

/** Is nothing left that keeps an object from going? */
const isFinished = (object: AnyObject): boolean =>
  !!object.metadata.deletionTimestamp && !object.metadata.finalizers?.length && !isNamespaceInUse(object)

/** A namespace carries its finalizers in its spec; they go when it is empty. */
function isNamespaceInUse(object: AnyObject): boolean {
  if (object.kind !== 'Namespace' || object.apiVersion !== 'v1') return false
  const { finalizers } = (object['spec'] ?? {}) as { finalizers?: string[] }
  return !!finalizers?.length
}

/** The refusal to write an object, in the words of an admission plugin. */
export const forbiddenWrite = (
  info: ResourceInfo,
  name: string,
  detail: string,
  causes?: [{ reason: string; message: string; field: string }],
) =>
  forbiddenError(
    forbiddenObject({ group: info.type.group, resource: info.type.plural, name }, detail),
    info.type,
    name,
    causes,
  )
