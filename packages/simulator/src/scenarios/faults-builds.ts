import { configMapType } from '@slipway/kube/core-types'
import { namespaceOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/supply-chain/component'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { buildRunFor } from '../git-host/build-run'
import { changeFrom, people } from '../git-host/people'
import { branchOf, type GitRepository } from '../git-host/repository'
import { repositoryConfigMap, settings } from '../git-host/store'
import { hexDigits, pick } from '../keyed-random'
import { outcomeAnnotation, type Outcome } from '../tekton/outcome'
import { timestamp } from '../tekton/task-run-status'
import { createProject, projectSeeds, repositoryOf, withPages, type Repositories } from './project'
import { seed, type ScenarioContext, type Seed } from './scenario'

/** A component that was onboarded, whose builds show something. */
export interface BuiltComponent {
  /** A build under a name that says what it shows. @param forced how tasks of it are to end; otherwise chance decides */
  build(name: string, startMs: number, forced?: Record<string, Outcome>): PipelineRun
  /** It and what belongs to it, once everything was built. */
  seeds(): Seed[]
}

/** The only component of the only application of a namespace. */
export function createBuiltComponent(namespace: string, context: ScenarioContext): BuiltComponent {
  const repositories: Repositories = new Map()
  const address = `github.com/${namespace}/checkout-api`
  const plan = { name: 'checkout', components: [{ name: 'checkout-api', repository: address }] }
  const project = createProject(namespace, plan, repositories, context)
  const repository = repositoryOf(address, repositories, context)
  const [component] = project.components
  if (!component) throw new Error(`There is nothing to build in ${namespace}.`)
  return {
    build(name, startMs, forced) {
      const run = pushBuild({ component, repository, name, startMs }, context)
      if (forced)
        run.metadata.annotations = { ...run.metadata.annotations, [outcomeAnnotation]: JSON.stringify(forced) }
      return run
    },
    seeds: () => [...projectSeeds(project), quietRepositorySeed(repository)],
  }
}

/** Nobody pushes to it by themselves. */
export const quietRepositorySeed = (repository: GitRepository): Seed =>
  seed(configMapType, repositoryConfigMap(repository, { [settings.activity]: 'off' }))

interface PushBuildOptions {
  component: Component
  repository: GitRepository
  name: string
  startMs: number
}

/** Somebody pushes to the repository, and this is the build of it. */
export function pushBuild(
  { component, repository, name, startMs }: PushBuildOptions,
  { world, gitHostUrl, consoleUrl }: ScenarioContext,
): PipelineRun {
  const random = world.random(`push for ${namespaceOf(component) ?? ''}/${name}`)
  const sender = pick(random, people)
  const { title } = changeFrom(random)
  const commit = { sha: hexDigits(random, 40), title, author: sender, time: timestamp(startMs) }
  const branch = branchOf(repository, repository.defaultBranch)
  branch.commits = [...branch.commits, commit].sort((a, b) => Date.parse(b.time) - Date.parse(a.time))
  const run = buildRunFor({
    component,
    repository: withPages(repository, gitHostUrl),
    event: { id: name, event: 'push', branch: branch.name, commit, sender },
    random: world.random,
    consoleUrl,
    name,
  })
  return { ...run, metadata: { ...run.metadata, creationTimestamp: timestamp(startMs) } }
}

/** As Pipelines as Code leaves a build that is not its turn yet. */
export function queued(build: PipelineRun): PipelineRun {
  const state = { [labels.runState]: 'queued' }
  return {
    ...build,
    metadata: {
      ...build.metadata,
      labels: { ...build.metadata.labels, ...state },
      annotations: { ...build.metadata.annotations, ...state },
    },
    spec: { ...build.spec, status: 'PipelineRunPending' },
  }
}
