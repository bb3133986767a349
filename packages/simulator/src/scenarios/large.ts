import { configMapType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/supply-chain/component'
import { labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type Snapshot } from '@slipway/model/supply-chain/snapshot'
import { releaseType } from '@slipway/model/supply-chain/release'
import { taskRunType } from '@slipway/model/runs/task-run'
import { pruneSkip } from '../controllers/pruning'
import { asReported, hasSucceeded } from '../integration/build-facts'
import { buildRunFor } from '../git-host/build-run'
import { bot, people } from '../git-host/people'
import type { Delivery, GitRepository } from '../git-host/repository'
import { repositoryConfigMap, settings } from '../git-host/store'
import { groupMarks, tooFew } from '../integration/group-snapshot-for'
import { snapshotFor, snapshotMarks } from '../integration/snapshot-for'
import { testConditions, withConditions } from '../integration/test-conditions'
import { hexDigits, integerBetween, pick } from '../keyed-random'
import { sanitizeLabelValue } from '../release/author-label'
import { automaticReleaseFor } from '../release/automatic-release-for'
import { begun, released, validated } from '../release/release-status'
import { finishedPipelineRun, type FinishedRun } from '../tekton/history'
import type { World } from '../tekton/plan'
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
/** So many of the newest runs still have their TaskRuns; the others have been pruned down to the run itself. */
const runsWithTasks = 200
/** Between two waves of builds: a push to a repository builds all components of its application. */
const waveMs = 20 * 60_000
const waves = sizes.runs / sizes.componentsEach
/** The older half is in the archive only. */
const archivedWaves = waves / 2
/** The newest ones, of which enough have succeeded. The snapshots of earlier builds have been pruned, with their tests. */
const wavesWithSnapshots = 430

interface Wave {
  project: Project
  repository: GitRepository
  builds: { component: Component; finished: FinishedRun }[]
  startMs: number
  index: number
}

/**
 * One namespace in which everything is too much: every list has pages, and half of the past is in the archive only.
 * Nobody pushes by themselves in it, so that what is measured stays comparable.
 */
export const large: Scenario = {
  seedsAtOnce: 2_500,

  *seeds(context) {
    const members = { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor' } as const
    // Its size is what it is for.
    yield* teamNamespace(namespace, members, context, { [pruneSkip]: 'true' })
    yield releaserSeed(namespace)
    const setting = createSetting(context)
    const { projects, repositories } = setting
    // What has no time comes first, with the first portion.
    yield gitHostSeed(context)
    const quiet = { [settings.activity]: 'off' }
    for (const repository of repositories.values()) yield seed(configMapType, repositoryConfigMap(repository, quiet))
    yield* projects.flatMap(projectSeeds)
    let snapshots = 0
    let releases = 0
    for (let index = archivedWaves; index < waves; index++) {
      const wave = playWave(index, setting, context)
      for (const { finished } of wave.builds) {
        const build = asReported(finished.pipelineRun)
        const made = hasSucceeded(build) ? snapshotOf(build, wave, context) : undefined
        // Of every build that has succeeded, or the cluster would make up for it.
        const marks = made && snapshotMarks({ status: 'success', snapshot: nameOf(made) })
        const annotations = { ...build.metadata.annotations, ...marks }
        yield seed(pipelineRunType, { ...build, metadata: { ...build.metadata, annotations } })
        yield* finished.taskRuns.map((taskRun) => seed(taskRunType, taskRun))
        const isKept = index >= waves - wavesWithSnapshots && snapshots < sizes.snapshots
        if (!made || !isKept) continue
        snapshots++
        yield seed(snapshotType, made)
        if (releases >= sizes.releases || snapshots % 2 === 1) continue
        releases++
        yield releaseOf(made, wave.project, endOf(build), context)
      }
    }
  },

  *archived(context) {
    const setting = createSetting(context)
    for (let index = 0; index < archivedWaves; index++) {
      const { builds } = playWave(index, setting, context)
      const objects = builds.map(({ finished }) => asReported(finished.pipelineRun))
      yield { objects, logs: [] } satisfies ArchivedSeeds
    }
  },
}

interface Setting {
  projects: Project[]
  repositories: Repositories
  courses: Courses
}

function createSetting(context: ScenarioContext): Setting {
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
  return { projects, repositories, courses: createCourses(context) }
}

/** What one push has built: everything about it follows from its number. */
function playWave(index: number, { projects, repositories, courses }: Setting, context: ScenarioContext): Wave {
  const { nowMs, world, consoleUrl, gitHostUrl } = context
  const project = projects[index % projects.length]
  const repository = repositories.get(`github.com/large/${nameOf(project?.application ?? { metadata: {} })}`)
  if (!project || !repository) throw new Error(`There is no project for wave ${index}.`)
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
    const finished = isNew ? finishedPipelineRun({ run, startMs, world }) : courses.like(run, startMs)
    return { component, finished }
  })
  return { project, repository, builds, startMs, index }
}

interface Courses {
  /** The run, without its tasks, after a course that others have taken too. */
  like(run: PipelineRun, startMs: number): FinishedRun
}

/** So many different ones: to work out each of ten thousand takes a minute. */
const differentCourses = 12

function createCourses({ world }: ScenarioContext): Courses {
  const known = new Map<string, { run: PipelineRun; startMs: number; status: string }>()
  return {
    like(run, startMs) {
      // Names of different applications are equally long and differ in their number only.
      const part = run.metadata.labels?.[labels.component]?.slice(-1) ?? ''
      const random = world.random(`course ${nameOf(run)}`)
      const key = `${part} ${run.metadata.labels?.[labels.eventType] ?? ''} ${integerBetween(random, 1, differentCourses)}`
      let model = known.get(key)
      if (!model) {
        const { pipelineRun } = finishedPipelineRun({ run, startMs, world })
        model = { run, startMs, status: JSON.stringify(pipelineRun.status) }
        known.set(key, model)
      }
      const created = createdAs(run, startMs, world)
      const status = restated(model, created, startMs)
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

/** The same course at another time, of another commit of another application. */
function restated(
  model: { run: PipelineRun; startMs: number; status: string },
  run: PipelineRun,
  startMs: number,
): PipelineRun['status'] {
  const shaOf = ({ metadata }: PipelineRun) => metadata.labels?.[labels.commitSha] ?? ''
  const applicationOf = ({ metadata }: PipelineRun) => metadata.labels?.[labels.application] ?? ''
  const sha = shaOf(run)
  const text = model.status
    .replaceAll(nameOf(model.run), nameOf(run))
    .replaceAll(shaOf(model.run), sha)
    .replaceAll(applicationOf(model.run), applicationOf(run))
    .replace(/sha256:[0-9a-f]{40}/g, `sha256:${sha}`)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) => timestamp(Date.parse(time) - model.startMs + startMs))
  return JSON.parse(text) as PipelineRun['status'] // Written from one.
}

function snapshotOf(build: FinishedRun['pipelineRun'], { project }: Wave, { world }: ScenarioContext): Snapshot {
  const made = snapshotFor({ build, application: project.application, components: project.components })
  // Builds of one push begin in the same second; their snapshots need names of their own.
  const name = `${nameOf(made).replace(/-\d{3}$/, '')}-${build.metadata.labels?.[labels.component]?.at(-1) ?? '0'}00`
  const createdAt = timestamp(endOf(build) + 2_000)
  const uid = uidFor(world, 'snapshot', namespace, name)
  const sha = made.metadata.labels?.[labels.pullRequestGroupSha]
  // Whose pull requests are open no longer, as nobody works on any here.
  const marks = { ...made.metadata.annotations, ...(sha && groupMarks(tooFew(0, sha))) }
  const metadata = { ...made.metadata, annotations: marks, name, uid, creationTimestamp: createdAt }
  const snapshot = { ...made, metadata }
  const statements = [...testConditions.untested(), ...testConditions.autoReleased('The Snapshot was auto-released')]
  return withConditions(snapshot, statements, createdAt)
}

function releaseOf(
  snapshot: Snapshot,
  { releases }: Project,
  builtMs: number,
  { world, users }: ScenarioContext,
): Seed {
  const [setup] = releases
  if (!setup) throw new Error(`Nothing releases ${nameOf(snapshot)}.`)
  const [startAt, endAt] = [timestamp(builtMs + 5_000), timestamp(builtMs + 300_000)]
  const created = automaticReleaseFor(setup.plan, snapshot, world.random)
  const release = { ...created, metadata: { ...created.metadata, creationTimestamp: startAt } }
  const valid = validated(
    begun(release, setup.plan, startAt),
    { author: sanitizeLabelValue(users.admin), target: namespace },
    startAt,
  )
  return seed(releaseType, released(valid, endAt))
}
