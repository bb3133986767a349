import { nameOf, namespaceOf } from '@slipway/kube/object'
import { apiVersionOf, qualifiedPlural } from '@slipway/kube/resource-type'
import { applicationType, type Application } from '@slipway/model/builds/application'
import { componentsOf, componentType, type Component, type GitSource } from '@slipway/model/builds/component'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type Snapshot, type SnapshotComponent } from '@slipway/model/snapshots/snapshot'
import { builtImageOf, isPushBuild, pullRequestGroupOf } from './build-facts'
import { ownerReference } from '../controller'
import { traceOf } from '../trace-context'

interface SnapshotInput {
  /** A successful build. */
  build: PipelineRun
  application: Application
  /** All components of the namespace. */
  components: Component[]
  /** Whether another build has a snapshot with this name. */
  isTaken?(name: string): boolean
}

/** Why there is no snapshot of a build; the message is shown to users. */
export class SnapshotError extends Error {}

const maxNameLength = 63

/** A snapshot with all images of an application after a build. @throws SnapshotError */
export function snapshotFor({ build, application, components, isTaken = () => false }: SnapshotInput): Snapshot {
  const componentName = build.metadata.labels?.[labels.component] ?? ''
  const ofApplication = componentsOf(components, nameOf(application))
  const built = ofApplication.find((component) => nameOf(component) === componentName)
  if (!built) throw new SnapshotError(`${qualifiedPlural(componentType)} "${componentName}" not found`)
  return {
    apiVersion: apiVersionOf(snapshotType),
    kind: snapshotType.kind,
    metadata: {
      name: snapshotName(nameOf(application), startMsOf(build), isTaken),
      namespace: namespaceOf(build),
      labels: buildLabels(build),
      annotations: buildAnnotations(build),
      ownerReferences: [ownerReference(applicationType, application)],
    },
    spec: {
      application: nameOf(application),
      components: ofApplication.flatMap((component) =>
        component === built ? [builtComponent(component, build)] : (promotedComponent(component) ?? []),
      ),
      artifacts: {},
    },
  }
}

/**
 * `{application}-{yyyymmdd}-{hhmmss}-{nnn}`, with the start time of its build. The number distinguishes those of the
 * same second.
 */
export function snapshotName(application: string, atMs: number, isTaken: (name: string) => boolean): string {
  const [day = '', time = ''] = new Date(atMs).toISOString().replace(/[-:]/g, '').split(/[T.]/)
  const suffix = `-${day}-${time}-`
  const prefix = application.slice(0, maxNameLength - suffix.length - 3).replace(/-+$/, '')
  for (let number = 0; ; number++) {
    const name = `${prefix}${suffix}${String(number).padStart(3, '0')}`
    if (!isTaken(name)) return name
  }
}

const startMsOf = ({ metadata, status }: PipelineRun) =>
  Date.parse(status?.startTime ?? metadata.creationTimestamp ?? '')

const stringResult = ({ status }: PipelineRun, name: string): string | undefined => {
  const value = status?.results?.find((result) => result.name === name)?.value
  return typeof value === 'string' && value.trim() ? value.trim() : undefined
}

function builtComponent(component: Component, build: PipelineRun): SnapshotComponent {
  const missing = ['IMAGE_URL', 'IMAGE_DIGEST'].find((name) => !stringResult(build, name))
  if (missing) throw new SnapshotError(`Missing info ${missing} from pipelinerun ${nameOf(build)}`)
  const containerImage = builtImageOf(build) ?? ''
  if (!hasDigest(containerImage)) {
    throw new SnapshotError(`${containerImage} is invalid container image digest from component ${nameOf(component)}`)
  }
  const marks = build.metadata.annotations ?? {}
  const url = stringResult(build, 'CHAINS-GIT_URL') ?? marks[annotations.repository]?.split('?')[0]
  const revision = stringResult(build, 'CHAINS-GIT_COMMIT') ?? marks[annotations.buildCommitSha]
  return { name: nameOf(component), containerImage, ...sourceOf(component, url, revision) }
}

/** The component with its latest image; `undefined` if it has none yet. */
export function promotedComponent(component: Component): SnapshotComponent | undefined {
  const containerImage = [component.status?.lastPromotedImage, component.spec.containerImage].find(hasDigest)
  if (!containerImage) return undefined
  return {
    name: nameOf(component),
    containerImage,
    ...sourceOf(component, component.spec.source.git?.url, component.status?.lastBuiltCommit),
  }
}

function sourceOf(component: Component, url: string | undefined, revision: string | undefined) {
  if (!url) return {}
  const { context, dockerfileUrl } = component.spec.source.git ?? {}
  const git: GitSource = { url, ...(revision && { revision }), ...(context && { context }) }
  return { source: { git: { ...git, ...(dockerfileUrl && { dockerfileUrl }) } } }
}

export const hasDigest = (image: string | undefined): boolean => /@sha256:[0-9a-f]{64}$/.test(image ?? '')

const isPac = (key: string) => key.startsWith('pipelinesascode.tekton.dev/')
/** Describes the creation of the snapshot, so it is not copied to it. */
const isBuildOnly = (key: string) => key === annotations.createSnapshotStatus
const isCopied = (key: string) => /^(build|test)\.appstudio\./.test(key) && !isBuildOnly(key)

/** The labels or annotations about a build's event, with the keys that they have on snapshots. */
const copiedFacts = (facts: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).flatMap(([key, value]) => (isPac(key) ? [[copiedPacKey(key), value]] : [])))

/** Labels of a snapshot that a build is the reason for. */
export function buildLabels(build: PipelineRun): Record<string, string> {
  const known = build.metadata.labels ?? {}
  const endMs = Date.parse(build.status?.completionTime ?? '')
  const group = pullRequestGroupOf(build)
  return {
    [labels.application]: known[labels.application] ?? '',
    [labels.component]: known[labels.component] ?? '',
    [labels.buildPipelineRun]: nameOf(build),
    ...copiedFacts(known),
    ...(endMs && { [labels.buildFinishTime]: String(Math.floor(endMs / 1_000)) }),
    ...(group && { [labels.pullRequestGroupSha]: group.sha }),
    [labels.snapshotType]: 'component',
  }
}

/** Annotations of a snapshot that a build is the reason for. */
export function buildAnnotations(build: PipelineRun): Record<string, string> {
  const marks = build.metadata.annotations ?? {}
  const sourceUrl = marks[annotations.pacSourceRepositoryUrl]
  const group = pullRequestGroupOf(build)
  return {
    ...Object.fromEntries(Object.entries(marks).filter(([key]) => isCopied(key))),
    ...copiedFacts(marks),
    ...traceOf(build),
    [annotations.integrationWorkflow]: isPushBuild(build) ? 'push' : 'pull-request',
    [annotations.buildStartTime]: String(startMsOf(build)),
    ...(group && { [annotations.pullRequestGroup]: group.name }),
    ...(sourceUrl && { [annotations.testSourceRepositoryUrl]: sourceUrl }),
  }
}

export type Conclusion = { status: 'success'; snapshot: string } | { status: 'failed'; error: string }

/** Annotations of a build about the creation of its snapshot; also used for histories. */
export function snapshotAnnotations(conclusion: Conclusion): Record<string, string> {
  const isSuccess = conclusion.status === 'success'
  const message = isSuccess
    ? // The typo is the service's.
      'Sucessfully created snapshot. See annotation appstudio.openshift.io/snapshot for name'
    : `Failed to create snapshot. Error: ${conclusion.error}`
  return {
    ...(isSuccess && { [labels.snapshot]: conclusion.snapshot }),
    [annotations.createSnapshotStatus]: JSON.stringify({ message, status: conclusion.status }),
  }
}
