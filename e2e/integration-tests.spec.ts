import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { annotations } from '@slipway/model/labels'
import { componentType } from '@slipway/model/builds/component'
import { integrationTestScenarioType } from '@slipway/model/snapshots/integration-test-scenario'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { aComponent } from '@slipway/model/testing'
import { anIntegrationTestScenario, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import {
  action,
  activity,
  application,
  createApplication,
  detail,
  ending,
  mergePullRequest,
  neverTimesOut,
  openActions,
  patient,
  rowOf,
  runRow,
  statusIn,
  statusOfPage,
  test,
  undisturbed,
} from './builds'
import { expect, signIn } from './fixtures'

const testRow = (page: Page, name: string | RegExp) => rowOf(page, 'Integration tests', name)
const box = (page: Page, name: string) => page.getByRole('textbox', { name })

/** The test's pipeline of its own fails; another one, which has other tasks, succeeds. */
const failing = { ...ending({ 'run-tests': 'fail' }), ...neverTimesOut }

test(
  'ITS-23, ITS-41, RUN-23, SNAP-12 an added test runs on the next build, fails, is edited, runs again and passes',
  { tag: '@cluster' },
  async ({ page, context, namespace, system }) => {
    const at = { namespace, application }
    await createApplication(system, namespace)
    await system.create(
      componentType,
      aComponent({
        metadata: {
          name: 'api',
          namespace,
          annotations: {
            ...undisturbed,
            ...ending({}),
            [annotations.buildPipeline]: JSON.stringify({ name: 'fbc-builder', bundle: 'latest' }),
          },
        },
        spec: { application, source: { git: { url: `https://github.com/${namespace}/api`, revision: 'main' } } },
      }),
    )
    await signIn(page, 'admin', paths.integrationTests(at))
    await page.getByRole('link', { name: 'Add integration test' }).first().click()
    await box(page, 'Integration test name').fill('suite')
    await box(page, 'Git URL').fill(`https://github.com/${namespace}/tests`)
    await box(page, 'Revision').fill('main')
    await box(page, 'Path in repository').fill('pipelines/own.yaml')
    // Not for the build of the pull request with the pipelines, only for that of its merge.
    await page.getByRole('button', { name: /^Contexts / }).click()
    await page.getByRole('option', { name: /^push/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove application' }).click()
    await page.getByRole('button', { name: 'Add integration test' }).click()
    await expect(page).toHaveURL(paths.integrationTests(at))
    await expect(testRow(page, 'suite')).toContainText('No recent run')
    await system.patch(
      integrationTestScenarioType,
      'suite',
      [{ op: 'add', path: '/metadata/annotations', value: failing }],
      { namespace },
    )

    await mergePullRequest(context, await pullRequestOf(system, namespace))
    await page.goto(activity(namespace, 'pipelineruns'))
    await expect(runRow(page, /^api-on-push-/)).toBeVisible(patient)
    await expect(statusIn(runRow(page, /^api-on-push-/))).toHaveText(/^Succeeded/, patient)
    await page.goto(paths.integrationTests(at))
    const result = testRow(page, 'suite').locator('[data-label="Latest result"]')
    await expect(result).not.toHaveText('No recent run', patient)
    await expect(result).toHaveText('Failed', patient)

    // From the commit to its snapshot, and to the line that says why.
    await page.goto(activity(namespace, 'latest-commits'))
    await rowOf(page, 'Commits', /^Merge pull request/)
      .getByRole('link', { name: /^Merge pull request/ })
      .click()
    await detail(page, 'Snapshots').getByRole('link').click()
    await expect(page.getByText('0 of 1 required test passed; suite failed.')).toBeVisible(patient)
    await expect(statusOfPage(page).first()).toHaveText('Failed')
    await expect(
      testRow(page, 'suite').getByRole('link', { name: 'Task run-tests failed in step test' }),
    ).toHaveAttribute('href', /\/logs\?task=run-tests/)

    await testRow(page, 'suite').getByRole('link', { name: 'suite', exact: true }).click()
    // The row has the same actions.
    await expect(page).toHaveURL(paths.integrationTest({ ...at, integrationTest: 'suite' }))
    await openActions(page, 'suite')
    await action(page, 'Edit').click()
    await box(page, 'Path in repository').fill('pipelines/unit-tests.yaml')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page).toHaveURL(paths.integrationTest({ ...at, integrationTest: 'suite' }))
    const { metadata } = await system.get(integrationTestScenarioType, 'suite', { namespace })
    expect(metadata.annotations).toMatchObject(failing)

    await openActions(page, 'suite')
    await action(page, 'Rerun').click()
    await expect(detail(page, 'Latest result')).not.toContainText('Failed', patient)
    await expect(detail(page, 'Latest result')).toContainText('Succeeded', patient)
    await detail(page, 'Latest result')
      .getByRole('link', { name: new RegExp(`^${application}-`) })
      .click()
    await expect(page.getByText('The required test passed.')).toBeVisible(patient)
    await expect(statusIn(testRow(page, 'suite'))).toHaveText('Succeeded')
    await page.goto(paths.integrationTestPipelineRuns({ ...at, integrationTest: 'suite' }))
    const statuses = page.getByRole('table', { name: 'Pipeline runs' }).locator('tbody [data-label="Status"]')
    await expect(statuses).toHaveText(['Succeeded', 'Failed'])
  },
)

/** The build service's pull request with the pipelines of the component. */
async function pullRequestOf(system: KubeClient, namespace: string): Promise<string> {
  const url = async () => {
    const { metadata } = await system.get(componentType, 'api', { namespace })
    return /"merge-url":"([^"]+)"/.exec(metadata.annotations?.[annotations.buildStatus] ?? '')?.[1] ?? ''
  }
  await expect.poll(url, { ...patient, intervals: [100] }).not.toBe('')
  return url()
}

test(
  'ITS-15 the second of two users who edit a test is told, keeps the input, compares, and saves both changes',
  { tag: '@cluster' },
  async ({ page, browser, baseURL, namespace, system }) => {
    const at = { namespace, application, integrationTest: 'suite' }
    await createApplication(system, namespace)
    await system.create(
      integrationTestScenarioType,
      anIntegrationTestScenario({ metadata: { name: 'suite', namespace, labels: { team: 'shop' } } }),
    )
    await signIn(page, 'admin', paths.editIntegrationTest(at))
    await box(page, 'Path in repository').fill('pipelines/first.yaml')
    const context = await browser.newContext({ baseURL })
    const other = await context.newPage()
    await signIn(other, 'maintainer', paths.editIntegrationTest(at))
    await box(other, 'Revision').fill('second')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page).toHaveURL(paths.integrationTest(at))

    await expect(other.getByText('This integration test has changed since you opened it')).toBeVisible()
    await other.getByRole('button', { name: 'Save changes' }).click()
    await expect(other.getByText(/the object has been modified/i)).toBeVisible()
    await expect(box(other, 'Revision')).toHaveValue('second')
    await other.getByRole('button', { name: 'Show what changed' }).click()
    const changes = other.getByRole('region', { name: 'Changes: since you opened this form' })
    await expect(changes).toContainText('pipelines/first.yaml')
    await other.getByRole('button', { name: 'Apply my changes to the current version' }).click()
    await other.getByRole('button', { name: 'Save changes' }).click()
    await expect(other).toHaveURL(paths.integrationTest(at))
    await context.close()

    // The page of the first user follows.
    await expect(detail(page, 'Revision')).toContainText('second')
    await expect(detail(page, 'Path in repository')).toContainText('pipelines/first.yaml')
    const { metadata, spec } = await system.get(integrationTestScenarioType, 'suite', { namespace })
    expect(metadata.labels).toEqual({ team: 'shop' })
    expect(spec.resolverRef.params.map(({ value }) => value).slice(1)).toEqual(['second', 'pipelines/first.yaml'])
  },
)

test('a test is run on a chosen snapshot, and its result arrives there', async ({ page, namespace, system }) => {
  await createApplication(system, namespace)
  for (const name of ['shop-1', 'shop-2'])
    await system.create(snapshotType, aSnapshot({ metadata: { name, namespace } }))
  const contexts = [{ name: 'group', description: 'Groups' }]
  await system.create(
    integrationTestScenarioType,
    anIntegrationTestScenario({
      metadata: { name: 'suite', namespace, annotations: { ...ending({}), ...neverTimesOut } },
      spec: { contexts },
    }),
  )
  await signIn(page, 'admin', paths.integrationTests({ namespace, application }))
  await openActions(testRow(page, 'suite'), 'suite')
  await action(page, 'Run on a snapshot').click()
  await page.getByRole('button', { name: /^Snapshot / }).click()
  await page.getByRole('option', { name: /^shop-2/ }).click()
  await page.getByRole('button', { name: 'Run test' }).click()
  await expect(page).toHaveURL(paths.snapshot({ namespace, application, snapshot: 'shop-2' }))
  await expect(statusIn(testRow(page, 'suite'))).toHaveText('Succeeded', patient)
  await expect(page.getByText('The required test passed.')).toBeVisible()
})
