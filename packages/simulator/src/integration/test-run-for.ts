import { nameOf, namespaceOf } from '@slipway/kube/object'
import { apiVersionOf } from '@slipway/kube/resource-type'
import type { IntegrationTestScenario } from '@slipway/model/snapshots/integration-test-scenario'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { snapshotType, type Snapshot } from '@slipway/model/snapshots/snapshot'
import type { Param } from '@slipway/model/runs/tekton'
import { isOptional } from '@slipway/model/snapshots/snapshot-tests'
import { ownerReference } from '../controller'
import { generatedName } from '../generated-name'
import type { Random } from '../keyed-random'
import { pipelineNameOf, testPipelineOf } from '../tekton/catalog'
import { outcomeAnnotation } from '../tekton/outcome'
import { traceOf } from '../trace-context'

interface TestRunInput {
  snapshot: Snapshot
  scenario: IntegrationTestScenario
  /** For the label of the run; default: that of the snapshot. */
  application?: string
  /** The run that this one repeats. */
  previous?: string
  random(key: string): Random
  /** Whether another run has this name. */
  isTaken?(name: string): boolean
}

/** Message about a test whose run was not found. */
export const notFoundMessage = ({ spec }: IntegrationTestScenario): string =>
  `the PipelineRun ${pipelineNameOf(spec.resolverRef) ?? ''} was not found by the resolver ${spec.resolverRef.resolver}`

/**
 * The run of a test for a snapshot. Its name depends only on the test and the previous run.
 * @returns undefined if the test refers to a PipelineRun that its resolver does not find
 */
export function testRunFor({
  snapshot,
  scenario,
  application = snapshot.spec.application,
  previous,
  random,
  isTaken,
}: TestRunInput): PipelineRun | undefined {
  const { resolverRef } = scenario.spec
  const isRun = resolverRef.resourceKind === 'pipelinerun'
  const pipelineSpec = isRun ? testPipelineOf(resolverRef) : undefined
  if (isRun && !pipelineSpec) return undefined
  // A run from a repository has its own name, labels and params.
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
      labels: { ...(own && { 'app.kubernetes.io/name': own }), ...labelsOf(snapshot, scenario, application) },
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

/** The spec with the service's order of fields. */
const specOf = ({ spec }: Snapshot) => ({
  ...(spec.componentGroup ? { componentGroup: spec.componentGroup } : { application: spec.application }),
  components: spec.components?.map(({ name, version, containerImage, source }) => ({
    name,
    ...(version && { version }),
    containerImage,
    ...(source && { source }),
  })),
  artifacts: spec.artifacts ?? {},
})

const paramsOf = ({ spec }: IntegrationTestScenario): Param[] =>
  (spec.params ?? []).map(({ name, value, values }) => ({ name, value: values?.length ? values : (value ?? '') }))

/** Annotations of a scenario may set the timeouts of its runs. */
function timeoutsOf({ metadata }: IntegrationTestScenario): PipelineRun['spec']['timeouts'] {
  const timeout = (scope: string) => metadata.annotations?.[`test.appstudio.openshift.io/${scope}_timeout`]
  const tasks = timeout('tasks')
  const last = timeout('finally')
  return { pipeline: timeout('pipeline') ?? '1h0m0s', ...(tasks && { tasks }), ...(last && { finally: last }) }
}

const copiedLabels = /^(pac\.test\.appstudio\.openshift\.io|test\.appstudio\.openshift\.io)\//
const copiedAnnotations = /^(build\.appstudio\.(openshift\.io|redhat\.com)|(pac\.)?test\.appstudio\.openshift\.io)\//

const isSnapshotOnly = (key: string) => key === labels.rerun || key === annotations.createGroupSnapshotStatus

const matching = (facts: Record<string, string> = {}, pattern: RegExp): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).filter(([key]) => pattern.test(key) && !isSnapshotOnly(key)))

function labelsOf(
  { metadata }: Snapshot,
  scenario: IntegrationTestScenario,
  application: string | undefined,
): Record<string, string> {
  const kind = scenario.metadata.annotations?.[annotations.testKind]
  const component = metadata.labels?.[labels.component]
  return {
    ...matching(metadata.labels, copiedLabels),
    [labels.application]: application ?? '',
    ...(component && { [labels.component]: component }),
    [labels.snapshot]: metadata.name ?? '',
    ...(kind && { [labels.buildPipeline]: kind }),
    [labels.pipelineType]: 'test',
    [labels.scenario]: nameOf(scenario),
    ...(isOptional(scenario) && { [labels.optional]: 'true' }),
  }
}

function annotationsOf(snapshot: Snapshot, scenario: IntegrationTestScenario, name: string) {
  const { metadata } = snapshot
  const { [annotations.testKind]: kind, [outcomeAnnotation]: outcome } = scenario.metadata.annotations ?? {}
  const logUrl = metadata.annotations?.[copiedPacKey(annotations.pacLogUrl)]?.replace(/[^/]*$/, name)
  return {
    ...matching(metadata.annotations, copiedAnnotations),
    ...traceOf(snapshot),
    ...(logUrl && { [copiedPacKey(annotations.pacLogUrl)]: logUrl }),
    ...(kind && { [annotations.testKind]: kind }),
    ...(outcome && { [outcomeAnnotation]: outcome }),
  }
}
