import type { TestGraph } from '@slipway/model/builds/component-group'
import { skippedTests } from '@slipway/model/builds/test-graph'
import { nameOf } from '@slipway/kube/object'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { ScenarioStatus } from '@slipway/model/snapshots/snapshot'
import { worstTestResult } from '@slipway/model/runs/task-results'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { isOptional } from '@slipway/model/snapshots/snapshot-tests'
import { hasPassed, runVerdict } from '@slipway/model/snapshots/verdict'

/** The statuses of a snapshot's tests. Source: integration-service, pkg/integrationteststatus. */

const waiting = ['Pending', 'InProgress']
export const isDecided = ({ status }: ScenarioStatus): boolean => !waiting.includes(status)

export function pendingStatus(scenario: IntegrationTestScenario, at: string): ScenarioStatus {
  return {
    scenario: nameOf(scenario),
    status: 'Pending',
    lastUpdateTime: at,
    details: 'Pending',
    ...(isOptional(scenario) && { isOptionalScenario: true }),
  }
}

/** A test whose run has just been created. */
export const startedStatus = (status: ScenarioStatus, run: string, at: string): ScenarioStatus => ({
  ...withoutTimes(status),
  status: 'InProgress',
  lastUpdateTime: at,
  details: `IntegrationTestScenario pipeline '${run}' has been created`,
  startTime: at,
  testPipelineRunName: run,
})

function withoutTimes(status: ScenarioStatus): ScenarioStatus {
  const rest = { ...status }
  delete rest.startTime
  delete rest.completionTime
  return rest
}

/** A test whose run cannot be created. */
export const invalidStatus = (status: ScenarioStatus, reason: string, at: string): ScenarioStatus => ({
  ...status,
  status: 'TestInvalid',
  details: `Creation of pipelineRun failed during creation due to: ${reason}.`,
  lastUpdateTime: at,
  completionTime: at,
})

/** The tests that a test of a group waits for. One that does not exist, or does not apply, holds nothing up. */
const parentsOf = ({ scenario }: ScenarioStatus, order: TestGraph, all: readonly ScenarioStatus[]): ScenarioStatus[] =>
  (order[scenario] ?? []).flatMap(({ name }) => all.filter((each) => each.scenario === name))

/** Whether all tests that a test waits for have ended, or it has started already. */
export const mayContinue = (status: ScenarioStatus, order: TestGraph, all: readonly ScenarioStatus[]): boolean =>
  status.testPipelineRunName !== undefined || parentsOf(status, order, all).every(isDecided)

/** A test that is skipped since a test before it has failed; `undefined` for any other. */
export function skippedStatus(
  status: ScenarioStatus,
  order: TestGraph,
  all: readonly ScenarioStatus[],
  at: string,
): ScenarioStatus | undefined {
  if (isDecided(status) || status.testPipelineRunName !== undefined) return undefined
  const failed = all.filter((each) => isDecided(each) && !['TestPassed', skipped].includes(each.status))
  const isSkipped = skippedTests(
    order,
    failed.map(({ scenario }) => scenario),
  ).includes(status.scenario)
  if (!isSkipped) return undefined
  const details = 'Integration test is skipped since a test that it depends on failed'
  return { ...status, status: skipped, details, lastUpdateTime: at, completionTime: at }
}

const skipped = 'Skipped'

/** Updates the status of a test from its run. @returns the same object if nothing changes */
export function updatedStatus(
  known: ScenarioStatus,
  run: PipelineRun | undefined,
  taskRuns: TaskRun[],
  at: string,
): ScenarioStatus {
  if (isDecided(known) || !known.testPipelineRunName) return known
  const [status, details] = verdictOf(known.testPipelineRunName, run, taskRuns)
  if (status === known.status && details === known.details) return known
  const completionTime = status === 'InProgress' ? undefined : at
  return { ...known, status, details, lastUpdateTime: at, ...(completionTime && { completionTime }) }
}

function verdictOf(name: string, run: PipelineRun | undefined, taskRuns: TaskRun[]): [string, string] {
  if (!run) return ['Deleted', `Integration test which is running as pipeline run '${name}', has been deleted`]
  if (!isFinished(run)) {
    return run.status?.startTime
      ? ['InProgress', `Integration test is running as pipeline run '${name}'`]
      : ['InProgress', `IntegrationTestScenario pipeline '${name}' has been created`]
  }
  const passes = hasPassed(runVerdict(run, undefined, worstTestResult(taskRuns)))
  return passes ? ['TestPassed', 'Integration test passed'] : ['TestFail', 'Integration test failed']
}
