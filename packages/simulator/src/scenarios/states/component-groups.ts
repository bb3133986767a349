import { type ComponentGroup, componentGroupType, type GroupMember } from '@slipway/model/builds/component-group'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { aPipelineRun, condition } from '@slipway/model/testing'
import { aComponentGroup } from '@slipway/model/testing/build-services'
import { anIntegrationTestScenario } from '@slipway/model/testing/tests-and-releases'
import { pruneSkip } from '../../controllers/pruning'
import { validScenario } from '../../controllers/test-scenarios'
import { imageRegistry } from '../../image-credentials'
import { outcomeAnnotation, type Outcome } from '../../tekton/outcome'
import { timestamp } from '../../tekton/task-run-status'
import type { ComponentPlan } from '../project'
import { seed, type ScenarioContext, type Seed } from '../scenario'

const hourMs = 3_600_000

/** Set up by the platform in part; its builds say their version. */
export const proxyVersions: ComponentPlan['versions'] = {
  spec: [
    { name: 'main', revision: 'main' },
    {
      name: 'v1',
      revision: 'release-1',
      dockerfileUri: 'Containerfile',
      'build-pipeline': { 'pull-and-push': { 'pipelinespec-from-bundle': { name: 'fbc-builder', bundle: 'latest' } } },
    },
    { name: 'legacy', revision: 'release-0', context: 'proxy', 'skip-builds': true },
  ],
  status: [
    { name: 'main', revision: 'main', 'onboarding-status': 'succeeded' },
    {
      name: 'v1',
      revision: 'release-1',
      'onboarding-status': 'failed',
      message: 'The branch release-1 does not exist',
    },
  ],
}

/** Not set up by the platform yet: the builds of its pipelines do not say their version. */
export const configVersions: ComponentPlan['versions'] = { spec: [{ name: 'main', revision: 'main' }] }

const member = (name: string, version = 'main'): GroupMember => ({
  name,
  kind: 'component',
  componentVersion: { name: version },
})
const nested = (name: string): GroupMember => ({ name, kind: 'componentGroup' })

/** The order of tests: one of them does not exist. */
const testGraph: ComponentGroup['spec']['testGraph'] = {
  'edge-e2e': [{ name: 'edge-scan', failFast: true }, { name: 'edge-deploy' }],
  'edge-verify': [{ name: 'edge-e2e', failFast: true }, { name: 'edge-load' }],
}
/** Each test, and how its runs end: the last one is skipped. */
const tests: [name: string, outcome: Outcome][] = [
  ['edge-scan', 'success'],
  ['edge-deploy', 'fail'],
  ['edge-e2e', 'fail'],
  ['edge-verify', 'success'],
  ['edge-lint', 'success'],
]

/** Groups with members of every kind, with an order of tests, and with cycles. */
export function* componentGroupStates(namespace: string, { nowMs }: ScenarioContext): Iterable<Seed> {
  const setUp = timestamp(nowMs - 20 * 24 * hourMs)
  const group = (name: string, spec: ComponentGroup['spec'], status?: ComponentGroup['status']) =>
    seed(
      componentGroupType,
      aComponentGroup({ metadata: { name, namespace, creationTimestamp: setUp }, spec, ...(status && { status }) }),
    )
  const promoted = (name: string, digit: string, hoursAgo: number) => ({
    name,
    version: 'main',
    lastPromotedImage: `${imageRegistry}/${namespace}/${name}@sha256:${digit.repeat(64)}`,
    lastPromotedCommit: digit.repeat(40),
    lastPromotedBuildTime: timestamp(nowMs - hoursAgo * hourMs),
  })
  yield group(
    'edge',
    {
      components: [
        member('edge-proxy'),
        member('edge-proxy', 'v1'),
        { ...member('edge-config'), componentVersion: { name: 'main', version: 'main' } },
        nested('base-layers'),
      ],
      testGraph,
    },
    { globalCandidateList: [promoted('edge-proxy', 'a', 8.9), promoted('edge-config', 'b', 32.9)] },
  )
  yield group(
    'base-layers',
    { components: [member('base-node'), member('base-go'), member('base-rust'), nested('runtimes')] },
    { globalCandidateList: [promoted('base-node', 'd', 4.9), promoted('base-go', 'c', 7.9)] },
  )
  yield group('logs', {
    components: [member('log-router'), nested('metrics')],
    testGraph: { 'logs-e2e': [{ name: 'logs-load' }], 'logs-load': [{ name: 'logs-e2e' }] },
  })
  yield group(
    'metrics',
    { components: [member('metrics-collector'), nested('logs')] },
    { globalCandidateList: [promoted('metrics-collector', 'e', 12.9)] },
  )
  for (const [name, outcome] of tests)
    yield seed(
      integrationTestScenarioType,
      anIntegrationTestScenario({
        metadata: {
          name,
          namespace,
          creationTimestamp: setUp,
          annotations: { [outcomeAnnotation]: JSON.stringify({ '*': outcome }) },
          ...(name === 'edge-lint' && { labels: { [labels.optional]: 'true' } }),
        },
        spec: { application: undefined, componentGroup: 'edge' },
        status: {
          conditions: [{ ...validScenario, lastTransitionTime: setUp }],
        },
      }),
    )
  for (const [name, hoursAgo, status] of [
    ['edge-scan', 9, 'True'],
    ['edge-deploy', 9, 'False'],
  ] as const)
    yield seed(
      pipelineRunType,
      aPipelineRun({
        metadata: {
          name: `${name}-q7x2m`,
          namespace,
          creationTimestamp: timestamp(nowMs - hoursAgo * hourMs),
          annotations: { [pruneSkip]: 'true' },
          labels: {
            [labels.application]: 'edge-gateway',
            [labels.component]: undefined,
            [labels.pipelineType]: 'test',
            [labels.scenario]: name,
          },
        },
        status: {
          startTime: timestamp(nowMs - hoursAgo * hourMs),
          completionTime: timestamp(nowMs - hoursAgo * hourMs + 240_000),
          conditions: [condition('Succeeded', status)],
        },
      }),
    )
}
