import type { JsonPatchOperation } from '@slipway/kube/client'
import { specOf } from '@slipway/kube/object'
import { annotations, labels } from '../labels'
import type { IntegrationTestScenario } from './integration-test-scenario'
import { type PipelineSource, sourceIn, sourceMembers, withParam } from '../builds/pipeline-source'

/** What users edit of an integration test, and the objects and patches that follow. Specification: 2, sections 3, 5, 7. */

export const resourceKinds = ['pipeline', 'pipelinerun'] as const
export type ResourceKind = (typeof resourceKinds)[number]

export const enterpriseContractKind = 'enterprise-contract'

/** The pipeline that checks snapshots against the policies of the platform. */
export const enterpriseContractSource: PipelineSource = {
  url: 'https://github.com/konflux-ci/build-definitions',
  revision: 'main',
  path: 'pipelines/enterprise-contract.yaml',
}

export const enterpriseContractTestName = (application: string): string => `${application}-${enterpriseContractKind}`

export const isEnterpriseContractSource = (source: PipelineSource): boolean =>
  sourceMembers.every(([member]) => source[member] === enterpriseContractSource[member])

export interface ContextChoice {
  name: string
  /** For which snapshots a test with this context runs. */
  description: string
}

export const defaultContext = 'application'
export const disabledContext = 'disabled'

/** The contexts that every application has. */
export const fixedContexts: readonly ContextChoice[] = [
  { name: defaultContext, description: 'Every snapshot of the application. This is the default.' },
  { name: 'group', description: 'Snapshots of several pull requests that belong together.' },
  { name: 'override', description: 'Snapshots that override the global candidate list.' },
  { name: 'component', description: 'Snapshots of a build of any component.' },
  { name: 'pull_request', description: 'Snapshots of pull requests.' },
  { name: 'push', description: 'Snapshots of push events.' },
  { name: disabledContext, description: 'Turns the test off if it is the only context.' },
]

export const componentContext = (component: string): ContextChoice => ({
  name: `component_${component}`,
  description: `Snapshots of a build of ${component}.`,
})

/** Says what `disabled` does to a test with these contexts; `undefined` without it. */
export function disabledNote(contexts: readonly string[]): string | undefined {
  if (!contexts.includes(disabledContext)) return undefined
  return contexts.length === 1
    ? 'This test is turned off: it does not run for any snapshot.'
    : 'The context disabled has no effect while there are other contexts.'
}

/** A parameter of a test as it is edited. */
export interface TestParam {
  name: string
  /** At least one. */
  values: string[]
  /** Position among the stored parameters, whose other fields it keeps; absent for an added one. */
  stored?: number
}

type StoredParam = NonNullable<IntegrationTestScenario['spec']['params']>[number]
type StoredContext = NonNullable<IntegrationTestScenario['spec']['contexts']>[number]

/** `param{N}` with one empty value, where N is the first free number after those of the others. */
export function newParam(others: readonly { name: string }[]): TestParam {
  let number = others.length + 1
  while (others.some(({ name }) => name === `param${number}`)) number++
  return { name: `param${number}`, values: [''] }
}

export interface IntegrationTestContent extends PipelineSource {
  resourceKind: ResourceKind
  isOptional: boolean
  contexts: string[]
  params: TestParam[]
}

/** Why a test cannot be edited; `undefined` if it can. */
export function uneditableReason(test: IntegrationTestScenario): string | undefined {
  const { resolver } = specOf(test).resolverRef ?? {}
  return resolver === 'git'
    ? undefined
    : `This integration test uses the ${resolver ?? 'unknown'} resolver. Only tests that use the git resolver can be edited.`
}

const resolverParams = (test: IntegrationTestScenario) => specOf(test).resolverRef?.params ?? []

export const sourceOf = (test: IntegrationTestScenario): PipelineSource => sourceIn(resolverParams(test))

/** The names of the contexts of a test. A test without any runs like one with the default context. */
export function contextNames(test: IntegrationTestScenario): string[] {
  const names = (specOf(test).contexts ?? []).map(({ name }) => name)
  return names.length > 0 ? names : [defaultContext]
}

export const testParams = (test: IntegrationTestScenario): TestParam[] =>
  (specOf(test).params ?? []).map((param, stored) => ({ name: param.name, values: valuesOf(param), stored }))

const valuesOf = ({ value, values }: StoredParam): string[] =>
  values && values.length > 0 ? [...values] : [typeof value === 'string' ? value : '']

export const contentOf = (test: IntegrationTestScenario): IntegrationTestContent => ({
  ...sourceOf(test),
  resourceKind: specOf(test).resolverRef?.resourceKind ?? 'pipeline',
  isOptional: test.metadata.labels?.[labels.optional] === 'true',
  contexts: contextNames(test),
  params: testParams(test),
})

/** A test as the API stores it, without contexts and parameters if there are none. */
export function buildIntegrationTest(
  { namespace, application, name }: { namespace: string; application: string; name: string },
  { resourceKind, isOptional, contexts, params, ...source }: IntegrationTestContent,
): IntegrationTestScenario {
  return {
    metadata: {
      name,
      namespace,
      ...(isOptional && { labels: { [labels.optional]: 'true' } }),
      ...(isEnterpriseContractSource(source) && { annotations: { [annotations.testKind]: enterpriseContractKind } }),
    },
    spec: {
      application,
      resolverRef: {
        resolver: 'git',
        resourceKind,
        params: sourceMembers.map(([member, name]) => ({ name, value: source[member] })),
      },
      ...(params.length > 0 && { params: toParams(params, []) }),
      ...(contexts.length > 0 && { contexts: toContexts(contexts, []) }),
    },
  }
}

/**
 * The changed test. Only what differs between `original` and `content` is written to `current`; all other labels,
 * annotations and fields stay, those that this version of the console does not know included.
 * @param current the version to change
 * @param original the version that the user edited
 */
export function editIntegrationTest(
  current: IntegrationTestScenario,
  original: IntegrationTestScenario,
  content: IntegrationTestContent,
): IntegrationTestScenario {
  const before = contentOf(original)
  const changed = sourceMembers.filter(([member]) => content[member] !== before[member])
  const { metadata, spec } = current
  const { resolverRef } = spec
  return {
    ...current,
    metadata: {
      ...metadata,
      ...(content.isOptional !== before.isOptional && {
        labels: { ...metadata.labels, [labels.optional]: String(content.isOptional) },
      }),
      ...(changed.length > 0 && withKind(metadata.annotations, content)),
    },
    spec: {
      ...spec,
      resolverRef: {
        ...resolverRef,
        ...(content.resourceKind !== before.resourceKind && { resourceKind: content.resourceKind }),
        ...(changed.length > 0 && {
          params: changed.reduce(
            (params, [member, name]) => withParam(params, name, content[member]),
            resolverParams(current),
          ),
        }),
      },
      ...(!isSame(content.contexts, before.contexts) && { contexts: toContexts(content.contexts, spec.contexts) }),
      ...(!isSame(content.params, before.params) && { params: toParams(content.params, original.spec.params) }),
    },
  }
}

/** The annotation follows the source, but kinds that other clients have set stay. */
function withKind(stored: Record<string, string> | undefined, source: PipelineSource) {
  if (isEnterpriseContractSource(source))
    return { annotations: { ...stored, [annotations.testKind]: enterpriseContractKind } }
  if (stored?.[annotations.testKind] !== enterpriseContractKind) return {}
  const { [annotations.testKind]: _kind, ...others } = stored
  return { annotations: others }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Contexts with their descriptions: those that are stored as they are. */
const toContexts = (names: readonly string[], stored: readonly StoredContext[] | undefined): StoredContext[] =>
  names.map((name) => stored?.find((context) => context.name === name) ?? describedContext(name))

function describedContext(name: string): ContextChoice {
  const component = name.startsWith('component_') ? name.slice('component_'.length) : undefined
  const fixed = fixedContexts.find((choice) => choice.name === name)
  return fixed ?? (component ? componentContext(component) : { name, description: '' })
}

function toParams(params: readonly TestParam[], all: readonly StoredParam[] | undefined): StoredParam[] {
  return params.map(({ name, values, stored }) => {
    const { value, values: list, ...others } = (stored === undefined ? undefined : all?.[stored]) ?? { name }
    const isList = values.length > 1 || (list !== undefined && value === undefined)
    return { ...others, name, ...(isList ? { values: [...values] } : { value: values[0] ?? '' }) }
  })
}

/** The JSON patch of a test that replaces its contexts. */
export const contextsPatch = (test: IntegrationTestScenario, names: readonly string[]): JsonPatchOperation[] => [
  replaceIn(test, 'contexts', toContexts(names, test.spec.contexts)),
]

/** The JSON patch of a test that replaces its parameters. */
export const paramsPatch = (test: IntegrationTestScenario, params: readonly TestParam[]): JsonPatchOperation[] => [
  replaceIn(test, 'params', toParams(params, test.spec.params)),
]

/** JSON Patch cannot replace a missing member. */
const replaceIn = ({ spec }: IntegrationTestScenario, member: 'contexts' | 'params', value: unknown) => ({
  op: spec[member] === undefined ? ('add' as const) : ('replace' as const),
  path: `/spec/${member}`,
  value,
})
