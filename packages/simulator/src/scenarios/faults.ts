import type { Scenario } from './scenario'
import { empty } from './empty'

export const faults: Scenario = empty
