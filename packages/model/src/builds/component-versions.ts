import { specOf } from '@slipway/kube/object'
import { branchOf } from '../git/git-facts'
import { annotations, labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { webAddress } from '../web-address'
import type { BuildPipelines, BuildPipelineSource, Component, ComponentVersion } from './component'

/** The branches of a component that are built by themselves (`spec.source.versions`). */

/** The builds of a version. */
export interface VersionBuilds {
  /** In the order in which they were given. */
  builds: PipelineRun[]
  /** Whether the first one does not say its version, so that it was found by its branch. */
  isByBranch: boolean
}

/** A version of a component with what applies to it. */
export interface VersionFacts {
  name: string
  branch: string
  /** Directory of the repository; the root if absent. */
  context: string | undefined
  dockerfile: string
  isBuilt: boolean
  /** The pipelines of its pull requests and pushes, as texts; none if neither it nor the component names one. */
  pipelines: { events: string; source: string }[]
  /** Whether they are those of the component. */
  hasDefaultPipelines: boolean
  /** What the platform has set up: `undefined` until it has done so. */
  onboarding: { hasFailed: boolean; message: string | undefined; mergeUrl: string | undefined } | undefined
}

export const versionsIn = (component: Component): readonly ComponentVersion[] =>
  specOf(component).source?.versions ?? []

/** The platform's default, for a version that neither sets its own nor inherits one. */
const defaultDockerfile = 'Dockerfile'

export function versionFacts(component: Component): VersionFacts[] {
  const { source, 'default-build-pipeline': inherited } = specOf(component)
  return versionsIn(component).map((version) => {
    const own = pipelineTexts(version['build-pipeline'])
    const status = component.status?.versions?.find(({ name }) => name === version.name)
    return {
      name: version.name,
      branch: version.revision,
      context: version.context || undefined,
      dockerfile: version.dockerfileUri || source?.dockerfileUri || defaultDockerfile,
      isBuilt: version['skip-builds'] !== true,
      pipelines: own.length > 0 ? own : pipelineTexts(inherited),
      hasDefaultPipelines: own.length === 0,
      onboarding: status && {
        hasFailed: status['onboarding-status'] === 'failed',
        message: status.message || undefined,
        mergeUrl: webAddress(status['configuration-merge-url']),
      },
    }
  })
}

const eventTexts = { 'pull-and-push': 'Pull requests and pushes', pull: 'Pull requests', push: 'Pushes' } as const

const pipelineTexts = (pipelines: BuildPipelines | null | undefined): VersionFacts['pipelines'] =>
  (['pull-and-push', 'pull', 'push'] as const).flatMap((event) => {
    const source = sourceText(pipelines?.[event])
    return source ? [{ events: eventTexts[event], source }] : []
  })

/** The value that leaves the bundle of a pipeline to the platform. */
const latestBundle = 'latest'

function sourceText(source: BuildPipelineSource | null | undefined): string | undefined {
  const git = source?.['pipelineref-by-git-resolver']
  const bundle = source?.['pipelinespec-from-bundle']
  if (git) return `${git.pathInRepo} of ${git.url} at ${git.revision}`
  if (bundle)
    return bundle.bundle === latestBundle
      ? `${bundle.name}, newest of the platform`
      : `${bundle.name} of ${bundle.bundle}`
  const name = source?.['pipelineref-by-name']
  return name && `${name} in .tekton`
}

/** The version that a build says it is of. */
const markOf = ({ metadata }: PipelineRun): string | undefined =>
  metadata.labels?.[labels.version] || metadata.annotations?.[labels.version] || undefined

/** Labels cannot have every name of a version: the platform keeps them unique in a simpler form. */
const simplified = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** Directories are the same with and without the slashes around them. */
const directory = (context: string | undefined): string => (context ?? '').replace(/^(\.?\/)+|\/+$/g, '')

const onlyOne = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined)

/**
 * The version that was built: the one that the build names, or else the only one with its branch and, if the build says
 * one, its context. `undefined` if none or several could be meant.
 */
export function versionOfBuild(
  build: PipelineRun,
  versions: readonly ComponentVersion[],
): { version: ComponentVersion; isByBranch: boolean } | undefined {
  const mark = markOf(build)
  const found = mark === undefined ? byBranch(build, versions) : byMark(mark, versions)
  return found && { version: found, isByBranch: mark === undefined }
}

const byMark = (mark: string, versions: readonly ComponentVersion[]) =>
  versions.find(({ name }) => name === mark) ??
  onlyOne(versions.filter(({ name }) => simplified(name) === simplified(mark)))

function byBranch(build: PipelineRun, versions: readonly ComponentVersion[]) {
  const branch = branchOf(build)
  const context = build.metadata.annotations?.[annotations.context]
  return onlyOne(
    versions.filter(
      (version) =>
        version.revision === branch && (context === undefined || directory(version.context) === directory(context)),
    ),
  )
}

/** The builds of each version, by its name. */
export function buildsByVersion(
  versions: readonly ComponentVersion[],
  builds: readonly PipelineRun[],
): Map<string, VersionBuilds> {
  const found = new Map<string, VersionBuilds>(versions.map(({ name }) => [name, { builds: [], isByBranch: false }]))
  for (const build of builds) {
    const match = versionOfBuild(build, versions)
    const own = match && found.get(match.version.name)
    if (!own) continue
    if (own.builds.length === 0) own.isByBranch = match.isByBranch
    own.builds.push(build)
  }
  return found
}
