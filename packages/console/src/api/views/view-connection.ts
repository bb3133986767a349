import { systemClock, type Clock } from '@slipway/kube/clock'
import { connectionFailedMessage, connectionLostMessage } from '@slipway/kube/list-watch-machine'
import { applyFrame, pendingView, type ClientView } from '@slipway/views/client'
import type { AtLeast, Frame, ViewQuery } from '@slipway/views/frame'
import { laterVersion } from '@slipway/views/version'
import type { OpenLink, ViewLink } from './view-link'

/** Where the rows of a view come from. */
export type ViewHost = 'service' | 'worker'

/** What a tab knows of one view. */
export interface ViewState {
  /** As the engine last described it. */
  view: ClientView
  /** `undefined` before its first frame. */
  host: ViewHost | undefined
  /** Why nothing arrives at the moment, and since when (ms since 1970); `undefined` while connected. */
  lost: { sinceMs: number; why: string } | undefined
  /** Whether the window of a changed query has not arrived yet. */
  isChanging: boolean
}

export const initialViewState: ViewState = { view: pendingView, host: undefined, lost: undefined, isChanging: false }

export interface OpenedView {
  readonly state: ViewState
  /** Shows another query; until its window arrives, the rows of the last one stay. */
  change(query: ViewQuery): void
  close(): void
}

export interface ConnectionOptions {
  openService: OpenLink
  openWorker: OpenLink
  /** Whether there is a service. Rejects while that is not known. @param isAgain not to go by an earlier answer */
  findService(isAgain: boolean): Promise<boolean>
  clock?: Clock
  /** Returns 0 ≤ n < 1: spreads the reconnects of many tabs over a tenth of the delay. */
  random(): number
  /** Called before an attempt that no user is waiting for. Returns how many ms to postpone it; 0 for none. */
  postponeMs(): number
}

/** The views of a tab. */
export interface ViewConnection {
  /** Connects before the first view is opened. Without one, the connection is closed soon. */
  connect(): void
  /** @param onState called after each change of `state` */
  open(query: ViewQuery, onState: () => void): OpenedView
  /** After a write: views of this kind have to show at least this version of the namespace. */
  requireVersion(kind: string, namespace: string, version: string): void
  wake(): void
  /** @param namespace in which rights have changed; after a change of network without it */
  refresh(namespace?: string): void
  close(): void
}

const abnormalClose = 1006
const abnormalDelaysMs = [2_000, 4_000, 8_000] as const
const backOff = { firstMs: 1_000, factor: 1.5, capMs: 60_000 } as const
/** A connection that ends sooner counts as failed. */
const stableMs = 10_000
/** How long the service may not know what a user may read, or not read it, before the worker does. */
const troubleMs = 5_000
/** How long to wait for whether there is a service: a network may swallow the question. */
const findMs = 5_000
/** How long it is not asked again whether a cluster without the service has it by now. */
const lookAgainMs = 60_000
/** How long an unused connection stays open, so that moving to another page does not open it again. */
const graceMs = 5_000

interface Link {
  host: ViewHost
  link: ViewLink
  isOpen: boolean
  openedMs: number
}

interface Entry {
  id: string
  query: ViewQuery
  shown: ClientView
  /** Whose rows are shown. */
  source: Link | undefined
  /** Of links that do not yet have all rows: their view so far. */
  arriving: Map<Link, ClientView>
  /** Of this tab's writes, by namespace. */
  written: Record<string, string>
  isChanging: boolean
  state: ViewState
  onState(): void
}

/** Whether rights are known, and rows up to date. */
const isAsInCluster = ({ unknown, stale }: ClientView): boolean =>
  unknown.length === 0 && Object.values(stale).every(({ isPolled }) => isPolled)

/**
 * Carries all views of a tab over one connection: to the service, and to the worker while there is no service or it
 * cannot be reached. Rows stay while another host takes over, until it has all of them, at a version that is no older.
 */
export function createViewConnection(options: ConnectionOptions): ViewConnection {
  const { openService, openWorker, findService, random, postponeMs, clock = systemClock } = options
  const entries = new Map<string, Entry>()
  let service: Link | undefined
  let worker: Link | undefined
  /** Whether there is a service; `undefined` before that is known. */
  let isThere: boolean | undefined
  let isFinding = false
  /** When that was last asked. */
  let askedMs = 0
  let failures = 0
  let abnormalCloses = 0
  let delayMs: number = backOff.firstMs
  let lost: ViewState['lost']
  let stopRetry: (() => void) | undefined
  let stopGrace: (() => void) | undefined
  let stopTrouble: (() => void) | undefined
  let count = 0
  /** Whether the first view is expected to be opened soon. */
  let isExpected = false
  /** Attempts of a connection that has been shut down have no effect. */
  let run = 0

  function start() {
    stopGrace?.()
    stopGrace = undefined
    if (isThere === false) {
      startWorker()
      void lookAgain()
    } else if (!service && !stopRetry) void attempt()
  }

  async function attempt() {
    stopRetry?.()
    stopRetry = undefined
    if (service || (isFinding && isThere === undefined)) return
    if (isThere === undefined) {
      const ownRun = run
      await find(failures > 0)
      if (entries.size === 0 && !isExpected) return
      if (ownRun !== run) return start()
      if (isThere === undefined) return failed()
    }
    if (isThere) service ??= openLink('service', openService, onServiceClose)
    else startWorker()
  }

  /** Finds out whether there is a service; what was known stays if nothing answers. */
  async function find(isAgain: boolean) {
    isFinding = true
    askedMs = clock.now()
    const found = await new Promise<boolean | undefined>((resolve) => {
      const stopTimer = clock.after(findMs, () => resolve(undefined))
      findService(isAgain)
        .then(resolve, () => resolve(undefined))
        .finally(stopTimer)
    })
    isFinding = false
    isThere = found ?? isThere
  }

  /** A service that was there and cannot be opened may have been removed. Until that is known, it is opened again. */
  async function findAgain() {
    if (isFinding) return
    await find(true)
    if (isThere) return
    stopRetry?.()
    stopRetry = undefined
    if (service) {
      service.link.close()
      forget(service)
      service = undefined
    }
    if (entries.size > 0) startWorker()
  }

  /** A service may be installed while pages are open. It is looked for when a user comes back or opens another view. */
  async function lookAgain() {
    if (isThere !== false || isFinding || entries.size === 0 || clock.now() - askedMs < lookAgainMs) return
    await find(true)
    if (isThere && entries.size > 0) void attempt()
  }

  function openLink(host: ViewHost, open: OpenLink, onClose: (code: number | undefined, own: Link) => void): Link {
    const isCurrent = () => own === service || own === worker
    const own: Link = { host, isOpen: false, openedMs: 0, link: { send() {}, wake() {}, refresh() {}, close() {} } }
    own.link = open({
      onOpen() {
        if (!isCurrent()) return
        own.isOpen = true
        own.openedMs = clock.now()
        if (host === 'service') lost = undefined
        for (const entry of entries.values()) openAt(own, entry)
      },
      onFrame: (frame) => isCurrent() && receive(own, frame),
      onClose: (code) => isCurrent() && onClose(code, own),
    })
    return own
  }

  function onServiceClose(code: number | undefined, own: Link) {
    service = undefined
    forget(own)
    if (own.isOpen && clock.now() - own.openedMs >= stableMs) {
      failures = abnormalCloses = 0
      delayMs = backOff.firstMs
    }
    failed(code)
    if (!own.isOpen) void findAgain()
  }

  /** The service cannot be reached. After its connection was lost, it is tried once more before the worker takes over. */
  function failed(code?: number) {
    const isAbnormal = code === abnormalClose
    const abnormalDelayMs = isAbnormal ? abnormalDelaysMs[abnormalCloses++] : undefined
    const why = isAbnormal && abnormalDelayMs === undefined ? connectionFailedMessage : connectionLostMessage
    const waitMs = abnormalDelayMs ?? delayMs
    if (abnormalDelayMs === undefined) delayMs = Math.min(delayMs * backOff.factor, backOff.capMs)
    failures++
    lost = { sinceMs: lost?.sinceMs ?? clock.now(), why }
    const hasRows = [...entries.values()].some(({ source }) => source)
    if (failures > 1 || !hasRows) startWorker()
    const due = () => {
      const postponedMs = postponeMs()
      if (postponedMs > 0) stopRetry = clock.after(postponedMs, due)
      else void attempt()
    }
    stopRetry?.()
    stopRetry = clock.after(waitMs * (1 + random() / 10), due)
    for (const entry of entries.values()) report(entry)
  }

  function startWorker() {
    stopTrouble = undefined
    worker ??= openLink('worker', openWorker, (_, own) => {
      worker = undefined
      forget(own)
      // A browser may end a worker; without a service, nothing else can take over.
      lost ??= { sinceMs: clock.now(), why: connectionLostMessage }
      for (const entry of entries.values()) report(entry)
      stopRetry ??= clock.after(delayMs, () => {
        stopRetry = undefined
        if (entries.size > 0) startWorker()
      })
    })
  }

  /** What a lost link has sent so far is of no use; what is shown stays. */
  function forget(own: Link) {
    for (const entry of entries.values()) entry.arriving.delete(own)
  }

  /** Whether the service shows a view as the cluster has it. */
  const isServed = ({ source, shown }: Entry): boolean =>
    source !== undefined && source === service && isAsInCluster(shown)

  /** Whether what the service has sent is not what the cluster has, even if rows of another link are shown. */
  function isTroubled({ source, shown, arriving }: Entry): boolean {
    const view = source === service ? shown : service && arriving.get(service)
    return view !== undefined && !isAsInCluster(view)
  }

  /** The service may be there and have lost its own access to the cluster, also by a restart. */
  function watchTrouble() {
    const troubled = [...entries.values()].filter(isTroubled)
    if (troubled.length === 0) {
      stopTrouble?.()
      stopTrouble = undefined
    } else if (worker) for (const entry of troubled) openAt(worker, entry)
    else stopTrouble ??= clock.after(troubleMs, startWorker)
  }

  function openAt(own: Link, entry: Entry) {
    if (own === worker && isServed(entry)) return
    if (!own.isOpen || entry.source === own || entry.arriving.has(own)) return
    entry.arriving.set(own, pendingView)
    own.link.send({ type: 'open', id: entry.id, query: entry.query, atLeast: leastOf(entry) })
  }

  function leastOf({ shown: { floors }, written, query: { namespaces } }: Entry): AtLeast {
    const least: Record<string, string> = {}
    for (const namespace of namespaces) {
      const version = laterVersion(floors[namespace], written[namespace])
      if (version !== undefined) least[namespace] = version
    }
    return least
  }

  function receive(own: Link, frame: Frame) {
    const entry = entries.get(frame.id)
    if (!entry) return
    if (entry.source === own) {
      entry.shown = applyFrame(entry.shown, frame)
    } else {
      const arriving = entry.arriving.get(own)
      if (!arriving) return
      const view = applyFrame(arriving, frame)
      entry.arriving.set(own, view)
      if (own === service) watchTrouble()
      if ((own === worker && isServed(entry)) || !mayTakeOver(view, entry)) return
      entry.arriving.delete(own)
      entry.source = own
      entry.shown = view
      entry.isChanging = false
      if (own === service && worker) release(worker, entry)
      // It takes over again once it can.
      else if (own === worker && service) openAt(service, entry)
    }
    if (frame.type === 'set' || frame.type === 'rejected') entry.isChanging = false
    if (own === service) watchTrouble()
    report(entry)
  }

  /** Rows that are known are replaced by no fewer: not while lists are read, are behind, or rights are not known. */
  const mayTakeOver = (view: ClientView, { source }: Entry): boolean =>
    !source || (!view.isPending && view.loading.length === 0 && isAsInCluster(view))

  /** The service has taken over the view. The worker ends with its last one. */
  function release(own: Link, entry: Entry) {
    entry.arriving.delete(own)
    if (own.isOpen) own.link.send({ type: 'close', id: entry.id })
    if (![...entries.values()].every(isServed)) return
    own.link.close()
    worker = undefined
    failures = 0
  }

  const isConnected = ({ source }: Entry): boolean =>
    source !== undefined && source.isOpen && (source === service || source === worker)

  function report(entry: Entry) {
    entry.state = {
      view: entry.shown,
      host: entry.source?.host,
      lost: isConnected(entry) ? undefined : lost,
      isChanging: entry.isChanging,
    }
    entry.onState()
  }

  /** Without the delay of a retry: a user has come back, or the network has. */
  function reconnect() {
    if (isThere === false) void lookAgain()
    else if (stopRetry && entries.size > 0) void attempt()
  }

  const links = (): Link[] => [service, worker].filter((link) => link !== undefined)

  function shutDown() {
    run++
    isExpected = false
    stopRetry?.()
    stopGrace?.()
    stopTrouble?.()
    stopRetry = stopGrace = stopTrouble = undefined
    const open = links()
    service = worker = undefined
    lost = undefined
    failures = abnormalCloses = 0
    delayMs = backOff.firstMs
    for (const { link } of open) link.close()
  }

  return {
    connect() {
      if (entries.size > 0) return
      isExpected = true
      start()
      stopGrace = clock.after(graceMs, shutDown)
    },
    open(query, onState) {
      const id = String(++count)
      const entry: Entry = {
        id,
        query,
        shown: pendingView,
        source: undefined,
        arriving: new Map(),
        written: {},
        isChanging: false,
        state: { ...initialViewState, lost },
        // The caller has no view yet that it could read.
        onState() {},
      }
      entries.set(id, entry)
      isExpected = false
      start()
      for (const link of links()) openAt(link, entry)
      entry.onState = onState
      return {
        get state() {
          return entry.state
        },
        change(next) {
          entry.query = next
          entry.isChanging = true
          for (const own of links()) {
            if (own.isOpen && (entry.source === own || entry.arriving.has(own)))
              own.link.send({ type: 'change', id, query: next })
          }
          report(entry)
        },
        close() {
          if (!entries.delete(id)) return
          for (const own of links()) if (own.isOpen) own.link.send({ type: 'close', id })
          if (entries.size === 0) stopGrace = clock.after(graceMs, shutDown)
        },
      }
    },
    requireVersion(kind, namespace, version) {
      for (const entry of entries.values()) {
        if (entry.query.kind !== kind || !entry.query.namespaces.includes(namespace)) continue
        entry.written[namespace] = version
        for (const own of links()) {
          if (own.isOpen && (entry.source === own || entry.arriving.has(own)))
            own.link.send({ type: 'change', id: entry.id, atLeast: { [namespace]: version } })
        }
      }
    },
    wake() {
      for (const { link } of links()) link.wake()
      reconnect()
    },
    refresh(namespace) {
      for (const { link } of links()) link.refresh(namespace)
      if (namespace === undefined) reconnect()
    },
    close: shutDown,
  }
}
