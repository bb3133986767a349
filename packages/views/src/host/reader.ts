import type { KubeClient } from '@slipway/kube/client'
import type { Clock } from '@slipway/kube/clock'
import type { ResourceType } from '@slipway/kube/resource-type'
import type { ShelvesOptions } from '../shelves'
import { followList } from './follow-list'

interface Options {
  /** With an account that may list and watch the view kinds. */
  client: KubeClient
  servedTypes(type: ResourceType): Promise<readonly ResourceType[]>
  clock: Clock
  warn(message: string): void
}

/**
 * Lists and watches one kind in one namespace for a shelf, which retains only the rows: one page of whole objects is in
 * memory at a time.
 */
export const createReader =
  ({ client, servedTypes, clock, warn }: Options): ShelvesOptions['read'] =>
  (kind, namespace, sink) =>
    followList({
      client,
      clock,
      servedTypes: () => servedTypes(kind.type),
      namespace,
      beginList: () => sink.beginList(),
      addPage: (objects) => sink.addPage(objects),
      endList: (version) => sink.endList(version),
      onEvents: (events, seen) => sink.apply(events, seen),
      onProblem: (why) => sink.setStale(why),
      warn,
    })
