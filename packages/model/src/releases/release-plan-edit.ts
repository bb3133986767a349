import { isRecord, namespaceOf, specOf } from '@slipway/kube/object'
import { asArray, asRecord } from '@slipway/kube/parse'
import { changesBetween } from '../label-edit'
import { labels } from '../labels'
import type { Param } from '../runs/tekton'
import { type PipelineSource, sourceIn, sourceMembers, sourceParams, withParam } from '../builds/pipeline-source'
import type { ReleasePipeline, ReleasePlan } from './release-plan'

/** What users edit of a release plan, and the objects that follow. Specification: 3, sections 3, 5, 7. */

/** Where releases are processed: by a pipeline in the namespace of the plan, or as an admission elsewhere says. */
export const releaseLocations = ['current', 'target'] as const
export type ReleaseLocation = (typeof releaseLocations)[number]

/** A parameter of the git resolver besides those that contain the source. */
export interface ResolverParam {
  name: string
  value: string
  /** Position among the stored parameters, whose other fields it keeps; absent for an added one. */
  stored?: number
}

export interface ReleasePlanContent extends PipelineSource {
  application: string
  location: ReleaseLocation
  /** Namespace of the admission; empty for the current namespace. */
  target: string
  serviceAccount: string
  params: ResolverParam[]
  /** For the pipelines of a release. */
  data: unknown
  /** Those with a field of their own are not among them. */
  labels: Readonly<Record<string, string>>
  isAutomatic: boolean
  hasStandingAttribution: boolean
}

type Spec = ReleasePlan['spec']

const flags = { isAutomatic: labels.autoRelease, hasStandingAttribution: labels.standingAttribution } as const
const flagMembers = Object.entries(flags) as [keyof typeof flags, string][]

/**
 * A plan in the shape of the current API, which has the tenant pipeline in `tenantPipeline`: earlier ones had it in
 * `pipeline`, and the first one its parts in the spec itself. All other members stay.
 */
export function toCurrentShape(plan: ReleasePlan): ReleasePlan {
  const spec: Partial<Spec> = specOf(plan)
  if (isRecord(spec.tenantPipeline)) return plan
  if (isRecord(spec.pipeline) && isUsable(spec.pipeline.pipelineRef)) {
    const { pipeline, ...kept } = spec
    const { serviceAccount, ...tenantPipeline } = pipeline
    const account = text(pipeline.serviceAccountName) || text(serviceAccount)
    return withSpec(plan, { ...kept, tenantPipeline: withAccount(tenantPipeline, account) })
  }
  const { pipelineRef, serviceAccount, ...kept } = spec
  return isUsable(pipelineRef)
    ? withSpec(plan, { ...kept, tenantPipeline: withAccount({ pipelineRef }, text(serviceAccount)) })
    : plan
}

/** Whether a reference leads to a pipeline. Forms have stored references without any value. */
const isUsable = (ref: unknown): ref is ReleasePipeline['pipelineRef'] =>
  isRecord(ref) && (ref.resolver === 'git' ? sourceIn(ref.params).url !== '' : Boolean(ref.resolver ?? ref.name))

const withAccount = (pipeline: ReleasePipeline, name: string): ReleasePipeline =>
  name ? { ...pipeline, serviceAccountName: name } : pipeline

/** Every plan has an application or a component group, which the type does not say. */
const withSpec = (plan: ReleasePlan, spec: Partial<Spec>): ReleasePlan => ({ ...plan, spec: spec as Spec })

/** The pipeline that a plan runs in its own namespace, whichever shape the plan has. */
export function tenantPipelineOf(plan: ReleasePlan): ReleasePipeline | undefined {
  const { tenantPipeline } = specOf(toCurrentShape(plan))
  return isRecord(tenantPipeline) ? tenantPipeline : undefined
}

/** The resolver of the tenant pipeline if it is not git, so that the pipeline cannot be edited. */
export function foreignResolver(plan: ReleasePlan): string | undefined {
  const pipeline = tenantPipelineOf(plan)
  if (!pipeline) return undefined
  const { resolver } = asRecord(pipeline.pipelineRef)
  return resolver === 'git' ? undefined : typeof resolver === 'string' ? resolver : 'unknown'
}

const isSourceParam = (name: unknown): boolean => sourceMembers.some(([member]) => sourceParams[member] === name)

const paramsOf = (pipeline: ReleasePipeline | undefined): Param[] =>
  // Their shape is checked where they are read.
  asArray(asRecord(pipeline?.pipelineRef).params).filter(isRecord) as unknown as Param[]

const resolverParams = (pipeline: ReleasePipeline | undefined): ResolverParam[] =>
  paramsOf(pipeline).flatMap(({ name, value }, stored) =>
    isSourceParam(name) || typeof value !== 'string' ? [] : [{ name, value, stored }],
  )

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export function contentOf(plan: ReleasePlan): ReleasePlanContent {
  const spec: Partial<Spec> = specOf(plan)
  const isForeign = foreignResolver(plan) !== undefined
  const stored = tenantPipelineOf(plan)
  const pipeline = isForeign ? undefined : stored
  const target = text(spec.target)
  const isCurrent = target === '' || (target === namespaceOf(plan) && stored !== undefined)
  const own = plan.metadata.labels ?? {}
  return {
    application: text(spec.application),
    location: isCurrent ? 'current' : 'target',
    target: isCurrent ? '' : target,
    ...sourceIn(paramsOf(pipeline)),
    serviceAccount: text(pipeline ? pipeline.serviceAccountName : spec.serviceAccount),
    params: resolverParams(pipeline),
    data: spec.data,
    labels: Object.fromEntries(Object.entries(own).filter(([key]) => !flagMembers.some(([, label]) => label === key))),
    isAutomatic: own[flags.isAutomatic] === 'true',
    hasStandingAttribution: own[flags.hasStandingAttribution] === 'true',
  }
}

/** Whether anything of a tenant pipeline was entered: then its source is required. */
export const hasPipeline = ({ url, revision, path, serviceAccount, params }: ReleasePlanContent): boolean =>
  [url, revision, path, serviceAccount].some((entered) => entered !== '') || params.length > 0

/** The flags are labels, and win over entered labels of the same key. */
const labelsFor = (content: ReleasePlanContent): Record<string, string> => ({
  ...content.labels,
  ...Object.fromEntries(flagMembers.map(([member, label]) => [label, String(content[member])])),
})

const targetFor = ({ location, target }: ReleasePlanContent, namespace: string): string =>
  location === 'current' ? namespace : target

/** A plan as the API stores it, without a pipeline and data if none were entered. */
export const buildReleasePlan = (
  { namespace, name }: { namespace: string; name: string },
  content: ReleasePlanContent,
): ReleasePlan => ({
  metadata: { name, namespace, labels: labelsFor(content) },
  spec: {
    application: content.application,
    target: targetFor(content, namespace),
    ...(hasPipeline(content) && { tenantPipeline: pipelineFrom(undefined, content, undefined) }),
    ...(content.data !== undefined && { data: content.data }),
  },
})

/**
 * The changed plan, in the current shape. Only what differs between `original` and `content` is written to `current`; all
 * other labels, annotations and fields stay, those that this version of the console does not know included.
 * @param current the version to change
 * @param original the version that the user edited
 */
export function editReleasePlan(current: ReleasePlan, original: ReleasePlan, content: ReleasePlanContent): ReleasePlan {
  const before = contentOf(original)
  const spec: Partial<Spec> = specOf(toCurrentShape(current))
  const isChanged = (...members: (keyof ReleasePlanContent)[]) =>
    members.some((member) => !isSame(content[member], before[member]))
  const { data: _data, ...withoutData } = spec
  const edited: Partial<Spec> = {
    ...(isChanged('data') && content.data === undefined ? withoutData : spec),
    ...(isChanged('application') && { application: content.application }),
    ...(isChanged('location', 'target') && { target: targetFor(content, namespaceOf(current) ?? '') }),
    ...(isChanged('data') && content.data !== undefined && { data: content.data }),
  }
  const { metadata } = current
  return withSpec(
    { ...current, metadata: { ...metadata, labels: editedLabels(metadata.labels ?? {}, before, content) } },
    isChanged('url', 'revision', 'path', 'serviceAccount', 'params')
      ? withPipeline(edited, content, tenantPipelineOf(original))
      : edited,
  )
}

/** Both flags are written, also those that the user did not change and another client has deleted. */
function editedLabels(
  stored: Readonly<Record<string, string>>,
  before: ReleasePlanContent,
  content: ReleasePlanContent,
): Record<string, string> {
  const edited: Record<string, string> = { ...stored }
  for (const [key, value] of Object.entries(changesBetween(before.labels, content.labels))) {
    if (value === undefined) delete edited[key]
    else edited[key] = value
  }
  for (const [member, label] of flagMembers)
    edited[label] = String(content[member] === before[member] ? stored[label] === 'true' : content[member])
  return edited
}

/** Earlier members for a pipeline are not kept next to the current one, which they would contradict. */
function withPipeline(
  spec: Partial<Spec>,
  content: ReleasePlanContent,
  original: ReleasePipeline | undefined,
): Partial<Spec> {
  const { tenantPipeline, pipeline: _pipeline, pipelineRef: _ref, serviceAccount: _account, ...others } = spec
  return hasPipeline(content)
    ? { ...others, tenantPipeline: pipelineFrom(tenantPipeline, content, tenantPipeline && original) }
    : others
}

/** @param stored the pipeline to change, and the one that the user edited */
function pipelineFrom(
  stored: ReleasePipeline | undefined,
  content: ReleasePlanContent,
  original: ReleasePipeline | undefined,
): ReleasePipeline {
  const { serviceAccountName: _name, ...others } = stored ?? { pipelineRef: {} }
  const source = sourceIn(paramsOf(original))
  const changed = sourceMembers.filter(([member]) => !original || content[member] !== source[member])
  const known = isSame(content.params, resolverParams(original))
    ? paramsOf(stored)
    : [...paramsFrom(content.params, paramsOf(stored), paramsOf(original))]
  const params = changed.reduce<Param[]>((all, [member, name]) => withParam(all, name, content[member]), known)
  const pipelineRef = { ...others.pipelineRef, resolver: 'git', params }
  const account =
    content.serviceAccount === text(original?.serviceAccountName)
      ? text(stored?.serviceAccountName)
      : content.serviceAccount
  return withAccount({ ...others, pipelineRef }, account)
}

/** The entered parameters, then those with the source; values of other types, which are not shown, stay. */
const paramsFrom = (
  entered: readonly ResolverParam[],
  stored: readonly Param[],
  original: readonly Param[],
): Param[] => [
  ...entered.map(({ stored: at, ...param }) => ({ ...(at === undefined ? {} : original[at]), ...param })),
  ...stored.filter(({ name, value }) => !isSourceParam(name) && typeof value !== 'string'),
  ...stored.filter(({ name }) => isSourceParam(name)),
]

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
