import type { ResourceType } from '@slipway/kube/resource-type'
import type { ShelfSink } from '../shelf-sink'
import type { ViewKind } from '../view-kind'
import { type FollowedList, followList, type FollowOptions } from './follow-list'
import { pollList } from './poll-list'

interface Options extends Pick<FollowOptions, 'client' | 'clock' | 'warn' | 'postponeMs'> {
  servedTypes(type: ResourceType): Promise<readonly ResourceType[]>
  /** Whether to list again and again instead of watching. */
  isPolled?: boolean
}

/**
 * Lists and watches one kind in one namespace for a shelf, which retains only the rows: one page of whole objects is in
 * memory at a time.
 */
export const createReader =
  ({ servedTypes, isPolled = false, ...options }: Options) =>
  (kind: ViewKind, namespace: string, sink: ShelfSink): FollowedList =>
    (isPolled ? pollList : followList)({
      ...options,
      servedTypes: () => servedTypes(kind.type),
      namespace,
      beginList: () => sink.beginList(),
      addPage: (objects) => sink.addPage(objects),
      endList: (version) => sink.endList(version),
      onEvents: (events, seen) => sink.apply(events, seen),
      onProblem: (why, reason) => sink.setStale(why, reason),
    })
