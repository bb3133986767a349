/** One-line summaries of the scenarios. Separate from their contents, for code that only lists them. */
export const scenarioSummaries = {
  demo: 'six teams, thirteen applications and some history',
  empty: 'the platform and three namespaces without anything in them',
  large: 'one namespace with thousands of runs',
  faults: 'every failure that a user can encounter',
} as const

export type ScenarioName = keyof typeof scenarioSummaries
export const scenarioNames = Object.keys(scenarioSummaries) as ScenarioName[] // A literal, with no other keys.

/** Whether simulated people push and open pull requests in the scenario. */
export const hasPeopleAtWork = (scenario: ScenarioName): boolean => scenario === 'demo'

/** Short descriptions of what each demo user can access in a scenario. */
export type PeopleDescriptions = Record<'admin' | 'maintainer' | 'contributor' | 'outsider', string>

const descriptionsFor = (scope: string): PeopleDescriptions => ({
  admin: `Admin of ${scope}`,
  maintainer: `Maintains ${scope}. Cannot see secrets or manage access`,
  contributor: `Read-only in ${scope}`,
  outsider: 'No access to any namespace',
})

const teams: PeopleDescriptions = {
  ...descriptionsFor('the three teams'),
  contributor: 'Read-only in two of the three teams',
}
const demoTeams: PeopleDescriptions = {
  ...descriptionsFor('five of the six teams'),
  admin: 'Admin of five of the six teams, read-only in the sixth',
}

export const scenarioPeople: Record<ScenarioName, PeopleDescriptions> = {
  demo: demoTeams,
  empty: teams,
  large: descriptionsFor('team-large'),
  faults: descriptionsFor('the faults namespaces except faults-denied'),
}
