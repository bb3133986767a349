import { annotations, labels } from '../labels'
import type { Application } from '../builds/application'
import type { Component, GitSource } from '../builds/component'
import type { ImageNotification } from '../platform/image-notification'
import type { ImageRepository, ImageVisibility } from '../builds/image-repository'
import {
  buildIntegrationTest,
  enterpriseContractSource,
  enterpriseContractTestName,
} from '../snapshots/integration-test-edit'
import type { IntegrationTestScenario } from '../snapshots/integration-test-scenario'

/** The objects that an import creates. Specification: import, sections 3 and 7. */

export const buildApplication = (namespace: string, name: string): Application => ({
  metadata: { name, namespace },
  spec: { displayName: name },
})

/** The required test that checks each snapshot of a new application against the policies of the platform. */
export const buildEnterpriseContractTest = (namespace: string, application: string): IntegrationTestScenario =>
  buildIntegrationTest(
    { namespace, application, name: enterpriseContractTestName(application) },
    { ...enterpriseContractSource, resourceKind: 'pipeline', isOptional: false, contexts: [], params: [] },
  )

/** The bundle of a build pipeline that every component starts with. */
const defaultBundle = 'latest'

export interface NewComponent extends Pick<
  Component['spec'],
  'secret' | 'containerImage' | 'replicas' | 'targetPort' | 'resources' | 'env'
> {
  name: string
  application: string
  /** Blank members are left out. */
  source: GitSource
  /** Name of its build pipeline. */
  pipeline: string
  gitProvider?: string
  gitProviderUrl?: string
}

/** A component whose build pipeline the build service proposes to its repository in a pull request. */
export function buildComponent(namespace: string, component: NewComponent): Component {
  const { name, application, source, pipeline, gitProvider, gitProviderUrl, ...spec } = component
  return {
    metadata: {
      name,
      namespace,
      annotations: {
        ...given({ [annotations.gitProvider]: gitProvider, [annotations.gitProviderUrl]: gitProviderUrl }),
        [annotations.buildPipeline]: JSON.stringify({ name: pipeline, bundle: defaultBundle }),
        [annotations.buildRequest]: 'configure-pac',
      },
    },
    spec: {
      componentName: name,
      application,
      source: { git: { ...given(source), url: source.url } },
      ...given(spec),
    },
  }
}

interface NewImageRepository {
  component: string
  application: string
  visibility: ImageVisibility
  notifications: readonly ImageNotification[]
}

/** The image repository of a component, whose URL the image controller writes to the component. */
export const buildImageRepository = (
  namespace: string,
  { component, application, visibility, notifications }: NewImageRepository,
): ImageRepository => ({
  metadata: {
    name: `imagerepository-for-${application}-${component}`,
    namespace,
    labels: { [labels.imageApplication]: application, [labels.imageComponent]: component },
    annotations: { [annotations.updateComponentImage]: 'true' },
  },
  spec: {
    image: { visibility },
    ...(notifications.length > 0 && { notifications: [...notifications] }),
  },
})

/** Without the members that are missing or blank. */
function given<T extends object>(members: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined && value !== '')
  // A selection of the entries of a `T`.
  return Object.fromEntries(entries) as { [Key in keyof T]?: NonNullable<T[Key]> }
}
