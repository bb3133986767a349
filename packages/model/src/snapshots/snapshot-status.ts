import type { Condition } from '@slipway/kube/object'
import { snapshotConditions, type Snapshot } from './snapshot'

/** All display statuses of a snapshot, the most urgent first. */
export const snapshotStatuses = [
  'Invalid',
  'Failed',
  'In Progress',
  'Pending',
  'Cancelled',
  'Succeeded',
  'Unknown',
] as const
export type SnapshotStatus = (typeof snapshotStatuses)[number]

/**
 * Status of a snapshot: the outcome of its required tests.
 * Source: integration-service, gitops/snapshot.go.
 */
export function snapshotStatus(snapshot: Snapshot): SnapshotStatus {
  if (!snapshot.status?.conditions?.length) return 'Unknown'
  const integration = conditionOf(snapshot, 'integrationStatus')
  const tests = conditionOf(snapshot, 'testSucceeded')
  if (integration?.reason === 'Invalid') return 'Invalid'
  if (integration?.reason === 'Canceled') return 'Cancelled'
  // The typo is the service's.
  if (integration?.reason === 'ErrorOccured') return 'Failed'
  // A repeated test leaves the earlier outcome for a moment.
  if (isOpen(integration)) return 'In Progress'
  if (tests?.status === 'True') return 'Succeeded'
  if (tests?.status === 'False') return 'Failed'
  if (isOpen(tests)) return 'In Progress'
  // Tests that have finished without an outcome say nothing; without both conditions they have not started.
  return integration ? 'Unknown' : 'Pending'
}

const isOpen = (condition: Condition | undefined): boolean =>
  condition !== undefined && condition.status !== 'True' && condition.status !== 'False'

/** Names of the conditions before the services were renamed, which old snapshots still have. */
const legacyConditions: Partial<Record<keyof typeof snapshotConditions, string>> = {
  testSucceeded: 'HACBSStudioTestSucceeded',
  integrationStatus: 'HACBSIntegrationStatus',
}

/** A condition of a snapshot, also under its former name. */
export function conditionOf(snapshot: Snapshot, name: keyof typeof snapshotConditions): Condition | undefined {
  const find = (type: string | undefined) => snapshot.status?.conditions?.find((each) => each.type === type)
  return find(snapshotConditions[name]) ?? find(legacyConditions[name])
}

/** What the integration service says about a snapshot, such as why it is invalid. */
export const statusMessageOf = (snapshot: Snapshot): string | undefined => {
  const [integration, tests] = [conditionOf(snapshot, 'integrationStatus'), conditionOf(snapshot, 'testSucceeded')]
  const isDecided = tests?.status === 'True' || tests?.status === 'False'
  // Once the tests have ended, their outcome says more than that they have.
  const [first, second] = isDecided && integration?.reason === 'Finished' ? [tests, integration] : [integration, tests]
  return first?.message || second?.message || undefined
}
