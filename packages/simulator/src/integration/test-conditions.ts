import type { Condition } from '@slipway/kube/object'
import { snapshotConditions, type Snapshot } from '@slipway/model/supply-chain/snapshot'
import { conditionOf, setCondition } from '../set-condition'

type Statement = Omit<Condition, 'lastTransitionTime'>

const { integrationStatus, testSucceeded, autoReleased } = snapshotConditions

const finished = (message: string): Statement => ({
  type: integrationStatus,
  status: 'True',
  reason: 'Finished',
  message: `Snapshot integration status condition is finished since ${message}`,
})
const allCompleted = finished('all testing pipelines completed')

const running = (type: string, message: string): Statement => ({
  type,
  status: 'Unknown',
  reason: 'InProgress',
  message,
})

/** What is said of a snapshot at the turns of its tests. Source: integration-service, gitops/snapshot.go. */
export const testConditions = {
  /** Tests that are repeated are in progress already. */
  inProgress: (snapshot: Snapshot): Statement[] =>
    conditionOf(snapshot, integrationStatus)?.reason === 'InProgress'
      ? []
      : [running(integrationStatus, 'Snapshot starts being tested by the integrationPipelineRun')],
  repeated: (): Statement[] =>
    [testSucceeded, integrationStatus].map((type) => running(type, 'Integration test re-run initiated for Snapshot')),
  passed: (): Statement[] => [
    allCompleted,
    { type: testSucceeded, status: 'True', reason: 'Passed', message: 'All Integration Pipeline tests passed' },
  ],
  failed: (): Statement[] => [
    allCompleted,
    { type: testSucceeded, status: 'False', reason: 'Failed', message: 'Some Integration pipeline tests failed' },
  ],
  untested: (): Statement[] => [
    finished('there are no required testing pipelines defined for its application'),
    {
      type: testSucceeded,
      status: 'True',
      reason: 'Passed',
      message: 'No required IntegrationTestScenarios found, skipped testing',
    },
  ],
  invalid: (message: string): Statement[] => [{ type: integrationStatus, status: 'False', reason: 'Invalid', message }],
  autoReleased: (message: string): Statement[] => [
    { type: autoReleased, status: 'True', reason: 'AutoReleased', message },
  ],
}

/** The same snapshot when it says all of that already. */
export function withConditions(snapshot: Snapshot, statements: Statement[], at: string): Snapshot {
  const before = snapshot.status?.conditions
  const conditions = statements.reduce((known, each) => setCondition(known, each, at), before)
  return conditions === before ? snapshot : { ...snapshot, status: { ...snapshot.status, conditions } }
}
