import type { NavigateFunction } from 'react-router'
import type { TourStep } from '@slipway/model/platform/tour'
import { stored } from '../../lib/stored'
import { focusStays } from '../../ui/page/focus-heading'

/** Index of the current step, or `ended` once the user has seen or declined the tour. */
export type TourProgress = number | 'ended' | undefined

/** Remembered, so that the tour continues after a reload and is offered only once. */
export const tourProgress = stored<TourProgress>('slipway-tour', (value) =>
  value === 'ended' || (typeof value === 'number' && Number.isInteger(value) && value >= 0) ? value : undefined,
)

/** Shows a step together with its page. */
export function showStep(steps: readonly TourStep[], index: number, navigate: NavigateFunction): void {
  const step = steps[index]
  if (!step) return
  tourProgress.set(index)
  void navigate(step.path, { state: focusStays })
}
