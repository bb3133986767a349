import type { Condition } from '@slipway/kube/object'
import { snapshotConditions, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { conditionOf, setCondition } from '../set-condition'

type ConditionUpdate = Omit<Condition, 'lastTransitionTime'>

const { integrationStatus, testSucceeded, autoReleased } = snapshotConditions

const finished = (message: string): ConditionUpdate => ({
  type: integrationStatus,
  status: 'True',
  reason: 'Finished',
  message: `Snapshot integration status condition is finished since ${message}`,
})
const allCompleted = finished('all testing pipelines completed')

const running = (type: string, message: string): ConditionUpdate => ({
  type,
  status: 'Unknown',
  reason: 'InProgress',
  message,
})

/** Conditions of a snapshot at each stage of its tests. Source: integration-service, gitops/snapshot.go. */
export const testConditions = {
  /** For repeated tests the condition is already set. */
  inProgress: (snapshot: Snapshot): ConditionUpdate[] =>
    conditionOf(snapshot, integrationStatus)?.reason === 'InProgress'
      ? []
      : [running(integrationStatus, 'Snapshot starts being tested by the integrationPipelineRun')],
  repeated: (): ConditionUpdate[] =>
    [testSucceeded, integrationStatus].map((type) => running(type, 'Integration test re-run initiated for Snapshot')),
  passed: (): ConditionUpdate[] => [
    allCompleted,
    { type: testSucceeded, status: 'True', reason: 'Passed', message: 'All Integration Pipeline tests passed' },
  ],
  failed: (): ConditionUpdate[] => [
    allCompleted,
    { type: testSucceeded, status: 'False', reason: 'Failed', message: 'Some Integration pipeline tests failed' },
  ],
  untested: (): ConditionUpdate[] => [
    finished('there are no required testing pipelines defined for its application'),
    {
      type: testSucceeded,
      status: 'True',
      reason: 'Passed',
      message: 'No required IntegrationTestScenarios found, skipped testing',
    },
  ],
  invalid: (message: string): ConditionUpdate[] => [
    { type: integrationStatus, status: 'False', reason: 'Invalid', message },
  ],
  autoReleased: (message: string): ConditionUpdate[] => [
    { type: autoReleased, status: 'True', reason: 'AutoReleased', message },
  ],
}

/** @returns the same snapshot if nothing changes */
export function withConditions(snapshot: Snapshot, updates: ConditionUpdate[], at: string): Snapshot {
  const before = snapshot.status?.conditions
  const conditions = updates.reduce((known, each) => setCondition(known, each, at), before)
  return conditions === before ? snapshot : { ...snapshot, status: { ...snapshot.status, conditions } }
}
