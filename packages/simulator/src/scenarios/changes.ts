import { configMapType, namespaceType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/builds/component'
import { directoryOf } from '../git-host/build-run'
import { changeFrom, teamOf } from '../git-host/people'
import {
  closePullRequest,
  mergePullRequest,
  openPullRequest,
  push,
  type Delivery,
  type GitRepository,
} from '../git-host/repository'
import { addressAnnotation, gitHostNamespace, repositoryConfigMap } from '../git-host/store'
import type { Outcome } from '../tekton/outcome'
import { timestamp } from '../tekton/task-run-status'
import type { Whereabouts } from './history'
import { seed, type ScenarioContext, type Seed } from './scenario'

/** A change to the repository of a component. */
export interface ChangePlan {
  component: string
  hoursAgo: number
  /** `pull-request` stays open; `merged` is a pull request that was merged an hour later, which is also a push. */
  kind?: 'push' | 'pull-request' | 'merged' | 'closed'
  /** Branch of a pull request; pull requests with the same branch form a group. Default: a generated name. */
  branch?: string
  outcomes?: Record<string, Outcome>
  /** Outcomes of the runs of the release that hasEnd. */
  releaseOutcomes?: Record<string, Outcome>
  /** Manual releases of the result, one after the other. */
  releasedBy?: ManualReleasePlan[]
  /** Default: in the cluster without its pods. */
  where?: Whereabouts
}

/** A release that a user creates. */
export interface ManualReleasePlan {
  plan: string
  /** Outcomes of its runs; default: those of the change. */
  outcomes?: Record<string, Outcome>
  /** Release notes; default: those of an ordinary release. */
  notes?: Record<string, unknown>
  gracePeriodDays?: number
  /** Location of its runs; default: that of the change. */
  where?: Whereabouts
  /** Whether the last of its runs was cancelled. */
  isCancelled?: boolean
  /** Whether its managed pipeline ran out of memory at the first attempt. */
  isRetried?: boolean
}

/** An event that triggers builds of a component. */
export interface PastEvent {
  component: Component
  repository: GitRepository
  event: Delivery
  plan: ChangePlan
}

const hourMs = 3_600_000

/** Applies planned changes to the repositories, oldest first. @returns the resulting events */
export function playChanges(
  plans: ChangePlan[],
  find: (component: string) => { component: Component; repository: GitRepository },
  { nowMs, world }: ScenarioContext,
): PastEvent[] {
  const actions = plans
    .flatMap((plan) => {
      const atMs = nowMs - plan.hoursAgo * hourMs
      const hasEnd = plan.kind === 'merged' || plan.kind === 'closed'
      return [{ plan, atMs, isEnd: false }, ...(hasEnd ? [{ plan, atMs: atMs + hourMs, isEnd: true }] : [])]
    })
    .sort((a, b) => a.atMs - b.atMs)
  const opened = new Map<ChangePlan, number>()
  return actions.flatMap(({ plan, atMs, isEnd }, index) => {
    const { component, repository } = find(plan.component)
    const random = world.random(`change ${component.metadata.namespace ?? ''}/${nameOf(component)} ${index}`)
    const { title, branch } = changeFrom(random)
    const team = teamOf(random)
    const signature = { author: team[0], time: timestamp(atMs) }
    const directory = directoryOf(component) || undefined
    const { kind = 'push' } = plan
    const known = repository.pullRequests.find(({ number }) => number === opened.get(plan))
    if (isEnd && known && kind === 'merged') mergePullRequest(repository, known, signature)
    else if (isEnd && known) closePullRequest(repository, known, signature)
    else if (kind === 'push') push(repository, repository.defaultBranch, { title, ...signature, context: directory })
    else {
      const source = plan.branch ?? `${branch}-${repository.counts.pullRequests + 1}`
      const commit = { context: directory }
      const target = repository.defaultBranch
      const { number } = openPullRequest(repository, { title, body: '', source, target, ...signature, commit })
      opened.set(plan, number)
    }
    const events = repository.deliveries.filter(({ event }) => event !== 'closed')
    repository.deliveries = []
    return events.map((event) => ({ component, repository, event, plan }))
  })
}

/** The namespace of the git host, with the URL of its pages. */
export const gitHostSeed = ({ gitHostUrl }: ScenarioContext): Seed =>
  seed(namespaceType, { metadata: { name: gitHostNamespace, annotations: { [addressAnnotation]: gitHostUrl } } })

/** The repositories of the git host. */
export const repositorySeeds = (
  repositories: Iterable<GitRepository>,
  context: ScenarioContext,
  settings: Record<string, string> = {},
): Seed[] => {
  const all = [...repositories]
  if (all.length === 0) return []
  return [
    gitHostSeed(context),
    ...all.map((repository) => seed(configMapType, repositoryConfigMap(repository, settings))),
  ]
}
