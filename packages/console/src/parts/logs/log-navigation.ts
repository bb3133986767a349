import { useLayoutEffect, useRef, useState } from 'react'
import { lineOf } from './line-selection'
import { lineHash, type LineRange } from './log-link'
import type { LogPosition } from './log-position'
import type { StepView } from './step-view'

interface NavigationOptions {
  /** Makes sure that a line has a row, by expanding what it is folded into. */
  reveal: (step: StepView, line: number) => void
  /** Scrolls to a line that has a row. */
  show: (position: LogPosition, hasFocus: boolean) => void
}

/**
 * The current position in a log: where a search, a key or the URL has led last.
 * @param selected the lines selected in the URL
 */
export function useLogNavigation(
  steps: readonly StepView[],
  selected: LineRange | undefined,
  { reveal, show }: NavigationOptions,
) {
  const [position, setPosition] = useState<LogPosition>()
  const pendingTarget = useRef<{ position: LogPosition; hasFocus: boolean } | undefined>(undefined)

  // Goes to the line in the URL as soon as it exists; it may arrive late in a log that is still being read.
  const [shownHash, setShownHash] = useState<string>()
  /** A hash for lines that are visible already, which the router is about to put into the URL. */
  const [visibleHash, setVisibleHash] = useState<string>()
  const hash = selected && lineHash(selected)
  const linked = selected && lineOf(steps, selected)
  if (hash !== shownHash && (!selected || linked)) {
    setShownHash(hash)
    if (hash !== visibleHash) setVisibleHash(undefined)
    const step = linked && steps[linked.step]
    if (step && hash !== visibleHash) {
      setPosition(linked)
      reveal(step, linked.line)
    }
  }
  useLayoutEffect(() => {
    // After a navigation the focus is on the heading, from which a keyboard would have to pass the whole page.
    if (linked && shownHash !== visibleHash) pendingTarget.current ??= { position: linked, hasFocus: isFocusAtStart() }
    // Only when the URL names another line, or the line has arrived.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shownHash])

  // After every render, since a line that was folded has its row only then.
  useLayoutEffect(() => {
    const to = pendingTarget.current
    pendingTarget.current = undefined
    if (to) show(to.position, to.hasFocus)
  })

  return {
    position,
    goTo(to: LogPosition | undefined, hasFocus = false) {
      const step = to && steps[to.step]
      if (!to || !step) return
      setPosition(to)
      pendingTarget.current = { position: to, hasFocus }
      reveal(step, to.line)
    },
    /** Sets the position without scrolling, since it is visible already. */
    stay(at: LogPosition | undefined, range: LineRange | undefined) {
      setPosition(at)
      setVisibleHash(range && lineHash(range))
    },
  }
}

/** Whether the user has not moved the focus since the page was opened. */
function isFocusAtStart(): boolean {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || activeElement.matches('main h1')
}
