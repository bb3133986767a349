import { type Condition, type KubeObject, specOf } from '@slipway/kube/object'
import { defineResource } from '@slipway/kube/resource-type'

export interface GitSource {
  url: string
  revision?: string
  /** Directory of the repository to build; the root if absent. */
  context?: string
  dockerfileUrl?: string
}

export interface Component extends KubeObject {
  spec: {
    application?: string
    componentName?: string
    source: {
      git?: GitSource
      /** URL of the repository if each version of the component has its own revision. */
      url?: string
    }
    containerImage?: string
    secret?: string
    replicas?: number
    targetPort?: number
    resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
    env?: { name: string; value?: string }[]
    /** Names of the components that get a pull request when this one has a new image. */
    'build-nudges-ref'?: string[]
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
