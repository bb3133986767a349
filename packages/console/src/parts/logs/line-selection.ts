import { useLocation, useNavigate } from 'react-router'
import { useKeyed } from '../../lib/use-keyed'
import { lineHash, type LineRange, rangeOf } from './log-link'
import type { LogPosition } from './log-position'
import type { StepView } from './step-view'

/** The lines selected in the URL, and a function that selects others. */
export function useSelection() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const selected = useKeyed(hash, () => rangeOf(hash))
  return {
    selected,
    select(range: LineRange | undefined) {
      // The search changes the URL without the router.
      const { search } = globalThis.location
      void navigate({ search, hash: range ? lineHash(range) : '' }, { replace: true, preventScrollReset: true })
    },
  }
}

export const isIn = (range: LineRange | undefined, step: string, line: number): boolean =>
  range?.step === step && range.from <= line && line <= range.to

/** The range extended to a line; a new range if the line is in another step. */
export function extendSelection(range: LineRange | undefined, step: string, line: number): LineRange {
  if (range?.step !== step) return { step, from: line, to: line }
  return line < range.from ? { step, from: line, to: range.to } : { step, from: range.from, to: line }
}

/** `undefined` for a line that does not exist, or not yet. */
export function lineOf(steps: readonly StepView[], { step: name, from }: LineRange): LogPosition | undefined {
  const step = steps.findIndex((one) => one.name === name)
  return (steps[step]?.lines.count ?? 0) >= from ? { step, line: from - 1 } : undefined
}
