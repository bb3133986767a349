import type { Scenario } from './scenario'
import { empty } from './empty'

export const large: Scenario = empty
