import { type NextStep, nextSteps } from '@slipway/model/next-steps'
import { type Stored, stored } from '../../lib/stored'

/** The cards that the user has dismissed for one application. Neither name can contain a slash. */
export const dismissedCards = (namespace: string, application: string): Stored<readonly NextStep[]> =>
  stored(`whats-next-dismissed/${namespace}/${application}`, (value) =>
    Array.isArray(value) ? nextSteps.filter((step) => value.includes(step)) : [],
  )
