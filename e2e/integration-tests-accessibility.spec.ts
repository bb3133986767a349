import { paths } from '@slipway/console/paths'
import { applicationType } from '@slipway/model/builds/application'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { anApplication } from '@slipway/model/testing'
import { action, openActions, rowOf } from './builds'
import { expect, expectAccessible, reject, signIn, test, withoutViewsService } from './fixtures'
import { createTests } from './integration-tests'

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
  await withoutViewsService(page)
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
    await expect(page.getByRole('heading', { name: 'Components', exact: true })).toBeVisible()
    await expectAccessible(page, `snapshot-${snapshot}`)
  }
  await page.route('**/integrationtestscenarios?*', (route) => reject(route, 403, 'tests are for others'))
  await page.goto(paths.snapshot({ ...at, snapshot: 'push' }))
  await expect(page.getByText(/tests are for others/)).toBeVisible()
  await expectAccessible(page, 'snapshot-without-tests')
})
