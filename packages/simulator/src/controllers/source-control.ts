import { configMapType, namespaceType, type ConfigMap } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { isFinished, succeededCondition } from '@slipway/model/runs/tekton'
import { cachedIndex } from '../cached-index'
import { defineController, on, type ControllerContext, type ReconcileResult } from '../controller'
import { directoryOf } from '../git-host/build-run'
import { parseRepositoryUrl, repositoryKey } from '../git-host/git-url'
import { changeFrom, followUpFrom, remarkFrom, teamOf } from '../git-host/people'
import {
  closePullRequest,
  commentOn,
  mergePullRequest,
  openPullRequest,
  push,
  updatePullRequest,
  type Branch,
  type GitRepository,
  type PullRequest,
} from '../git-host/repository'
import {
  gitHostNamespace,
  isRepositoryConfigMap,
  readRepository,
  repositoryConfigMapName,
  repositoryWrites,
  saveRepository,
  settings,
} from '../git-host/store'
import { builtComponent } from './built-component'
import { integerBetween, pick, type Random } from '../keyed-random'

/** Number of actions in one repository that follow each other quickly: about four hours of them. */
const firstDeeds = 24
/** Time between two of them: there is always something to watch. */
const busyMs = { min: 5 * 60_000, max: 15 * 60_000 }
/** Time between two later ones: what runs for weeks costs little, and something still happens every few minutes. */
const quietMs = { min: 30 * 60_000, max: 90 * 60_000 }
/** Limits open pull requests: people finish those before they open more. */
const maxOpenPullRequests = 3

/**
 * The simulated people of the git host. They merge the pull requests of services after a while, push, open pull
 * requests, and update, merge or close them depending on their checks.
 */
export const sourceControl = defineController<ConfigMap>({
  name: 'source-control',
  type: configMapType,
  filter: isRepositoryConfigMap,
  // A finished run may be the last check before a merge.
  wakes: [
    on(pipelineRunType, (run) => {
      const location = parseRepositoryUrl(run.metadata.annotations?.[annotations.pacRepositoryUrl] ?? '')
      return location && isFinished(run)
        ? [{ namespace: gitHostNamespace, name: repositoryConfigMapName(location) }]
        : []
    }),
  ],
  reads: [applicationType, componentType, namespaceType],
  writes: repositoryWrites,
  async reconcile(configMap, context): Promise<ReconcileResult | void> {
    const repository = readRepository(configMap)
    if (!repository || configMap.metadata.deletionTimestamp) return
    const before = JSON.stringify(repository)
    mergeDue(repository, context)
    if (configMap.metadata.annotations?.[settings.activity] === 'off') delete repository.nextDeedAt
    else beActive(repository, context)
    if (JSON.stringify(repository) !== before) await saveRepository(context.client, configMap, repository)
    const times = [repository.nextDeedAt, ...repository.pullRequests.map(({ mergeAt }) => mergeAt)]
    const nextMs = Math.min(
      ...times.flatMap((time) => (time ? [Date.parse(time)] : [])).filter((at) => at > context.now()),
    )
    return Number.isFinite(nextMs) ? { afterMs: nextMs - context.now() } : undefined
  },
})

const teamFor = (repository: GitRepository, { random }: ControllerContext) =>
  teamOf(random(`team ${repositoryKey(repository)}`))

function mergeDue(repository: GitRepository, context: ControllerContext) {
  for (const pullRequest of repository.pullRequests.filter(({ state }) => state === 'open')) {
    const isDue = pullRequest.mergeAt !== undefined && Date.parse(pullRequest.mergeAt) <= context.now()
    // Events that are not yet delivered will start checks.
    const isDelivered = !repository.deliveries.some((each) => each.pullRequest === pullRequest.number)
    if (!isDue || !isDelivered) continue
    const by = { author: teamFor(repository, context)[0], time: context.timestamp() }
    const checks = checksOf(pullRequest, context)
    // Failed checks are retried once; then it is merged in any case.
    if (checks === 'failed' && pullRequest.comments.length === 0) {
      commentOn(repository, pullRequest, { ...by, text: '/retest' })
    } else if (checks !== 'running') {
      mergePullRequest(repository, pullRequest, by)
    }
  }
}

const runsOfCommit = cachedIndex(pipelineRunType, ({ metadata }) =>
  metadata.labels?.[labels.pipelineType] === 'build' ? metadata.labels[labels.commitSha] : undefined,
)

type Checks = 'none' | 'running' | 'succeeded' | 'failed'

function checksOf({ commits }: PullRequest, context: ControllerContext): Checks {
  // Only the latest run of each component counts.
  const latest = new Map<string, PipelineRun>()
  for (const run of runsOfCommit(context, commits[0].sha)) {
    const key = `${run.metadata.namespace}/${run.metadata.labels?.[labels.component]}`
    const known = latest.get(key)
    if (!known || (known.metadata.creationTimestamp ?? '') <= (run.metadata.creationTimestamp ?? ''))
      latest.set(key, run)
  }
  const runs = [...latest.values()]
  if (runs.length === 0) return 'none'
  if (runs.some((run) => !isFinished(run))) return 'running'
  return runs.every((run) => succeededCondition(run)?.status === 'True') ? 'succeeded' : 'failed'
}

function beActive(repository: GitRepository, context: ControllerContext) {
  // No activity on branches that are no longer built.
  const branches = repository.branches.filter(({ pipelines }) => pipelines.some((key) => builtComponent(key, context)))
  const [first, ...others] = branches
  if (!first) {
    delete repository.nextDeedAt
    return
  }
  const isDue = repository.nextDeedAt !== undefined && Date.parse(repository.nextDeedAt) <= context.now()
  const count = repository.counts.deeds
  const random = context.random(`deed ${repositoryKey(repository)} ${count}`)
  if (isDue) {
    repository.counts.deeds++
    act(repository, pick(random, [first, ...others]), random, context)
  }
  if (isDue || repository.nextDeedAt === undefined) {
    const { min, max } = count < firstDeeds ? busyMs : quietMs
    const waitMs = context.scale(integerBetween(random, min, max))
    repository.nextDeedAt = new Date(context.now() + waitMs).toISOString()
  }
}

function act(repository: GitRepository, branch: Branch, random: Random, context: ControllerContext) {
  const team = teamFor(repository, context)
  const author = pick(random, team)
  const time = context.timestamp()
  const directory = directoryFrom(branch, random, context)
  // Pull requests of services are merged, not updated.
  const open = repository.pullRequests.filter(
    ({ state, target, mergeAt, author: by }) =>
      state === 'open' && target === branch.name && mergeAt === undefined && !by.endsWith('[bot]'),
  )
  const [first, ...others] = open
  if (!first || (open.length < maxOpenPullRequests && random() < 0.3)) {
    const { title, branch: name } = changeFrom(random)
    if (random() < 0.25) return void push(repository, branch.name, { title, author, time, context: directory })
    const source = `${name}-${repository.counts.pullRequests + 1}`
    openPullRequest(repository, {
      title,
      body: '',
      source,
      target: branch.name,
      author,
      time,
      commit: { context: directory },
    })
    return
  }
  const pullRequest = pick(random, [first, ...others])
  const { author: owner } = pullRequest
  const update = () =>
    void updatePullRequest(repository, pullRequest, {
      title: followUpFrom(random),
      author: owner,
      time,
      context: pullRequest.commits[0].context,
    })
  const comment = (text: string) => commentOn(repository, pullRequest, { author, text, time })
  const chance = random()
  switch (checksOf(pullRequest, context)) {
    case 'running':
      return chance < 0.3 ? update() : comment(remarkFrom(random))
    case 'failed':
      return chance < 0.5 ? comment('/retest') : update()
    default:
      if (chance < 0.65) return void mergePullRequest(repository, pullRequest, { author, time })
      if (chance < 0.8) return update()
      if (chance < 0.9) return comment(remarkFrom(random))
      return closePullRequest(repository, pullRequest, { author, time })
  }
}

/** In a repository with several components, most changes are to one of them. */
function directoryFrom({ pipelines }: Branch, random: Random, context: ControllerContext): string | undefined {
  const directories = pipelines.flatMap((key) => {
    const component = builtComponent(key, context)
    return component ? [directoryOf(component)].filter(Boolean) : []
  })
  const [first, ...others] = directories
  return first === undefined || random() < 0.2 ? undefined : pick(random, [first, ...others])
}
