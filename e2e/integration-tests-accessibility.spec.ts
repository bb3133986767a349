import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { applicationType } from '@slipway/model/supply-chain/application'
import {
  type IntegrationTestScenario,
  integrationTestScenarioType,
  scenarioValidCondition,
} from '@slipway/model/supply-chain/integration-test-scenario'
import { snapshotType } from '@slipway/model/supply-chain/snapshot'
import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { action, openActions, rowOf } from './builds'
import { expect, expectAccessible, reject, signIn, test } from './fixtures'

const application = 'checkout'

test('accessibility of the integration tests of an application', async ({ page, namespace, system }) => {
  const at = { namespace, application }
  const suite = { ...at, integrationTest: 'suite' }
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await signIn(page, 'admin', paths.integrationTests(at))
  await expect(page.getByRole('heading', { name: 'No integration tests yet' })).toBeVisible()
  await expectAccessible(page, 'integration-tests-none')
  await createTests(system, namespace)
  await expect(rowOf(page, 'Integration tests', 'suite')).toContainText('Failed')
  await expectAccessible(page, 'integration-tests')
  await openActions(page, 'suite')
  await expectAccessible(page, 'integration-test-actions')
  await action(page, 'Run on a snapshot').click()
  await page.getByRole('button', { name: /^Snapshot / }).click()
  await expect(page.getByRole('option').first()).toBeVisible()
  await expectAccessible(page, 'integration-test-run')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.route('**/pipelineruns?*', (route) => reject(route, 422, 'runs are for others'))
  await page.reload()
  await expect(rowOf(page, 'Integration tests', 'suite')).toContainText('Unknown')
  await expectAccessible(page, 'integration-tests-partial')
  await page.unroute('**/pipelineruns?*')

  await page.goto(paths.integrationTest(suite))
  await expect(page.getByRole('link', { name: 'suite-run' })).toBeVisible()
  await expectAccessible(page, 'integration-test')
  await page.getByRole('button', { name: 'Edit parameters' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit parameters' })).toBeVisible()
  await expectAccessible(page, 'integration-test-parameters')
  await page.goto(paths.integrationTest({ ...at, integrationTest: 'invalid' }))
  await expect(page.getByText('The platform does not run this integration test')).toBeVisible()
  await expectAccessible(page, 'integration-test-invalid')

  await page.goto(paths.addIntegrationTest(at))
  await page.getByRole('button', { name: 'Use enterprise contract defaults' }).click()
  await page.getByRole('button', { name: 'Add parameter' }).click()
  await page.getByRole('button', { name: 'Remove application' }).click()
  await expect(page.getByText('Required')).toBeVisible()
  await expectAccessible(page, 'integration-test-add')

  await page.goto(paths.editIntegrationTest(suite))
  await page.getByRole('textbox', { name: 'Revision' }).fill('mine')
  await system.patch(
    integrationTestScenarioType,
    'suite',
    [{ op: 'replace', path: '/spec/resolverRef/params/2/value', value: 'pipelines/theirs.yaml' }],
    { namespace },
  )
  await page.getByRole('button', { name: 'Show what changed' }).click()
  await expect(page.getByRole('region', { name: /^Changes/ })).toContainText('pipelines/theirs.yaml')
  await expectAccessible(page, 'integration-test-changed')
})

test('accessibility of the snapshots of an application', async ({ page, namespace, system }) => {
  const at = { namespace, application }
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await signIn(page, 'admin', paths.snapshots(at))
  await expect(page.getByRole('heading', { name: 'No snapshots found' })).toBeVisible()
  await expectAccessible(page, 'snapshots-none')
  await createTests(system, namespace)
  await expect(rowOf(page, 'Snapshots', 'group')).toBeVisible()
  await expectAccessible(page, 'snapshots')
  await page.getByRole('switch', { name: 'Hide pull requests' }).click({ force: true })
  await expect(rowOf(page, 'Snapshots', 'group')).toBeHidden()
  await expectAccessible(page, 'snapshots-without-pull-requests')

  for (const snapshot of ['push', 'group', 'empty']) {
    await page.goto(paths.snapshot({ ...at, snapshot }))
    await expect(rowOf(page, 'Integration tests', 'suite')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Components' })).toBeVisible()
    await expectAccessible(page, `snapshot-${snapshot}`)
  }
  await page.route('**/integrationtestscenarios?*', (route) => reject(route, 403, 'tests are for others'))
  await page.goto(paths.snapshot({ ...at, snapshot: 'push' }))
  await expect(page.getByText(/tests are for others/)).toBeVisible()
  await expectAccessible(page, 'snapshot-without-tests')
})

/** Integration tests in all states, and snapshots of a push, of two pull requests together, and without components. */
async function createTests(system: KubeClient, namespace: string) {
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
