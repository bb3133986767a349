import type { ChangeFrame, SetFrame, WindowFacts } from './frame'
import type { Window } from './window'

/** What a view shows at one moment. */
export interface Picture extends Pick<WindowFacts, 'denied' | 'unknown' | 'loading' | 'stale'> {
  window: Window
}

const factsOf = ({ window: { rows: _, ...facts }, ...rest }: Picture): WindowFacts => ({ ...facts, ...rest })

export const setFrame = (id: string, picture: Picture): SetFrame => ({
  type: 'set',
  id,
  rows: picture.window.rows.map(({ object }) => object),
  ...factsOf(picture),
})

/** Versions change with each event, whether or not it concerns the window. */
const compared = ['total', 'offset', 'denied', 'unknown', 'loading', 'stale'] as const

/**
 * What has to be sent for a client that shows one picture to show another one; `undefined` if it looks the same.
 * @param isAnswerDue to send a frame even if only versions differ
 */
export function changeFrame(
  id: string,
  before: Picture,
  after: Picture,
  isAnswerDue: boolean,
): ChangeFrame | undefined {
  const [old, now] = [factsOf(before), factsOf(after)]
  const shown = new Map(before.window.rows.map((row) => [row.uid, row.text]))
  const rows = after.window.rows.filter(({ uid, text }) => shown.get(uid) !== text).map(({ object }) => object)
  const uids = after.window.rows.map(({ uid }) => uid)
  const isSameOrder =
    uids.length === before.window.rows.length && uids.every((uid, at) => uid === before.window.rows[at]?.uid)
  const frame: ChangeFrame = {
    type: 'change',
    id,
    rows,
    ...(!isSameOrder && { order: uids }),
    ...Object.fromEntries(compared.filter((fact) => !isEqual(old[fact], now[fact])).map((fact) => [fact, now[fact]])),
    ...(old.position !== now.position && { position: now.position ?? null }),
  }
  const facets = differences(old.facets, now.facets)
  if (facets) frame.facets = facets
  if (!isAnswerDue && rows.length === 0 && Object.keys(frame).length === 3) return undefined
  return { ...frame, versions: differences(old.versions, now.versions), floors: differences(old.floors, now.floors) }
}

/** The entries that differ; `undefined` if none does. */
function differences<V>(
  before: Readonly<Record<string, V>>,
  after: Readonly<Record<string, V>>,
): Record<string, V> | undefined {
  if (before === after) return undefined
  const changed = Object.entries(after).filter(([key, value]) => !isEqual(before[key], value))
  return changed.length > 0 ? Object.fromEntries(changed) : undefined
}

const isEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)
