import { nameOf, namespaceOf } from '@slipway/kube/object'
import { asArray, asRecord } from '@slipway/kube/parse'
import { resourceName } from '@slipway/model/resource-name'
import {
  buildIntegrationTest,
  contentOf,
  contextsPatch,
  defaultContext,
  editIntegrationTest,
  type IntegrationTestContent,
  paramsPatch,
  type ResourceKind,
  resourceKinds,
  type TestParam,
} from '@slipway/model/snapshots/integration-test-edit'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
} from '@slipway/model/snapshots/integration-test-scenario'
import { gitPathError, gitRevisionError, gitUrlError, sourceParams } from '@slipway/model/builds/pipeline-source'
import type { FieldPath } from 'react-hook-form'
import * as z from 'zod/mini'
import { create, patch, replace, type Write } from '../../api/writes/writes'
import { trimmedText } from '../../ui/form/issue-unless'

/** A parameter as rows of fields, which must be objects. */
export interface ParamRow {
  name: string
  values: { value: string }[]
  stored?: number
}

export interface ContextsInput {
  contexts: string[]
}

export interface ParamsInput {
  params: ParamRow[]
}

export interface IntegrationTestInput extends ContextsInput, ParamsInput {
  /** Fixed for a test that exists. */
  name: string
  url: string
  revision: string
  path: string
  resourceKind: ResourceKind
  isOptional: boolean
}

export const nameTaken = 'Integration test name already exists'

const contexts = z.array(z.string()).check(z.minLength(1, { error: 'Required' }))

const param = z.object({
  name: trimmedText((name) =>
    name === ''
      ? 'Required'
      : /^[a-z_][\w.-]*$/i.test(name)
        ? undefined
        : 'Must start with a letter or underscore. Valid characters include letters, numbers, hyphens ( - ), underscores ( _ ), and periods ( . ).',
  ),
  values: z.array(z.object({ value: z.string() })).check(z.minLength(1, { error: 'Required' })),
  stored: z.optional(z.number()),
})

const params = z.array(param).check(({ value, issues }) => {
  const names = value.map(({ name }) => name.trim())
  for (const [index, name] of names.entries())
    if (name !== '' && names.indexOf(name) < index)
      issues.push({ code: 'custom', path: [index, 'name'], message: 'Another parameter has this name.', input: name })
})

export const contextsSchema = z.object({ contexts })
export const paramsSchema = z.object({ params })

const editableFields = {
  url: trimmedText(gitUrlError),
  revision: trimmedText(gitRevisionError),
  path: trimmedText(gitPathError),
  resourceKind: z.enum(resourceKinds),
  isOptional: z.boolean(),
  contexts,
  params,
}

export const editSchema = z.object({ name: z.string(), ...editableFields })

/** @param takenNames of the tests in the namespace */
export const addSchema = (takenNames: readonly string[]) =>
  z.object({
    name: resourceName.check(z.refine((name) => !takenNames.includes(name), { error: nameTaken })),
    ...editableFields,
  })

export const emptyTest: IntegrationTestInput = {
  name: '',
  url: '',
  revision: '',
  path: '',
  resourceKind: 'pipeline',
  isOptional: false,
  contexts: [defaultContext],
  params: [],
}

export const paramRow = ({ values, ...param }: TestParam): ParamRow => ({
  ...param,
  values: values.map((value) => ({ value })),
})

const toParam = ({ name, values, ...row }: ParamRow): TestParam => ({
  ...row,
  name: name.trim(),
  values: values.map(({ value }) => value),
})

export const editDefaults = (test: IntegrationTestScenario): IntegrationTestInput => {
  const content = contentOf(test)
  return { ...content, name: nameOf(test), params: content.params.map(paramRow) }
}

const toContent = ({ name: _name, params, ...input }: IntegrationTestInput): IntegrationTestContent => ({
  ...input,
  url: input.url.trim(),
  revision: input.revision.trim(),
  path: input.path.trim(),
  params: params.map(toParam),
})

export const addWrites = (namespace: string, application: string, input: IntegrationTestInput): Write[] => [
  create(
    integrationTestScenarioType,
    buildIntegrationTest({ namespace, application, name: input.name }, toContent(input)),
  ),
]

/**
 * Replaces the test, on condition that it is still `current`.
 * @param current the version to change
 * @param original the version that the form started from: only what the user changed since is written
 */
export const editTestWrites = (
  current: IntegrationTestScenario,
  original: IntegrationTestScenario,
  input: IntegrationTestInput,
): Write[] => [replace(integrationTestScenarioType, editIntegrationTest(current, original, toContent(input)))]

const refOf = (test: IntegrationTestScenario) => ({ namespace: namespaceOf(test), name: nameOf(test) })

export const contextsWrites = (test: IntegrationTestScenario, { contexts }: ContextsInput): Write[] => [
  patch(integrationTestScenarioType, refOf(test), contextsPatch(test, contexts)),
]

export const paramsWrites = (test: IntegrationTestScenario, { params }: ParamsInput): Write[] => [
  patch(integrationTestScenarioType, refOf(test), paramsPatch(test, params.map(toParam))),
]

/** The fields of the values, by the paths that the server uses for them: rows of the form are objects. */
const valueFields = (params: unknown): Record<string, FieldPath<ParamsInput>> => {
  const fields: Record<string, FieldPath<ParamsInput>> = {}
  for (const [index, param] of asArray(params).entries()) {
    fields[`spec.params.${index}.value`] = `params.${index}.values.0.value`
    for (const at of asArray(asRecord(param).values).keys())
      fields[`spec.params.${index}.values.${at}`] = `params.${index}.values.${at}.value`
  }
  return fields
}

/** For the write of the dialog, which is a patch that replaces the parameters. */
export const paramErrorFields = (write: Write): Record<string, FieldPath<ParamsInput>> => {
  const [step] = 'patch' in write ? write.patch : []
  return { 'spec.params': 'params', ...valueFields(step && 'value' in step ? step.value : undefined) }
}

/** The fields that the members of a written test come from. */
export function testErrorFields(write: Write): Record<string, FieldPath<IntegrationTestInput>> {
  const spec = asRecord(asRecord('object' in write ? write.object : undefined).spec)
  const positions = asArray(asRecord(spec.resolverRef).params).map((param) => asRecord(param).name)
  const fields: Record<string, FieldPath<IntegrationTestInput>> = {
    'metadata.name': 'name',
    'metadata.labels': 'isOptional',
    'spec.resolverRef.resourceKind': 'resourceKind',
    'spec.contexts': 'contexts',
    'spec.params': 'params',
    ...valueFields(spec.params),
  }
  for (const field of ['url', 'revision', 'path'] as const)
    fields[`spec.resolverRef.params.${positions.indexOf(sourceParams[field])}`] = field
  return fields
}
