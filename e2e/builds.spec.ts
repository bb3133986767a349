import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { componentType } from '@slipway/model/builds/component'
import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aComponent } from '@slipway/model/testing'
import { applicationRow } from './applications'
import {
  aBuild,
  action,
  activity,
  application,
  archived,
  aWaitingRun,
  createApplication,
  createRun,
  detail,
  ended,
  ending,
  expectAtTheFailingLine,
  markedLine,
  mergePullRequest,
  neverReloads,
  openActions,
  patient,
  press,
  rowOf,
  runRow,
  statusIn,
  statusOfPage,
  test,
  undisturbed,
} from './builds'
import { expect, signIn, tabTo } from './fixtures'

const sha = 'a'.repeat(40)

test('COM-03, RUN-22, LIVE-16, LIVE-17 a push is shown from its merge to success, and rerun, without a reload', async ({
  page,
  context,
  namespace,
  system,
}) => {
  await createApplication(system, namespace)
  await system.create(
    componentType,
    aComponent({
      metadata: {
        name: 'api',
        namespace,
        annotations: {
          ...undisturbed,
          ...ending({ 'build-images': 'slow' }),
          [annotations.buildPipeline]: JSON.stringify({ name: 'fbc-builder', bundle: 'latest' }),
        },
      },
      spec: { application, source: { git: { url: `https://github.com/${namespace}/api`, revision: 'main' } } },
    }),
  )
  await signIn(page, 'admin', activity(namespace, 'latest-commits'))
  const hasNotReloaded = await neverReloads(page)
  // The build service's pull request.
  await expect(rowOf(page, 'Commits', /update api/)).toBeVisible(patient)

  const { metadata } = await system.get(componentType, 'api', { namespace })
  const pullRequest = /"merge-url":"([^"]+)"/.exec(metadata.annotations?.[annotations.buildStatus] ?? '')?.[1] ?? ''
  await mergePullRequest(context, pullRequest)

  const commit = rowOf(page, 'Commits', /^Merge pull request/)
  await expect(commit).toBeVisible(patient)
  await expect(statusIn(commit)).toHaveText(/^(Pending|Running)$/)
  await page.getByRole('tab', { name: 'Pipeline runs' }).click()
  const run = runRow(page, /^api-on-push-/)
  await run.getByRole('link', { name: /api-on-push-/ }).click()
  await expect(statusOfPage(page)).toHaveText('Running', patient)
  await expect(page.getByRole('button', { name: /^build-images, Running/ })).toBeVisible(patient)
  await expect(statusOfPage(page)).toHaveText('Succeeded', patient)
  await expect(page.getByRole('button', { name: /^build-images, Succeeded/ })).toBeVisible()

  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await openActions(page, name)
  await page.getByRole('menuitem', { name: /^Rerun/ }).click()
  await expect(page.getByText(/Rerun requested of the newest commit of main. A link appears/)).toBeVisible()
  await page.getByRole('link', { name: 'Pipeline runs' }).click()
  // The column of the trigger needs room.
  await page.setViewportSize({ width: 1500, height: 900 })
  await expect(page.getByRole('row', { name: /Incoming/ })).toBeVisible(patient)
  await expect(statusIn(runRow(page, name))).toContainText('Succeeded')
  hasNotReloaded()
})

test('RUN-33 a failed run opened in another tab leads to the failing line', async ({
  page,
  context,
  namespace,
  system,
}) => {
  await createApplication(system, namespace)
  const run = await createRun(system, aBuild({ metadata: { name: 'fails', namespace }, outcomes: { compile: 'fail' } }))
  await signIn(page, 'admin', activity(namespace, 'pipelineruns'))
  await expect(statusIn(runRow(page, 'fails'))).toHaveText('Failed', patient)

  const [otherTab] = await Promise.all([
    context.waitForEvent('page'),
    runRow(page, 'fails')
      .getByRole('link', { name: 'fails' })
      .click({ modifiers: ['Control'] }),
  ])
  await expect(
    otherTab.getByRole('heading', { name: 'Task compile failed in step compile (exit code 1)' }),
  ).toBeVisible()
  await expect(otherTab.getByRole('main')).toContainText('Error: exit status 1')
  await otherTab.getByRole('link', { name: 'See logs' }).first().click()
  await expectAtTheFailingLine(otherTab)
  expect(otherTab.url()).toContain(paths.pipelineRunLogs({ namespace, application, pipelineRun: 'fails' }))

  // The URL leads another user to the same line.
  const address = otherTab.url()
  await page.goto(address)
  await expectAtTheFailingLine(page)
  await page.getByRole('link', { name: 'tidy' }).click()
  await expect(page.getByRole('log', { name: 'Log of tidy' })).toContainText('rm -r work')
  await ended(system, run)
})

const node = (page: Page, task: string) => page.getByRole('button', { name: new RegExp(`^${task}, `) })

test(
  'RUN-18, RUN-20, ACT-25 cancelling a run from the list interrupts its tasks and runs its finally tasks',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    await createApplication(system, namespace)
    await signIn(page, 'admin', activity(namespace, 'pipelineruns'))
    await expect(page.getByText('Keep tabs on components and activity')).toBeVisible()
    // Its task takes an hour unless a user ends it.
    const hangs = aBuild({ metadata: { name: 'hangs', namespace }, outcomes: { compile: 'timeout' } })
    await createRun(system, hangs)
    await runRow(page, 'hangs').getByRole('link', { name: 'hangs' }).click()
    // A task that has not started would be skipped and not cancelled.
    await expect(node(page, 'compile')).toHaveAttribute('data-status', 'Running', patient)
    await page.goBack()
    await expect(statusIn(runRow(page, 'hangs'))).toHaveText('Running')
    await openActions(runRow(page, 'hangs'), 'hangs')
    await action(page, 'Cancel').click()
    await expect(statusIn(runRow(page, 'hangs'))).toContainText(/Cancelling|Cancelled/)
    await expect(statusIn(runRow(page, 'hangs'))).toHaveText('Cancelled', patient)
    await runRow(page, 'hangs').getByRole('link', { name: 'hangs' }).click()
    await expect(node(page, 'compile')).toHaveAttribute('data-status', 'Cancelled')
    await expect(node(page, 'tidy')).toHaveAttribute('data-status', 'Succeeded')
  },
)

test(
  'RUN-16, RUN-17, RUN-19 stopping a run lets its running tasks finish and runs its finally tasks',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    await createApplication(system, namespace)
    await signIn(page, 'admin', activity(namespace, 'pipelineruns'))
    await expect(page.getByText('Keep tabs on components and activity')).toBeVisible()
    await createRun(
      system,
      aBuild({ metadata: { name: 'long', namespace }, outcomes: { compile: 'slow' }, compileSteps: 6 }),
    )
    await runRow(page, 'long').getByRole('link', { name: 'long' }).click()
    await expect(node(page, 'compile')).toHaveAttribute('data-status', 'Running', patient)
    await openActions(page, 'long')
    await action(page, 'Stop').click()
    await expect(page.getByText('Stopping. Running tasks will finish, then finally tasks will run.')).toBeVisible()
    await expect(statusOfPage(page)).toHaveText('Cancelling')
    await expect(node(page, 'compile')).toHaveAttribute('data-status', 'Running')
    await expect(statusOfPage(page)).toHaveText('Cancelled', patient)
    await expect(node(page, 'compile')).toHaveAttribute('data-status', 'Succeeded')
    await expect(node(page, 'tidy')).toHaveAttribute('data-status', 'Succeeded')
    await expect(node(page, 'unit-tests')).toHaveAttribute('data-status', /^(Skipped|Idle)$/)
    await openActions(page, 'long')
    await expectRefused(page, 'Stop', 'This pipeline run has ended')
  },
)

/** Expects a disabled action with this reason. */
async function expectRefused(page: Page, name: string, reason: string) {
  await expect(action(page, name)).toHaveAttribute('aria-disabled', 'true')
  await action(page, name).hover()
  await expect(page.getByRole('tooltip', { name: reason })).toBeVisible()
}

test('RUN-24, RUN-25, RUN-26, RUN-27 a run that cannot be rerun gives the reason', async ({
  page,
  namespace,
  system,
}) => {
  await createApplication(system, namespace)
  const runs: [name: string, type: string | undefined, event: string | undefined, reason: string][] = [
    ['of-a-pull-request', 'build', 'pull_request', 'Comment `/retest` on pull request to rerun'],
    ['of-nothing', 'test', undefined, 'Missing snapshot or scenario'],
    ['of-a-release', 'managed', undefined, 'Cannot re-run pipeline run for the type managed'],
    ['of-no-type', undefined, undefined, 'Action not available for this build type'],
  ]
  for (const [name, type, event] of runs) {
    const own = { [labels.pipelineType]: type, [labels.eventType]: event }
    await createRun(system, aWaitingRun({ metadata: { name, namespace, labels: own } }))
  }
  await signIn(page, 'admin', activity(namespace, 'pipelineruns'))
  for (const [name, , , reason] of runs) {
    await openActions(runRow(page, name), name)
    await expectRefused(page, 'Rerun', reason)
    await page.keyboard.press('Escape')
  }
  await openActions(runRow(page, 'of-a-release'), 'of-a-release')
  await expectRefused(page, 'Stop', 'This pipeline run is not running')
})

test('RUN-12, RUN-13, RUN-21 a contributor cannot rerun, stop or cancel a run', async ({ page, namespace, system }) => {
  await createApplication(system, namespace)
  await createRun(system, aWaitingRun({ metadata: { name: 'waits', namespace } }))
  await signIn(page, 'contributor', activity(namespace, 'pipelineruns'))
  await openActions(runRow(page, 'waits'), 'waits')
  await expectRefused(page, 'Rerun', "You don't have access to rerun")
  await expectRefused(page, 'Stop', "You don't have access to stop this pipeline")
  await expectRefused(page, 'Cancel', "You don't have access to cancel this pipeline")
})

test('ARCH-06, ARCH-14, LOG-12 a run looks the same before and after it is archived', async ({
  page,
  context,
  namespace,
  system,
}) => {
  await createApplication(system, namespace)
  const run = await createRun(system, aBuild({ metadata: { name: 'moves', namespace }, outcomes: { compile: 'fail' } }))
  await ended(system, run)
  await archived(system, run)
  const at = { namespace, application, pipelineRun: 'moves' }
  await signIn(page, 'admin', paths.pipelineRun(at))
  const before = await factsOf(page)
  expect(before.failure).toContain('Task compile failed in step compile')
  const list = await context.newPage()
  await list.goto(activity(namespace, 'pipelineruns'))
  await expect(statusIn(runRow(list, 'moves'))).toHaveText('Failed')

  await system.delete(pipelineRunType, 'moves', { namespace, propagationPolicy: 'Background' })
  await expect(page.getByRole('button', { name: 'Archive' })).toBeVisible(patient)
  expect(await factsOf(page)).toEqual(before)
  await expect(runRow(list, 'moves')).toContainText(/Archived|Deleted/)
  await expect(runRow(list, 'moves')).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Archive' })).toBeVisible()
  expect(await factsOf(page)).toEqual(before)
  await page.getByRole('link', { name: 'See logs' }).first().click()
  await expectAtTheFailingLine(page)
  await list.reload()
  await expect(runRow(list, 'moves')).toContainText('Archived')
  await expect(statusIn(runRow(list, 'moves'))).toHaveText('Failed')
})

/** The text of a run's page, without relative times. */
async function factsOf(page: Page) {
  const failure = page.locator('.slipway-run-failure')
  await expect(failure).toContainText('Error: exit status 1', patient)
  await expect(page.getByRole('button', { name: /^tidy, / })).toBeVisible()
  return {
    status: await statusOfPage(page).textContent(),
    // Without what other runs say about it, which is read later.
    failure: (await failure.textContent())?.replace(/(?<=Compare with last green).*(?=Rerun)/, ''),
    tasks: await page.locator('button[data-node]').evaluateAll((nodes) => nodes.map((node) => node.ariaLabel).sort()),
    duration: await detail(page, 'Duration').textContent(),
    taskRuns: await detail(page, 'Task runs').textContent(),
  }
}

test('NAV-42, LIST-13, ACT-27 columns, filters, order, tab and panel survive a reload', async ({
  page,
  namespace,
  system,
}) => {
  await createApplication(system, namespace)
  const run = await createRun(system, aBuild({ metadata: { name: 'alpha', namespace }, outcomes: { compile: 'fail' } }))
  await createRun(system, aWaitingRun({ metadata: { name: 'beta', namespace } }))
  await ended(system, run)
  await signIn(page, 'admin', activity(namespace, 'pipelineruns'))
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await expect(header('Duration')).toBeVisible()
  await expect(header('Component')).toBeHidden()
  await page.getByRole('button', { name: 'Manage columns' }).click()
  const dialog = page.getByRole('dialog', { name: 'Manage columns' })
  await expect(dialog.getByRole('checkbox', { name: 'Name', exact: true })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Component' }).check()
  await dialog.getByRole('checkbox', { name: 'Duration' }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByPlaceholder('Filter by name...').fill('ALPHA')
  await page.getByRole('button', { name: 'Status', exact: true, expanded: false }).click()
  await page.getByRole('menuitem', { name: 'Failed 1' }).click()
  await page.keyboard.press('Escape')
  const shown = async () => {
    await expect(header('Component')).toBeVisible()
    await expect(header('Duration')).toBeHidden()
    await expect(runRow(page, 'alpha')).toBeVisible()
    await expect(runRow(page, 'beta')).toBeHidden()
    await expect(page.getByPlaceholder('Filter by name...')).toHaveValue('ALPHA')
  }
  await shown()
  await expect(page).toHaveURL(/name=ALPHA&status=Failed|status=Failed&name=ALPHA/)
  await page.reload()
  await shown()

  await page.getByRole('link', { name: 'alpha' }).click()
  await page.getByRole('tab', { name: 'Task runs' }).click()
  await page.getByRole('button', { name: 'Task', exact: true }).click()
  const tasks = page.getByRole('table', { name: 'Task runs' }).locator('tbody [data-label="Task"]')
  await expect(tasks).toHaveText(['clone', 'compile', 'tidy'])
  await page.getByRole('button', { name: 'Task', exact: true }).click()
  await expect(tasks).toHaveText(['tidy', 'compile', 'clone'])
  await page.reload()
  await expect(tasks).toHaveText(['tidy', 'compile', 'clone'])

  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'List' }).click()
  await page.getByRole('button', { name: 'compile', exact: true }).click()
  const panel = page.getByRole('region', { name: 'compile' })
  await panel.getByRole('tab', { name: 'Logs' }).click()
  await expect(panel.getByRole('log')).toContainText('compiled file 1')
  await page.reload()
  await expect(page.getByRole('list', { name: 'Tasks of alpha' })).toBeVisible()
  await expect(panel.getByRole('log')).toContainText('compiled file 1', patient)
})

test('COM-01, COM-05, COM-11, GRAPH-03 a commit has the runs of all its components', async ({
  page,
  namespace,
  system,
}) => {
  await createApplication(system, namespace)
  for (const [component, outcome] of [
    ['api', 'success'],
    ['web', 'fail'],
  ] as const) {
    const own = { [labels.component]: component }
    const run = aBuild({
      metadata: { name: `${component}-push`, namespace, labels: own },
      outcomes: { clone: outcome },
    })
    await ended(system, await createRun(system, run))
  }
  await signIn(page, 'admin', activity(namespace, 'latest-commits'))
  const row = rowOf(page, 'Commits', 'Round half up')
  await expect(row.locator('[data-label="Component"]')).toHaveText(/api.*web|web.*api/)
  // The status of the newest run.
  await expect(statusIn(row)).toHaveText('Failed')
  await row.getByRole('link', { name: 'Round half up' }).click()
  await expect(page).toHaveURL(paths.commit({ namespace, application, commit: sha }))
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Commit aaaaaaa')
  for (const component of ['api', 'web']) {
    await expect(page.getByRole('button', { name: new RegExp(`^Push ${component}, `) })).toBeVisible()
    await expect(detail(page, 'Components').getByRole('link', { name: component })).toBeVisible()
  }
  await page.getByRole('tab', { name: 'Pipeline runs' }).click()
  await expect(statusIn(runRow(page, 'api-push'))).toHaveText('Succeeded')
  await expect(statusIn(runRow(page, 'web-push'))).toHaveText('Failed')
  await page.reload()
  await expect(runRow(page, 'web-push')).toBeVisible()
})

test('the failing line can be reached with only the keyboard from the list of applications', async ({
  page,
  namespace,
  system,
}) => {
  await createApplication(system, namespace)
  await ended(
    system,
    await createRun(system, aBuild({ metadata: { name: 'fails', namespace }, outcomes: { compile: 'fail' } })),
  )
  await signIn(page, 'admin', paths.applications({ namespace }))
  await press(page, applicationRow(page, application).getByRole('link', { name: application }))
  await press(page, page.getByRole('tab', { name: 'Activity' }))
  await press(page, page.getByRole('tab', { name: 'Pipeline runs' }))
  await press(page, runRow(page, 'fails').getByRole('link', { name: 'fails' }))
  await press(page, page.getByRole('link', { name: 'See logs' }).first())
  await expectAtTheFailingLine(page)
  await expect(markedLine(page).locator('.slipway-log__number')).toBeFocused()
  // From there with the keys of the log: back, and to the next error.
  const log = page.getByRole('log', { name: 'Log of compile' })
  await tabTo(page, log)
  await page.keyboard.press('Home')
  await expect(log.getByRole('link', { name: 'Line 1 of compile', exact: true })).toBeVisible()
  await page.keyboard.press('e')
  await expectAtTheFailingLine(page)
})
