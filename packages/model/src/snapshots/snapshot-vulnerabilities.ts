import { nameOf } from '@slipway/kube/object'
import { asText } from '@slipway/kube/parse'
import { labels } from '../labels'
import type { PipelineRun } from '../runs/pipeline-run'
import { resultsOf, sumOfVulnerabilities, type Vulnerabilities } from '../runs/task-results'
import { startOf } from '../runs/tekton'
import { componentsIn, digestOf, imageIdOf, type Snapshot, type SnapshotComponent } from './snapshot'

/** The vulnerabilities of a snapshot: those that scans found in the builds of its images. Specification 3, section 2. */

/**
 * Names of the builds that pushed the images of a snapshot, by component. A component without one is not listed: its
 * image may have been built elsewhere, or its build may be forgotten.
 * @param builds all that are known, in any order
 */
export function buildsOfImages(snapshot: Snapshot, builds: readonly PipelineRun[]): Map<SnapshotComponent, string> {
  const byDigest = new Map<string, PipelineRun[]>()
  for (const build of builds) {
    const digest = builtDigestOf(build)
    if (digest) byDigest.set(digest, [...(byDigest.get(digest) ?? []), build])
  }
  const { [labels.component]: built, [labels.buildPipelineRun]: own } = snapshot.metadata.labels ?? {}
  return new Map(
    componentsIn(snapshot).flatMap((component) => {
      const { name, containerImage } = component
      const matching = byDigest.get(digestOf(containerImage) ?? '') ?? []
      const build = matching.reduce<PipelineRun | undefined>((best, each) => betterBuild(name, best, each), undefined)
      // The integration service has recorded the build of the image that is new.
      const run = build ? nameOf(build) : name === built ? own : undefined
      return run ? [[component, run] as const] : []
    }),
  )
}

/** The commits that components were built from, sorted, as far as they are known. Branches and tags are ignored. */
export const commitsOfImages = (components: readonly SnapshotComponent[]): string[] => {
  const revisions = components.flatMap(({ source }) => asText(source?.git?.revision) ?? [])
  return [...new Set(revisions.filter((revision) => /^[0-9a-f]{7,63}$/.test(revision)))].sort()
}

/** A reproducible build results in the same image each time, and components may share a Dockerfile. */
function betterBuild(component: string, best: PipelineRun | undefined, other: PipelineRun): PipelineRun {
  if (!best) return other
  const isOwn = (build: PipelineRun) => build.metadata.labels?.[labels.component] === component
  if (isOwn(best) !== isOwn(other)) return isOwn(best) ? best : other
  return startOf(best) >= startOf(other) ? best : other
}

/** The digest of the image that a build pushed, `sha256:…`; `undefined` if it reports none. */
export function builtDigestOf(build: PipelineRun): string | undefined {
  const value = resultsOf(build).find(({ name }) => name === 'IMAGE_DIGEST')?.value
  return typeof value === 'string' ? digestOf(`@${value.trim()}`) : undefined
}

export interface SnapshotVulnerabilities {
  /** Of all images that were scanned; `undefined` if none was. */
  total: Vulnerabilities | undefined
  /** How many different images the snapshot has. */
  imageCount: number
  scannedCount: number
  /**
   * By component, since its versions share a name; `undefined` for an image whose vulnerabilities are not known, which is
   * not the same as none.
   */
  byComponent: ReadonlyMap<SnapshotComponent, Vulnerabilities | undefined>
}

/**
 * The vulnerabilities of a snapshot, where an image that several components share counts once.
 * @param scanOf findings in the image of a component; `undefined` if they are not known
 */
export function snapshotVulnerabilities(
  snapshot: Snapshot,
  scanOf: (component: SnapshotComponent) => Vulnerabilities | undefined,
): SnapshotVulnerabilities {
  const components = componentsIn(snapshot)
  const byImage = new Map<string | undefined, Vulnerabilities | undefined>()
  for (const component of components)
    byImage.set(imageIdOf(component), byImage.get(imageIdOf(component)) ?? scanOf(component))
  const scanned = [...byImage.values()].filter((found) => found !== undefined)
  return {
    total: sumOfVulnerabilities(scanned),
    imageCount: byImage.size,
    scannedCount: scanned.length,
    byComponent: new Map(components.map((component) => [component, byImage.get(imageIdOf(component))])),
  }
}
