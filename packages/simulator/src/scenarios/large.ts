import { configMapType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/component'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/pipeline-run'
import { snapshotType, type Snapshot } from '@slipway/model/snapshot'
import { releaseType } from '@slipway/model/release'
import { taskRunType } from '@slipway/model/task-run'
import { asReported, hasSucceeded } from '../controllers/build-reports'
import { snapshotMarks } from '../controllers/build-snapshots'
import { buildRunFor } from '../git-host/build-run'
import { bot, people } from '../git-host/people'
import type { Delivery, GitRepository } from '../git-host/repository'
import { repositoryConfigMap, settings } from '../git-host/store'
import { snapshotFor } from '../integration/snapshot-for'
import { testConditions, withConditions } from '../integration/test-conditions'
import { hexDigits, integerBetween, pick } from '../keyed-random'
import { automaticReleaseFor } from '../release/automatic-release-for'
import { begun, released, validated } from '../release/release-status'
import { finishedPipelineRun, type FinishedRun } from '../tekton/history'
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
  *seeds(context) {
    yield* teamNamespace(namespace, { admin: 'admin', maintainer: 'maintainer', contributor: 'contributor' }, context)
    yield releaserSeed(namespace)
    const { projects, repositories } = createProjects(context)
    let snapshots = 0
    let releases = 0
    for (let index = archivedWaves; index < waves; index++) {
      const wave = playWave(index, projects, repositories, context)
      const isNew = index >= waves - runsWithTasks / sizes.componentsEach
      for (const { finished } of wave.builds) {
        const build = asReported(finished.pipelineRun)
        const isWanted = snapshots < sizes.snapshots && hasSucceeded(build)
        const snapshot = isWanted ? snapshotOf(build, wave, context) : undefined
        const marks = snapshot && snapshotMarks({ status: 'success', snapshot: nameOf(snapshot) })
        const annotations = { ...build.metadata.annotations, ...marks }
        yield seed(pipelineRunType, { ...build, metadata: { ...build.metadata, annotations } })
        if (isNew) yield* finished.taskRuns.map((taskRun) => seed(taskRunType, taskRun))
        if (!snapshot) continue
        snapshots++
        yield seed(snapshotType, snapshot)
        if (releases >= sizes.releases || snapshots % 2 === 1) continue
        releases++
        yield releaseOf(snapshot, wave.project, endOf(build), context)
      }
    }
    yield* projects.flatMap(projectSeeds)
    yield gitHostSeed(context)
    const quiet = { [settings.activity]: 'off' }
    for (const repository of repositories.values()) yield seed(configMapType, repositoryConfigMap(repository, quiet))
  },

  *archived(context) {
    const { projects, repositories } = createProjects(context)
    for (let index = 0; index < archivedWaves; index++) {
      const { builds } = playWave(index, projects, repositories, context)
      const objects = builds.map(({ finished }) => asReported(finished.pipelineRun))
      yield { objects, logs: [] } satisfies ArchivedSeeds
    }
  },
}

function createProjects(context: ScenarioContext): { projects: Project[]; repositories: Repositories } {
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
  return { projects, repositories }
}

/** What one push has built: everything about it follows from its number. */
function playWave(index: number, projects: Project[], repositories: Repositories, context: ScenarioContext): Wave {
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
    return { component, finished: finishedPipelineRun({ run, startMs, world }) }
  })
  return { project, repository, builds, startMs, index }
}

function snapshotOf(build: FinishedRun['pipelineRun'], { project }: Wave, { world }: ScenarioContext): Snapshot {
  const made = snapshotFor({ build, application: project.application, components: project.components })
  // Builds of one push begin in the same second; their snapshots need names of their own.
  const name = `${nameOf(made).replace(/-\d{3}$/, '')}-${build.metadata.labels?.[labels.component]?.at(-1) ?? '0'}00`
  const createdAt = timestamp(endOf(build) + 2_000)
  const uid = uidFor(world, 'snapshot', namespace, name)
  const snapshot = { ...made, metadata: { ...made.metadata, name, uid, creationTimestamp: createdAt } }
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
  const valid = validated(begun(release, setup.plan, startAt), { author: users.admin, target: namespace }, startAt)
  return seed(releaseType, released(valid, endAt))
}
