/** What a cluster can begin with, each in a line. Apart from what they consist of, for those who only list them. */
export const scenarioSummaries = {
  demo: 'five teams, twelve applications and some history',
  empty: 'the platform and three namespaces without anything in them',
  large: 'one namespace with thousands of runs',
  faults: 'every failure that a person can meet',
} as const

export type ScenarioName = keyof typeof scenarioSummaries
export const scenarioNames = Object.keys(scenarioSummaries) as ScenarioName[] // A literal, with no other keys.

/** Does anybody work there, other than those who sign in? */
export const hasPeopleAtWork = (scenario: ScenarioName): boolean => scenario === 'demo'

/** What each of the people of a scenario begins with, in a few words. */
export type PeopleDescriptions = Record<'admin' | 'maintainer' | 'contributor' | 'outsider', string>

const peopleOf = (place: string): PeopleDescriptions => ({
  admin: `admin of ${place}`,
  maintainer: `maintainer of ${place}: no secrets, no access of others`,
  contributor: `reads ${place}`,
  outsider: 'has no namespace at all',
})

const teams: PeopleDescriptions = { ...peopleOf('the three teams'), contributor: 'reads two of the three teams' }
const demoTeams: PeopleDescriptions = {
  ...peopleOf('four of the five teams'),
  admin: 'admin of four of the five teams, reads the fifth',
  contributor: 'reads four of the five teams',
}

export const scenarioPeople: Record<ScenarioName, PeopleDescriptions> = {
  demo: demoTeams,
  empty: teams,
  large: peopleOf('team-large'),
  faults: peopleOf('the faults namespaces, but for faults-denied'),
}
