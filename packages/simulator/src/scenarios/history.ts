import { podType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import type { Application } from '@slipway/model/builds/application'
import type { Component } from '@slipway/model/builds/component'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { customRunType } from '@slipway/model/runs/custom-run'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type ScenarioStatus, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { appliesTo, isOptional } from '@slipway/model/snapshots/snapshot-tests'
import { asReported, builtImageOf, hasSucceeded, isPushBuild, pullRequestGroupOf } from '../integration/build-facts'
import { buildRunFor, isPullRequestEvent } from '../git-host/build-run'
import type { Delivery, GitRepository, PullRequest } from '../git-host/repository'
import { groupDecision, groupAnnotations } from '../integration/group-snapshot-for'
import { snapshotFor, snapshotAnnotations } from '../integration/snapshot-for'
import { testConditions, withConditions } from '../integration/test-conditions'
import { notFoundMessage, testRunFor } from '../integration/test-run-for'
import { updatedStatus, invalidStatus, pendingStatus, startedStatus } from '../integration/test-status'
import { finishedPipelineRun, type FinishedRun } from '../tekton/history'
import { outcomeAnnotation, type Outcome } from '../tekton/outcome'
import { timestamp } from '../tekton/task-run-status'
import { seed, type ArchivedSeeds, type ScenarioContext, type Seed } from './scenario'
import { uidFor } from './uids'

/**
 * Where a finished run is stored: in the cluster with its pods and logs, in the cluster without them, or only in the
 * archive. The archive has the rest.
 */
export type Whereabouts = 'cluster' | 'cluster-without-pods' | 'archive'

export interface PastBuild {
  component: Component
  repository: GitRepository
  event: Delivery
  /** Outcomes of its tasks; random by default. */
  outcomes?: Record<string, Outcome>
  where: Whereabouts
}

/** An application. Its components are updated by their builds. */
export interface PastApplication {
  application: Application
  components: Component[]
  scenarios: IntegrationTestScenario[]
}

/** The result of a push or a pull request. */
export interface PastChange {
  run: PipelineRun
  tested?: { snapshot: Snapshot; endMs: number }
}

export interface History {
  /** Adds a build with its snapshot and tests. Call it in chronological order. */
  build(application: PastApplication, build: PastBuild): PastChange
  /** Adds any other finished run. */
  run(run: PipelineRun, startMs: number, where: Whereabouts): FinishedRun
  /** Adds an object in its final state. */
  add(seed: Seed): void
  seeds: Seed[]
  archived: ArchivedSeeds[]
}

/** A build of a pull request and its snapshot. */
interface GroupedBuild {
  run: PipelineRun
  snapshot?: Snapshot
  pullRequest?: PullRequest
}

/** Time between a build and its snapshot, and between the snapshot and its tests. */
const serviceDelayMs = 2_000

/** Creates the history that controllers would have created, with the functions by which they decide. */
export function createHistory(context: ScenarioContext): History {
  const { world, consoleUrl, gitHostUrl } = context
  const seeds: Seed[] = []
  const archived: ArchivedSeeds[] = []
  const snapshotNames = new Set<string>()
  const grouped = new Map<string, GroupedBuild[]>()

  function addRun({ pipelineRun, taskRuns, customRuns, pods, logs, deleted }: FinishedRun, where: Whereabouts) {
    if (deleted.pods.length > 0) archived.push({ objects: deleted.pods, logs: deleted.logs })
    if (where === 'archive') {
      archived.push({ objects: [pipelineRun, ...taskRuns, ...pods], logs })
      return
    }
    seeds.push(seed(pipelineRunType, pipelineRun), ...taskRuns.map((taskRun) => seed(taskRunType, taskRun)))
    seeds.push(...customRuns.map((customRun) => seed(customRunType, customRun)))
    if (where === 'cluster-without-pods') {
      archived.push({ objects: pods, logs })
      return
    }
    for (const pod of pods) seeds.push(seed(podType, pod, { logs: logs.filter((log) => log.pod === nameOf(pod)) }))
  }

  function run(created: PipelineRun, startMs: number, where: Whereabouts): FinishedRun {
    const finished = finishedPipelineRun({ run: created, startMs, world })
    addRun(finished, where)
    return finished
  }

  function test(
    snapshot: Snapshot,
    scenario: IntegrationTestScenario,
    startMs: number,
    where: Whereabouts,
  ): { status: ScenarioStatus; endMs: number } {
    const created = testRunFor({ snapshot, scenario, random: world.random })
    const pending = pendingStatus(scenario, timestamp(startMs))
    if (!created)
      return { status: invalidStatus(pending, notFoundMessage(scenario), timestamp(startMs)), endMs: startMs }
    const { pipelineRun, taskRuns } = run(created, startMs, where)
    const endMs = endOf(pipelineRun)
    const started = startedStatus(pending, nameOf(created), timestamp(startMs))
    return { status: updatedStatus(started, pipelineRun, taskRuns, timestamp(endMs)), endMs }
  }

  /** Runs all applicable tests, and adds their results to the snapshot. */
  function testAll(snapshot: Snapshot, scenarios: IntegrationTestScenario[], startMs: number, where: Whereabouts) {
    const applicable = scenarios.filter((scenario) => appliesTo(scenario, snapshot))
    const tests = applicable.map((scenario) => test(snapshot, scenario, startMs + serviceDelayMs, where))
    const endMs = Math.max(startMs, ...tests.map((each) => each.endMs))
    const statuses = tests.map(({ status }) => status)
    const required = applicable.filter((scenario) => !isOptional(scenario))
    const conclusion =
      required.length === 0
        ? testConditions.untested()
        : statuses.every(({ status, isOptionalScenario }) => status === 'TestPassed' || isOptionalScenario)
          ? testConditions.passed()
          : testConditions.failed()
    const tested = withAnnotation(snapshot, annotations.testStatus, JSON.stringify(statuses))
    return { snapshot: withConditions(tested, conclusion, timestamp(endMs)), endMs }
  }

  const isNameTakenIn = (namespace: string) => (name: string) => snapshotNames.has(`${namespace}/${name}`)

  function createdSnapshot(draft: Snapshot, atMs: number): Snapshot {
    const namespace = namespaceOf(draft) ?? ''
    snapshotNames.add(`${namespace}/${nameOf(draft)}`)
    const uid = uidFor(world, 'snapshot', namespace, nameOf(draft))
    return { ...draft, metadata: { ...draft.metadata, uid, creationTimestamp: timestamp(atMs) } }
  }

  /** Adds a build to its pull request group. @returns all builds of the group */
  function groupWith(build: GroupedBuild): GroupedBuild[] {
    const group = pullRequestGroupOf(build.run)
    if (!group) return []
    const { namespace = '', labels: known = {} } = build.run.metadata
    const key = `${namespace} ${known[labels.application] ?? ''} ${group.sha}`
    const builds = [...(grouped.get(key) ?? []), build]
    grouped.set(key, builds)
    return builds
  }

  /**
   * Decides about the group of a snapshot, and creates and tests its group snapshot. @returns annotations for the
   * snapshot
   */
  function decideGroup(
    snapshot: Snapshot,
    builds: GroupedBuild[],
    { application, components, scenarios }: PastApplication,
    where: Whereabouts,
  ): Record<string, string> {
    // Builds of a group may have run concurrently.
    const nowMs = Math.max(...builds.map(({ run }) => endOf(run))) + 2 * serviceDelayMs
    const isOpen = (each: Snapshot) => {
      const closedAt = builds.find((build) => build.snapshot === each)?.pullRequest?.closedAt
      return closedAt === undefined || Date.parse(closedAt) > nowMs
    }
    const decision = groupDecision({
      snapshot,
      application,
      components,
      builds: builds.map((each) => each.run),
      snapshots: builds.flatMap((each) => each.snapshot ?? []),
      isOpen,
      nowMs,
      isTaken: isNameTakenIn(namespaceOf(snapshot) ?? ''),
    })
    if (!decision) return {}
    const marks = groupAnnotations(decision.note)
    for (const entry of seeds) {
      const { kind, metadata } = entry.object
      if (kind !== snapshotType.kind || metadata.namespace !== namespaceOf(snapshot)) continue
      if (!decision.notedOn.includes(nameOf(entry.object))) continue
      entry.object = { ...entry.object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...marks } } }
    }
    if (decision.group) {
      const group = testAll(createdSnapshot(decision.group, nowMs), scenarios, nowMs, where)
      seeds.push(seed(snapshotType, group.snapshot))
    }
    return marks
  }

  return {
    seeds,
    archived,
    run,
    add: (each) => void seeds.push(each),

    build(past, { component, repository, event, outcomes, where }) {
      const { application, components, scenarios } = past
      const { host, organization, name } = repository
      const pullRequest = repository.pullRequests.find(({ number }) => number === event.pullRequest)
      const created = buildRunFor({
        component,
        repository: { ...repository, webUrl: `${gitHostUrl}/${host}/${organization}/${name}` },
        event,
        sourceBranch: pullRequest?.source,
        random: world.random,
        consoleUrl,
        isTraced: context.platform !== 'legacy',
      })
      const startMs = Math.floor(Date.parse(event.commit.time) / 1_000) * 1_000 + serviceDelayMs
      const finished = finishedPipelineRun({ run: withOutcomes(created, outcomes), startMs, world })
      const reported = withAnnotation(asReported(finished.pipelineRun), annotations.nudgeProcessed, 'true')
      if (!hasSucceeded(reported)) {
        addRun({ ...finished, pipelineRun: reported }, where)
        groupWith({ run: reported, pullRequest })
        return { run: reported }
      }
      const builtMs = endOf(reported) + serviceDelayMs
      const isTaken = isNameTakenIn(namespaceOf(component) ?? '')
      const snapshot = createdSnapshot(snapshotFor({ build: reported, application, components, isTaken }), builtMs)
      const marks = snapshotAnnotations({ status: 'success', snapshot: nameOf(snapshot) })
      const run = Object.entries(marks).reduce((known, [key, value]) => withAnnotation(known, key, value), reported)
      addRun({ ...finished, pipelineRun: run }, where)
      if (!isPullRequestEvent(event) && isPushBuild(run)) promote(component, run)

      const builds = groupWith({ run, snapshot, pullRequest })
      const noted = builds.length > 0 ? decideGroup(snapshot, builds, past, where) : {}
      const marked = Object.entries(noted).reduce((known, [key, value]) => withAnnotation(known, key, value), snapshot)
      return { run, tested: testAll(marked, scenarios, builtMs, where) }
    },
  }
}

export const endOf = ({ status }: PipelineRun): number => Date.parse(status?.completionTime ?? '')

const withOutcomes = (run: PipelineRun, outcomes: PastBuild['outcomes']): PipelineRun =>
  outcomes ? withAnnotation(run, outcomeAnnotation, JSON.stringify(outcomes)) : run

const withAnnotation = <T extends PipelineRun | Snapshot>(object: T, key: string, value: string): T => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [key]: value } },
})

/** Updates a component after a push build, for later builds. */
function promote(component: Component, run: PipelineRun) {
  component.status = {
    ...component.status,
    lastBuiltCommit: run.metadata.labels?.[labels.commitSha],
    lastPromotedImage: builtImageOf(run),
  }
  const startedAt = Math.floor(Date.parse(run.metadata.creationTimestamp ?? '') / 1_000)
  component.metadata = {
    ...component.metadata,
    annotations: { ...component.metadata.annotations, [annotations.lastBuiltTime]: String(startedAt) },
  }
}
