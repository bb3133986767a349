import { nameOf, namespaceOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { IntegrationTestScenario } from '@slipway/model/supply-chain/integration-test-scenario'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type Snapshot } from '@slipway/model/supply-chain/snapshot'
import type { Param } from '@slipway/model/runs/tekton'
import { ownerReference } from '../controller'
import { generatedName } from '../generated-name'
import type { Random } from '../keyed-random'
import { pipelineNameOf, testPipelineOf } from '../tekton/catalog'
import { outcomeAnnotation } from '../tekton/outcome'

const pushEvents = ['push', 'Push', 'incoming']

/** Of the branch itself, or made by hand, rather than of a pull request. */
export function isOfPush({ metadata }: Snapshot): boolean {
  const { [copiedPacKey(labels.eventType)]: event, [copiedPacKey(labels.pullRequestNumber)]: pullRequest } =
    metadata.labels ?? {}
  return event === undefined || pullRequest === undefined || pushEvents.includes(event)
}

export const isOptional = ({ metadata }: IntegrationTestScenario): boolean =>
  metadata.labels?.[labels.optional] === 'true'

/** Does a scenario ask to be run for a snapshot like this? Source: integration-service, gitops/snapshot.go. */
export function appliesTo({ spec }: IntegrationTestScenario, snapshot: Snapshot): boolean {
  const known = snapshot.metadata.labels ?? {}
  const type = known[labels.snapshotType]
  const contexts = spec.contexts ?? []
  if (contexts.length === 0) return true
  return contexts.some(({ name }) => {
    if (name === 'application' || name === 'all') return true
    if (name === 'component' || name === 'group' || name === 'override') return type === name
    if (name.startsWith('component_')) return known[labels.component] === name.slice('component_'.length)
    if (name === 'push') return isOfPush(snapshot)
    return name === 'pull_request' && !isOfPush(snapshot)
  })
}

interface TestRunInput {
  snapshot: Snapshot
  scenario: IntegrationTestScenario
  /** The run of the same test that this one repeats. */
  previous?: string
  random(key: string): Random
  /** Has a run of something else this name? */
  isTaken?(name: string): boolean
}

/** Why there is no run of a test, for people to read. */
export const notFoundMessage = ({ spec }: IntegrationTestScenario): string =>
  `the PipelineRun ${pipelineNameOf(spec.resolverRef) ?? ''} was not found by the resolver ${spec.resolverRef.resolver}`

/**
 * The run of a test for a snapshot. The same test after the same previous run has the same name.
 * @returns undefined when the test is a PipelineRun that its resolver does not find
 */
export function testRunFor({ snapshot, scenario, previous, random, isTaken }: TestRunInput): PipelineRun | undefined {
  const { resolverRef } = scenario.spec
  const isRun = resolverRef.resourceKind === 'pipelinerun'
  const pipelineSpec = isRun ? testPipelineOf(resolverRef) : undefined
  if (isRun && !pipelineSpec) return undefined
  // A run that is kept in a repository has a name, labels and params of its own.
  const own = isRun ? pipelineNameOf(resolverRef) : undefined
  const generateName = `${own ?? nameOf(scenario)}-`
  const namespace = namespaceOf(snapshot) ?? ''
  const key = random(`test ${namespace}/${nameOf(snapshot)} ${nameOf(scenario)} ${previous ?? ''}`)
  const name = generatedName(generateName, key, isTaken)
  return {
    apiVersion: apiVersionOf(pipelineRunType),
    kind: pipelineRunType.kind,
    metadata: {
      name,
      generateName,
      namespace,
      labels: { ...(own && { 'app.kubernetes.io/name': own }), ...labelsOf(snapshot, scenario) },
      annotations: annotationsOf(snapshot, scenario, name),
      ownerReferences: [ownerReference(snapshotType, snapshot)],
    },
    spec: {
      params: [
        { name: 'SNAPSHOT', value: JSON.stringify(specOf(snapshot)) },
        ...(own ? [{ name: 'suite', value: own }] : []),
        ...paramsOf(scenario),
      ],
      ...(pipelineSpec
        ? { pipelineSpec }
        : { pipelineRef: { resolver: resolverRef.resolver, params: resolverRef.params } }),
      taskRunTemplate: { serviceAccountName: 'konflux-integration-runner' },
      timeouts: timeoutsOf(scenario),
    },
  }
}

/** In the order of fields in which the service writes it. */
const specOf = ({ spec }: Snapshot) => ({
  application: spec.application,
  components: spec.components?.map(({ name, containerImage, source }) => ({
    name,
    containerImage,
    ...(source && { source }),
  })),
  artifacts: spec.artifacts ?? {},
})

const paramsOf = ({ spec }: IntegrationTestScenario): Param[] =>
  (spec.params ?? []).map(({ name, value, values }) => ({ name, value: values?.length ? values : (value ?? '') }))

/** A scenario may say itself how long its runs may take. */
function timeoutsOf({ metadata }: IntegrationTestScenario): PipelineRun['spec']['timeouts'] {
  const timeout = (of: string) => metadata.annotations?.[`test.appstudio.openshift.io/${of}_timeout`]
  const tasks = timeout('tasks')
  const last = timeout('finally')
  return { pipeline: timeout('pipeline') ?? '1h0m0s', ...(tasks && { tasks }), ...(last && { finally: last }) }
}

const copiedLabels = /^(pac\.test\.appstudio\.openshift\.io|test\.appstudio\.openshift\.io)\//
const copiedAnnotations = /^(build\.appstudio\.(openshift\.io|redhat\.com)|(pac\.)?test\.appstudio\.openshift\.io)\//

const isOfSnapshotAlone = (key: string) => key === labels.rerun || key === annotations.createGroupSnapshotStatus

const chosen = (facts: Record<string, string> = {}, pattern: RegExp): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).filter(([key]) => pattern.test(key) && !isOfSnapshotAlone(key)))

function labelsOf({ metadata, spec }: Snapshot, scenario: IntegrationTestScenario): Record<string, string> {
  const kind = scenario.metadata.annotations?.[annotations.testKind]
  const component = metadata.labels?.[labels.component]
  return {
    ...chosen(metadata.labels, copiedLabels),
    [labels.application]: spec.application ?? '',
    ...(component && { [labels.component]: component }),
    [labels.snapshot]: metadata.name ?? '',
    ...(kind && { [labels.buildPipeline]: kind }),
    [labels.pipelineType]: 'test',
    [labels.scenario]: nameOf(scenario),
    ...(isOptional(scenario) && { [labels.optional]: 'true' }),
  }
}

function annotationsOf({ metadata }: Snapshot, scenario: IntegrationTestScenario, name: string) {
  const { [annotations.testKind]: kind, [outcomeAnnotation]: outcome } = scenario.metadata.annotations ?? {}
  const logUrl = metadata.annotations?.[copiedPacKey(annotations.pacLogUrl)]?.replace(/[^/]*$/, name)
  return {
    ...chosen(metadata.annotations, copiedAnnotations),
    ...(logUrl && { [copiedPacKey(annotations.pacLogUrl)]: logUrl }),
    ...(kind && { [annotations.testKind]: kind }),
    ...(outcome && { [outcomeAnnotation]: outcome }),
  }
}
