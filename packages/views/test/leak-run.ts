import { isDeepStrictEqual } from 'node:util'
import { namespaceOf, uidOf } from '@slipway/kube/object'
import type { UserInfo } from '@slipway/kube/user'
import { randomNumbers } from '@slipway/model/testing/random-numbers'
import type { applyFrame, ClientView, pendingView } from '../src/client'
import type { AtLeast, Frame, ViewQuery } from '../src/frame'
import type { createUserRights, OpenRights, UserRights } from '../src/host/user-rights'
import type { openSession, Session } from '../src/session'
import type { createShelves, Shelves } from '../src/shelves'
import { Authorizer } from './authorizer'
import { expected } from './expected'
import { Cluster, kinds, namesInUse, namespaces, sources, states, tags, testClock, type Thing } from './model'
import { type Reader, readersOf } from './readers'

/** The engine under test: that of the product, or one with a planted fault. */
export interface Engine {
  createShelves: typeof createShelves
  openSession: typeof openSession
  createUserRights: typeof createUserRights
  applyFrame: typeof applyFrame
  pendingView: typeof pendingView
}

const users: UserInfo[] = [
  { name: 'ann', groups: ['developers'] },
  { name: 'ben', groups: ['developers', 'operators'] },
  { name: 'cleo', groups: [] },
]
const emptyNamespace = 'team-none'
/** A right that was taken has to be gone after this time. */
const takenMs = 5_000
/** Longer than reviews that have failed wait for the next one. */
const quietMs = 36_000
/** Far more than the reviews of all users take. */
const mostRounds = 100
/** What is due within this time happens before any review ends. */
const tickMs = 250
const keepMs = 5_000
const batchMs = 500

class Leak extends Error {}

interface ShownView {
  query: ViewQuery
  view: ClientView
  /** Versions that its next frames must have reached, until then. */
  atLeast: AtLeast
  untilMs: number
}

interface Replica {
  shelves: Shelves
  rights: UserRights
}

interface Client {
  user: UserInfo
  rights: OpenRights
  session: Session
  isBlocked: boolean
  views: Map<string, ShownView>
  replica: Replica
}

/**
 * Runs random steps, and compares each frame with what the list of its user gives at the version of the frame.
 * Returns what was wrong, with the number of the step, or `undefined`.
 */
export async function runLeaks(
  engine: Engine,
  { seed, steps }: { seed: number; steps: number },
): Promise<string | undefined> {
  const run = new LeakRun(engine, seed)
  let step = 0
  try {
    while (++step <= steps) {
      await run.step()
      if (step % 50 === 0) await run.settle()
    }
    await run.close()
    return undefined
  } catch (error) {
    if (error instanceof Leak) return `step ${step} of seed ${seed}: ${error.message}`
    throw error
  } finally {
    run.closeRights()
  }
}

class LeakRun {
  readonly #engine: Engine
  readonly #random: () => number
  readonly #cluster = new Cluster()
  readonly #clock = testClock()
  readonly #authorizer: Authorizer
  readonly #readers: Reader[] = []
  readonly #replicas: Replica[]
  readonly #clients: Client[] = []
  #lastId = 0
  /** Found while a review ended, where nothing would catch it. */
  #found: Leak | undefined

  constructor(engine: Engine, seed: number) {
    this.#engine = engine
    this.#random = randomNumbers(seed)
    const types = sources.map(({ type }) => type)
    this.#authorizer = new Authorizer(this.#clock, this.#random, users, types, [...namespaces, emptyNamespace])
    this.#replicas = [1, 2].map(() => ({
      shelves: engine.createShelves({
        kinds,
        clock: this.#clock,
        read: readersOf(this.#cluster, this.#readers, this.#random),
        maxBytes: 10_000_000,
        keepMs,
      }),
      rights: engine.createUserRights({
        client: this.#authorizer.client,
        servedTypes: (type) => Promise.resolve([type]),
        clock: this.#clock,
        warn() {},
      }),
    }))
  }

  #pick<T>(values: readonly T[]): T {
    // There is always one.
    return values[Math.floor(this.#random() * values.length)] as T
  }

  #some<T>(values: readonly T[], chance: number): T[] {
    return values.filter(() => this.#random() < chance)
  }

  #maybe<T>(chance: number, value: () => T): T | undefined {
    return this.#random() < chance ? value() : undefined
  }

  async step() {
    this.#act()
    await this.#reviewed()
    if (this.#random() < 0.12) await this.#advance(this.#pick([20, 100, 600, 1_000, 6_000]))
  }

  /** Resolves once all reviews have ended that will. */
  async #reviewed() {
    const running = () => this.#replicas.reduce((sum, { rights }) => sum + 2 * rights.counts.running, 0)
    let rounds = 0
    do {
      await new Promise(setImmediate)
      if (++rounds > mostRounds) throw new Leak('reviews are sent without end')
    } while (running() > this.#authorizer.heldReviews)
    this.#checkRights()
  }

  async #advance(ms: number) {
    for (let left = ms; left > 0; left -= tickMs) {
      this.#clock.advance(Math.min(left, tickMs))
      await this.#reviewed()
    }
  }

  #act() {
    const action = this.#random()
    if (action < 0.36) this.#change()
    else if (action < 0.72) this.#read()
    else if (action < 0.8) this.#grant()
    else if (action < 0.88) this.#send()
    else if (action < 0.94) this.#unblock()
    else if (action < 0.96) this.#reconnect()
    else if (this.#clients.length < 5) this.#connect()
    else this.#disconnect()
  }

  #change() {
    const kind = this.#pick(sources).id
    const namespace = this.#pick(namespaces)
    const existing = [...this.#cluster.collection(kind, namespace).current.values()]
    const thing = this.#maybe(Math.min(0.9, existing.length / 8), () => this.#pick(existing))
    const spec = {
      state: this.#maybe(0.9, () => this.#pick([...states, 'strange'])),
      tags: this.#maybe(0.8, () => this.#some(tags, 0.4)),
      size: this.#maybe(0.9, () => Math.floor(this.#random() * 5)),
      hidden: String(this.#random()),
    }
    if (!thing) return this.#cluster.create(kind, namespace, this.#pick(namesInUse), spec)
    if (this.#random() < 0.4) return this.#cluster.delete(kind, thing)
    const isVisible = this.#random() < 0.8
    this.#cluster.update(kind, thing, isVisible ? spec : { ...thing.spec, hidden: spec.hidden })
  }

  #read() {
    const count = this.#pick([1, 1, 3, 10])
    for (let at = 0; at < count && this.#readers.length > 0; at++) this.#pick(this.#readers).step()
  }

  #grant() {
    if (this.#random() < 0.65) this.#authorizer.change()
    else this.#authorizer.mode = this.#pick(['decided', 'failed', 'undecided', 'held'])
  }

  #connect() {
    const user = this.#pick(users)
    const replica = this.#pick(this.#replicas)
    const rights = replica.rights.open(user)
    const client: Client = { user, rights, replica, isBlocked: false, views: new Map(), session: undefined as never }
    rights.onChange(() => {
      for (const shown of client.views.values()) shown.untilMs = 0
    })
    client.session = this.#engine.openSession({
      kinds,
      shelves: replica.shelves,
      rights,
      send: (frame) => {
        try {
          this.#receive(client, frame)
        } catch (error) {
          if (!(error instanceof Leak)) throw error
          this.#found ??= error
        }
      },
      isDrained: () => !client.isBlocked,
      clock: this.#clock,
      batchMs,
    })
    this.#clients.push(client)
    this.#open(client, this.#query())
  }

  /** The client has lost its connection, and opens its views at another replica, which may be behind. */
  #reconnect() {
    const before = this.#clients[0]
    if (!before) return
    this.#close(before)
    const others = this.#clients.filter(({ user, replica }) => user === before.user && replica !== before.replica)
    const client = others[0]
    if (!client) return
    for (const { query, view } of before.views.values()) this.#open(client, query, view.floors)
  }

  #disconnect() {
    const client = this.#pick(this.#clients)
    if (client) this.#close(client)
  }

  #close(client: Client) {
    this.#clients.splice(this.#clients.indexOf(client), 1)
    client.session.close()
    client.rights.close()
  }

  #query(): ViewQuery {
    const kind = this.#pick(kinds)
    const uids = this.#cluster.list(this.#pick(kinds), 'team-a').map(uidOf)
    return {
      kind: kind.id,
      namespaces: [...this.#some(namespaces, 0.6), ...this.#some([emptyNamespace, 'team-a'], 0.1)],
      where: {
        ...this.#maybe(0.3, () => ({ state: this.#some(states, 0.5) })),
        ...this.#maybe(0.2, () => ({ tags: this.#some(tags, 0.5) })),
      },
      text: this.#maybe(0.2, () => this.#pick(['an', 'B', ' berry'])),
      identifier: this.#maybe(0.1, () => this.#pick(['app', 'Cherry', 'done-1', 'running'])),
      sort: this.#maybe(0.6, () => this.#pick(['name', '-name', 'state', '-state', 'tags', 'size', '-size'])),
      firstOf: this.#maybe(0.15, () => this.#pick(['state', 'tags'])),
      latestOf: this.#maybe(0.15, () => this.#pick(['state', 'tags'])),
      facets: this.#some(['state', 'tags'], 0.5),
      limit: this.#pick([1, 2, 3, 5, 20]),
      offset: this.#maybe(0.3, () => this.#pick([0, 1, 3, 7])),
      around: this.#maybe(uids.length > 0 ? 0.2 : 0, () => this.#pick(uids)),
    }
  }

  #versions(query: ViewQuery): AtLeast {
    return Object.fromEntries(query.namespaces.map((namespace) => [namespace, String(this.#cluster.version)]))
  }

  #open(client: Client, query: ViewQuery, atLeast?: AtLeast) {
    const id = String(++this.#lastId)
    client.views.set(id, { query, view: this.#engine.pendingView, atLeast: {}, untilMs: 0 })
    this.#require(client, id, atLeast)
    client.session.receive({ type: 'open', id, query, atLeast })
  }

  #require(client: Client, id: string, atLeast: AtLeast | undefined) {
    const shown = client.views.get(id)
    if (!shown || !atLeast) return
    shown.atLeast = { ...shown.atLeast, ...atLeast }
    shown.untilMs = this.#clock.now() + 3_000
  }

  /** A message of a client: another view, another query, a version after a write, or the end of a view. */
  #send() {
    const client = this.#clients.length > 0 ? this.#pick(this.#clients) : undefined
    if (!client) return
    const id = client.views.size > 0 ? this.#pick([...client.views.keys()]) : undefined
    const shown = id === undefined ? undefined : client.views.get(id)
    const action = this.#random()
    if (!shown || id === undefined || (action < 0.3 && client.views.size < 4)) {
      const query = this.#query()
      return this.#open(
        client,
        query,
        this.#maybe(0.3, () => this.#versions(query)),
      )
    }
    if (action < 0.4) {
      client.views.delete(id)
      return client.session.receive({ type: 'close', id })
    }
    const query = this.#maybe(0.6, () => this.#query())
    const atLeast = this.#maybe(0.4, () => this.#versions(query ?? shown.query))
    if (query) Object.assign(shown, { query, atLeast: shown.query.kind === query.kind ? shown.atLeast : {} })
    // What was shown of the query before says nothing about the new one.
    if (query) shown.view = { ...this.#engine.pendingView, rejected: 'old' }
    this.#require(client, id, atLeast)
    client.session.receive({ type: 'change', id, query, atLeast })
  }

  #unblock() {
    for (const client of this.#some(this.#clients, 0.7)) this.#drain(client)
  }

  #drain(client: Client) {
    client.isBlocked = false
    client.session.drained()
  }

  #receive(client: Client, frame: Frame) {
    const shown = client.views.get(frame.id)
    if (frame.type === 'rejected') throw new Leak(`rejected: ${frame.why}`)
    if (!shown) throw new Leak(`a ${frame.type} of a closed view was sent`)
    if (frame.type !== 'denied' && client.isBlocked) throw new Leak(`a ${frame.type} was sent to a slow client`)
    if (frame.type === 'change' && shown.view.isPending) throw new Leak('a change was sent without a window before it')
    shown.view = this.#engine.applyFrame(shown.view, frame)
    this.#checkView(client, shown)
    if (this.#random() < 0.15) client.isBlocked = true
  }

  #having(client: Client, query: ViewQuery, verdict: string): string[] {
    const distinct = [...new Set(query.namespaces)].sort()
    return distinct.filter((namespace) => client.rights.mayRead(kindOf(query).type, namespace) === verdict)
  }

  /** Compares what a client shows with what its user may see, at the versions that it says. */
  #checkView(client: Client, { query, view, atLeast, untilMs }: ShownView) {
    const compare = (what: string, actual: unknown, wanted: unknown) => {
      if (isDeepStrictEqual(actual, wanted)) return
      throw new Leak(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`)
    }
    const allowed = this.#having(client, query, 'allowed')
    compare('denied', view.denied, this.#having(client, query, 'denied'))
    compare('unknown', view.unknown, this.#having(client, query, 'unknown'))
    if (view.isPending) return compare('what is shown of nothing', [view.rows, view.total, view.facets], [[], 0, {}])
    const complete = Object.keys(view.versions).sort()
    const pending = this.#having(client, query, 'pending')
    compare('namespaces', [...complete, ...view.loading].sort(), [...allowed, ...pending].sort())
    for (const namespace of allowed) {
      const [version = '0', least = '0'] = [view.versions[namespace], atLeast[namespace]]
      const isReached = Number(version) >= Number(least) || view.loading.includes(namespace)
      if (!isReached && this.#clock.now() < untilMs) throw new Leak(`${version} was sent before ${least}`)
      if (!isReached && !view.stale[namespace]) throw new Leak(`${version} does not say that it is before ${least}`)
    }
    if (view.loading.length > 0) return this.#checkLoading(query, view, allowed)
    const things = complete.flatMap((namespace) =>
      this.#cluster.list(kindOf(query), namespace, Number(view.versions[namespace])),
    )
    const { uids, rows, total, offset, position, facets } = expected(things, query)
    compare('uids', view.rows.map(uidOf), uids)
    compare('rows', view.rows, JSON.parse(JSON.stringify(rows)))
    compare('total', view.total, total)
    compare('offset', view.offset, offset)
    compare('position', view.position, position)
    compare('facets', view.facets, facets)
  }

  /** A first list is shown as it arrives: what is missing is not known, but nothing else may be there. */
  #checkLoading(query: ViewQuery, view: ClientView, allowed: readonly string[]) {
    for (const row of view.rows as readonly Thing[]) {
      if (!allowed.includes(namespaceOf(row) ?? '')) throw new Leak(`a row of ${namespaceOf(row)} was sent`)
      if (expected([row], { ...query, offset: 0, around: undefined }).total !== (hasFirst(query, row) ? 1 : 0)) {
        throw new Leak(`${JSON.stringify(row)} does not match ${JSON.stringify(query)}`)
      }
    }
  }

  /** After each step, no client shows what its user may not see at this moment. */
  #checkRights() {
    if (this.#found) throw this.#found
    for (const client of this.#clients) {
      for (const { query, view } of client.views.values()) {
        const allowed = this.#having(client, query, 'allowed')
        const others = [...view.rows.map((row) => namespaceOf(row) ?? ''), ...Object.keys(view.versions)]
        const leaked = others.find((namespace) => !allowed.includes(namespace))
        if (leaked !== undefined) throw new Leak(`${client.user.name} still sees ${leaked}`)
        for (const namespace of allowed) {
          if (this.#authorizer.deniedForMs(client.user, kindOf(query).type, namespace) <= takenMs) continue
          throw new Leak(`${client.user.name} sees ${namespace} without the right to`)
        }
      }
    }
  }

  /** Once all is quiet, every client shows what is in the cluster. */
  async settle() {
    this.#authorizer.mode = 'decided'
    // Slow clients get nothing of this, and nothing happens after it that would remind the engine of them.
    for (const reader of [...this.#readers]) reader.finish()
    await this.#advance(quietMs)
    for (let round = 0; round < 5; round++) {
      // Rights that were given just now have opened lists.
      for (const reader of [...this.#readers]) reader.finish()
      for (const client of this.#clients) this.#drain(client)
      await this.#advance(3_000)
    }
    for (const client of this.#clients) {
      for (const shown of client.views.values()) {
        for (const namespace of shown.query.namespaces) {
          const verdict = client.rights.mayRead(kindOf(shown.query).type, namespace)
          const isAllowed = this.#authorizer.mayRead(client.user, kindOf(shown.query).type, namespace)
          if (verdict !== (isAllowed ? 'allowed' : 'denied'))
            throw new Leak(`${shown.query.kind} of ${namespace} are ${verdict} for ${client.user.name} for ever`)
        }
        if (shown.view.isPending) throw new Leak('a view got no window')
        const pending = this.#having(client, shown.query, 'pending')
        if (shown.view.loading.length > pending.length) throw new Leak('a view is loading for ever')
        if (Object.keys(shown.view.stale).length > 0) throw new Leak('a view is stale for ever')
        const versions = Object.keys(shown.view.versions).map((namespace) => [namespace, String(this.#cluster.version)])
        this.#checkView(client, {
          ...shown,
          atLeast: {},
          view: { ...shown.view, versions: Object.fromEntries(versions) },
        })
      }
    }
    for (const replica of this.#replicas) {
      const derivedCount = (kinds.length - sources.length) * [...namespaces, emptyNamespace].length
      if (replica.shelves.count > this.#readers.length + derivedCount) throw new Leak('a shelf has no reader')
    }
  }

  async close() {
    for (const client of [...this.#clients]) this.#close(client)
    // A shelf is used by those that are derived from it.
    await this.#advance(2 * keepMs)
    if (this.#replicas.some(({ shelves }) => shelves.count > 0))
      throw new Leak('a shelf that nothing uses was retained')
  }

  /** Ends what would go on by itself. */
  closeRights() {
    for (const { rights } of this.#replicas) rights.close()
  }
}

function kindOf(query: ViewQuery) {
  const kind = kinds.find(({ id }) => id === query.kind)
  if (!kind) throw new Error(`There is no kind ${query.kind}.`)
  return kind
}

const hasFirst = ({ firstOf }: ViewQuery, { spec }: Thing) =>
  firstOf === undefined || (firstOf === 'state' ? spec.state !== undefined : (spec.tags ?? []).length > 0)
