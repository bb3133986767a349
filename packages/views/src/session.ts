import type { Clock } from '@slipway/kube/clock'
import { type AtLeast, type Frame, type Message, parseMessage, type ViewQuery } from './frame'
import type { Rights, Verdict } from './rights'
import type { ShelfLease, Shelves } from './shelves'
import type { Stale } from './shelf-sink'
import { laterVersion } from './version'
import type { ViewKind } from './view-kind'
import { changeFrame, type Picture, setFrame } from './picture'

export interface SessionOptions {
  kinds: readonly ViewKind[]
  shelves: Shelves
  rights: Rights
  send(frame: Frame): void
  /** Whether the client has read what was sent; only then are further windows sent. */
  isDrained(): boolean
  clock: Clock
  /** Changes are sent at most this long after the first of them; 500 ms by default. */
  batchMs?: number
}

/** The views of one client: one for each socket, or for each page that a worker serves. */
export interface Session {
  /** Receives one message of the client, which may be anything (`Message` in `frame.ts`). */
  receive(message: unknown): void
  /** The host calls it when `isDrained` has become true. */
  drained(): void
  close(): void
}

/** How long the window of a query waits for the version that the query requires. */
const mostWaitMs = 3_000

/** Most views that a client may have open at the same time. */
export const mostViews = 50

export const behindMessage = 'The latest changes have not arrived yet.'
export const noMemoryMessage = 'There is not enough memory for this list.'

interface View {
  id: string
  query: ViewQuery
  kind: ViewKind
  /** By namespace: shelves in use, which are those of the namespaces that the user may read. */
  leases: Map<string, ShelfLease>
  denied: string[]
  unknown: string[]
  /** Namespaces of which it is not known yet whether the user may read them. For the client, they are loading. */
  pending: string[]
  /** By namespace: versions that have not been reached. */
  atLeast: Map<string, string>
  /** Nothing is sent before, unless `atLeast` is reached. */
  holdUntilMs: number
  cancelHold(): void
  /** A frame is due even if it says nothing else than versions. */
  isAnswerDue: boolean
  isDirty: boolean
  /** What the client shows; `undefined` if the next frame has to be a whole window. */
  sent: Picture | undefined
}

/** Opens a session. It sends frames from within `receive`, `drained`, changes of rights and timers of the clock. */
export function openSession(options: SessionOptions): Session {
  const { shelves, rights, send, isDrained, clock, batchMs = 500 } = options
  const kinds = new Map(options.kinds.map((kind) => [kind.id, kind]))
  const views = new Map<string, View>()
  let cancelBatch: (() => void) | undefined
  const stopRights = rights.onChange(onRights)

  function receive(received: unknown) {
    const message = parseMessage(received, kinds)
    if (message.type === 'invalid') return send({ type: 'rejected', id: message.id, why: message.why })
    if (message.type === 'close') return closeView(message.id)
    const before = views.get(message.id)
    if (message.type === 'open') {
      if (!before && views.size >= mostViews) {
        return send({ type: 'rejected', id: message.id, why: `There are ${mostViews} open views already.` })
      }
      closeView(message.id)
      return openView(message)
    }
    if (!before) return send({ type: 'rejected', id: message.id, why: 'No view with this id is open.' })
    if (message.query) changeQuery(before, message.query)
    requireVersions(before, message.atLeast)
    flush(before)
  }

  function openView({ id, query, atLeast }: Message & { type: 'open' }) {
    const view: View = {
      id,
      query,
      // `parseMessage` has checked that there is one.
      kind: kindOf(query),
      leases: new Map(),
      denied: [],
      unknown: [],
      pending: [],
      atLeast: new Map(),
      holdUntilMs: 0,
      cancelHold() {},
      isAnswerDue: false,
      isDirty: true,
      sent: undefined,
    }
    views.set(id, view)
    applyRights(view)
    requireVersions(view, atLeast)
    flush(view)
  }

  function kindOf(query: ViewQuery): ViewKind {
    const kind = kinds.get(query.kind)
    if (!kind) throw new Error(`There is no view kind ${query.kind}.`)
    return kind
  }

  function changeQuery(view: View, query: ViewQuery) {
    if (query.kind !== view.kind.id) {
      releaseAll(view)
      view.atLeast.clear()
    }
    const shown = new Set(query.namespaces)
    for (const namespace of view.atLeast.keys()) if (!shown.has(namespace)) view.atLeast.delete(namespace)
    view.query = query
    view.kind = kindOf(query)
    view.sent = undefined
    view.isDirty = true
    // There may be memory again for what was dropped.
    for (const [namespace, lease] of view.leases) if (lease.isDropped) release(view, namespace)
    applyRights(view)
  }

  function closeView(id: string) {
    const view = views.get(id)
    if (!view) return
    views.delete(id)
    view.cancelHold()
    releaseAll(view)
  }

  function release(view: View, namespace: string) {
    view.leases.get(namespace)?.release()
    view.leases.delete(namespace)
  }

  function releaseAll(view: View) {
    for (const namespace of [...view.leases.keys()]) release(view, namespace)
  }

  /** Uses the shelves of the namespaces that the user may read, and no others. Returns whether one was lost. */
  function applyRights(view: View): boolean {
    const namespaces = [...new Set(view.query.namespaces)].sort()
    const verdicts = namespaces.map((namespace) => rights.mayRead(view.kind.type, namespace))
    const having = (verdict: Verdict) => namespaces.filter((_, at) => verdicts[at] === verdict)
    const allowed = new Set(namespaces.filter((_, at) => verdicts[at] === 'allowed'))
    const lost = [...view.leases.keys()].filter((namespace) => !allowed.has(namespace))
    for (const namespace of lost) release(view, namespace)
    for (const namespace of allowed) {
      if (view.leases.has(namespace)) continue
      view.leases.set(
        namespace,
        shelves.use(view.kind, namespace, () => onShelf(view)),
      )
    }
    view.denied = having('denied')
    view.unknown = having('unknown')
    view.pending = having('pending')
    return lost.length > 0
  }

  const describeRights = ({ leases, denied, unknown, pending }: View) =>
    JSON.stringify([[...leases.keys()], denied, unknown, pending])

  function onRights() {
    for (const view of [...views.values()]) {
      const before = describeRights(view)
      const hasLost = applyRights(view)
      if (describeRights(view) === before) continue
      view.isDirty = true
      if (hasLost) {
        view.sent = undefined
        view.holdUntilMs = 0
        // The window follows once the client reads again; that it is empty until then cannot wait.
        if (!isDrained()) send({ type: 'denied', id: view.id, denied: view.denied, unknown: view.unknown })
      }
      flush(view)
    }
  }

  /** Requires versions of a view, for at most some seconds. */
  function requireVersions(view: View, atLeast: AtLeast | undefined) {
    const shown = new Set(view.query.namespaces)
    for (const [namespace, version] of Object.entries(atLeast ?? {})) {
      if (!shown.has(namespace)) continue
      view.atLeast.set(namespace, laterVersion(view.atLeast.get(namespace), version) ?? version)
    }
    if (atLeast === undefined || view.atLeast.size === 0) return
    view.isAnswerDue = true
    view.isDirty = true
    view.holdUntilMs = clock.now() + mostWaitMs
    view.cancelHold()
    view.cancelHold = clock.after(mostWaitMs, () => flush(view))
  }

  const isBehind = (view: View, namespace: string, lease: ShelfLease): boolean => {
    const version = view.atLeast.get(namespace)
    if (version === undefined) return false
    if (!lease.shelf.hasSeen(version)) return true
    view.atLeast.delete(namespace)
    return false
  }

  /** Whether the view waits for a version. */
  const isHeld = (view: View): boolean =>
    clock.now() < view.holdUntilMs && [...view.leases].some(([namespace, lease]) => isBehind(view, namespace, lease))

  const isComplete = ({ leases, pending }: View): boolean =>
    pending.length === 0 &&
    [...leases.values()].every(({ shelf, isDropped }) => isDropped || shelf.version !== undefined)

  function onShelf(view: View) {
    view.isDirty = true
    // The user is waiting for these: a version that was required, and the last one of the first lists.
    const isAwaited = view.isAnswerDue ? !isHeld(view) : view.sent && view.sent.loading.length > 0 && isComplete(view)
    if (isAwaited) flush(view)
    else cancelBatch ??= clock.after(batchMs, flushAll)
  }

  function flushAll() {
    cancelBatch?.()
    cancelBatch = undefined
    for (const view of [...views.values()]) flush(view)
  }

  /** Sends what has changed, if the client has read what was sent before. A slow one is sent the window of later. */
  function flush(view: View) {
    if (!view.isDirty || views.get(view.id) !== view || isHeld(view) || !isDrained()) return
    const picture = pictureOf(view)
    const frame = view.sent ? changeFrame(view.id, view.sent, picture, view.isAnswerDue) : setFrame(view.id, picture)
    view.isDirty = false
    view.isAnswerDue = false
    // Otherwise the client still has the versions of the last frame.
    if (!frame) return
    view.sent = picture
    send(frame)
  }

  function pictureOf(view: View): Picture {
    const leases = [...view.leases].sort(([a], [b]) => (a < b ? -1 : 1))
    const readable = leases.filter(([, { isDropped }]) => !isDropped).map(([, { shelf }]) => shelf)
    const unread = readable.filter(({ version }) => version === undefined)
    const stale: Record<string, Stale> = {}
    for (const [namespace, lease] of leases) {
      const { confirmedMs, stale: known } = lease.shelf
      if (lease.isDropped) stale[namespace] = { sinceMs: confirmedMs, why: noMemoryMessage }
      else if (known) stale[namespace] = known
      else if (isBehind(view, namespace, lease)) stale[namespace] = { sinceMs: confirmedMs, why: behindMessage }
    }
    return {
      window: shelves.window(view.kind, readable, view.query),
      denied: view.denied,
      unknown: view.unknown,
      loading: [...view.pending, ...unread.map(({ namespace }) => namespace)].sort(),
      stale,
    }
  }

  return {
    receive,
    drained: flushAll,
    close() {
      stopRights()
      cancelBatch?.()
      for (const id of [...views.keys()]) closeView(id)
    },
  }
}
