import { WriteConflict, type Storage, type Stored } from '../storage/storage'
import { collectionOf, keyOf, type AnyObject, type ResourceInfo } from '../resource'
import { serialize, writeWithDefaults, type Version } from './objects'
import { assertSize } from './size'

export interface Target {
  resource: ResourceInfo
  namespace: string | undefined
  name: string
}

/** The result of a write. */
export interface Written {
  object: AnyObject
  isCreated: boolean
  /** The stored version; absent after a dry run or if the object was removed. */
  stored?: Version
}

/** Objects in a storage. Writes name the revision that they replace. */
export interface ObjectStore {
  find(target: Target): Stored | undefined
  /**
   * A dry run only checks the revision.
   * @param expected `undefined` to create the object
   * @throws WriteConflict
   * @throws StatusError 413
   */
  put(
    resource: ResourceInfo,
    object: AnyObject,
    expected: number | undefined,
    options: { isDryRun: boolean },
  ): Promise<Written>
  /** Returns the revision of the removal. @throws WriteConflict */
  remove(resource: ResourceInfo, object: AnyObject, expected: number): Promise<number>
}

export function objectStore(storage: Storage): ObjectStore {
  const placeOf = (resource: ResourceInfo, { metadata: { namespace, name = '' } }: AnyObject) => ({
    collection: collectionOf(resource.type),
    key: keyOf(namespace, name),
  })
  return {
    find: ({ resource, namespace, name }) => storage.get(collectionOf(resource.type), keyOf(namespace, name)),
    async put(resource, object, expected, { isDryRun }) {
      const { collection, key } = placeOf(resource, object)
      const isCreated = expected === undefined
      if (isDryRun) {
        const actual = storage.get(collection, key)?.revision
        if (actual !== expected) throw new WriteConflict(key, actual)
        return { object, isCreated }
      }
      const value = serialize(resource, object)
      assertSize(resource, object, value)
      const revision = await writeWithDefaults(resource, value, () =>
        storage.write({ collection, key, expected, type: 'put', value }),
      )
      object.metadata.resourceVersion = String(revision)
      return { object, isCreated, stored: { value, revision } }
    },
    remove: (resource, object, expected) =>
      storage.write({ ...placeOf(resource, object), expected, type: 'delete', value: serialize(resource, object) }),
  }
}
