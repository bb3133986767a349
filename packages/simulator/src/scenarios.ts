import type { ScenarioName } from './scenario-names'
import { demo } from './scenarios/demo'
import { empty } from './scenarios/empty'
import { faults } from './scenarios/faults'
import { large } from './scenarios/large'
import type { Scenario } from './scenarios/scenario'

/** What a cluster can begin with. */
export const scenarios: Record<ScenarioName, Scenario> = { demo, empty, large, faults }
