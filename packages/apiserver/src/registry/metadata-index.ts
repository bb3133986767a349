import type { ObjectMeta } from '@slipway/kube/object'
import type { Storage } from '../storage/storage'
import { metadataOf } from './objects'

/** The metadata that selectors can match. */
export type SelectableMetadata = Pick<ObjectMeta, 'name' | 'namespace' | 'labels'>

/**
 * Index of selectable metadata, so that a list reads and parses matching objects only. A collection is scanned when it
 * is first queried and kept up to date from then on.
 */
export interface MetadataIndex {
  /** Keys of the current objects that match, in key order. */
  select(collection: string, matches: (key: string, metadata: SelectableMetadata) => boolean): string[]
}

/** How many objects a scan reads at a time. */
const chunkLength = 500
const indexes = new WeakMap<Storage, MetadataIndex>()

/** The index of a storage, which lasts as long as the storage. */
export function metadataIndexOf(storage: Storage): MetadataIndex {
  const index = indexes.get(storage) ?? createMetadataIndex(storage)
  indexes.set(storage, index)
  return index
}

function createMetadataIndex(storage: Storage): MetadataIndex {
  const collections = new Map<string, Map<string, SelectableMetadata>>()

  storage.subscribe(({ collection, key, type, value }) => {
    const known = collections.get(collection)
    if (type === 'deleted') known?.delete(key)
    else known?.set(key, selectableMetadataOf(value))
  })

  function scan(collection: string) {
    const found = new Map<string, SelectableMetadata>()
    for (let after: string | undefined; ;) {
      const chunk = storage.list(collection, { after, limit: chunkLength })
      for (const { key, value } of chunk) found.set(key, selectableMetadataOf(value))
      if (chunk.length < chunkLength) return found
      after = chunk.at(-1)?.key
    }
  }

  return {
    select(collection, matches) {
      let known = collections.get(collection)
      if (!known) collections.set(collection, (known = scan(collection)))
      const keys: string[] = []
      for (const [key, metadata] of known) if (matches(key, metadata)) keys.push(key)
      return keys.sort()
    },
  }
}

function selectableMetadataOf(text: string): SelectableMetadata {
  const { name, namespace, labels } = metadataOf(text)
  return { name, namespace, labels }
}
