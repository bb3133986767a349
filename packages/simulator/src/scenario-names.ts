/** What a cluster can begin with, each in a line. Apart from what they consist of, for those who only list them. */
export const scenarioSummaries = {
  demo: 'three teams, eight applications, some history, and people at work',
  empty: 'the platform and three namespaces without anything in them',
  large: 'one namespace with 10,000 runs; takes a while to create',
  faults: 'every failure that a person can meet',
} as const

export type ScenarioName = keyof typeof scenarioSummaries
export const scenarioNames = Object.keys(scenarioSummaries) as ScenarioName[] // A literal, with no other keys.
