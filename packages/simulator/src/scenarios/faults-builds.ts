import { configMapType } from '@slipway/kube/core-types'
import { namespaceOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { buildRunFor, heldRun } from '../git-host/build-run'
import { changeFrom, people } from '../git-host/people'
import { branchOf, type GitRepository } from '../git-host/repository'
import { repositoryConfigMap, settings } from '../git-host/store'
import { hexDigits, pick } from '../keyed-random'
import { outcomeAnnotation, type Outcome } from '../tekton/outcome'
import { timestamp } from '../tekton/task-run-status'
import { createProject, projectSeeds, repositoryOf, withPages, type Repositories } from './project'
import { seed, type ScenarioContext, type Seed } from './scenario'

/** An onboarded component for builds that demonstrate failures. */
export interface BuiltComponent {
  /** A build with this name. @param forced outcomes of its tasks; random by default */
  build(name: string, startMs: number, forced?: Record<string, Outcome>): PipelineRun
  /** The component and its related objects. Call it after all builds. */
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
  if (!component) throw new Error(`The project in ${namespace} has no component.`)
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

/** A repository without simulated activity. */
export const quietRepositorySeed = (repository: GitRepository): Seed =>
  seed(configMapType, repositoryConfigMap(repository, { [settings.activity]: 'off' }))

interface PushBuildOptions {
  component: Component
  repository: GitRepository
  name: string
  startMs: number
}

/** The build of a push to the repository. */
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

/** The build as held by Pipelines as Code, of a Repository that was deleted meanwhile: nothing starts it. */
export function queued(build: PipelineRun): PipelineRun {
  const held = heldRun(build, [build])
  const lost = { [labels.repository]: 'deleted-meanwhile' }
  return {
    ...held,
    metadata: {
      ...held.metadata,
      labels: { ...held.metadata.labels, ...lost },
      annotations: { ...held.metadata.annotations, ...lost },
    },
  }
}
