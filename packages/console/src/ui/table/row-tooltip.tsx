import { Tooltip } from '@patternfly/react-core'
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useState } from 'react'
import { useOverlayContainer } from '../page/overlay-container'

/** How long the focus has to rest on a row before its tooltip appears. */
const delayMs = 700

/**
 * The full text of truncated cells, and the `title`s in cells: on hover for each cell, and by keyboard in one tooltip
 * for the row, so that cells need not be tab stops (but see `addTabStop`).
 * @returns what to give the table, and what to render beside it
 */
export function useRowTooltip() {
  const [shown, setShown] = useState<{ element: HTMLElement; facts: string[] }>()
  const overlayContainer = useOverlayContainer()
  useEffect(() => {
    const table = shown?.element.closest('table')
    if (!table) return
    // No event is sent when the focused element is removed.
    const removals = new MutationObserver(() => !shown?.element.isConnected && setShown(undefined))
    removals.observe(table, { childList: true, subtree: true })
    return () => removals.disconnect()
  }, [shown])
  return {
    handlers: {
      onMouseOver({ target }: MouseEvent) {
        const cell = cellOf(target)
        if (!cell) return
        if (isCut(cell)) cell.title = textOf(cell)
        else cell.removeAttribute('title')
      },
      onFocus({ target }: FocusEvent) {
        const row = target instanceof HTMLElement && target.matches(':focus-visible') && target.closest('tr')
        const facts = row ? [...row.cells].flatMap(factsOf) : []
        setShown(facts.length > 0 ? { element: target as HTMLElement, facts } : undefined)
      },
      onBlur: () => setShown(undefined),
      onKeyDown({ key }: KeyboardEvent) {
        if (key === 'Escape') setShown(undefined)
      },
    },
    tooltip: shown && (
      <Tooltip
        key={shown.facts.join()}
        triggerRef={() => shown.element}
        trigger="manual"
        isVisible
        entryDelay={delayMs}
        position="bottom-start"
        isContentLeftAligned
        appendTo={overlayContainer}
        // Screen readers have the text of each cell, and its `title` as its description.
        aria="none"
        aria-live="off"
        content={
          <>
            {shown.facts.map((fact) => (
              <div key={fact}>{fact}</div>
            ))}
          </>
        }
      />
    ),
  }
}

const cellOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('tr > *') : null

const isCut = ({ scrollWidth, clientWidth }: HTMLElement): boolean => scrollWidth > clientWidth

/** What takes the focus from the keyboard in a cell. */
const tabStops = ':is(a[href], button, input, [tabindex="0"]):not(td, th, :disabled, [tabindex="-1"])'

/** Lets the keyboard reach a row with truncated text in which nothing else takes the focus. */
export function addTabStop(row: HTMLTableRowElement | null) {
  if (!row) return
  const cells = [...row.cells]
  // The width is read last: most rows have a link.
  const stop = row.querySelector(tabStops) ? undefined : cells.find(isCut)
  for (const cell of cells) {
    const tabIndex = cell === stop ? 0 : -1
    if (cell.tabIndex !== tabIndex) cell.tabIndex = tabIndex
  }
}

const textOf = ({ innerText, textContent }: HTMLElement): string => (innerText || textContent).trim()

/** `Started: September 24, 2026, 3:04:05 PM UTC` */
function factsOf(cell: HTMLTableCellElement): string[] {
  const label = cell.dataset.label ? `${cell.dataset.label}: ` : ''
  const titles = [...cell.querySelectorAll<HTMLElement>('[title]')].map(({ title }) => title)
  return [...(isCut(cell) ? [textOf(cell)] : []), ...titles].map((fact) => label + fact)
}
