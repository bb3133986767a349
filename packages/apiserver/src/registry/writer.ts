import { isSameJson } from '@slipway/kube/json'
import type { StatusCause } from '@slipway/kube/status'
import type { Clock } from '@slipway/kube/clock'
import type { UserInfo } from '@slipway/kube/user'
import { forbiddenObject } from '../authorization/forbidden'
import { timestamp } from '../timestamp'
import { alreadyExists, badRequest, conflict, invalidObject, notFound, type StatusError } from '../errors'
import { forbidden as forbiddenError } from '../errors'
import { randomSuffix, randomUid, type Random } from '../random'
import { invalid } from '../field-error'
import { copyJson } from '../apiextensions/json'
import { WriteConflict, type Storage, type Stored } from '../storage/storage'
import { applyConfiguration, managedFieldsOf } from './apply'
import type { Catalog } from './catalog'
import { decode, type DecodeOptions } from './decode'
import { checkName, finalizerWarnings, immutableFieldCauses, metadataCauses, setNamespace } from './metadata'
import { objectStore, type Target, type Written } from './object-store'
import { deserialize, isBeingDeleted } from './objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../resource'
import { generationInput, mergeUpdate, withoutTimes, type WriteSubresource } from './merge-update'
import { checkPreconditions, preconditionFailed, type Precondition } from './preconditions'
import { createTurns } from './turns'

export interface WriteOptions extends DecodeOptions {
  /** `undefined` for the server itself, which may grant any role. */
  user: UserInfo | undefined
  /** Do everything except store. */
  isDryRun: boolean
  /** Field manager for `metadata.managedFields`; the server itself by default. */
  manager?: string
}

/** Options for the server's own writes. */
export const serverWriteOptions: WriteOptions = {
  user: undefined,
  isDryRun: false,
  fieldValidation: 'Ignore',
  warn: () => undefined,
}

interface Creation {
  type: 'create'
  /** Contains the name, or a prefix for one; that of the target is ignored. */
  body: unknown
  subresource?: undefined
}

interface Update {
  type: 'update'
  /** Returns the new object, based on a copy of the stored one if it calls `current`. */
  change(current: () => AnyObject): unknown
  subresource?: WriteSubresource
  /** The body must contain the resource version that it changes. */
  needsResourceVersion?: boolean
}

interface Apply {
  type: 'apply'
  config: unknown
  isForced: boolean
  subresource?: WriteSubresource
  /** Called if the object does not exist yet. @throws StatusError if the user may not create it */
  assertMayCreate(): void
}

/**
 * What a write does to the object that it finds. If another write intervenes, it finds another object, or none, and
 * everything is decided again, also who owns the fields.
 */
export type Intent = Creation | Update | Apply

export interface DeleteOptions extends WriteOptions {
  preconditions?: Precondition
  propagation?: 'Background' | 'Foreground' | 'Orphan'
}

export type DeleteResult = { isDeleted: boolean; object: AnyObject }

interface AdmittedWrite {
  resource: ResourceInfo
  object: AnyObject
  old: AnyObject | undefined
  user: UserInfo | undefined
}

/** A check beyond the object itself, such as its namespace or the user's permissions. @throws StatusError */
export type Validation = (write: AdmittedWrite) => void

/** A check before an object is deleted, whether it exists or not. @throws StatusError */
export type DeleteValidation = (target: Target) => void

/** Modifies an object in place before validation. No field manager owns the additions. @throws StatusError */
export type Admission = (write: AdmittedWrite) => void | Promise<void>

export interface Writer {
  /** Never fails because other writes intervene, unless the client names the version that it changes. */
  write(target: Target, intent: Intent, options: WriteOptions): Promise<Written>
  delete(target: Target, options: DeleteOptions): Promise<DeleteResult>
}

export interface WriterParts {
  storage: Storage
  clock: Clock
  random: Random
  catalog: Catalog
  /** Called before a write of an object, but not of its status. */
  admit: Admission
  /** Called synchronously right before an object is stored. */
  validate: Validation
  validateDelete: DeleteValidation
}

const serverManager = 'kube-apiserver'
const maxNameAttempts = 8
/** Leaves room for five more characters in a DNS label. */
const maxPrefixLength = 58
export const foregroundFinalizer = 'foregroundDeletion'
export const orphanFinalizer = 'orphan'

export function createWriter({
  storage,
  clock,
  random,
  catalog,
  admit,
  validate,
  validateDelete,
}: WriterParts): Writer {
  const objects = objectStore(storage)
  const inTurn = createTurns()

  function alreadyExistsError(target: Target): StatusError {
    const stored = objects.find(target)
    return alreadyExists(target.resource.type, target.name, !!stored && isBeingDeleted(stored.value))
  }

  function check(
    resource: ResourceInfo,
    object: AnyObject,
    old: AnyObject | undefined,
    immutableCauses: StatusCause[] = [],
  ) {
    const causes = [
      ...immutableCauses,
      ...metadataCauses(resource, object, old),
      ...resource.compiled().validate(object, old),
      ...(resource.validate?.(object, old) ?? []),
    ]
    const { group, kind } = resource.type
    const shown = object.metadata.name ?? object.metadata.generateName ?? ''
    // The real server names the core group for kinds stored there.
    if (causes.length > 0) throw invalidObject({ kind, group: resource.conversion ? '' : group }, shown, causes)
  }

  const fieldWriterOf = ({ manager = serverManager }: WriteOptions, { subresource }: Intent) => ({
    manager,
    now: timestamp(clock),
    ...(subresource && { subresource }),
  })

  /** Updates `managedFields` in place. An apply has done so already, and finalizing changes no owners. */
  function updateManagedFields(
    resource: ResourceInfo,
    old: AnyObject | undefined,
    object: AnyObject,
    intent: Intent,
    options: WriteOptions,
  ) {
    const { metadata } = object
    if (intent.type !== 'apply' && intent.subresource !== 'finalize') {
      metadata.managedFields = managedFieldsOf(resource, old, object, fieldWriterOf(options, intent))
    }
    if (metadata.managedFields === undefined) delete metadata.managedFields
  }

  /** @param live `undefined` if the object does not exist yet */
  const applied = (resource: ResourceInfo, live: AnyObject | undefined, intent: Apply, options: WriteOptions) =>
    // A copy, since preparing the result for storage changes it in place.
    applyConfiguration(resource, live, copyJson(intent.config), {
      ...fieldWriterOf(options, intent),
      isForced: intent.isForced,
    })

  async function write(target: Target, intent: Intent, options: WriteOptions): Promise<Written> {
    try {
      return await writeOnce(target, intent, options)
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
    }
    const retry = () => untilUncontended(() => writeOnce(target, intent, options))
    // An admission may wait for the controllers, so that those must not wait for its write.
    if (options.user === undefined) return retry()
    return inTurn(`${collectionOf(target.resource.type)} ${keyOf(target.namespace, target.name)}`, retry)
  }

  /** @throws WriteConflict if another write intervenes */
  async function writeOnce(target: Target, intent: Intent, options: WriteOptions): Promise<Written> {
    if (intent.type === 'create') return create(target, intent.body, intent, options)
    const stored = objects.find(target)
    if (stored) return update(target, stored, intent, options)
    const { resource, name } = target
    if (intent.type === 'update' || intent.subresource) throw notFound(resource.type, name)
    intent.assertMayCreate()
    const body = applied(resource, undefined, intent, options)
    checkName(body.metadata, name)
    return create(target, body, intent, options)
  }

  async function create(
    { resource, namespace }: Target,
    body: unknown,
    intent: Creation | Apply,
    options: WriteOptions,
  ): Promise<Written> {
    const object = decode(resource, body, options)
    const { metadata } = object
    setNamespace(namespace, object)
    if (metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created')
    if (catalog.isTerminating(resource)) {
      throw forbiddenWrite(
        resource,
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
    if (resource.hasGeneration) metadata.generation = 1
    if (resource.hasStatus && resource.isCustom) delete object['status']
    resource.prepare?.(object, { clock })
    updateManagedFields(resource, undefined, object, intent, options)
    resource.fill?.(object)
    finalizerWarnings(resource, object).forEach(options.warn)
    await admit({ resource, object, old: undefined, user: options.user })
    for (let attempt = 1; ; attempt++) {
      if (isGenerated) metadata.name = `${metadata.generateName?.slice(0, maxPrefixLength)}${randomSuffix(random)}`
      validate({ resource, object, old: undefined, user: options.user })
      check(resource, object, undefined)
      const name = metadata.name ?? ''
      try {
        return await objects.put(resource, object, undefined, options)
      } catch (error) {
        if (!(error instanceof WriteConflict) || intent.type === 'apply') throw error
        if (!isGenerated || attempt === maxNameAttempts) throw alreadyExistsError({ resource, namespace, name })
      }
    }
  }

  async function update(
    target: Target,
    stored: Stored,
    intent: Update | Apply,
    options: WriteOptions,
  ): Promise<Written> {
    const { resource, namespace, name } = target
    const { subresource } = intent
    const old = deserialize(resource, stored)
    const current = () => copyJson(old)
    const body = intent.type === 'apply' ? applied(resource, current(), intent, options) : intent.change(current)
    const changed = decode(resource, body, options)
    const { metadata } = changed
    checkName(metadata, name)
    setNamespace(namespace, changed)
    if (metadata.resourceVersion && metadata.resourceVersion !== '0') {
      if (metadata.resourceVersion !== String(stored.revision)) throw conflict(resource.type, name)
    } else if (intent.type === 'update' && intent.needsResourceVersion) {
      // The real server names the resource here, although it names the kind elsewhere.
      throw invalidObject({ group: resource.type.group, kind: resource.type.plural }, name, [
        invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ])
    }
    if (metadata.uid && metadata.uid !== old.metadata.uid) {
      throw conflict(resource.type, name, preconditionFailed('UID', metadata.uid, old.metadata.uid))
    }
    const immutableCauses = subresource ? [] : immutableFieldCauses(metadata, old.metadata)
    const object = mergeUpdate(resource, old, changed, subresource)
    if (intent.type === 'apply') object.metadata.managedFields = metadata.managedFields
    if (subresource !== 'finalize') resource.prepare?.(object, { old, clock })
    updateManagedFields(resource, old, object, intent, options)
    resource.fill?.(object)
    finalizerWarnings(resource, object, old).forEach(options.warn)
    if (!subresource) await admit({ resource, object, old, user: options.user })
    if (resource.hasGeneration && !isSameJson(generationInput(resource, object), generationInput(resource, old))) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1
    }
    validate({ resource, object, old, user: options.user })
    check(resource, object, old, immutableCauses)
    if (isSameJson(withoutTimes(object), withoutTimes(old))) return { object: old, isCreated: false, stored }
    if (!isFinished(resource, object) || options.isDryRun)
      return objects.put(resource, object, stored.revision, options)
    object.metadata.resourceVersion = String(await objects.remove(resource, object, stored.revision))
    return { object, isCreated: false }
  }

  async function remove(target: Target, options: DeleteOptions): Promise<DeleteResult> {
    validateDelete(target)
    // A deletion without a version applies whatever changes in the meantime.
    return untilUncontended(() => removeOnce(target, options))
  }

  async function removeOnce(target: Target, options: DeleteOptions): Promise<DeleteResult> {
    const { resource, name } = target
    const stored = objects.find(target)
    if (!stored) throw notFound(resource.type, name)
    const object = deserialize(resource, stored)
    const { metadata } = object
    checkPreconditions(resource, object, options.preconditions)
    const before = copyJson(object)
    if (options.propagation) {
      const finalizerOf = { Foreground: foregroundFinalizer, Orphan: orphanFinalizer, Background: undefined }
      const others = (metadata.finalizers ?? []).filter(
        (finalizer) => finalizer !== foregroundFinalizer && finalizer !== orphanFinalizer,
      )
      const added = finalizerOf[options.propagation]
      metadata.finalizers = added ? [...others, added] : others
      if (metadata.finalizers.length === 0) delete metadata.finalizers
    }
    const mark = () => {
      if (metadata.deletionTimestamp) return
      metadata.deletionTimestamp = timestamp(clock)
      if (resource.terminate) return resource.terminate(object, clock)
      metadata.deletionGracePeriodSeconds = 0
      if (metadata.generation !== undefined) metadata.generation++
    }
    if (resource.terminate) mark()
    if (!metadata.finalizers?.length && !resource.isInUse?.(object)) {
      if (resource.isGraceful) mark()
      if (!options.isDryRun) await objects.remove(resource, object, stored.revision)
      return { isDeleted: true, object }
    }
    mark()
    if (options.isDryRun || isSameJson(object, before)) return { isDeleted: false, object }
    await objects.put(resource, object, stored.revision, options)
    return { isDeleted: false, object }
  }

  return { write, delete: remove }
}

/** Repeats a write until no other one intervenes. */
async function untilUncontended<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
    }
  }
}

/** True if nothing prevents the removal of an object that is being deleted. */
const isFinished = (resource: ResourceInfo, object: AnyObject): boolean =>
  !!object.metadata.deletionTimestamp && !object.metadata.finalizers?.length && !resource.isInUse?.(object)

/** The error for a forbidden write, worded as by an admission plugin. */
export const forbiddenWrite = (
  resource: ResourceInfo,
  name: string,
  detail: string,
  causes?: [{ reason: string; message: string; field: string }],
) =>
  forbiddenError(
    forbiddenObject({ group: resource.type.group, resource: resource.type.plural, name }, detail),
    resource.type,
    name,
    causes,
  )
