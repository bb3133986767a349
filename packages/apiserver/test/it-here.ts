import { it, type TestAPI } from 'vitest'
import type { Target } from './api-client'

/** For what only this server does. Put to a real cluster, such a test is reported as skipped. */
export const itHere = (target: () => Target): TestAPI => it.runIf(target().extras)
