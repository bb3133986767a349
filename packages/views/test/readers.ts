import type { ShelfSink } from '../src/shelf-sink'
import type { ViewKind } from '../src/view-kind'
import type { Cluster, Thing } from './model'

/** A reader that lists and watches in small steps, lags behind, and lists again after gaps. */
export class Reader {
  isClosed = false
  readonly kind: string
  readonly namespace: string
  readonly #cluster: Cluster
  readonly #sink: ShelfSink
  readonly #random: () => number
  #list: { objects: Thing[]; version: number } | undefined
  /** The version up to which it has reported events; `undefined` before its first list. */
  #seen: number | undefined

  constructor(kind: string, namespace: string, cluster: Cluster, sink: ShelfSink, random: () => number) {
    this.kind = kind
    this.namespace = namespace
    this.#cluster = cluster
    this.#sink = sink
    this.#random = random
  }

  /** One page, one event, or the beginning or the end of a list. */
  step() {
    if (this.#list) return this.#page(this.#list)
    if (this.#seen === undefined) return this.#begin()
    const action = this.#random()
    if (action < 0.1) {
      this.#sink.setStale('The connection was lost.')
      if (action < 0.08) this.#begin()
    } else if (action < 0.16) this.#foreignEvent()
    else if (!this.#events(1)) this.#bookmark()
  }

  /** Reports all that there is; at the end it is followed again. */
  finish() {
    if (this.#seen === undefined && !this.#list) this.#begin()
    while (this.#list) this.#page(this.#list)
    this.#events(Infinity)
    this.#bookmark()
    this.#sink.setStale(undefined)
  }

  #begin() {
    const { current } = this.#cluster.collection(this.kind, this.namespace)
    this.#list = { objects: [...current.values()], version: this.#cluster.version }
    this.#sink.beginList()
  }

  #page(list: { objects: Thing[]; version: number }) {
    const page = list.objects.splice(0, 1 + Math.floor(this.#random() * 2))
    if (page.length > 0) return this.#sink.addPage(page)
    // A list that breaks off is started again.
    if (this.#random() < 0.1) return this.#begin()
    this.#list = undefined
    this.#seen = list.version
    this.#sink.endList(String(list.version))
  }

  #events(count: number): boolean {
    const { events } = this.#cluster.collection(this.kind, this.namespace)
    const due = events.filter(({ version }) => version > (this.#seen ?? 0)).slice(0, count)
    if (due.length === 0) return false
    this.#seen = due.at(-1)?.version
    this.#sink.apply(due)
    return true
  }

  #bookmark() {
    if (this.#seen === this.#cluster.version) return
    this.#seen = this.#cluster.version
    this.#sink.apply([{ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(this.#seen) } } }])
  }

  /** A watch of all namespaces whose reader passes on too much. */
  #foreignEvent() {
    const other = this.namespace === 'team-a' ? 'team-b' : 'team-a'
    const event = this.#cluster.collection(this.kind, other).events.at(-1)
    if (!event || event.version <= (this.#seen ?? 0)) return
    const own = this.#cluster.collection(this.kind, this.namespace).events
    const due = own.filter(({ version }) => version > (this.#seen ?? 0) && version < event.version)
    this.#seen = event.version
    this.#sink.apply([...due, event])
  }
}

/** Creates the readers of the shelves of one replica. */
export const readersOf =
  (cluster: Cluster, readers: Reader[], random: () => number) =>
  (kind: ViewKind, namespace: string, sink: ShelfSink): { close(): void } => {
    const reader = new Reader(kind.id, namespace, cluster, sink, random)
    readers.push(reader)
    return {
      close() {
        reader.isClosed = true
        readers.splice(readers.indexOf(reader), 1)
      },
    }
  }
