import { type KubeObject, nameOf, namespaceOf, specOf } from '@slipway/kube/object'
import { commitShaOf, type GitFacts, gitFactsOf } from '../git/git-facts'
import { groupBy } from '../grouping'
import { annotations, labels } from '../labels'
import { compareTexts, createdAt, lastFirstBy, newestFirst } from '../newest'
import { type Release, releaseStatus } from '../releases/release'
import { releaseArtifacts, type ReleasedUrl } from '../releases/release-artifacts'
import type { PipelineRun } from '../runs/pipeline-run'
import { snapshotsOf } from '../runs/run-actions'
import { sbomBlobOf } from '../runs/run-outputs'
import { isFinished, startKey } from '../runs/tekton'
import { enterpriseContractKind } from '../snapshots/integration-test-edit'
import type { Snapshot } from '../snapshots/snapshot'
import { builtDigestOf } from '../snapshots/snapshot-vulnerabilities'

/** What became of a commit, from its pull request to what was published, as far as objects of the platform say so. */

/** In the order in which a change passes them. */
export const chainStages = [
  'commit',
  'pullRequest',
  'build',
  'image',
  'sbom',
  'signature',
  'snapshot',
  'tests',
  'policy',
  'release',
  'published',
] as const
export type ChainStage = (typeof chainStages)[number]

/** Rows of views suffice, but for what a release published. */
export interface ChainParts {
  runs: readonly PipelineRun[]
  snapshots: readonly Snapshot[]
  releases: readonly Release[]
}

export interface Chain {
  /** Unique among the chains of all namespaces. */
  key: string
  namespace: string
  /** `undefined` if no known object names the commit. */
  sha: string | undefined
  git: GitFacts
  /** By name: the components of a repository may belong to several. */
  applications: readonly string[]
  /** Each kind is the oldest first. */
  builds: readonly PipelineRun[]
  tests: readonly PipelineRun[]
  /** Those tests that verify a policy. */
  verifications: readonly PipelineRun[]
  /** Names of all snapshots that objects mention, of deleted ones too. */
  snapshotNames: readonly string[]
  snapshots: readonly Snapshot[]
  releases: readonly Release[]
  /** RFC 3339, of the newest object; `undefined` if that is unknown. */
  changedAt: string | undefined
}

/**
 * The chains that objects belong to, the one that changed last first. A chain is that of a commit in a namespace, or that
 * of a snapshot if no known object names the commit.
 * @param parts in any order, of any namespaces
 */
export function chainsOf(parts: ChainParts): Chain[] {
  const keyOf = chainKeys(parts)
  const runs = groupBy(parts.runs, keyOf.run)
  const snapshots = groupBy(parts.snapshots, keyOf.snapshot)
  const releases = groupBy(parts.releases, keyOf.release)
  return [...new Set([...runs.keys(), ...snapshots.keys(), ...releases.keys()])]
    .map((key) =>
      chainOf(key, {
        runs: runs.get(key) ?? [],
        snapshots: snapshots.get(key) ?? [],
        releases: releases.get(key) ?? [],
      }),
    )
    .sort((a, b) => compareTexts(b.changedAt ?? '', a.changedAt ?? '') || compareTexts(a.key, b.key))
}

const commitKey = (namespace: string, sha: string): string => `${namespace} commit ${sha}`
const snapshotKey = (namespace: string, name: string): string => `${namespace} snapshot ${name}`

/** Managed pipelines run in another namespace than what they release. */
const servedNamespace = (run: PipelineRun): string =>
  run.metadata.labels?.[labels.releaseNamespace] ?? namespaceOf(run) ?? ''

/** How to find the chain of each object; `undefined` for a run that is of no commit, snapshot or release. */
function chainKeys({ runs, snapshots, releases }: ChainParts) {
  const commits = new Map<string, string>()
  for (const run of runs) {
    const sha = commitShaOf(run)
    if (!sha) continue
    const namespace = servedNamespace(run)
    commits.set(`run ${namespace}/${nameOf(run)}`, sha)
    for (const name of snapshotsOf(run)) commits.set(`snapshot ${namespace}/${name}`, sha)
  }
  for (const snapshot of snapshots) {
    const namespace = namespaceOf(snapshot) ?? ''
    const build = snapshot.metadata.labels?.[labels.buildPipelineRun]
    const sha = commitShaOf(snapshot) ?? commits.get(`run ${namespace}/${build ?? ''}`)
    if (sha) commits.set(`snapshot ${namespace}/${nameOf(snapshot)}`, sha)
  }
  const ofSnapshot = (namespace: string, name: string): string => {
    const sha = commits.get(`snapshot ${namespace}/${name}`)
    return sha ? commitKey(namespace, sha) : snapshotKey(namespace, name)
  }
  const ofRelease = (release: Release): string | undefined => {
    const { snapshot } = specOf(release)
    return snapshot ? ofSnapshot(namespaceOf(release) ?? '', snapshot) : undefined
  }
  const byRelease = new Map(
    releases.map((release) => [`${namespaceOf(release) ?? ''}/${nameOf(release)}`, ofRelease(release)]),
  )
  return {
    run(run: PipelineRun): string | undefined {
      const namespace = servedNamespace(run)
      const sha = commitShaOf(run)
      if (sha) return commitKey(namespace, sha)
      const [snapshot] = snapshotsOf(run)
      if (snapshot) return ofSnapshot(namespace, snapshot)
      return byRelease.get(`${namespace}/${run.metadata.labels?.[labels.releaseName] ?? ''}`)
    },
    snapshot: (snapshot: Snapshot) => ofSnapshot(namespaceOf(snapshot) ?? '', nameOf(snapshot)),
    release: ofRelease,
  }
}

function chainOf(key: string, { runs, snapshots, releases }: ChainParts): Chain {
  const ordered = [...runs].sort((a, b) => lastStarted(b, a))
  const byAge = <T extends KubeObject>(objects: readonly T[]) => [...objects].sort((a, b) => newestFirst(b, a))
  const objects = [...ordered, ...byAge(snapshots), ...byAge(releases)]
  const [namespace = ''] = key.split(' ', 1)
  const sha = objects.map(commitShaOf).find(Boolean)
  const tests = ordered.filter(({ metadata }) => metadata.labels?.[labels.scenario])
  return {
    key,
    namespace,
    sha,
    git: gitFactsOf(sha, objects),
    applications: distinct(objects.map(({ metadata }) => metadata.labels?.[labels.application])),
    builds: ordered.filter(({ metadata }) => metadata.labels?.[labels.pipelineType] === 'build'),
    tests,
    verifications: tests.filter(
      ({ metadata }) => metadata.annotations?.[annotations.testKind] === enterpriseContractKind,
    ),
    snapshotNames: distinct([
      ...ordered.flatMap(snapshotsOf),
      ...snapshots.map(nameOf),
      ...releases.map((release) => specOf(release).snapshot),
    ]),
    snapshots: byAge(snapshots),
    releases: byAge(releases),
    changedAt: objects.map(createdAt).sort().at(-1) || undefined,
  }
}

const lastStarted = lastFirstBy(startKey)

const distinct = (values: readonly (string | undefined)[]): string[] =>
  [...new Set(values.flatMap((value) => value ?? []))].sort()

/** What is missing in a chain, and why; what is there has no entry. @param searched where its objects were looked for */
export function gapsOf(chain: Chain, searched = 'in the cluster'): Partial<Record<ChainStage, string>> {
  const { sha, git, builds, snapshots, tests, verifications, releases } = chain
  const absent = (noun: string) => `No ${noun} of it is ${searched}.`
  const image = builds.length === 0 ? absent('build') : imageGap(builds)
  const gaps: Record<ChainStage, string | false | undefined> = {
    commit: !sha && 'No known object names its commit.',
    pullRequest: git.pullRequestNumber === undefined && 'No pull request is recorded.',
    build: builds.length === 0 && absent('build'),
    image,
    sbom: !builds.some(sbomBlobOf) && (image ?? 'No build reports a bill of materials.'),
    signature: signatureGap(builds) && (image ?? signatureGap(builds)),
    snapshot: snapshots.length === 0 && absent('snapshot'),
    tests: tests.length === 0 && absent('test'),
    policy: verifications.length === 0 && 'No test of it verifies a policy.',
    release: releases.length === 0 && absent('release'),
    published: publishedGap(releases),
  }
  return Object.fromEntries(Object.entries(gaps).filter(([, gap]) => gap))
}

function imageGap(builds: readonly PipelineRun[]): string | undefined {
  if (builds.some(builtDigestOf)) return undefined
  return builds.every(isFinished) ? 'No build reports the digest of an image.' : 'The build has not ended.'
}

function signatureGap(builds: readonly PipelineRun[]): string | undefined {
  const states = builds.map(({ metadata }) => metadata.annotations?.[annotations.signed])
  if (states.includes('true')) return undefined
  return states.includes('failed') ? 'Tekton Chains could not sign it.' : 'Tekton Chains has not recorded a signature.'
}

function publishedGap(releases: readonly Release[]): string | undefined {
  if (publishedBy(releases).length > 0) return undefined
  const hasSucceeded = releases.some((release) => releaseStatus(release) === 'Succeeded')
  return hasSucceeded ? 'No release says what it published.' : 'No release of it has succeeded.'
}

/** Where releases published something, in their order. */
export const publishedBy = (releases: readonly Release[]): ReleasedUrl[] => {
  const all = releases
    .map(releaseArtifacts)
    .flatMap(({ images, urls }) => [
      ...images.flatMap((image) => image.urls.map((text) => ({ label: image.name ?? 'Image', text }))),
      ...urls,
    ])
  return [...new Map(all.map((url) => [url.text, url])).values()]
}
