import { configMapType, namespaceType, secretType, serviceAccountType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf } from '@slipway/kube/object'
import { componentType, type Component } from '@slipway/model/builds/component'
import { imageRepositoryType } from '@slipway/model/builds/image-repository'
import { annotations, labels } from '@slipway/model/labels'
import { repositoryType } from '@slipway/model/builds/repository'
import {
  defineController,
  objectKeyOf,
  ownerReference,
  on,
  type ControllerContext,
  type ReconcileResult,
} from '../controller'
import { branchOfComponent, componentKey, pipelineDefinitionPath } from '../git-host/build-run'
import {
  disabledStatus,
  enabledStatus,
  failedStatus,
  parseBuildStatus,
  type BuildStatus,
} from '../git-host/build-status'
import { parseRepositoryUrl, providerOf, pullUrl } from '../git-host/git-url'
import { onboardingErrorOf, sourceSecretFor } from '../git-host/onboarding-error'
import { bot } from '../git-host/people'
import {
  branchOf,
  closePullRequest,
  openPullRequest,
  openPullRequestFrom,
  requestBuild,
  type GitRepository,
} from '../git-host/repository'
import { listenersTo } from '../git-host/listeners'
import {
  withWebUrl,
  ensureRepository,
  findRepository,
  mergeTimeOf,
  repositoryWrites,
  saveRepository,
  settings,
} from '../git-host/store'
import { imageRepositoriesOf } from './image-repositories'

export const buildFinalizer = 'pac.component.appstudio.openshift.io/finalizer'

/**
 * How long a new component may lack an image repository and secrets, which an import creates after it, one by one: in
 * real time, whatever the speed of the simulation. Some browsers are slow. What is there is not waited for.
 */
const importMs = 60_000

/**
 * The build service: creates the image repository and the Repository of a component, opens the pull request with its
 * pipelines, and performs the requests in the annotation `build.appstudio.openshift.io/request`.
 */
export const componentOnboarding = defineController<Component>({
  name: 'component-onboarding',
  type: componentType,
  wakes: [
    on(secretType, ({ metadata }, { informer }) =>
      informer(componentType).list(metadata.namespace).filter(isUnconfigured).map(objectKeyOf),
    ),
  ],
  // An image repository's URL is written to its component, whose change triggers the next reconcile.
  reads: [imageRepositoryType, configMapType, namespaceType, serviceAccountType, repositoryType],
  writes: [
    [componentType, 'update', 'updateStatus'],
    [imageRepositoryType, 'create'],
    [repositoryType, 'create', 'update'],
    ...repositoryWrites,
  ],
  async reconcile(component, context) {
    if (component.metadata.deletionTimestamp) return offboard(component, context)
    if (!component.metadata.finalizers?.includes(buildFinalizer)) {
      await context.client.replace(componentType, {
        ...component,
        metadata: { ...component.metadata, finalizers: [...(component.metadata.finalizers ?? []), buildFinalizer] },
      })
      return
    }
    if (!component.status?.conditions?.some(({ type }) => type === 'Created')) return markCreated(component, context)
    const isRequested = component.metadata.annotations?.[annotations.buildRequest] !== undefined
    if (!isRequested && !isUnconfigured(component)) return
    return component.spec.containerImage ? handleRequest(component, context) : waitForImage(component, context)
  },
})

async function markCreated(component: Component, { client, timestamp }: ControllerContext): Promise<void> {
  const created = {
    type: 'Created',
    status: 'True' as const,
    reason: 'OK',
    message: 'Component has been successfully created',
    lastTransitionTime: timestamp(),
  }
  await client.replaceStatus(componentType, {
    ...component,
    status: { ...component.status, conditions: [...(component.status?.conditions ?? []), created] },
  })
}

/** Whether the first request has no outcome yet. */
const isUnconfigured = ({ metadata }: Component): boolean =>
  metadata.annotations?.[annotations.buildStatus] === undefined

/** How long an import may still create what the component lacks; 0 once that is over. */
const importLeftMs = ({ metadata }: Component, { now }: ControllerContext): number =>
  Math.max(0, Date.parse(metadata.creationTimestamp ?? '') + importMs - now())

/** The image repository writes its URL to the component. One is created if there is none. */
async function waitForImage(component: Component, context: ControllerContext): Promise<ReconcileResult | void> {
  if (imageRepositoriesOf(context, componentKey(component)).length > 0) return
  const afterMs = importLeftMs(component, context)
  if (afterMs > 0) return { afterMs }
  const name = nameOf(component)
  const application = component.spec.application ?? ''
  await context.client.create(imageRepositoryType, {
    metadata: {
      name: `imagerepository-for-${application}-${name}`,
      namespace: namespaceOf(component) ?? '',
      labels: { [labels.imageApplication]: application, [labels.imageComponent]: name },
      annotations: { [annotations.updateComponentImage]: 'true' },
    },
    spec: { image: { visibility: 'public' } },
  })
}

async function handleRequest(component: Component, context: ControllerContext): Promise<ReconcileResult | void> {
  const marks = component.metadata.annotations ?? {}
  const request = marks[annotations.buildRequest] ?? 'configure-pac'
  const status = parseBuildStatus(marks[annotations.buildStatus])
  if (request === 'configure-pac' || request === 'configure-pac-no-mr') {
    const outcome = await configure(component, context, request === 'configure-pac')
    return 'afterMs' in outcome ? outcome : finish(component, context, outcome)
  }
  if (request === 'unconfigure-pac') {
    return finish(component, context, disabledStatus(await sendPurge(component, context)))
  }
  if (request === 'trigger-pac-build') {
    const isEnabled = status?.pac?.state === 'enabled'
    if (isEnabled) await trigger(component, context)
    const message = isEnabled ? 'done' : "can't trigger a build: Pipelines as Code is not enabled for the component"
    return finish(component, context, { ...status, message })
  }
  return finish(component, context, { ...status, message: `unexpected build request: ${request}` })
}

/** Removes the request in the same write that reports its outcome. */
async function finish(component: Component, { client }: ControllerContext, status: BuildStatus): Promise<void> {
  const marks: Record<string, string> = {
    ...component.metadata.annotations,
    [annotations.buildStatus]: JSON.stringify(status),
  }
  delete marks[annotations.buildRequest]
  await client.replace(componentType, { ...component, metadata: { ...component.metadata, annotations: marks } })
}

async function configure(
  component: Component,
  context: ControllerContext,
  byPullRequest: boolean,
): Promise<BuildStatus | { afterMs: number }> {
  const { informer, now } = context
  const namespace = namespaceOf(component) ?? ''
  const url = component.spec.source.git?.url ?? ''
  const error = onboardingErrorOf(component, {
    secrets: informer(secretType).list(namespace),
    isUsedElsewhere: listenersTo(context, url).some((each) => namespaceOf(each) !== namespace),
  })
  const afterMs = error?.lacksSecret ? importLeftMs(component, context) : 0
  if (afterMs > 0) return { afterMs }
  if (error) return failedStatus(error)
  const location = parseRepositoryUrl(url)
  const provider = location && providerOf(location.host, component.metadata.annotations?.[annotations.gitProvider])
  // `onboardingErrorOf` reports these cases.
  if (!location || !provider) throw new Error(`no repository at ${url}`)
  const { configMap, repository } = await ensureRepository(context, location, provider, settingsOf(component))
  await ensurePacRepository(component, context, repository)
  const branch = branchOf(repository, branchOfComponent(component, repository))
  const key = componentKey(component)
  if (branch.pipelines.includes(key)) return enabledStatus(undefined, now())
  if (!byPullRequest) {
    // A request without a pull request means that the pipelines are already defined.
    branch.pipelines.push(key)
    await saveRepository(context.client, configMap, repository)
    return enabledStatus(undefined, now())
  }
  const source = `konflux-${nameOf(component)}`
  const open = openPullRequestFrom(repository, source)
  if (open) return enabledStatus(pullUrl(withWebUrl(repository, context), open.number), now())
  const time = context.timestamp()
  const pullRequest = openPullRequest(repository, {
    title: `Konflux update ${nameOf(component)}`,
    body: `# Pipelines as Code configuration proposal\n\nTo start the pipelines of ${nameOf(component)}, merge this pull request.`,
    source,
    target: branch.name,
    author: bot,
    adds: [key],
    mergeAt: mergeTimeOf(configMap, context),
    time,
    commit: { title: `Konflux update ${nameOf(component)}`, context: pipelineDefinitionPath(component) },
  })
  await saveRepository(context.client, configMap, repository)
  return enabledStatus(pullUrl(withWebUrl(repository, context), pullRequest.number), now())
}

/** Settings on a component apply to the repository that is created for it. */
const settingsOf = ({ metadata }: Component): Record<string, string> =>
  Object.fromEntries(
    Object.values(settings).flatMap((key) => {
      const value = metadata.annotations?.[key]
      return value === undefined ? [] : [[key, value]]
    }),
  )

/**
 * Ensures one Repository for all components of a namespace with the same source. It is deleted with the last of them.
 */
async function ensurePacRepository(component: Component, context: ControllerContext, source: GitRepository) {
  const { client, informer } = context
  const namespace = namespaceOf(component) ?? ''
  const owner = { ...ownerReference(componentType, component), controller: false }
  const known = listenersTo(context, source.url).find((each) => namespaceOf(each) === namespace)
  const owners = known?.metadata.ownerReferences ?? []
  if (known && owners.some(({ uid }) => uid === owner.uid)) return
  if (known) {
    const metadata = { ...known.metadata, ownerReferences: [...owners, owner] }
    await client.replace(repositoryType, { ...known, metadata })
    return
  }
  const secret =
    component.spec.secret || sourceSecretFor(source.host, informer(secretType).list(namespace))?.metadata.name
  const name = nameOf(component)
  await client.create(repositoryType, {
    metadata: { name, namespace, ownerReferences: [owner] },
    spec: {
      url: source.url,
      ...(source.provider !== 'github' && {
        git_provider: {
          type: source.provider === 'bitbucket' ? 'bitbucket-cloud' : source.provider,
          url: `https://${source.host}`,
          ...(secret && { secret: { name: secret, key: 'password' } }),
        },
      }),
    },
  })
}

/** @returns URL of the pull request that removes the pipelines; `undefined` if there are none */
async function sendPurge(component: Component, context: ControllerContext): Promise<string | undefined> {
  const stored = findRepository(context, component.spec.source.git?.url ?? '')
  if (!stored) return undefined
  const { configMap, repository } = stored
  const key = componentKey(component)
  const proposal = openPullRequestFrom(repository, `konflux-${nameOf(component)}`)
  const source = `konflux-purge-${nameOf(component)}`
  const open = openPullRequestFrom(repository, source)
  if (open) return pullUrl(withWebUrl(repository, context), open.number)
  const time = context.timestamp()
  if (proposal) closePullRequest(repository, proposal, { author: bot, time })
  const branch = branchOf(repository, branchOfComponent(component, repository))
  const isDefined = branch.pipelines.includes(key)
  const purge =
    isDefined &&
    openPullRequest(repository, {
      title: `Konflux purge ${nameOf(component)}`,
      body: `## Pipelines as Code configuration removal\n\nMerge this pull request to end the builds of ${nameOf(component)}.`,
      source,
      target: branch.name,
      author: bot,
      removes: [key],
      mergeAt: mergeTimeOf(configMap, context),
      time,
      commit: { context: pipelineDefinitionPath(component) },
    })
  if (purge || proposal) await saveRepository(context.client, configMap, repository)
  return purge ? pullUrl(withWebUrl(repository, context), purge.number) : undefined
}

async function trigger(component: Component, context: ControllerContext) {
  const url = component.spec.source.git?.url ?? ''
  const location = parseRepositoryUrl(url)
  const provider = location && providerOf(location.host, component.metadata.annotations?.[annotations.gitProvider])
  if (!location || !provider) return
  const { configMap, repository } = await ensureRepository(context, location, provider, settingsOf(component))
  await ensurePacRepository(component, context, repository)
  const { uid = '', resourceVersion = '' } = component.metadata
  const branch = branchOf(repository, branchOfComponent(component, repository))
  // The component was configured before its repository was simulated, so no pull request added its pipelines.
  const key = componentKey(component)
  const isProposed = repository.pullRequests.some(({ adds }) => adds?.includes(key))
  if (!isProposed && !branch.pipelines.includes(key)) branch.pipelines.push(key)
  // The version identifies the request, also if this is repeated after an interruption.
  requestBuild(repository, branch.name, key, `${uid} ${resourceVersion}`)
  await saveRepository(context.client, configMap, repository)
}

async function offboard(component: Component, context: ControllerContext) {
  if (!component.metadata.finalizers?.includes(buildFinalizer)) return
  await sendPurge(component, context)
  await context.client.replace(componentType, {
    ...component,
    metadata: {
      ...component.metadata,
      finalizers: component.metadata.finalizers.filter((each) => each !== buildFinalizer),
    },
  })
}
