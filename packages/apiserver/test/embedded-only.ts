import { it } from 'vitest'
import type { Target } from './api-client'

/** Why some expectations hold for the embedded server only. Each is listed in the README among the differences. */
export const embeddedOnlyReasons = new Set<string>()

/**
 * For what only this server does. Put to a real one, such a test is reported as skipped.
 * @param reason the words of the README's list of differences
 */
export function itOn(target: () => Target, reason: string): ReturnType<typeof it.runIf> {
  embeddedOnlyReasons.add(reason)
  return it.runIf(target().isEmbedded)
}
