import { configMapType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import { releaseType } from '@slipway/model/releases/release'
import { taskRunType } from '@slipway/model/runs/task-run'
import { sanitizeLabelValue } from '@slipway/model/releases/release-author'
import { pruneSkip } from '../controllers/pruning'
import { asReported, hasSucceeded } from '../integration/build-facts'
import { buildRunFor } from '../git-host/build-run'
import { bot, people } from '../git-host/people'
import type { Delivery, GitRepository } from '../git-host/repository'
import { repositoryConfigMap, settings } from '../git-host/store'
import { groupAnnotations, tooFew } from '../integration/group-snapshot-for'
import { snapshotFor, snapshotAnnotations } from '../integration/snapshot-for'
import { testConditions, withConditions } from '../integration/test-conditions'
import { hexDigits, integerBetween, pick } from '../keyed-random'
import { automaticReleaseFor } from '../release/automatic-release-for'
import { started, released, validated } from '../release/release-status'
import { finishedPipelineRun, type FinishedRun } from '../tekton/history'
import type { World } from '../tekton/facts'
import { timestamp } from '../tekton/task-run-status'
import { gitHostSeed } from './changes'
import { endOf } from './history'
import { createProject, projectSeeds, withPages, type Project, type Repositories } from './project'
import { releaserSeed } from './release-setup'
import { seed, type ArchivedSeeds, type Scenario, type ScenarioContext, type Seed } from './scenario'
import { teamNamespace } from './team'
import { uidFor } from './uids'

const namespace = 'team-large'
const sizes = { applications: 100, componentsEach: 5, runs: 10_000, snapshots: 2_000, releases: 1_000 }
/** Number of the newest runs that still have their TaskRuns; those of the others have been pruned. */
const runsWithTasks = 200
/** Time between two waves of builds. A push to a repository builds all components of its application. */
const waveMs = 20 * 60_000
const waves = sizes.runs / sizes.componentsEach
/** The older half is only in the archive. */
const archivedWaves = waves / 2
/**
 * Only the newest waves have snapshots; enough of their builds succeed. Earlier snapshots have been pruned with their
 * tests.
 */
const wavesWithSnapshots = 430

interface Wave {
  project: Project
  repository: GitRepository
  builds: { component: Component; finished: FinishedRun }[]
  startMs: number
  index: number
}

/**
 * A namespace with very many objects: every list has several pages, and half of the history is only in the archive. It
 * has no simulated activity, so that measurements are comparable.
 */
export const large: Scenario = {
  seedsAtOnce: 2_500,

  *seeds(context) {
    const members = { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor' } as const
    // Never pruned, since it exists for its size.
    yield* teamNamespace(namespace, members, context, { [pruneSkip]: 'true' })
    yield releaserSeed(namespace)
    const largeWorld = createLargeWorld(context)
    const { projects, repositories } = largeWorld
    // Objects without a creation time must be in the first portion.
    yield gitHostSeed(context)
    const quiet = { [settings.activity]: 'off' }
    for (const repository of repositories.values()) yield seed(configMapType, repositoryConfigMap(repository, quiet))
    yield* projects.flatMap(projectSeeds)
    let snapshots = 0
    let releases = 0
    for (let index = archivedWaves; index < waves; index++) {
      const wave = playWave(index, largeWorld, context)
      for (const { finished } of wave.builds) {
        const build = asReported(finished.pipelineRun)
        const snapshot = hasSucceeded(build) ? snapshotOf(build, wave, context) : undefined
        // For all successful builds, or controllers would create the snapshots.
        const marks = snapshot && snapshotAnnotations({ status: 'success', snapshot: nameOf(snapshot) })
        const annotations = { ...build.metadata.annotations, ...marks }
        yield seed(pipelineRunType, { ...build, metadata: { ...build.metadata, annotations } })
        yield* finished.taskRuns.map((taskRun) => seed(taskRunType, taskRun))
        const isRetained = index >= waves - wavesWithSnapshots && snapshots < sizes.snapshots
        if (!snapshot || !isRetained) continue
        snapshots++
        yield seed(snapshotType, snapshot)
        if (releases >= sizes.releases || snapshots % 2 === 1) continue
        releases++
        yield releaseOf(snapshot, wave.project, endOf(build), context)
      }
    }
  },

  *archived(context) {
    const largeWorld = createLargeWorld(context)
    for (let index = 0; index < archivedWaves; index++) {
      const { builds } = playWave(index, largeWorld, context)
      const objects = builds.map(({ finished }) => asReported(finished.pipelineRun))
      yield { objects, logs: [] } satisfies ArchivedSeeds
    }
  },
}

interface LargeWorld {
  projects: Project[]
  repositories: Repositories
  templates: RunTemplates
}

function createLargeWorld(context: ScenarioContext): LargeWorld {
  const repositories: Repositories = new Map()
  const projects = Array.from({ length: sizes.applications }, (_, index) => {
    const name = `app-${String(index + 1).padStart(3, '0')}`
    const components = Array.from({ length: sizes.componentsEach }, (_, part) => ({
      name: `${name}-part-${part + 1}`,
      repository: `github.com/large/${name}`,
      context: `part-${part + 1}`,
    }))
    const release = { name: `${name}-release`, pipeline: 'tenant-release', isAutomatic: true } as const
    return createProject(
      namespace,
      { name, components, tests: [{ name: 'unit-tests' }], releases: [release] },
      repositories,
      context,
    )
  })
  return { projects, repositories, templates: createTemplates(context) }
}

/** The builds of one push. They depend only on its index. */
function playWave(index: number, { projects, repositories, templates }: LargeWorld, context: ScenarioContext): Wave {
  const { nowMs, world, consoleUrl, gitHostUrl } = context
  const project = projects[index % projects.length]
  const repository = repositories.get(`github.com/large/${nameOf(project?.application ?? { metadata: {} })}`)
  if (!project || !repository) throw new Error(`No project for wave ${index}.`)
  const startMs = Math.floor(nowMs / 1_000) * 1_000 - (waves - index) * waveMs
  const random = world.random(`wave ${index}`)
  const sha = hexDigits(random, 40)
  const sender = random() < 0.1 ? bot : pick(random, people)
  const number = random() < 0.4 ? integerBetween(random, 1, 9_999) : undefined
  const event: Delivery = {
    id: `wave ${index}`,
    event: number === undefined ? 'push' : 'pull_request',
    branch: repository.defaultBranch,
    commit: { sha, title: `Change ${index}`, author: sender, time: timestamp(startMs) },
    sender,
    ...(number !== undefined && { pullRequest: number }),
  }
  const builds = project.components.map((component) => {
    const run = buildRunFor({
      component,
      repository: withPages(repository, gitHostUrl),
      event,
      sourceBranch: `change-${index}`,
      random: world.random,
      consoleUrl,
    })
    const isNew = index >= waves - runsWithTasks / sizes.componentsEach
    const finished = isNew ? finishedPipelineRun({ run, startMs, world }) : templates.like(run, startMs)
    return { component, finished }
  })
  return { project, repository, builds, startMs, index }
}

interface RunTemplates {
  /** A finished run without its tasks, with a history that it shares with other runs. */
  like(run: PipelineRun, startMs: number): FinishedRun
}

/** Number of different histories: computing ten thousand takes a minute. */
const templateCount = 12

function createTemplates({ world }: ScenarioContext): RunTemplates {
  const known = new Map<string, { run: PipelineRun; startMs: number; status: string }>()
  return {
    like(run, startMs) {
      // Names of applications have the same length and differ only in their number.
      const part = run.metadata.labels?.[labels.component]?.slice(-1) ?? ''
      const random = world.random(`course ${nameOf(run)}`)
      const key = `${part} ${run.metadata.labels?.[labels.eventType] ?? ''} ${integerBetween(random, 1, templateCount)}`
      let template = known.get(key)
      if (!template) {
        const { pipelineRun } = finishedPipelineRun({ run, startMs, world })
        template = { run, startMs, status: JSON.stringify(pipelineRun.status) }
        known.set(key, template)
      }
      const created = createdAs(run, startMs, world)
      const status = adaptStatus(template, created, startMs)
      return {
        pipelineRun: { ...created, status },
        taskRuns: [],
        customRuns: [],
        pods: [],
        logs: [],
        deleted: { pods: [], logs: [] },
      }
    },
  }
}

const createdAs = (run: PipelineRun, startMs: number, world: World): PipelineRun => ({
  ...run,
  metadata: {
    ...run.metadata,
    uid: uidFor(world, 'run', namespace, nameOf(run)),
    creationTimestamp: timestamp(startMs),
    labels: { ...run.metadata.labels, [labels.pipeline]: 'docker-build-oci-ta' },
  },
})

/** Adapts the status of another run to the time, commit and application of this one. */
function adaptStatus(
  template: { run: PipelineRun; startMs: number; status: string },
  run: PipelineRun,
  startMs: number,
): PipelineRun['status'] {
  const shaOf = ({ metadata }: PipelineRun) => metadata.labels?.[labels.commitSha] ?? ''
  const applicationOf = ({ metadata }: PipelineRun) => metadata.labels?.[labels.application] ?? ''
  const sha = shaOf(run)
  const text = template.status
    .replaceAll(nameOf(template.run), nameOf(run))
    .replaceAll(shaOf(template.run), sha)
    .replaceAll(applicationOf(template.run), applicationOf(run))
    .replace(/sha256:[0-9a-f]{40}/g, `sha256:${sha}`)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) => timestamp(Date.parse(time) - template.startMs + startMs))
  return JSON.parse(text) as PipelineRun['status'] // Serialized from a status.
}

function snapshotOf(build: FinishedRun['pipelineRun'], { project }: Wave, { world }: ScenarioContext): Snapshot {
  const built = snapshotFor({ build, application: project.application, components: project.components })
  // Builds of one push start in the same second, so their snapshots need distinct names.
  const name = `${nameOf(built).replace(/-\d{3}$/, '')}-${build.metadata.labels?.[labels.component]?.at(-1) ?? '0'}00`
  const createdAt = timestamp(endOf(build) + 2_000)
  const uid = uidFor(world, 'snapshot', namespace, name)
  const sha = built.metadata.labels?.[labels.pullRequestGroupSha]
  // No pull request is open, since there is no activity.
  const marks = { ...built.metadata.annotations, ...(sha && groupAnnotations(tooFew(0, sha))) }
  const metadata = { ...built.metadata, annotations: marks, name, uid, creationTimestamp: createdAt }
  const snapshot = { ...built, metadata }
  const updates = [...testConditions.untested(), ...testConditions.autoReleased('The Snapshot was auto-released')]
  return withConditions(snapshot, updates, createdAt)
}

function releaseOf(
  snapshot: Snapshot,
  { releases }: Project,
  builtMs: number,
  { world, users }: ScenarioContext,
): Seed {
  const [setup] = releases
  if (!setup) throw new Error(`No release plan for ${nameOf(snapshot)}.`)
  const [startAt, endAt] = [timestamp(builtMs + 5_000), timestamp(builtMs + 300_000)]
  const created = automaticReleaseFor(setup.plan, snapshot, world.random)
  const release = { ...created, metadata: { ...created.metadata, creationTimestamp: startAt } }
  const valid = validated(
    started(release, setup.plan, startAt),
    { author: sanitizeLabelValue(users.admin), target: namespace },
    startAt,
  )
  return seed(releaseType, released(valid, endAt))
}
