import { useLocation, useNavigate } from 'react-router'
import { useKeyed } from '../../lib/use-keyed'
import { lineHash, type LineRange, rangeOf } from './log-link'
import type { LogPosition } from './log-position'
import type { StepView } from './step-view'

/** The lines that the address names, and how to name others. */
export function useSelection() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const selected = useKeyed(hash, () => rangeOf(hash))
  return {
    selected,
    select(range: LineRange | undefined) {
      // What is looked for is put into the address past the router.
      const { search } = globalThis.location
      void navigate({ search, hash: range ? lineHash(range) : '' }, { replace: true, preventScrollReset: true })
    },
  }
}

export const isIn = (range: LineRange | undefined, step: string, line: number): boolean =>
  range?.step === step && range.from <= line && line <= range.to

/** The range with one more line; a new one in another step. */
export function extendSelection(range: LineRange | undefined, step: string, line: number): LineRange {
  if (range?.step !== step) return { step, from: line, to: line }
  return line < range.from ? { step, from: line, to: range.to } : { step, from: range.from, to: line }
}

/** `undefined` for a line that is not there, or not yet. */
export function lineOf(steps: readonly StepView[], { step: name, from }: LineRange): LogPosition | undefined {
  const step = steps.findIndex((one) => one.name === name)
  return (steps[step]?.lines.count ?? 0) >= from ? { step, line: from - 1 } : undefined
}
