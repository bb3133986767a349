import { nameOf, specOf } from '@slipway/kube/object'
import { asArray, asRecord } from '@slipway/kube/parse'
import { referenceError, resourceName } from '@slipway/model/resource-name'
import { gitPathError, gitRevisionError, gitUrlError, sourceParams } from '@slipway/model/builds/pipeline-source'
import { type ReleasePlan, releasePlanType } from '@slipway/model/releases/release-plan'
import { parseReleaseData, releaseDataText } from '@slipway/model/releases/release-plan-data'
import {
  buildReleasePlan,
  contentOf,
  editReleasePlan,
  foreignResolver,
  hasPipeline,
  releaseLocations,
  type ReleasePlanContent,
  type ResolverParam,
} from '@slipway/model/releases/release-plan-edit'
import type { FieldPath } from 'react-hook-form'
import * as z from 'zod/mini'
import { create, replace, type Write } from '../../api/writes/writes'
import { type LabelRow, labelRowErrors, labelsOf } from '../../parts/labels/label-rows'

const locations = [...releaseLocations, ''] as const

export interface ReleasePlanInput extends Omit<ReleasePlanContent, 'location' | 'data' | 'labels'> {
  /** Fixed for a plan that exists. */
  name: string
  /** Empty until one is selected. */
  location: (typeof locations)[number]
  data: string
  labels: LabelRow[]
}

export const nameTaken = 'Release plan name already exists'

export const emptyReleasePlan: ReleasePlanInput = {
  name: '',
  application: '',
  location: '',
  target: '',
  url: '',
  revision: '',
  path: '',
  serviceAccount: '',
  params: [],
  data: '',
  labels: [],
  isAutomatic: false,
  hasStandingAttribution: false,
}

export const editDefaults = (plan: ReleasePlan): ReleasePlanInput => {
  const content = contentOf(plan)
  return {
    ...content,
    name: nameOf(plan),
    data: releaseDataText(content.data),
    labels: Object.entries(content.labels).map(([key, value]) => ({ key, value })),
  }
}

const shape = z.object({
  name: z.string(),
  application: z.string(),
  location: z.enum(locations),
  target: z.string(),
  url: z.string(),
  revision: z.string(),
  path: z.string(),
  serviceAccount: z.string(),
  params: z.array(z.object({ name: z.string(), value: z.string(), stored: z.optional(z.number()) })),
  data: z.string(),
  labels: z.array(z.object({ key: z.string(), value: z.string() })),
  isAutomatic: z.boolean(),
  hasStandingAttribution: z.boolean(),
})

type FieldError = [path: (string | number)[], message: string | undefined]

const schemaWith = (errorsOf: (input: ReleasePlanInput) => FieldError[]) =>
  shape.check(({ value, issues }) => {
    for (const [path, message] of errorsOf(value))
      if (message) issues.push({ code: 'custom', path, message, input: value })
  })

/** @param takenNames of the plans in the namespace */
export const createSchema = (takenNames: readonly string[]) =>
  schemaWith((input) => [
    [['name'], takenNames.includes(input.name) ? nameTaken : nameError(input.name)],
    [['application'], input.application === '' ? 'Required' : undefined],
    ...pipelineErrors(input),
    ...commonErrors(input),
  ])

/** A plan may have a component group instead of an application, and a pipeline that cannot be edited here. */
export const editSchema = (plan: ReleasePlan) => {
  const stored = editDefaults(plan)
  return schemaWith((input) => [
    [['application'], input.application === '' && stored.application !== '' ? 'Required' : undefined],
    ...(foreignResolver(plan) === undefined ? pipelineErrors(input) : []),
    ...commonErrors(input).filter(([[field]]) => field !== 'data' || input.data !== stored.data),
  ])
}

const nameError = (name: string) => resourceName.safeParse(name).error?.issues[0]?.message

function pipelineErrors(input: ReleasePlanInput): FieldError[] {
  const { location, url, revision, path, serviceAccount, params } = input
  // A target namespace has a pipeline of its own.
  const isRequired = location === 'current' || (location === 'target' && hasPipeline(toContent(input, undefined)))
  const account = serviceAccount.trim()
  const isAccountRequired = location === 'current'
  return [
    ...(isRequired
      ? ([
          [['url'], gitUrlError(url.trim())],
          [['revision'], gitRevisionError(revision.trim())],
          [['path'], gitPathError(path.trim())],
        ] satisfies FieldError[])
      : []),
    [['serviceAccount'], isAccountRequired || account !== '' ? referenceError(account) : undefined],
    ...params.map(({ name }, index): FieldError => [['params', index, 'name'], paramError(params, index, name.trim())]),
  ]
}

function paramError(params: readonly ResolverParam[], index: number, name: string): string | undefined {
  if (name === '') return 'Required'
  if (Object.values<string>(sourceParams).includes(name)) return 'This parameter has a field of its own.'
  return params.findIndex((param) => param.name.trim() === name) < index
    ? 'Another parameter has this name.'
    : undefined
}

function commonErrors({ location, target, data, labels }: ReleasePlanInput): FieldError[] {
  const parsed = parseReleaseData(data)
  return [
    [['location'], location === '' ? 'Required' : undefined],
    [['target'], location === 'target' ? referenceError(target.trim()) : undefined],
    [['data'], 'error' in parsed ? parsed.error : undefined],
    ...labelRowErrors(labels).map(([index, field, message]): FieldError => [['labels', index, field], message]),
  ]
}

/** @param stored the data of the plan before: text that was not changed stands for it, whatever its type */
function toContent(input: ReleasePlanInput, stored: unknown): ReleasePlanContent {
  const { name: _name, location, target, params, data, labels, ...rest } = input
  const parsed = data === releaseDataText(stored) ? { data: stored } : parseReleaseData(data)
  return {
    ...rest,
    location: location || 'current',
    target: location === 'target' ? target.trim() : '',
    url: rest.url.trim(),
    revision: rest.revision.trim(),
    path: rest.path.trim(),
    serviceAccount: rest.serviceAccount.trim(),
    params: params.map((param) => ({ ...param, name: param.name.trim() })),
    data: 'error' in parsed ? undefined : parsed.data,
    labels: labelsOf(labels),
  }
}

export const createWrites = (namespace: string, input: ReleasePlanInput): Write[] => [
  create(releasePlanType, buildReleasePlan({ namespace, name: input.name }, toContent(input, undefined))),
]

/**
 * Replaces the plan, on condition that it is still `current`.
 * @param current the version to change
 * @param original the version that the form started from: only what the user changed since is written
 */
export const editPlanWrites = (current: ReleasePlan, original: ReleasePlan, input: ReleasePlanInput): Write[] => [
  replace(releasePlanType, editReleasePlan(current, original, toContent(input, specOf(original).data))),
]

/** The fields that the members of a written plan come from. */
export function planErrorFields(write: Write): Record<string, FieldPath<ReleasePlanInput>> {
  const spec = asRecord(asRecord('object' in write ? write.object : undefined).spec)
  const pipelineRef = asRecord(asRecord(spec.tenantPipeline).pipelineRef)
  const at = 'spec.tenantPipeline.pipelineRef.params'
  const fields: Record<string, FieldPath<ReleasePlanInput>> = {
    'metadata.name': 'name',
    'metadata.labels': 'labels',
    'spec.application': 'application',
    'spec.target': 'target',
    'spec.data': 'data',
    'spec.tenantPipeline.serviceAccountName': 'serviceAccount',
    [at]: 'params',
  }
  for (const [position, param] of asArray(pipelineRef.params).entries())
    for (const field of ['url', 'revision', 'path'] as const)
      if (asRecord(param).name === sourceParams[field]) fields[`${at}.${position}`] = field
  return fields
}
