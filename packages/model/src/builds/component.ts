import { type Condition, type KubeObject, specOf } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'

export interface GitSource {
  url: string
  revision?: string
  /** Directory of the repository to build; the root if absent. */
  context?: string
  dockerfileUrl?: string
}

/** Where the definition of a pipeline is taken from: exactly one of them. */
export interface BuildPipelineSource {
  'pipelineref-by-git-resolver'?: { url: string; revision: string; pathInRepo: string } | null
  'pipelineref-by-name'?: string
  'pipelinespec-from-bundle'?: { name: string; bundle: string } | null
}

/** The pipelines of pull requests and pushes; `null` as if absent. */
export type BuildPipelines = Partial<Record<'pull' | 'push' | 'pull-and-push', BuildPipelineSource | null>>

/** A branch of the repository that is built by itself. */
export interface ComponentVersion {
  name: string
  /** Its branch. */
  revision: string
  /** Directory of the repository to build; the root if absent. */
  context?: string
  dockerfileUri?: string
  /** The pipelines of the component if absent. */
  'build-pipeline'?: BuildPipelines | null
  'skip-builds'?: boolean
}

/** What the platform has set up for a version. */
export interface OnboardedVersion {
  name?: string
  revision?: string
  /** `succeeded` or `failed`. */
  'onboarding-status'?: string
  'onboarding-time'?: string
  /** The pull request that adds the pipeline. */
  'configuration-merge-url'?: string
  message?: string
  'skip-builds'?: boolean
}

export interface Component extends KubeObject {
  spec: {
    application?: string
    componentName?: string
    source: {
      git?: GitSource
      /** URL of the repository if each version of the component has its own revision. */
      url?: string
      /** Of all versions that do not have their own. */
      dockerfileUri?: string
      versions?: ComponentVersion[]
    }
    containerImage?: string
    secret?: string
    replicas?: number
    targetPort?: number
    resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
    env?: { name: string; value?: string }[]
    /** Names of the components that get a pull request when this one has a new image. */
    'build-nudges-ref'?: string[]
    /** Of all versions that do not have their own. */
    'default-build-pipeline'?: BuildPipelines | null
  }
  status?: {
    conditions?: Condition[]
    lastPromotedImage?: string
    lastBuiltCommit?: string
    containerImage?: string
    message?: string
    'build-nudged-by'?: string[]
    /** YAML, for components created from a devfile. */
    devfile?: string
    versions?: OnboardedVersion[]
  }
}

export const componentType = defineResource<Component>({
  group: 'appstudio.redhat.com',
  newerGroups: ['konflux-ci.dev'],
  version: 'v1alpha1',
  kind: 'Component',
  plural: 'components',
  namespaced: true,
})

/** The components of an application, without those that are being deleted. */
export const componentsOf = (components: readonly Component[], application: string): Component[] =>
  components.filter((c) => specOf(c).application === application && !c.metadata.deletionTimestamp)

/** A component as another one refers to it. */
export interface RelatedComponent {
  name: string
  /** The application that it belongs to; `undefined` if it does not exist, or no longer. */
  application: string | undefined
}

/** @param components all of the namespace */
export function relatedComponents(names: readonly string[], components: readonly Component[]): RelatedComponent[] {
  const byName = new Map(components.map((component) => [component.metadata.name, component]))
  return [...new Set(names)].map((name) => {
    const component = byName.get(name)
    const isDeleted = !component || component.metadata.deletionTimestamp !== undefined
    return { name, application: isDeleted ? undefined : specOf(component).application }
  })
}
