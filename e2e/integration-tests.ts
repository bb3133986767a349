import type { KubeClient } from '@slipway/kube/client'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
  scenarioValidCondition,
} from '@slipway/model/snapshots/integration-test-scenario'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { aPipelineRun, condition } from '@slipway/model/testing'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'

/** Integration tests in all states, and snapshots of a push, of two pull requests together, and without components. */
export async function createTests(system: KubeClient, namespace: string) {
  const pullRequest = {
    [copiedPacKey(labels.eventType)]: 'pull_request',
    [copiedPacKey(labels.pullRequestNumber)]: '7',
  }
  const members = ['api', 'web'].map((name, index) => ({
    component: `checkout-${name}`,
    repoUrl: `https://github.com/payments/${name}`,
    pullRequestNumber: String(index + 7),
  }))
  const report = JSON.stringify([
    { scenario: 'suite', status: 'TestFail', details: 'Integration test failed', testPipelineRunName: 'suite-run' },
    { scenario: 'contract', status: 'TestPassed', details: 'Integration test passed' },
  ])
  const snapshots = [
    { name: 'push', notes: { [annotations.testStatus]: report } },
    {
      name: 'group',
      marks: { ...pullRequest, [labels.snapshotType]: 'group' },
      notes: { [annotations.groupMembers]: JSON.stringify(members) },
    },
    { name: 'empty', components: [] },
  ]
  for (const { name, marks, notes, components } of snapshots) {
    const created = await system.create(
      snapshotType,
      aSnapshot({
        metadata: {
          name,
          namespace,
          labels: { [copiedPacKey(labels.commitSha)]: 'a'.repeat(40), ...marks },
          annotations: {
            [copiedPacKey(annotations.pacShaTitle)]: 'Round half up, as the tax office does',
            [copiedPacKey(annotations.pacRepositoryUrl)]: 'https://github.com/payments/api',
            ...notes,
          },
        },
        ...(components && { spec: { components } }),
      }),
    )
    const conditions = [
      condition('AppStudioIntegrationStatus', 'True', 'Finished'),
      condition('AppStudioTestSucceeded', name === 'push' ? 'False' : 'True', name === 'push' ? 'Failed' : 'Passed'),
    ]
    await system.replaceStatus(snapshotType, { ...created, status: { conditions } })
  }
  const tests: IntegrationTestScenario[] = [
    anIntegrationTestScenario({
      metadata: { name: 'suite', namespace },
      spec: {
        params: [
          { name: 'browsers', values: ['chromium', 'firefox'] },
          { name: 'retries', value: '3' },
        ],
      },
    }),
    anIntegrationTestScenario({
      metadata: {
        name: 'contract',
        namespace,
        labels: { [labels.optional]: 'true' },
        annotations: { [annotations.testKind]: 'enterprise-contract' },
      },
    }),
    anIntegrationTestScenario({ metadata: { name: 'invalid', namespace } }),
  ]
  for (const one of tests) {
    const created = await system.create(integrationTestScenarioType, one)
    if (one.metadata.name !== 'invalid') continue
    const message = 'Failed to get application for scenario.'
    const conditions = [{ ...condition(scenarioValidCondition, 'False', 'Invalid'), message }]
    await system.replaceStatus(integrationTestScenarioType, { ...created, status: { conditions } })
  }
  const created = await system.create(
    pipelineRunType,
    aPipelineRun({
      metadata: {
        name: 'suite-run',
        namespace,
        labels: { [labels.pipelineType]: 'test', [labels.scenario]: 'suite', [labels.snapshot]: 'push' },
      },
    }),
  )
  const status = {
    conditions: [{ ...condition('Succeeded', 'False', 'Failed'), message: 'The task "test" failed' }],
    startTime: '2026-01-31T09:00:00Z',
    completionTime: '2026-01-31T09:02:00Z',
  }
  await system.replaceStatus(pipelineRunType, { ...created, status })
}
