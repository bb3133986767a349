import { type Stored, stored } from '../../lib/stored'

const nextSteps = [
  'component',
  'integration-test',
  'release-plan',
  'github-app',
  'gitlab-app',
  'code-change',
  'build-pipelines',
] as const
/** What users can do next with a new application. */
export type NextStep = (typeof nextSteps)[number]

/** The cards that the user has dismissed for one application. Neither name can contain a slash. */
export const dismissedCards = (namespace: string, application: string): Stored<readonly NextStep[]> =>
  stored(`whats-next-dismissed/${namespace}/${application}`, (value) =>
    Array.isArray(value) ? nextSteps.filter((step) => value.includes(step)) : [],
  )
