import { isSameJson } from '@slipway/kube/json'
import type { StatusCause } from '@slipway/kube/status'
import type { Clock } from '@slipway/kube/clock'
import type { UserInfo } from '@slipway/kube/user'
import { forbiddenObject } from '../authorization/forbidden'
import { timestamp } from '../timestamp'
import { alreadyExists, badRequest, conflict, invalidObject, notFound, type StatusError } from '../errors'
import { forbidden as forbiddenError } from '../errors'
import { randomSuffix, randomUid, type Random } from '../random'
import { invalid } from '../apiextensions/field-error'
import { copyJson } from '../apiextensions/json'
import { WriteConflict, type Storage, type Stored } from '../storage/storage'
import { managedFieldsOf } from './apply'
import type { Catalog } from './catalog'
import { decode, type DecodeOptions } from './decode'
import { checkName, finalizerWarnings, immutableFieldCauses, metadataCauses } from './metadata'
import { deserialize, serialize, writeWithDefaults, type Version } from './objects'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../resource'
import { generationInput, mergeUpdate, withoutTimes, type WriteSubresource } from './merge-update'
import { checkPreconditions, preconditionFailed, type Precondition } from './preconditions'
import { assertSize } from './size'

export interface WriteOptions extends DecodeOptions {
  /** `undefined` for the server itself, which may grant any role. */
  user: UserInfo | undefined
  /** Do everything except store. */
  isDryRun: boolean
  /** Field manager for `metadata.managedFields`; the server itself by default. */
  manager?: string
  /** The object already has the `managedFields` that `applyConfiguration` computed. */
  isApply?: boolean
}

/** Options for the server's own writes. */
export const serverWriteOptions: WriteOptions = {
  user: undefined,
  isDryRun: false,
  fieldValidation: 'Ignore',
  warn: () => undefined,
}

export interface Target {
  resource: ResourceInfo
  namespace: string | undefined
  name: string
}

export interface UpdateOptions extends WriteOptions {
  subresource?: WriteSubresource
  /** The body must contain the resource version that it changes. */
  needsResourceVersion?: boolean
  /** How often to retry when another write intervenes. */
  retries: number
}

type OwnershipOptions = WriteOptions & Pick<UpdateOptions, 'subresource'>

export interface DeleteOptions extends WriteOptions {
  preconditions?: Precondition
  propagation?: 'Background' | 'Foreground' | 'Orphan'
}

/** The result of a write. */
export interface Written {
  object: AnyObject
  /** The stored version; absent after a dry run or if the object was removed. */
  stored?: Version
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

type Change = (current: () => AnyObject) => unknown

export interface Writer {
  create(resource: ResourceInfo, namespace: string | undefined, body: unknown, options: WriteOptions): Promise<Written>
  /**
   * @param change returns the new object, based on a copy of the stored one if it calls `current`; called again on
   * each retry
   */
  update(target: Target, change: Change, options: UpdateOptions): Promise<Written>
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
  const read = ({ resource, namespace, name }: Target): { stored: Stored; object: AnyObject } => {
    const stored = storage.get(collectionOf(resource.type), keyOf(namespace, name))
    if (!stored) throw notFound(resource.type, name)
    return { stored, object: deserialize(resource, stored) }
  }

  function alreadyExistsError({ resource, namespace, name }: Target): StatusError {
    const stored = storage.get(collectionOf(resource.type), keyOf(namespace, name))
    return alreadyExists(resource.type, name, !!stored && !!deserialize(resource, stored).metadata.deletionTimestamp)
  }

  async function put(resource: ResourceInfo, object: AnyObject, expected: number | undefined): Promise<Written> {
    const { namespace, name = '' } = object.metadata
    const collection = collectionOf(resource.type)
    const key = keyOf(namespace, name)
    const value = serialize(resource, object)
    assertSize(resource, object, value)
    const revision = await writeWithDefaults(resource, value, () =>
      storage.write({ collection, key, expected, type: 'put', value }),
    )
    object.metadata.resourceVersion = String(revision)
    return { object, stored: { value, revision } }
  }

  const deleteStored = (resource: ResourceInfo, object: AnyObject, expected: number) =>
    storage.write({
      collection: collectionOf(resource.type),
      key: keyOf(object.metadata.namespace, object.metadata.name ?? ''),
      expected,
      type: 'delete',
      value: serialize(resource, object),
    })

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

  /** Updates `managedFields` in place. */
  function updateManagedFields(
    resource: ResourceInfo,
    old: AnyObject | undefined,
    object: AnyObject,
    options: OwnershipOptions,
  ) {
    const { manager = serverManager, subresource } = options
    const writer = { manager, now: timestamp(clock), ...(subresource && { subresource }) }
    const { metadata } = object
    if (!options.isApply) metadata.managedFields = managedFieldsOf(resource, old, object, writer)
    if (metadata.managedFields === undefined) delete metadata.managedFields
  }

  async function create(
    resource: ResourceInfo,
    namespace: string | undefined,
    body: unknown,
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
    updateManagedFields(resource, undefined, object, options)
    resource.fill?.(object)
    finalizerWarnings(resource, object).forEach(options.warn)
    await admit({ resource, object, old: undefined, user: options.user })
    for (let attempt = 1; ; attempt++) {
      if (isGenerated) metadata.name = `${metadata.generateName?.slice(0, maxPrefixLength)}${randomSuffix(random)}`
      validate({ resource, object, old: undefined, user: options.user })
      check(resource, object, undefined)
      const name = metadata.name ?? ''
      try {
        if (options.isDryRun) {
          if (storage.get(collectionOf(resource.type), keyOf(namespace, name)))
            throw alreadyExistsError({ resource, namespace, name })
          return { object }
        }
        return await put(resource, object, undefined)
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error
        if (!isGenerated || attempt === maxNameAttempts) throw alreadyExistsError({ resource, namespace, name })
      }
    }
  }

  async function update(target: Target, change: Change, options: UpdateOptions): Promise<Written> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await updateOnce(target, change, options)
      } catch (error) {
        if (!(error instanceof WriteConflict)) throw error
        if (error.actual === undefined) throw notFound(target.resource.type, target.name)
        if (attempt >= options.retries) throw conflict(target.resource.type, target.name)
      }
    }
  }

  async function updateOnce(target: Target, change: Change, options: UpdateOptions): Promise<Written> {
    const { resource, namespace, name } = target
    const { stored, object: old } = read(target)
    const changed = decode(
      resource,
      change(() => copyJson(old)),
      options,
    )
    const { metadata } = changed
    checkName(metadata, name)
    setNamespace(namespace, changed)
    if (metadata.resourceVersion && metadata.resourceVersion !== '0') {
      if (metadata.resourceVersion !== String(stored.revision)) throw conflict(resource.type, name)
    } else if (options.needsResourceVersion) {
      // The real server names the resource here, although it names the kind elsewhere.
      throw invalidObject({ group: resource.type.group, kind: resource.type.plural }, name, [
        invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ])
    }
    if (metadata.uid && metadata.uid !== old.metadata.uid) {
      throw conflict(resource.type, name, preconditionFailed('UID', metadata.uid, old.metadata.uid))
    }
    const immutableCauses = options.subresource ? [] : immutableFieldCauses(metadata, old.metadata)
    const object = mergeUpdate(resource, old, changed, options.subresource)
    if (options.isApply) object.metadata.managedFields = metadata.managedFields
    if (options.subresource !== 'finalize') resource.prepare?.(object, { old, clock })
    updateManagedFields(resource, old, object, options)
    resource.fill?.(object)
    finalizerWarnings(resource, object, old).forEach(options.warn)
    if (!options.subresource) await admit({ resource, object, old, user: options.user })
    if (resource.hasGeneration && !isSameJson(generationInput(resource, object), generationInput(resource, old))) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1
    }
    validate({ resource, object, old, user: options.user })
    check(resource, object, old, immutableCauses)
    if (isSameJson(withoutTimes(object), withoutTimes(old))) return { object: old, stored }
    if (options.isDryRun) return { object }
    if (isFinished(resource, object)) {
      object.metadata.resourceVersion = String(await deleteStored(resource, object, stored.revision))
      return { object }
    }
    return put(resource, object, stored.revision)
  }

  async function remove(target: Target, options: DeleteOptions): Promise<DeleteResult> {
    validateDelete(target)
    for (;;) {
      try {
        return await removeOnce(target, options)
      } catch (error) {
        // A deletion without a version applies whatever changes in the meantime.
        if (!(error instanceof WriteConflict)) throw error
      }
    }
  }

  async function removeOnce(target: Target, options: DeleteOptions): Promise<DeleteResult> {
    const { resource } = target
    const { stored, object } = read(target)
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
      if (!options.isDryRun) await deleteStored(resource, object, stored.revision)
      return { isDeleted: true, object }
    }
    mark()
    if (options.isDryRun || isSameJson(object, before)) return { isDeleted: false, object }
    await put(resource, object, stored.revision)
    return { isDeleted: false, object }
  }

  return { create, update, delete: remove }
}

/** @throws StatusError 400 if the object names another namespace */
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
