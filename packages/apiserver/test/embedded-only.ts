import { it } from 'vitest'
import type { Target } from './api-client'

/** Why some expectations hold only for the embedded server. The README lists each reason among the differences. */
export const embeddedOnlyReasons = new Set<string>()

/**
 * For behaviour that only the embedded server has. Against a real server, such a test is reported as skipped.
 * @param reason text from the README's list of differences
 */
export function itOn(target: () => Target, reason: string): ReturnType<typeof it.runIf> {
  embeddedOnlyReasons.add(reason)
  return it.runIf(target().isEmbedded)
}
