import { podType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import type { Application } from '@slipway/model/application'
import type { Component } from '@slipway/model/component'
import type { IntegrationTestScenario } from '@slipway/model/integration-test-scenario'
import { customRunType } from '@slipway/model/custom-run'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/pipeline-run'
import type { ScenarioStatus, Snapshot } from '@slipway/model/snapshot'
import { taskRunType } from '@slipway/model/task-run'
import { asReported, builtImageOf, hasSucceeded, isPushBuild } from '../integration/build-facts'
import { buildRunFor, isPullRequestEvent } from '../git-host/build-run'
import type { Delivery, GitRepository } from '../git-host/repository'
import { snapshotFor, snapshotMarks } from '../integration/snapshot-for'
import { testConditions, withConditions } from '../integration/test-conditions'
import { appliesTo, isOptional, testRunFor } from '../integration/test-run-for'
import { followedStatus, pendingStatus, startedStatus } from '../integration/test-status'
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

/** Between a build and its snapshot, and between that and its tests. */
const serviceDelayMs = 2_000

/** Writes the past as controllers would have, by the functions by which they decide. */
export function createHistory(context: ScenarioContext): History {
  const { world, consoleUrl, gitHostUrl } = context
  const seeds: Seed[] = []
  const archived: ArchivedSeeds[] = []
  const snapshotNames = new Set<string>()

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
    const { pipelineRun, taskRuns } = run(created, startMs, where)
    const endMs = endOf(pipelineRun)
    const started = startedStatus(pendingStatus(scenario, timestamp(startMs)), nameOf(created), timestamp(startMs))
    return { status: followedStatus(started, pipelineRun, taskRuns, timestamp(endMs)), endMs }
  }

  return {
    seeds,
    archived,
    run,
    add: (each) => void seeds.push(each),

    build({ application, components, scenarios }, { component, repository, event, outcomes, where }) {
      const { host, organization, name } = repository
      const created = buildRunFor({
        component,
        repository: { ...repository, webUrl: `${gitHostUrl}/${host}/${organization}/${name}` },
        event,
        sourceBranch: repository.pullRequests.find(({ number }) => number === event.pullRequest)?.source,
        random: world.random,
        consoleUrl,
      })
      const startMs = Math.floor(Date.parse(event.commit.time) / 1_000) * 1_000 + serviceDelayMs
      const finished = finishedPipelineRun({ run: withOutcomes(created, outcomes), startMs, world })
      const reported = withMark(asReported(finished.pipelineRun), annotations.nudgeProcessed, 'true')
      if (!hasSucceeded(reported)) {
        leave({ ...finished, pipelineRun: reported }, where)
        return { run: reported }
      }
      const builtMs = endOf(reported) + serviceDelayMs
      const namespace = namespaceOf(component) ?? ''
      const isTaken = (taken: string) => snapshotNames.has(`${namespace}/${taken}`)
      const made = snapshotFor({ build: reported, application, components, isTaken })
      snapshotNames.add(`${namespace}/${nameOf(made)}`)
      const snapshot: Snapshot = {
        ...made,
        metadata: {
          ...made.metadata,
          uid: uidFor(world, 'snapshot', namespace, nameOf(made)),
          creationTimestamp: timestamp(builtMs),
        },
      }
      const marks = snapshotMarks({ status: 'success', snapshot: nameOf(snapshot) })
      const run = Object.entries(marks).reduce((known, [key, value]) => withMark(known, key, value), reported)
      leave({ ...finished, pipelineRun: run }, where)
      if (!isPullRequestEvent(event) && isPushBuild(run)) promote(component, run)

      const applying = scenarios.filter((scenario) => appliesTo(scenario, snapshot))
      const tests = applying.map((scenario) => test(snapshot, scenario, builtMs + serviceDelayMs, where))
      const testedMs = Math.max(builtMs, ...tests.map(({ endMs }) => endMs))
      const statuses = tests.map(({ status }) => status)
      const required = applying.filter((scenario) => !isOptional(scenario))
      const conclusion =
        required.length === 0
          ? testConditions.untested()
          : statuses.every(({ status, isOptionalScenario }) => status === 'TestPassed' || isOptionalScenario)
            ? testConditions.passed()
            : testConditions.failed()
      const tested = withMark(snapshot, annotations.testStatus, JSON.stringify(statuses))
      return { run, tested: { snapshot: withConditions(tested, conclusion, timestamp(testedMs)), endMs: testedMs } }
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
