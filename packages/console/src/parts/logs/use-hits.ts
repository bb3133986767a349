import type { LogQuery } from '@slipway/model/logs/log-search'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type LogPosition, positionAt } from './log-position'
import type { LogSearch } from './log-search'
import { scrollIntoView } from './scroll-into-view'
import type { StepView } from './step-view'

interface HitsOptions {
  steps: readonly StepView[]
  search: LogSearch
  setQuery: (change: Partial<LogQuery>) => void
  scroller: RefObject<HTMLElement | null>
  /** The position from which the first next or previous hit is searched. */
  startFrom: () => LogPosition
  goTo: (position: LogPosition | undefined) => void
  /** Called with the current hit, and where it ends in its line. */
  onHit: (position: LogPosition, end: number) => void
}

/** The hits of a search, and navigation between them. */
export function useHits({ steps, search, setQuery, scroller, startFrom, goTo, onHit }: HitsOptions) {
  const hitsByStep = () => steps.map(({ container }) => search.hitsIn(container))
  const byStep = hitsByStep()
  const [hit, setHit] = useState<{ search: object; index: number }>()
  const current = hit?.search === search ? hit.index : -1
  const countBefore = (step: number, hits = byStep) =>
    hits.slice(0, step).reduce((sum, { lines }) => sum + lines.length, 0)

  const stepHit = (direction: 1 | -1) => {
    // More may have been found since the last render.
    const hits = hitsByStep()
    const from = startFrom()
    const own = hits[from.step]?.lines ?? []
    const near = own.findIndex((line) => line >= from.line)
    const first = countBefore(from.step, hits) + (near < 0 ? own.length : near)
    const next = current >= 0 ? current + direction : direction === 1 ? first : first - 1
    const index = search.total === 0 ? -1 : (next + search.total) % search.total
    setHit({ search, index })
    const to = positionAt(
      hits.map(({ lines }) => lines),
      index,
    )
    goTo(to)
    if (to) onHit(to, hits[to.step]?.ends[index - countBefore(to.step, hits)] ?? 0)
  }

  useEffect(() => {
    if (!hit || !scroller.current) return
    const log = scroller.current
    const reveal = () => {
      const mark = log.querySelector<HTMLElement>('mark[data-current]')
      if (mark) scrollIntoView(log, mark)
    }
    // The row is rendered in the frame after the scroll.
    let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(reveal)))
    return () => cancelAnimationFrame(frame)
  }, [hit, scroller])

  // As in a browser, typing goes to the next hit from here. `searchBefore` is the search that the typed one replaces.
  const searchBefore = useRef<LogSearch>(undefined)
  const goToFirst = useEffectEvent(() => {
    if (!searchBefore.current || searchBefore.current === search || search.isRunning) return
    searchBefore.current = undefined
    if (search.total > 0) stepHit(1)
  })
  useEffect(() => search.subscribe(() => goToFirst()), [search])

  return {
    byStep,
    /** Index among all hits; -1 before the user has gone to one. */
    current,
    /** `current`, counted from the first hit of a step; out of its range while the user is not at one of its hits. */
    currentIn: (step: number) => current - countBefore(step),
    stepHit,
    seek(change: Partial<LogQuery>) {
      searchBefore.current = search
      setQuery(change)
    },
  }
}
