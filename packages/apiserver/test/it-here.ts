import { it } from 'vitest'
import type { Target } from './api-client'

/** For what only this server does. Put to a real cluster, such a test is reported as skipped. */
export const itHere = (target: () => Target): ReturnType<typeof it.runIf> => it.runIf(target().extras)
