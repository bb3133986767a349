import { type KubeObject, uidOf } from '@slipway/kube/object'
import type { Frame, WindowFacts } from './frame'

/** What a client shows of one view. */
export interface ClientView extends WindowFacts {
  rows: readonly KubeObject[]
  /** Whether it shows nothing although there may be something, because a right was lost and its window is on its way. */
  isPending: boolean
  /** Why the last message about this view was rejected. */
  rejected?: string
}

/** A view before its first frame. */
export const pendingView: ClientView = {
  rows: [],
  isPending: true,
  total: 0,
  offset: 0,
  facets: {},
  versions: {},
  floors: {},
  denied: [],
  unknown: [],
  loading: [],
  stale: {},
}

/** Whether all rows of a view are known, or why they are not. */
export const isSettled = ({ isPending, loading, stale, rejected }: ClientView): boolean =>
  rejected !== undefined || (!isPending && loading.every((namespace) => stale[namespace]))

/** Applies a frame to what its view shows. Rows that did not change keep their identity. */
export function applyFrame(view: ClientView, frame: Frame): ClientView {
  if (frame.type === 'rejected') return { ...view, rejected: frame.why }
  if (frame.type === 'denied') return { ...pendingView, denied: frame.denied, unknown: frame.unknown }
  if (frame.type === 'set') {
    const { type: _, id: __, ...window } = frame
    return { ...window, isPending: false }
  }
  const { type: _, id: __, rows, order, position, facets, versions, floors, ...facts } = frame
  const known = new Map([...view.rows, ...rows].map((row) => [uidOf(row), row]))
  const uids = order ?? view.rows.map(uidOf)
  return {
    ...view,
    ...facts,
    // Each row of the window is in this frame or in an earlier one.
    rows: uids.flatMap((uid) => known.get(uid) ?? []),
    ...(position !== undefined && { position: position ?? undefined }),
    facets: { ...view.facets, ...facets },
    versions: { ...view.versions, ...versions },
    floors: { ...view.floors, ...floors },
  }
}
