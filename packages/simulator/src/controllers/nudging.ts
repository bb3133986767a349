import { configMapType } from '@slipway/kube/core-types'
import { nameOf, namespaceOf, type KubeObject } from '@slipway/kube/object'
import { componentType, type Component } from '@slipway/model/builds/component'
import { modeOf, type Nudge, nudgeConfigName, nudgeConfigType, nudgesIn } from '@slipway/model/builds/nudge-config'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { snapshotConditions, snapshotType } from '@slipway/model/snapshots/snapshot'
import { cachedIndex } from '../cached-index'
import { defineController, objectKeyOf, on, type Controller, type ControllerContext } from '../controller'
import { branchOfComponent, directoryOf } from '../git-host/build-run'
import { bot } from '../git-host/people'
import { openPullRequest, openPullRequestFrom, updatePullRequest } from '../git-host/repository'
import { findRepository, mergeTimeOf, repositoryWrites, saveRepository } from '../git-host/store'
import { builtImageOf, hasSucceeded, isPushBuild } from '../integration/build-facts'
import type { PlatformVersion } from '../platform-version'

const nudgesOf = ({ spec }: Component): string[] => spec['build-nudges-ref'] ?? []

const nudgingIn = cachedIndex(componentType, (component) =>
  nudgesOf(component).length > 0 ? namespaceOf(component) : undefined,
)

/** The kind is not read where the platform does not have it. */
const configsOf = (platform: PlatformVersion) => (platform === 'current' ? [nudgeConfigType] : [])

/** All relationships of a namespace, where it has such an object: what components name themselves does not count then. */
const configIn = (platform: PlatformVersion, namespace: string | undefined, { informer }: ControllerContext) =>
  platform === 'current' ? informer(nudgeConfigType).get(namespace, nudgeConfigName) : undefined

/**
 * Maintains the names of the components that nudge each component in its status; only their specs contain them. Where
 * there is a NudgeConfig, no component nudges another by its spec.
 */
export const nudgeReferences = (platform: PlatformVersion): Controller =>
  defineController<Component>({
    name: 'nudge-references',
    type: componentType,
    wakes: [
      on(componentType, (component) =>
        nudgesOf(component).map((name) => ({ namespace: namespaceOf(component), name })),
      ),
      ...configsOf(platform).map((type) =>
        on(type, (config, { informer }) => informer(componentType).list(namespaceOf(config)).map(objectKeyOf)),
      ),
    ],
    writes: [[componentType, 'updateStatus']],
    async reconcile(component, context) {
      if (component.metadata.deletionTimestamp) return
      const namespace = namespaceOf(component)
      const isIgnored = configIn(platform, namespace, context) !== undefined
      const nudging = nudgingIn(context, namespace ?? '')
        .filter((each) => nudgesOf(each).includes(nameOf(component)) && !each.metadata.deletionTimestamp)
        .filter(() => !isIgnored)
        .map(nameOf)
      const known = component.status?.['build-nudged-by'] ?? []
      if (known.join() === nudging.join()) return
      await context.client.replaceStatus(componentType, {
        ...component,
        status: { ...component.status, 'build-nudged-by': nudging.length > 0 ? nudging : undefined },
      })
    },
  })

const testsOfBuild = cachedIndex(snapshotType, ({ metadata, spec }) => {
  const build = metadata.labels?.[labels.buildPipelineRun]
  // The tests of component groups gate no nudge (`gatingGroup` is reserved).
  return build && spec.application && `${metadata.namespace} ${build}`
})

const hasPassedTests = (run: PipelineRun, context: ControllerContext): boolean =>
  testsOfBuild(context, `${namespaceOf(run)} ${nameOf(run)}`).some(({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === snapshotConditions.testSucceeded && is === 'True'),
  )

function nudgesFrom(component: Component, platform: PlatformVersion, context: ControllerContext): Nudge[] {
  const from = nameOf(component)
  const config = configIn(platform, namespaceOf(component), context)
  if (config) return nudgesIn(config).filter((nudge) => nudge.from === from)
  return nudgesOf(component).map((to) => ({ from, to }))
}

const isProcessed = ({ metadata }: KubeObject) => metadata.annotations?.[annotations.nudgeProcessed] === 'true'

/**
 * After a push build of a component, proposes its new image to the components that it nudges: at once, or once the tests
 * of that build have passed.
 */
export const nudging = (platform: PlatformVersion): Controller =>
  defineController<PipelineRun>({
    name: 'nudging',
    type: pipelineRunType,
    filter: isPushBuild,
    reads: [componentType, configMapType, ...configsOf(platform)],
    wakes: [
      on(snapshotType, ({ metadata }) => {
        const build = metadata.labels?.[labels.buildPipelineRun]
        return build ? [{ namespace: metadata.namespace, name: build }] : []
      }),
    ],
    writes: [[pipelineRunType, 'patch'], ...repositoryWrites],
    async reconcile(run, context) {
      if (!isFinished(run) || !hasSucceeded(run) || isProcessed(run) || run.metadata.deletionTimestamp) return
      const { client, informer } = context
      const namespace = namespaceOf(run)
      const component = informer(componentType).get(namespace, run.metadata.labels?.[labels.component] ?? '')
      const image = builtImageOf(run)
      const nudges = component ? nudgesFrom(component, platform, context) : []
      // Only the current image: a nudge that is configured today does not apply to old builds.
      if (!component || !image || component.status?.lastPromotedImage !== image || nudges.length === 0) return
      const due = nudges.filter((nudge) => modeOf(nudge) === 'immediate' || hasPassedTests(run, context))
      for (const { to: name } of due) {
        const target = informer(componentType).get(namespace, name)
        if (target && !target.metadata.deletionTimestamp) await propose(component, target, run, image, context)
      }
      if (due.length < nudges.length) return
      const path = `/metadata/annotations/${annotations.nudgeProcessed.replaceAll('/', '~1')}`
      await client.patch(pipelineRunType, nameOf(run), [{ op: 'add', path, value: 'true' }], { namespace })
    },
  })

async function propose(
  component: Component,
  target: Component,
  run: PipelineRun,
  image: string,
  context: ControllerContext,
) {
  const stored = findRepository(context, target.spec.source.git?.url ?? '')
  if (!stored) return
  const { configMap, repository } = stored
  const digest = image.split('@sha256:')[1] ?? ''
  const title = `chore(deps): update ${nameOf(component)} to ${digest.slice(0, 7)}`
  const source = `konflux/component-updates/${nameOf(component)}`
  const commit = {
    title,
    author: bot,
    time: context.timestamp(),
    body: `Image created from '${run.metadata.annotations?.[annotations.repository] ?? ''}'`,
    context: directoryOf(target) || undefined,
  }
  const branch = branchOfComponent(target, repository)
  const earlier = repository.pullRequests.find((each) => each.source === source && each.title === title)
  const open = openPullRequestFrom(repository, source)
  // The same image is proposed only once, even if the pull request was closed.
  if (earlier) return
  if (open) {
    open.title = title
    updatePullRequest(repository, open, commit)
  } else {
    openPullRequest(repository, {
      title,
      body: `This PR contains the following updates:\n\n${nameOf(component)}: ${image}`,
      source,
      target: branch,
      author: bot,
      mergeAt: mergeTimeOf(configMap, context),
      time: commit.time,
      commit,
    })
  }
  await saveRepository(context.client, configMap, repository)
}
