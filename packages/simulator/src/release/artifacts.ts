import type { PipelineRun } from '@slipway/model/runs/pipeline-run'
import type { ReleasePlanAdmission } from '@slipway/model/releases/release-plan'
import type { Snapshot, SnapshotComponent } from '@slipway/model/snapshots/snapshot'
import { integerBetween, type Random } from '../keyed-random'
import { pipelineNameOf } from '../tekton/catalog'

interface ArtifactsInput {
  /** A successful managed run. */
  run: PipelineRun
  admission: ReleasePlanAdmission
  snapshot: Snapshot
  random(key: string): Random
}

type Artifacts = Record<string, unknown>

/** The artifacts of a managed pipeline, as in the status of the release; `undefined` if there are none. */
export function artifactsOf(input: ArtifactsInput): Artifacts | undefined {
  const { pipelineRef } = input.run.spec
  const pipeline = pipelineRef && pipelineNameOf(pipelineRef)
  const artifacts = { ...imagesOf(input), ...(pipeline && byPipeline[pipeline]?.(input)) }
  return Object.keys(artifacts).length > 0 ? artifacts : undefined
}

const byPipeline: Partial<Record<string, (input: ArtifactsInput) => Artifacts>> = {
  'rh-advisories'({ run }) {
    const url = resultOf(run, 'ADVISORY_URL')
    return url ? { advisory: { url, internal_url: url.replace('//', '//internal.') } } : {}
  },
  'fbc-release'({ run, admission }) {
    const resolved = resultOf(run, 'INDEX_IMAGE')
    if (!resolved) return {}
    const fbc = field(admission.spec.data, 'fbc')
    const target = text(field(fbc, 'targetIndex')) ?? `${resolved.split('@')[0] ?? ''}:latest`
    return { index_image: { index_image: target, index_image_resolved: resolved, target_index: target } }
  },
  'release-to-github'({ run }) {
    const url = resultOf(run, 'RELEASE_URL')
    return url ? { 'github-release': { url } } : {}
  },
}

const resultOf = ({ status }: PipelineRun, name: string) =>
  text(status?.results?.find((each) => each.name === name)?.value)

/** The data of an admission has no schema, so it may contain anything. */
const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)).get(key) : undefined
const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The images of the snapshot for which the data of the admission contains a repository. */
function imagesOf(input: ArtifactsInput): Artifacts {
  const mapping = field(input.admission.spec.data, 'mapping')
  const defaultTags = list(field(field(mapping, 'defaults'), 'tags'))
  const images = list(field(mapping, 'components')).flatMap((mapped) => {
    const component = input.snapshot.spec.components?.find(({ name }) => name === field(mapped, 'name'))
    return component ? [imageOf(component, urlsOf(mapped, component, defaultTags, input), input)] : []
  })
  return images.length > 0 ? { images } : {}
}

function urlsOf(mapped: unknown, component: SnapshotComponent, defaultTags: unknown[], { run }: ArtifactsInput) {
  const single = text(field(mapped, 'repository'))
  const repositories = single ? [{ url: single }] : list(field(mapped, 'repositories'))
  return repositories.flatMap((repository) => {
    const url = text(field(repository, 'url'))
    const tags = [repository, mapped].map((each) => list(field(each, 'tags'))).find(({ length }) => length > 0)
    const all = [...(tags ?? []), ...defaultTags].flatMap((tag) => text(tag) ?? [])
    return url ? [...new Set(all)].map((tag) => `${url}:${expandTag(tag, component, run)}`) : []
  })
}

/** Tags may name facts of the release. */
function expandTag(tag: string, { containerImage, source }: SnapshotComponent, { status }: PipelineRun): string {
  const sha = source?.git?.revision ?? ''
  const facts: Record<string, string> = {
    git_sha: sha,
    git_short_sha: sha.slice(0, 7),
    digest_sha: containerImage.split('@sha256:')[1] ?? '',
    timestamp: String(Math.floor(Date.parse(status?.startTime ?? '') / 1_000)),
  }
  return tag.replace(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, key: string) => facts[key] ?? placeholder)
}

function imageOf({ name, containerImage }: SnapshotComponent, urls: string[], { random }: ArtifactsInput) {
  const isMultiPlatform = integerBetween(random(`platforms of ${containerImage}`), 0, 1) === 1
  return {
    name,
    arches: isMultiPlatform ? ['amd64', 'arm64'] : ['amd64'],
    oses: ['linux'],
    shasum: containerImage.split('@')[1] ?? '',
    urls,
  }
}
