import type { ObjectMeta } from '@slipway/kube/object'
import { lazy } from '../../lazy'
import { deserialize, metadataOf, objectBefore, servedJson } from '../../registry/objects'
import type { Selection } from '../../registry/selection'
import type { AnyObject, ResourceInfo } from '../../resource'
import type { Change } from '../../storage/storage'

/** What a watch reports of its objects. */
export interface Reported {
  resource: ResourceInfo
  /** Converts objects to the requested representation (Table or metadata only); `undefined` for whole objects. */
  represent: ((object: AnyObject) => object) | undefined
  selection: Selection
}

/** Bytes if the line is shared with other watches. */
export type Line = string | Uint8Array

export interface WatchedEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** Which state of the object the event carries. */
  state: 'now' | 'before'
}

/** A change and its encodings, which all watches share. */
export interface ChangeEntry {
  readonly collection: string
  readonly key: string
  readonly revision: number
  /** The event for a watch, without encoding it; `undefined` if the change does not concern it. */
  eventFor(reported: Reported): WatchedEvent | undefined
  encode(reported: Reported, event: WatchedEvent): Line
  /** Approximate number of bytes in memory. */
  bytes(): number
}

const encoder = new TextEncoder()
/** Everything but texts and lines. */
const entryBytes = 500

export const lineOfEvent = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`

type Metadata = Pick<AnyObject, 'metadata'>

/** The part of the metadata by which objects are selected; the rest is much larger. */
function selectableOf({ name, namespace, labels }: ObjectMeta): Metadata {
  return { metadata: { name, namespace, labels } }
}

/**
 * An entry retains the text of its change until a line for whole objects has been encoded, and then only that line:
 * nearly all watches want one. Whatever else is needed is computed from the change as it is read again, and shared by
 * watches that ask soon after each other.
 */
export function createEntry(
  change: Change,
  reload: () => Change,
  onResize: (addedBytes: number) => void = () => undefined,
): ChangeEntry {
  const { collection, key, revision, type } = change
  let retained: Change | undefined = change
  let recent: WeakRef<Content> | undefined
  let bytes = entryBytes + lengthOf(change)
  // Weak, as a kind whose definition changes is another one.
  const lines = new WeakMap<ResourceInfo, Map<string, Uint8Array>>()
  const metadata: { now?: Metadata; before?: Metadata } = {}

  function content(): Content {
    const known = recent?.deref()
    if (known) return known
    const created = createContent(retained ?? reload())
    recent = new WeakRef(created)
    return created
  }

  /** Also computed before the text is dropped. */
  const metadataNow = () => (metadata.now ??= selectableOf(metadataOf(content().change.value)))
  const metadataBefore = () => (metadata.before ??= selectableOf(metadataOf(content().change.previous ?? '')))

  /**
   * An object that starts to match is added; one that no longer matches is deleted, with the last state that matched.
   */
  function eventFor({ resource, selection }: Reported): WatchedEvent | undefined {
    const matches = (state: Metadata | undefined) => state !== undefined && selection.matches(state)
    const matchedBefore =
      type !== 'created' &&
      (selection.isEverything ||
        matches(selection.isByMetadata ? metadataBefore() : content().versionOf(resource).before()))
    const matchesNow =
      type !== 'deleted' &&
      (selection.isEverything ||
        matches(selection.isByMetadata ? metadataNow() : content().versionOf(resource).object()))
    if (!matchedBefore && !matchesNow) return undefined
    return {
      type: !matchesNow ? 'DELETED' : matchedBefore ? 'MODIFIED' : 'ADDED',
      // A deletion carries the last state; an object that no longer matches is reported in its previous state.
      state: matchesNow || type === 'deleted' ? 'now' : 'before',
    }
  }

  function encode({ resource, represent }: Reported, event: WatchedEvent): Line {
    if (represent) {
      const { object, before } = content().versionOf(resource)
      return lineOfEvent(event.type, represent((event.state === 'now' ? object() : before()) ?? object()))
    }
    let known = lines.get(resource)
    if (!known) lines.set(resource, (known = new Map()))
    const name = event.type + event.state
    let line = known.get(name)
    if (!line) {
      const { text, before } = content().versionOf(resource)
      const json = event.state === 'now' ? text() : JSON.stringify(before())
      line = encoder.encode(`{"type":"${event.type}","object":${json}}\n`)
      known.set(name, line)
      if (type !== 'created' && content().change.previous !== undefined) metadataBefore()
      if (type !== 'deleted') metadataNow()
      const addedBytes = line.length - (retained ? lengthOf(retained) : 0)
      retained = undefined
      bytes += addedBytes
      onResize(addedBytes)
    }
    return line
  }

  return {
    collection,
    key,
    revision,
    eventFor,
    encode,
    bytes: () => bytes,
  }
}

const lengthOf = ({ value, previous = '' }: Change): number => value.length + previous.length

/** A change and what watches compute from it. */
interface Content {
  change: Change
  /** The change as reported in one version of the kind. */
  versionOf(resource: ResourceInfo): {
    object(): AnyObject
    before(): AnyObject | undefined
    text(): string
  }
}

function createContent(change: Change): Content {
  const versions = new Map<ResourceInfo, ReturnType<Content['versionOf']>>()
  return {
    change,
    versionOf(resource) {
      let version = versions.get(resource)
      if (!version) {
        version = {
          object: lazy(() => deserialize(resource, change)),
          before: lazy(() => objectBefore(resource, change)),
          text: lazy(() => servedJson(resource, change)),
        }
        versions.set(resource, version)
      }
      return version
    },
  }
}
