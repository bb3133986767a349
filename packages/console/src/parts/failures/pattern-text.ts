import { type FailurePattern, patternDays, type RetryOutcomes } from '@slipway/model/failures/failure-patterns'
import { plural } from '../graph/node-text'
import type { FailureProgress } from './use-failure-patterns'

/** `Seen 14 times in 7 days in 5 components`. */
export const seenText = ({ failures, components }: FailurePattern): string => {
  const times = failures.length === 1 ? 'Seen once' : `Seen ${failures.length} times`
  return `${times} in ${patternDays} days${components.length > 0 ? ` in ${plural(components.length, 'component')}` : ''}`
}

/** `80 % (4 of 5)`; `undefined` if no commit ran again. */
export const passedText = ({ retried, passed }: RetryOutcomes): string | undefined =>
  retried === 0 ? undefined : `${Math.round((passed / retried) * 100)} % (${passed} of ${retried})`

/** How much the patterns are made of, without claiming more than was looked at. */
export function progressText({
  failedCount,
  chosenCount,
  settledCount,
  unreadableCount,
  isComplete,
  isDone,
}: FailureProgress): string {
  if (!isDone)
    return chosenCount > 0 ? `Reading failed runs: ${settledCount} of ${chosenCount}` : 'Looking for failed runs'
  const read = settledCount - unreadableCount
  return [
    `${read} of ${plural(failedCount, 'failed run')} of the last ${patternDays} days ${read === 1 ? 'was' : 'were'} read.`,
    failedCount > chosenCount && `Only the newest ${chosenCount} are.`,
    unreadableCount > 0 && `The log of ${unreadableCount} could not be read.`,
    !isComplete && 'There may be more runs in the archive.',
  ]
    .filter(Boolean)
    .join(' ')
}
