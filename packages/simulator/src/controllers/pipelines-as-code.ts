import { configMapType, namespaceType, type ConfigMap } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { ignoreExisting } from '@slipway/kube/status'
import { applicationType } from '@slipway/model/builds/application'
import { componentType, type Component } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { repositoryType } from '@slipway/model/builds/repository'
import { isFinished } from '@slipway/model/runs/tekton'
import { cachedIndex } from '../cached-index'
import { defineController, type Controller, type ControllerContext } from '../controller'
import {
  branchOfComponent,
  buildRunFor,
  cancelInProgress,
  componentKey,
  affects,
  heldRun,
  isPullRequestEvent,
} from '../git-host/build-run'
import { urlKey, isSameRepository, repositoryKey } from '../git-host/git-url'
import { listenersTo } from '../git-host/listeners'
import { pipelinesAt, type Delivery, type GitRepository } from '../git-host/repository'
import { withWebUrl, isRepositoryConfigMap, readRepository, repositoryWrites, saveRepository } from '../git-host/store'
import { isManaged, queuedRun } from '../kueue/admission-queue'
import type { PlatformVersion } from '../platform-version'
import { builtComponent } from './built-component'

interface PipelinesAsCodeOptions {
  /** URL of the console, without a trailing slash. The checks on the git host link to it. */
  consoleUrl: string
  /** Default: `current`. */
  platform?: PlatformVersion
}

/** Pipelines as Code: receives the events of repositories and starts the builds that their pipelines define. */
export const pipelinesAsCode = (options: PipelinesAsCodeOptions): Controller =>
  defineController<ConfigMap>({
    name: 'pipelines-as-code',
    type: configMapType,
    filter: isRepositoryConfigMap,
    reads: [applicationType, componentType, namespaceType, repositoryType, pipelineRunType],
    writes: [[pipelineRunType, 'create', 'patch'], ...repositoryWrites],
    async reconcile(configMap, context) {
      const repository = readRepository(configMap)
      if (!repository || repository.deliveries.length === 0) return
      // Events delivered again after an interruption create no second run, since the name of a run depends on the event
      // only.
      for (const delivery of repository.deliveries) await receive(delivery, repository, options, context)
      await saveRepository(context.client, configMap, { ...repository, deliveries: [] })
    },
  })

async function receive(
  event: Delivery,
  repository: GitRepository,
  options: PipelinesAsCodeOptions,
  context: ControllerContext,
) {
  const pullRequest = repository.pullRequests.find(({ number }) => number === event.pullRequest)
  if (event.event === 'closed') return cancelBuilds(event, repository, context)
  const builds = pipelinesAt(repository, event).flatMap((key) => {
    const component = builtComponent(key, context)
    if (!component || !isBuiltBy(component, event, repository)) return []
    const listener = listenersTo(context, repository.url).find((each) => namespaceOf(each) === namespaceOf(component))
    if (!listener) return []
    const run = buildRunFor({
      component,
      repository: withWebUrl(repository, context),
      repositoryName: nameOf(listener),
      event,
      sourceBranch: pullRequest?.source,
      random: context.random,
      consoleUrl: options.consoleUrl,
      isTraced: options.platform !== 'legacy',
    })
    return [{ listener, run }]
  })
  for (const { listener, run } of builds) {
    const ofEvent = builds.filter((each) => each.listener === listener).map((each) => each.run)
    const namespace = context.informer(namespaceType).get(undefined, namespaceOf(run) ?? '')
    const mustBeAdmitted = options.platform !== 'legacy' && isManaged(namespace)
    const admitted = mustBeAdmitted ? queuedRun(run) : run
    // A run that is on hold for one reason is not put on hold for another.
    const created = listener.spec.concurrency_limit ? heldRun(run, ofEvent) : admitted
    await context.client.create(pipelineRunType, created).catch(ignoreExisting)
    if (isPullRequestEvent(event)) await cancelBuilds(event, repository, context, run)
  }
}

const isBuiltBy = (component: Component, event: Delivery, repository: GitRepository): boolean =>
  isSameRepository(component.spec.source.git?.url ?? '', repository.url) &&
  branchOfComponent(component, repository) === event.branch &&
  (event.component === undefined || event.component === componentKey(component)) &&
  affects(event, component)

const runsOfPullRequest = cachedIndex(
  pipelineRunType,
  ({ metadata: { labels: known = {}, annotations: marks = {} } }) =>
    known[labels.pipelineType] === 'build' && known[labels.pullRequestNumber]
      ? `${urlKey(marks[annotations.pacRepositoryUrl] ?? '')} ${known[labels.pullRequestNumber]}`
      : undefined,
)

/**
 * Cancels the running builds of a pull request.
 * @param successor the build that replaces them; absent if the pull request was closed
 */
async function cancelBuilds(
  event: Delivery,
  repository: GitRepository,
  context: ControllerContext,
  successor?: PipelineRun,
) {
  for (const run of runsOfPullRequest(context, `${repositoryKey(repository)} ${event.pullRequest}`)) {
    const { labels: known = {}, annotations: marks = {}, namespace } = run.metadata
    const isReplaced =
      !successor ||
      (nameOf(run) !== nameOf(successor) &&
        namespace === namespaceOf(successor) &&
        known[labels.component] === successor.metadata.labels?.[labels.component])
    const mayBeCancelled = marks[cancelInProgress] === 'true'
    const isEnding = run.spec.status !== undefined && run.spec.status !== 'PipelineRunPending'
    if (!isReplaced || !mayBeCancelled || isFinished(run) || isEnding) continue
    await context.client.patch(
      pipelineRunType,
      nameOf(run),
      [{ op: 'add', path: '/spec/status', value: 'CancelledRunFinally' }],
      { namespace },
    )
  }
}
