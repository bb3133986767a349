import type { KeyboardEvent, RefObject } from 'react'
import type { PageShortcut } from '../../ui/page/page-shortcuts'
import { extendSelection } from './line-selection'
import type { LineRange } from './log-link'
import type { LogPosition } from './log-position'
import type { LogRows } from './log-rows'
import type { StepView } from './step-view'

/** The keys that `onLogKey` handles. */
export const logKeys: readonly PageShortcut[] = [
  { keys: ['/'], description: 'In a log: find' },
  { keys: ['N'], description: 'In a log: next match (Shift: previous)' },
  { keys: ['E'], description: 'In a log: next error (Shift: previous)' },
  { keys: ['Home'], description: 'In a log: first line' },
  { keys: ['End'], description: 'In a log: last line' },
  { keys: ['↑', '↓'], description: 'In a log: move between line numbers (Shift: extend selection)' },
]

interface LogKeyOptions {
  steps: readonly StepView[]
  rows: LogRows
  scroller: HTMLElement | null
  searchInput: RefObject<HTMLInputElement | null>
  selected: LineRange | undefined
  select: (range: LineRange) => void
  goTo: (position: LogPosition, hasFocus: boolean) => void
  /** `undefined` while the search is empty. */
  stepHit: ((direction: 1 | -1) => void) | undefined
  stepError: (direction: 1 | -1) => void
}

export function onLogKey(event: KeyboardEvent, options: LogKeyOptions): void {
  const { steps, rows, scroller, searchInput, selected, select, goTo, stepHit, stepError } = options
  if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return
  const key = event.key.toLowerCase()
  if (key === '/') searchInput.current?.focus()
  else if (key === 'e') stepError(event.shiftKey ? -1 : 1)
  else if (key === 'n' && stepHit) stepHit(event.shiftKey ? -1 : 1)
  else if (event.key === 'Home' && scroller) scroller.scrollTop = 0
  else if (event.key === 'End' && scroller) scroller.scrollTop = scroller.scrollHeight
  else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && isLineNumber(event.target)) {
    const next = nextLine(rows, indexOfRow(event.target), event.key === 'ArrowDown' ? 1 : -1)
    const step = next && steps[next.step]
    if (!next || !step) return
    if (event.shiftKey) select(extendSelection(selected, step.name, next.line + 1))
    goTo(next, true)
  } else return
  event.preventDefault()
  // The same keys may be shortcuts of the page.
  event.stopPropagation()
}

export const isLineNumber = (target: EventTarget): target is HTMLElement =>
  target instanceof HTMLElement && target.hasAttribute('data-line')

export const indexOfRow = (target: HTMLElement): number =>
  Number(target.closest('[data-index]')?.getAttribute('data-index'))

function nextLine(rows: LogRows, from: number, direction: 1 | -1): LogPosition | undefined {
  for (let index = from + direction; index >= 0 && index < rows.count; index += direction) {
    const row = rows.at(index)
    if (row.kind === 'line') return { step: row.step, line: row.line }
  }
  return undefined
}

/** How long a line that has been scrolled to may take to be rendered, in frames. */
const framesToAppear = 30

/** Focuses a line number. Tries again in the next frames, since the line is rendered only after scrolling to it. */
export function focusLine(scroller: HTMLElement | null, { step, line }: LogPosition, steps: readonly StepView[]): void {
  const id = `log-${steps[step]?.container}-${line + 1}`
  const focus = (): boolean => {
    const found = scroller?.querySelector<HTMLElement>(`#${CSS.escape(id)}`)
    found?.focus({ preventScroll: true })
    return Boolean(found)
  }
  const focusInFrame = (framesLeft: number) => {
    requestAnimationFrame(() => focus() || (framesLeft > 0 && focusInFrame(framesLeft - 1)))
  }
  focus()
  focusInFrame(framesToAppear)
}
