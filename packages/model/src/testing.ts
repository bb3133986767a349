import type { ConfigMap, Namespace, Pod, RoleBinding } from '@slipway/kube/core-types'
import { configMapType, namespaceType, podType, roleBindingType } from '@slipway/kube/core-types'
import type { Condition, KubeObject } from '@slipway/kube/object'
import { apiVersionOf, type ResourceType } from '@slipway/kube/resource-type'
import { applicationType, type Application } from './builds/application'
import { componentType, type Component } from './builds/component'
import { labels } from './labels'
import { tenantLabels } from './platform/namespace'
import { pipelineRunType, type PipelineRun } from './runs/pipeline-run'
import { releaseType, type Release } from './releases/release'
import { taskRunType, type TaskRun } from './runs/task-run'
import type { TaskSpec } from './runs/tekton'

/**
 * Builders of valid objects, for tests and scenarios. Overrides are merged into the defaults at any depth;
 * a list replaces the default list, and `undefined` removes a field.
 */
export type Overrides<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: Overrides<T[K]> }
    : T

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function overlay(base: unknown, over: unknown): unknown {
  if (!isPlain(base) || !isPlain(over)) return over
  const merged = { ...base }
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) delete merged[key]
    else merged[key] = overlay(merged[key], value)
  }
  return merged
}

/** Creates a builder of one kind from its defaults, which may depend on the overrides. */
export const builder =
  <T extends KubeObject>(type: ResourceType<T>, defaults: (overrides: Overrides<T>) => T) =>
  (overrides: Overrides<T> = {} as Overrides<T>): T =>
    // Merging parts of a T into a T gives a T, which the type checker cannot know.
    ({ apiVersion: apiVersionOf(type), kind: type.kind, ...(overlay(defaults(overrides), overrides) as T) })

const namespace = 'team-payments'

export const aNamespace = builder<Namespace>(namespaceType, () => ({
  metadata: { name: namespace, labels: { ...tenantLabels } },
}))

export const aConfigMap = builder<ConfigMap>(configMapType, () => ({
  metadata: { name: 'settings', namespace },
  data: {},
}))

export const aRoleBinding = builder<RoleBinding>(roleBindingType, () => ({
  metadata: { name: 'konflux-contributor-user-slipway-test-user-actions', namespace },
  roleRef: { apiGroup: roleBindingType.group, kind: 'ClusterRole', name: 'konflux-contributor-user-actions' },
  subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: 'user@slipway.test' }],
}))

/** Its display name is its name. */
export const anApplication = builder<Application>(applicationType, ({ metadata }) => ({
  metadata: { name: 'checkout', namespace },
  spec: { displayName: metadata?.name ?? 'checkout' },
}))

/** Its component name is its name. */
export const aComponent = builder<Component>(componentType, ({ metadata }) => {
  const name = metadata?.name ?? 'checkout-api'
  return {
    metadata: { name, namespace },
    spec: {
      application: 'checkout',
      componentName: name,
      source: { git: { url: `https://git.slipway.test/payments/${name}`, revision: 'main' } },
      containerImage: `registry.slipway.test/payments/${name}`,
    },
  }
})

/** A release of `checkout` that no controller has processed yet. */
export const aRelease = builder<Release>(releaseType, () => ({
  metadata: { name: 'checkout-x4k2p', namespace, labels: { [labels.application]: 'checkout' } },
  spec: { releasePlan: 'checkout-to-production', snapshot: 'checkout-snapshot' },
}))

/** A build of `checkout-api` that no controller has processed yet. Its pipeline has one task, `build`. */
export const aPipelineRun = builder<PipelineRun>(pipelineRunType, () => ({
  metadata: {
    name: 'checkout-api-on-push-x4k2p',
    namespace,
    labels: {
      [labels.application]: 'checkout',
      [labels.component]: 'checkout-api',
      [labels.pipelineType]: 'build',
    },
  },
  spec: {
    pipelineSpec: { tasks: [{ name: 'build', taskSpec: aTaskSpec() }] },
    taskRunTemplate: { serviceAccountName: 'build-pipeline-checkout-api' },
    timeouts: { pipeline: '1h0m0s' },
  },
}))

const aTaskSpec = (): TaskSpec => ({
  steps: [{ name: 'build', image: 'registry.slipway.test/tools/buildah:1', script: 'buildah build .' }],
})

/** The task `build` of that run, not started. */
export const aTaskRun = builder<TaskRun>(taskRunType, () => ({
  metadata: {
    name: 'checkout-api-on-push-x4k2p-build',
    namespace,
    labels: {
      [labels.application]: 'checkout',
      [labels.component]: 'checkout-api',
      [labels.pipelineRun]: 'checkout-api-on-push-x4k2p',
      [labels.pipelineTask]: 'build',
    },
  },
  spec: { taskSpec: aTaskSpec(), serviceAccountName: 'build-pipeline-checkout-api', timeout: '1h0m0s' },
}))

/** The pod of that task, not scheduled yet. */
export const aPod = builder<Pod>(podType, ({ metadata }) => ({
  metadata: {
    name: 'checkout-api-on-push-x4k2p-build-pod',
    namespace,
    labels: {
      [labels.pipelineRun]: 'checkout-api-on-push-x4k2p',
      [labels.pipelineTask]: 'build',
      [labels.taskRun]: (metadata?.name ?? 'checkout-api-on-push-x4k2p-build-pod').replace(/-pod$/, ''),
    },
  },
  spec: {
    containers: [{ name: 'step-build', image: 'registry.slipway.test/tools/buildah:1' }],
    restartPolicy: 'Never',
    serviceAccountName: 'build-pipeline-checkout-api',
  },
}))

/** A condition as controllers write it. */
export const condition = (type: string, status: Condition['status'], reason = type): Condition => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: '2026-01-31T09:00:00Z',
})
