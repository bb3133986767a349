import type { ScenarioName } from './scenario-names'
import { demo } from './scenarios/demo'
import { empty } from './scenarios/empty'
import { faults } from './scenarios/faults'
import { large } from './scenarios/large'
import type { Scenario } from './scenarios/scenario'

/** The initial contents that a cluster can have. */
export const scenarios: Record<ScenarioName, Scenario> = { demo, empty, large, faults }
