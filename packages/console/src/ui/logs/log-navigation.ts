import { useLayoutEffect, useRef, useState } from 'react'
import { lineOf } from './line-selection'
import { lineHash, type LineRange } from './log-link'
import type { LogPosition } from './log-position'
import type { StepView } from './step-view'

interface PlaceOptions {
  /** Makes sure that a line has a row. */
  reveal: (step: StepView, line: number) => void
  /** Scrolls to a line that has one. */
  show: (place: LogPosition, hasFocus: boolean) => void
}

/**
 * Where one is in a log: what was gone to last, by a search, by a key or by the address.
 * @param selected the lines that the address names
 */
export function useLogNavigation(
  steps: readonly StepView[],
  selected: LineRange | undefined,
  { reveal, show }: PlaceOptions,
) {
  const [place, setPlace] = useState<LogPosition>()
  const pendingTarget = useRef<{ place: LogPosition; hasFocus: boolean } | undefined>(undefined)

  // A line of the address, as soon as it is there; it may come late in a log that is still read.
  const [shown, setShown] = useState<string>()
  /** The address that is about to name what is in sight already: the router changes it a moment later. */
  const [inSight, setInSight] = useState<string>()
  const address = selected && lineHash(selected)
  const linked = selected && lineOf(steps, selected)
  if (address !== shown && (!selected || linked)) {
    setShown(address)
    if (address !== inSight) setInSight(undefined)
    const step = linked && steps[linked.step]
    if (step && address !== inSight) {
      setPlace(linked)
      reveal(step, linked.line)
    }
  }
  useLayoutEffect(() => {
    if (linked && shown !== inSight) pendingTarget.current ??= { place: linked, hasFocus: false }
    // Only when another line is named, or the line has come.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shown])

  // After every drawing: a line that was folded has its row only then.
  useLayoutEffect(() => {
    const to = pendingTarget.current
    pendingTarget.current = undefined
    if (to) show(to.place, to.hasFocus)
  })

  return {
    place,
    goTo(to: LogPosition | undefined, hasFocus = false) {
      const step = to && steps[to.step]
      if (!to || !step) return
      setPlace(to)
      pendingTarget.current = { place: to, hasFocus }
      reveal(step, to.line)
    },
    /** One is there already: nothing is to move. */
    stay(at: LogPosition | undefined, range: LineRange | undefined) {
      setPlace(at)
      setInSight(range && lineHash(range))
    },
  }
}
