import { podType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import type { Application } from '@slipway/model/supply-chain/application'
import type { Component } from '@slipway/model/supply-chain/component'
import type { IntegrationTestScenario } from '@slipway/model/supply-chain/integration-test-scenario'
import { customRunType } from '@slipway/model/runs/custom-run'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type ScenarioStatus, type Snapshot } from '@slipway/model/supply-chain/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import { asReported, builtImageOf, hasSucceeded, isPushBuild, pullRequestGroupOf } from '../integration/build-facts'
import { buildRunFor, isPullRequestEvent } from '../git-host/build-run'
import type { Delivery, GitRepository, PullRequest } from '../git-host/repository'
import { groupDecision, groupMarks } from '../integration/group-snapshot-for'
import { snapshotFor, snapshotMarks } from '../integration/snapshot-for'
import { testConditions, withConditions } from '../integration/test-conditions'
import { appliesTo, isOptional, notFoundMessage, testRunFor } from '../integration/test-run-for'
import { followedStatus, invalidStatus, pendingStatus, startedStatus } from '../integration/test-status'
import { finishedPipelineRun, type FinishedRun } from '../tekton/history'
import { outcomeAnnotation, type Outcome } from '../tekton/outcome'
import { timestamp } from '../tekton/task-run-status'
import { seed, type ArchivedSeeds, type ScenarioContext, type Seed } from './scenario'
import { uidFor } from './uids'

/** Where a finished run is found: with its pods and their logs, without these, or not at all; the archive has the rest. */
export type Whereabouts = 'cluster' | 'cluster-without-pods' | 'archive'

export interface PastBuild {
  component: Component
  repository: GitRepository
  event: Delivery
  /** How tasks of it ended; otherwise chance has decided. */
  outcomes?: Record<string, Outcome>
  where: Whereabouts
}

/** Of one application. Its components change as they are built. */
export interface PastApplication {
  application: Application
  components: Component[]
  scenarios: IntegrationTestScenario[]
}

/** What has become of a push or a pull request. */
export interface PastChange {
  run: PipelineRun
  tested?: { snapshot: Snapshot; endMs: number }
}

export interface History {
  /** A build, and its snapshot and tests. To be asked for in the order in which they happened. */
  build(application: PastApplication, build: PastBuild): PastChange
  /** Any other run that has ended. */
  run(run: PipelineRun, startMs: number, where: Whereabouts): FinishedRun
  /** Leaves an object as it has become. */
  add(seed: Seed): void
  seeds: Seed[]
  archived: ArchivedSeeds[]
}

/** A build of a pull request, and what was made of it. */
interface GroupedBuild {
  run: PipelineRun
  snapshot?: Snapshot
  pullRequest?: PullRequest
}

/** Between a build and its snapshot, and between that and its tests. */
const serviceDelayMs = 2_000

/** Writes the past as controllers would have, by the functions by which they decide. */
export function createHistory(context: ScenarioContext): History {
  const { world, consoleUrl, gitHostUrl } = context
  const seeds: Seed[] = []
  const archived: ArchivedSeeds[] = []
  const snapshotNames = new Set<string>()
  const grouped = new Map<string, GroupedBuild[]>()

  function leave({ pipelineRun, taskRuns, customRuns, pods, logs, deleted }: FinishedRun, where: Whereabouts) {
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
    leave(finished, where)
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
    return { status: followedStatus(started, pipelineRun, taskRuns, timestamp(endMs)), endMs }
  }

  /** Runs all tests that apply, and says how they went. */
  function testAll(snapshot: Snapshot, scenarios: IntegrationTestScenario[], startMs: number, where: Whereabouts) {
    const applying = scenarios.filter((scenario) => appliesTo(scenario, snapshot))
    const tests = applying.map((scenario) => test(snapshot, scenario, startMs + serviceDelayMs, where))
    const endMs = Math.max(startMs, ...tests.map((each) => each.endMs))
    const statuses = tests.map(({ status }) => status)
    const required = applying.filter((scenario) => !isOptional(scenario))
    const conclusion =
      required.length === 0
        ? testConditions.untested()
        : statuses.every(({ status, isOptionalScenario }) => status === 'TestPassed' || isOptionalScenario)
          ? testConditions.passed()
          : testConditions.failed()
    const tested = withMark(snapshot, annotations.testStatus, JSON.stringify(statuses))
    return { snapshot: withConditions(tested, conclusion, timestamp(endMs)), endMs }
  }

  const isTakenIn = (namespace: string) => (name: string) => snapshotNames.has(`${namespace}/${name}`)

  function createdSnapshot(made: Snapshot, atMs: number): Snapshot {
    const namespace = namespaceOf(made) ?? ''
    snapshotNames.add(`${namespace}/${nameOf(made)}`)
    const uid = uidFor(world, 'snapshot', namespace, nameOf(made))
    return { ...made, metadata: { ...made.metadata, uid, creationTimestamp: timestamp(atMs) } }
  }

  /** Remembers a build of a pull request with the others that it belongs to. */
  function groupWith(build: GroupedBuild): GroupedBuild[] {
    const group = pullRequestGroupOf(build.run)
    if (!group) return []
    const { namespace = '', labels: known = {} } = build.run.metadata
    const key = `${namespace} ${known[labels.application] ?? ''} ${group.sha}`
    const builds = [...(grouped.get(key) ?? []), build]
    grouped.set(key, builds)
    return builds
  }

  /** What the snapshot of a pull request means for others; it is tested with them then. @returns what is noted on it */
  function considerGroup(
    snapshot: Snapshot,
    builds: GroupedBuild[],
    { application, components, scenarios }: PastApplication,
    where: Whereabouts,
  ): Record<string, string> {
    // Builds of a group may have run side by side.
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
      isTaken: isTakenIn(namespaceOf(snapshot) ?? ''),
    })
    if (!decision) return {}
    const marks = groupMarks(decision.note)
    for (const left of seeds) {
      const { kind, metadata } = left.object
      if (kind !== snapshotType.kind || metadata.namespace !== namespaceOf(snapshot)) continue
      if (!decision.notedOn.includes(nameOf(left.object))) continue
      left.object = { ...left.object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...marks } } }
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
      })
      const startMs = Math.floor(Date.parse(event.commit.time) / 1_000) * 1_000 + serviceDelayMs
      const finished = finishedPipelineRun({ run: withOutcomes(created, outcomes), startMs, world })
      const reported = withMark(asReported(finished.pipelineRun), annotations.nudgeProcessed, 'true')
      if (!hasSucceeded(reported)) {
        leave({ ...finished, pipelineRun: reported }, where)
        groupWith({ run: reported, pullRequest })
        return { run: reported }
      }
      const builtMs = endOf(reported) + serviceDelayMs
      const isTaken = isTakenIn(namespaceOf(component) ?? '')
      const snapshot = createdSnapshot(snapshotFor({ build: reported, application, components, isTaken }), builtMs)
      const marks = snapshotMarks({ status: 'success', snapshot: nameOf(snapshot) })
      const run = Object.entries(marks).reduce((known, [key, value]) => withMark(known, key, value), reported)
      leave({ ...finished, pipelineRun: run }, where)
      if (!isPullRequestEvent(event) && isPushBuild(run)) promote(component, run)

      const builds = groupWith({ run, snapshot, pullRequest })
      const noted = builds.length > 0 ? considerGroup(snapshot, builds, past, where) : {}
      const marked = Object.entries(noted).reduce((known, [key, value]) => withMark(known, key, value), snapshot)
      return { run, tested: testAll(marked, scenarios, builtMs, where) }
    },
  }
}

export const endOf = ({ status }: PipelineRun): number => Date.parse(status?.completionTime ?? '')

const withOutcomes = (run: PipelineRun, outcomes: PastBuild['outcomes']): PipelineRun =>
  outcomes ? withMark(run, outcomeAnnotation, JSON.stringify(outcomes)) : run

const withMark = <T extends PipelineRun | Snapshot>(object: T, key: string, value: string): T => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [key]: value } },
})

/** What a push build makes of its component, for all that is built after it. */
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
