import type { ObjectMeta } from '@slipway/kube/object'
import { lazy } from '../../lazy'
import { deserialize, metadataOf, objectBefore, servedJson } from '../../registry/objects'
import type { Selection } from '../../registry/selection'
import type { AnyObject, ResourceInfo } from '../../resource'
import type { Change } from '../../storage/storage'
import { encodeLine } from './encoded-lines'

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
  /** The part of the object's metadata by which it is selected, after the change. */
  metadata(): Metadata
  /** Retains the text before the change no longer: it is read again if a watch still needs it. */
  dropPrevious(): void
  /** Approximate number of bytes in memory. */
  bytes(): number
}

/** What connects an entry to a log. */
export interface EntryLinks {
  /** The change of the same object before this one, if it is known. */
  before?: ChangeEntry | undefined
  onResize(addedBytes: number): void
}

/** Everything but texts and lines. */
const entryBytes = 600

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
export function createEntry(change: Change, reload: () => Change, links?: EntryLinks): ChangeEntry {
  const { collection, key, revision, type } = change
  let retained: Change | undefined = change
  /** False once the text before the change has been dropped. */
  let isComplete = true
  let recent: WeakRef<Content> | undefined
  let bytes = entryBytes + lengthOf(change)
  const lines: { resource: ResourceInfo; event: WatchedEvent; line: Uint8Array }[] = []
  const metadata: { now?: Metadata; before?: Metadata } = {}
  if (links) {
    metadata.now = selectableOf(metadataOf(change.value))
    if (links.before) metadata.before = links.before.metadata()
  }

  /** @param before whether the state before the change is needed, too */
  function content(before = false): Content {
    const known = recent?.deref()
    if (known && (known.isComplete || !before)) return known
    const created =
      retained && (isComplete || !before) ? createContent(retained, isComplete) : createContent(reload(), true)
    recent = new WeakRef(created)
    return created
  }

  const metadataNow = () => (metadata.now ??= selectableOf(metadataOf(content().change.value)))
  const metadataBefore = () => (metadata.before ??= selectableOf(metadataOf(content(true).change.previous ?? '')))

  function retain(next: Change | undefined, line?: Uint8Array) {
    const addedBytes = lengthOf(next) - lengthOf(retained) + (line?.length ?? 0)
    retained = next
    bytes += addedBytes
    links?.onResize(addedBytes)
  }

  /**
   * An object that starts to match is added; one that no longer matches is deleted, with the last state that matched.
   */
  function eventFor({ resource, selection }: Reported): WatchedEvent | undefined {
    const matches = (state: Metadata | undefined) => state !== undefined && selection.matches(state)
    const matchedBefore =
      type !== 'created' &&
      (selection.isEverything ||
        matches(selection.isByMetadata ? metadataBefore() : content(true).versionOf(resource).before()))
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
    const isNow = event.state === 'now'
    if (represent) {
      const { object, before } = content(!isNow).versionOf(resource)
      return lineOfEvent(event.type, represent((isNow ? object() : before()) ?? object()))
    }
    const known = lines.find(
      (each) => each.resource === resource && each.event.type === event.type && each.event.state === event.state,
    )
    if (known) return known.line
    const json = isNow
      ? servedJson(resource, retained ?? content().change)
      : JSON.stringify(content(true).versionOf(resource).before())
    const line = encodeLine(`{"type":"${event.type}","object":${json}}\n`)
    lines.push({ resource, event, line })
    if (retained) dropPrevious()
    retain(undefined, line)
    return line
  }

  function dropPrevious() {
    if (!retained || retained.previous === undefined) return
    metadataBefore()
    const { previous: _, ...rest } = retained
    retain(rest)
    isComplete = false
  }

  return {
    collection,
    key,
    revision,
    eventFor,
    encode,
    metadata: metadataNow,
    dropPrevious,
    bytes: () => bytes,
  }
}

const lengthOf = (change: Change | undefined): number =>
  change ? change.value.length + (change.previous?.length ?? 0) : 0

/** A change and what watches compute from it. */
interface Content {
  change: Change
  /** Whether it has the state before the change. */
  isComplete: boolean
  /** The change as reported in one version of the kind. */
  versionOf(resource: ResourceInfo): {
    object(): AnyObject
    before(): AnyObject | undefined
  }
}

function createContent(change: Change, isComplete: boolean): Content {
  const versions = new Map<ResourceInfo, ReturnType<Content['versionOf']>>()
  return {
    change,
    isComplete,
    versionOf(resource) {
      let version = versions.get(resource)
      if (!version) {
        version = {
          object: lazy(() => deserialize(resource, change)),
          before: lazy(() => objectBefore(resource, change)),
        }
        versions.set(resource, version)
      }
      return version
    },
  }
}
