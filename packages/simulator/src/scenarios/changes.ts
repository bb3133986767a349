import { configMapType, namespaceType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import type { Component } from '@slipway/model/supply-chain/component'
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

/** What somebody did in the repository of a component. */
export interface ChangePlan {
  component: string
  hoursAgo: number
  /** A pull request stays open; `merged` is one that was merged an hour later, and so a push as well. */
  kind?: 'push' | 'pull-request' | 'merged' | 'closed'
  /** Of a pull request; those to several components belong together by it. Otherwise it has a name of its own. */
  branch?: string
  outcomes?: Record<string, Outcome>
  /** Of the runs of the release that follows. */
  releaseOutcomes?: Record<string, Outcome>
  /** What somebody releases of what was built, one after the other. */
  releasedBy?: ManualReleasePlan[]
  /** In the cluster, but without its pods, unless said otherwise. */
  where?: Whereabouts
}

/** A release that somebody asks for. */
export interface ManualReleasePlan {
  plan: string
  /** Of its runs; otherwise as the change says. */
  outcomes?: Record<string, Outcome>
  /** `undefined` for none; those of an ordinary release by default. */
  notes?: Record<string, unknown>
  gracePeriodDays?: number
  /** Of its runs; those of the change without it. */
  where?: Whereabouts
  /** Somebody ends the last of its runs. */
  isCancelled?: boolean
  /** Its managed pipeline ran out of memory first. */
  isRetried?: boolean
}

/** Something that builds of a component follow from. */
export interface PastEvent {
  component: Component
  repository: GitRepository
  event: Delivery
  plan: ChangePlan
}

const hourMs = 3_600_000

/** Does what was planned in the repositories, the oldest first, and tells what followed from it. */
export function playChanges(
  plans: ChangePlan[],
  find: (component: string) => { component: Component; repository: GitRepository },
  { nowMs, world }: ScenarioContext,
): PastEvent[] {
  const deeds = plans
    .flatMap((plan) => {
      const atMs = nowMs - plan.hoursAgo * hourMs
      const follows = plan.kind === 'merged' || plan.kind === 'closed'
      return [{ plan, atMs, isEnd: false }, ...(follows ? [{ plan, atMs: atMs + hourMs, isEnd: true }] : [])]
    })
    .sort((a, b) => a.atMs - b.atMs)
  const opened = new Map<ChangePlan, number>()
  return deeds.flatMap(({ plan, atMs, isEnd }, index) => {
    const { component, repository } = find(plan.component)
    const random = world.random(`change ${component.metadata.namespace ?? ''}/${nameOf(component)} ${index}`)
    const { title, branch } = changeFrom(random)
    const team = teamOf(random)
    const by = { author: team[0], time: timestamp(atMs) }
    const directory = directoryOf(component) || undefined
    const { kind = 'push' } = plan
    const known = repository.pullRequests.find(({ number }) => number === opened.get(plan))
    if (isEnd && known && kind === 'merged') mergePullRequest(repository, known, by)
    else if (isEnd && known) closePullRequest(repository, known, by)
    else if (kind === 'push') push(repository, repository.defaultBranch, { title, ...by, context: directory })
    else {
      const source = plan.branch ?? `${branch}-${repository.counts.pullRequests + 1}`
      const commit = { context: directory }
      const target = repository.defaultBranch
      const { number } = openPullRequest(repository, { title, body: '', source, target, ...by, commit })
      opened.set(plan, number)
    }
    const events = repository.deliveries.filter(({ event }) => event !== 'closed')
    repository.deliveries = []
    return events.map((event) => ({ component, repository, event, plan }))
  })
}

/** The place of the git host, with the address of its pages. */
export const gitHostSeed = ({ gitHostUrl }: ScenarioContext): Seed =>
  seed(namespaceType, { metadata: { name: gitHostNamespace, annotations: { [addressAnnotation]: gitHostUrl } } })

/** What the git host knows. */
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
