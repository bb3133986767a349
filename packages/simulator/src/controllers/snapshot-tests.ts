import { isSameJson } from '@slipway/kube/json'
import { nameOf, namespaceOf, uidOf, type KubeObject } from '@slipway/kube/object'
import type { ResourceType } from '@slipway/kube/resource-type'
import { ignoreExisting, ApiError } from '@slipway/kube/status'
import { componentType } from '@slipway/model/builds/component'
import { type ComponentGroup, type TestGraph, testGraphOf } from '@slipway/model/builds/component-group'
import {
  integrationTestScenarioType,
  type IntegrationTestScenario,
} from '@slipway/model/snapshots/integration-test-scenario'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { snapshotConditions, snapshotType, type ScenarioStatus, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { appliesTo, isOptional, testStatusesOf } from '@slipway/model/snapshots/snapshot-tests'
import {
  defineController,
  objectKeyOf,
  on,
  ownerReference,
  type Controller,
  type ControllerContext,
} from '../controller'
import { hasDigest } from '../integration/snapshot-for'
import { findOwner, isOfSameOwner, ownerNameOf, ownerTypes } from '../integration/snapshot-owner'
import { notFoundMessage, testRunFor } from '../integration/test-run-for'
import {
  updatedStatus,
  invalidStatus,
  isDecided,
  mayContinue,
  pendingStatus,
  skippedStatus,
  startedStatus,
} from '../integration/test-status'
import { testConditions, withConditions } from '../integration/test-conditions'
import type { PlatformVersion } from '../platform-version'
import { conditionOf } from '../set-condition'
import { isValid } from './test-scenarios'

/** Runs the tests of all snapshots and reports their results. */
export const snapshotTests = (platform: PlatformVersion): Controller => {
  const owners = ownerTypes(platform)
  return defineController<Snapshot>({
    name: 'snapshot-tests',
    type: snapshotType,
    owns: [pipelineRunType],
    wakes: [
      ...owners.map((type) =>
        on(type, (owner, context) =>
          unfinishedIn(owner, ({ spec }) => ownerNameOf(spec, type) === nameOf(owner), context),
        ),
      ),
      on(integrationTestScenarioType, (scenario, context) =>
        unfinishedIn(scenario, ({ spec }) => isOfSameOwner(spec, scenario.spec), context),
      ),
    ],
    reads: [taskRunType, componentType],
    writes: [
      [snapshotType, 'update', 'updateStatus'],
      [pipelineRunType, 'create'],
    ],
    async reconcile(snapshot, context) {
      const found = findOwner(snapshot, owners, context)
      if (!found || snapshot.metadata.deletionTimestamp) return
      if (!snapshot.metadata.ownerReferences?.length) return adopt(snapshot, found, context)
      if (snapshot.metadata.labels?.[labels.rerun] !== undefined) return rerun(snapshot, context)
      const known = testStatusesOf(snapshot)
      const isOver = areTestsFinished(snapshot)
      if (isInvalid(snapshot) || (isOver && known.every(isDecided))) return
      const error = errorOf(snapshot)
      if (error) return write(snapshot, testConditions.invalid(error), context)
      const scenarios = scenariosFor(snapshot, context)
      const listed = isOver ? known : listedStatuses(snapshot, known, scenarios, context)
      if (!isSameJson(listed, known)) return void (await writeStatuses(snapshot, listed, context))
      const order = orderOf(found.owner)
      const followed: ScenarioStatus[] = []
      for (const status of listed) {
        const skipped = skippedStatus(status, order, listed, context.timestamp())
        if (skipped) followed.push(skipped)
        else if (mayContinue(status, order, listed)) followed.push(await continueTests(snapshot, status, context))
        else followed.push(status)
      }
      if (!isSameJson(followed, known)) return void (await writeStatuses(snapshot, followed, context))
      if (!isOver) await write(snapshot, conditionsFor(snapshot, followed, scenarios), context)
    },
  })
}

/** Of an application, all tests start at once. */
const orderOf = (owner: KubeObject): TestGraph =>
  // Owners are of one of two kinds, and only groups have this field.
  testGraphOf(owner as ComponentGroup)

const unfinishedIn = (
  { metadata }: KubeObject,
  isAffected: (snapshot: Snapshot) => boolean,
  { informer }: ControllerContext,
) =>
  informer(snapshotType)
    .list(metadata.namespace)
    .filter((snapshot) => isAffected(snapshot) && !areTestsFinished(snapshot))
    .map(objectKeyOf)

export const areTestsFinished = (snapshot: Snapshot): boolean =>
  ['True', 'False'].includes(conditionOf(snapshot, snapshotConditions.testSucceeded)?.status ?? '')

export const isInvalid = (snapshot: Snapshot): boolean =>
  conditionOf(snapshot, snapshotConditions.integrationStatus)?.reason === 'Invalid'

/** Makes the application or the group the owner of a snapshot that a user created, as for those of builds. */
async function adopt(
  snapshot: Snapshot,
  { type, owner }: { type: ResourceType; owner: KubeObject },
  { client }: ControllerContext,
) {
  const ownerReferences = [ownerReference(type, owner)]
  await client.replace(snapshotType, { ...snapshot, metadata: { ...snapshot.metadata, ownerReferences } })
}

/** Why an override snapshot is invalid; `undefined` if it is valid. */
function errorOf({ metadata, spec }: Snapshot): string | undefined {
  if (metadata.labels?.[labels.snapshotType] !== 'override') return undefined
  const broken = spec.components?.find(({ containerImage }) => !hasDigest(containerImage))
  return broken && `${broken.containerImage} is invalid container image digest from component ${broken.name}`
}

const scenariosOf = (snapshot: Snapshot, { informer }: ControllerContext): IntegrationTestScenario[] =>
  informer(integrationTestScenarioType)
    .list(namespaceOf(snapshot))
    .filter(({ metadata, spec }) => isOfSameOwner(spec, snapshot.spec) && !metadata.deletionTimestamp)
    .filter(isValid)

const scenariosFor = (snapshot: Snapshot, context: ControllerContext): IntegrationTestScenario[] =>
  scenariosOf(snapshot, context).filter((scenario) => appliesTo(scenario, snapshot))

/** The statuses of all existing scenarios. A test that was requested by name stays, whatever its contexts. */
function listedStatuses(
  snapshot: Snapshot,
  known: ScenarioStatus[],
  scenarios: IntegrationTestScenario[],
  { informer, timestamp }: ControllerContext,
): ScenarioStatus[] {
  const exists = ({ scenario }: ScenarioStatus) =>
    informer(integrationTestScenarioType).get(namespaceOf(snapshot), scenario) !== undefined
  const missing = scenarios.filter((scenario) => !known.some((status) => status.scenario === nameOf(scenario)))
  return [...known.filter(exists), ...missing.map((scenario) => pendingStatus(scenario, timestamp()))]
}

/** Starts a pending test, or updates the status of a running one. */
async function continueTests(
  snapshot: Snapshot,
  status: ScenarioStatus,
  context: ControllerContext,
): Promise<ScenarioStatus> {
  const { informer, timestamp } = context
  const namespace = namespaceOf(snapshot)
  if (status.testPipelineRunName) {
    const run = informer(pipelineRunType).get(namespace, status.testPipelineRunName)
    return updatedStatus(status, run, run ? informer(taskRunType).ownedBy(uidOf(run)) : [], timestamp())
  }
  const scenario = informer(integrationTestScenarioType).get(namespace, status.scenario)
  return scenario && !isDecided(status) ? startTest(snapshot, scenario, status, context) : status
}

async function startTest(
  snapshot: Snapshot,
  scenario: IntegrationTestScenario,
  status: ScenarioStatus,
  { client, informer, random, timestamp }: ControllerContext,
): Promise<ScenarioStatus> {
  const isTaken = (name: string) => {
    const known = informer(pipelineRunType).get(namespaceOf(snapshot), name)?.metadata
    return known !== undefined && known.labels?.[labels.snapshot] !== nameOf(snapshot)
  }
  const component = snapshot.metadata.labels?.[labels.component] ?? ''
  const run = testRunFor({
    snapshot,
    scenario,
    // Runs of a group have the application of what was built, as the pages of runs are below an application.
    application:
      snapshot.spec.application ?? informer(componentType).get(namespaceOf(snapshot), component)?.spec.application,
    previous: status.testPipelineRunName,
    random,
    isTaken,
  })
  if (!run) return invalidStatus(status, notFoundMessage(scenario), timestamp())
  try {
    await client.create(pipelineRunType, run).catch(ignoreExisting)
    return startedStatus(status, nameOf(run), timestamp())
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 422)) throw error
    return invalidStatus(status, error.message, timestamp())
  }
}

/** Reruns the tests that the label requests, and removes it. Unfinished tests are not started again. */
async function rerun(snapshot: Snapshot, context: ControllerContext): Promise<void> {
  const requested = snapshot.metadata.labels?.[labels.rerun] ?? ''
  const scenarios =
    requested === 'all'
      ? scenariosFor(snapshot, context)
      : scenariosOf(snapshot, context).filter((scenario) => nameOf(scenario) === requested)
  const statuses = testStatusesOf(snapshot)
  let isAny = false
  for (const scenario of scenarios) {
    const index = statuses.findIndex((status) => status.scenario === nameOf(scenario))
    const known = statuses[index]
    if (known && !isDecided(known)) continue
    const pending = pendingStatus(scenario, context.timestamp())
    const previous = { ...pending, testPipelineRunName: known?.testPipelineRunName }
    const started = await startTest(snapshot, scenario, previous, context)
    statuses.splice(index < 0 ? statuses.length : index, index < 0 ? 0 : 1, started)
    isAny = true
  }
  const remaining = Object.entries(snapshot.metadata.labels ?? {}).filter(([key]) => key !== labels.rerun)
  const metadata = { ...snapshot.metadata, labels: Object.fromEntries(remaining) }
  // Conditions first: once the label is removed, an interrupted rerun is not repeated.
  const reset = isAny ? withConditions(snapshot, testConditions.repeated(), context.timestamp()) : snapshot
  const { metadata: current } = reset === snapshot ? snapshot : await context.client.replaceStatus(snapshotType, reset)
  await writeStatuses(
    { ...snapshot, metadata: { ...metadata, resourceVersion: current.resourceVersion } },
    statuses,
    context,
  )
}

function conditionsFor(snapshot: Snapshot, statuses: ScenarioStatus[], scenarios: IntegrationTestScenario[]) {
  const required = statuses.filter(({ isOptionalScenario }) => !isOptionalScenario)
  if (required.length === 0 && scenarios.every(isOptional)) return testConditions.untested()
  if (!required.every(isDecided)) return testConditions.inProgress(snapshot)
  return required.every(({ status }) => status === 'TestPassed') ? testConditions.passed() : testConditions.failed()
}

const writeStatuses = (snapshot: Snapshot, statuses: ScenarioStatus[], { client }: ControllerContext) =>
  client.replace(snapshotType, {
    ...snapshot,
    metadata: {
      ...snapshot.metadata,
      annotations: { ...snapshot.metadata.annotations, [annotations.testStatus]: JSON.stringify(statuses) },
    },
  })

async function write(
  snapshot: Snapshot,
  conditions: Parameters<typeof withConditions>[1],
  { client, timestamp }: ControllerContext,
): Promise<void> {
  const next = withConditions(snapshot, conditions, timestamp())
  if (next !== snapshot) await client.replaceStatus(snapshotType, next)
}
