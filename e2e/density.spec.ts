import type { Locator, Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { namespaceType, roleBindingType, secretType } from '@slipway/kube/core-types'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { releaseType } from '@slipway/model/releases/release'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { snapshotConditions, snapshotType } from '@slipway/model/snapshots/snapshot'
import { taskRunType } from '@slipway/model/runs/task-run'
import {
  aComponent,
  anApplication,
  aNamespace,
  aPipelineRun,
  aRelease,
  aRoleBinding,
  aTaskRun,
  condition,
} from '@slipway/model/testing'
import { aSecret } from '@slipway/model/testing/build-services'
import { aReleasePlan, aReleasePlanAdmission, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { emailOf } from '@slipway/slipway/users'
import { expect, signIn, test } from './fixtures'
import { createComponents, registrySecret } from './secrets'

const count = 15
const application = 'checkout'
const run = 'checkout-on-push-with-a-name-as-long-as-generated-ones-0'

/** An alert above the components names those without it, which no pipeline builds. */
const built = JSON.stringify({ pac: { state: 'enabled', 'merge-url': 'https://github.com/payments/api/pull/4' } })

test('LIST-19 a list shows twelve rows of one line in a window of 1440 by 900, and fits a telephone', async ({
  page,
  namespace,
  system,
}) => {
  await createObjects(system, namespace)
  const at = { namespace, application }
  const lists: [path: string, table: string][] = [
    [paths.namespaces(), 'Namespaces'],
    [paths.applications(at), 'Applications'],
    [paths.pipelineRuns(at), 'Pipeline runs'],
    [paths.allComponents(at), 'Components'],
    [paths.components(at), 'Components'],
    [paths.activityTab({ ...at, activityTab: 'latest-commits' }), 'Commits'],
    [paths.activityTab({ ...at, activityTab: 'pipelineruns' }), 'Pipeline runs'],
    [paths.pipelineRunTaskRuns({ ...at, pipelineRun: run }), 'Task runs'],
    [paths.snapshots(at), 'Snapshots'],
    [paths.snapshotPipelineRuns({ ...at, snapshot: 'snapshot-0' }), 'Pipeline runs'],
    [paths.releases(at), 'Releases'],
    [paths.secrets(at), 'Secrets'],
    [paths.releaseArea(at), 'Release plans'],
    [paths.releasePlanAdmissions(at), 'Release plan admissions'],
    [paths.access(at), 'User access'],
    [`${paths.releaseMonitor()}?ff=release-monitor`, 'Releases'],
  ]
  await signIn(page, 'admin')
  for (const [path, table] of lists) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    const rows = page.getByRole('table', { name: table }).locator('tbody tr')
    await expect(rows.nth(12)).toBeAttached()
    await expect(rows.locator('.pf-v6-c-skeleton')).toHaveCount(0)
    const boxes = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().toJSON() as DOMRect))
    expect(boxes[0]?.top, `top of the first row of ${table}`).toBeLessThanOrEqual(300)
    expect(new Set(boxes.map(({ height }) => height)), `heights of the rows of ${table}`).toEqual(new Set([44]))
    expect(boxes.filter(({ bottom }) => bottom <= 900).length, `rows of ${table} in sight`).toBeGreaterThanOrEqual(12)

    for (const width of [1280, 1200, 1000, 800]) {
      await page.setViewportSize({ width, height: 800 })
      const nameWidth = async () => (await rows.getByRole('rowheader').first().boundingBox())?.width
      const least = width < 1200 ? 160 : 199
      await expect.poll(nameWidth, `width of a name of ${table} at ${width} pixels`).toBeGreaterThanOrEqual(least)
      expect(await overflowOf(page), `${table} at ${width} pixels`).toEqual([0, 0])
    }

    await page.setViewportSize({ width: 400, height: 800 })
    await expect.poll(() => rows.first().evaluate((row) => getComputedStyle(row).display)).not.toBe('table-row')
    expect(await overflowOf(page), `${table} at 400 pixels`).toEqual([0, 0])
    const top = (await rows.first().boundingBox())?.y
    expect(top, `top of the first row of ${table} at 400 pixels`).toBeLessThanOrEqual(430)
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    expect(Math.max(...heights), `heights of the cards of ${table}`).toBeLessThanOrEqual(150)
  }
})

test('the current tab is in sight on a telephone, however many tabs there are', async ({ page, namespace, system }) => {
  await createObjects(system, namespace)
  const at = { namespace, application }
  await signIn(page, 'admin')
  await page.setViewportSize({ width: 400, height: 800 })
  for (const [name, path] of [
    ['Overview', paths.application(at)],
    ['Releases', paths.releases(at)],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('tab', { name })).toBeInViewport({ ratio: 1 })
  }
})

test('LIST-16 a table of up to four columns shows them all, and a wider one those that a window has room for', async ({
  page,
  namespace,
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await createRun(system, namespace, 0)
  const path = paths.activityTab({ namespace, application, activityTab: 'pipelineruns' })
  await signIn(page, 'admin', path)
  const headers = page.getByRole('columnheader')
  const showColumns = async (ids: string[]) => {
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      `pipeline-runs-columns-${namespace}/${application}@admin@slipway.test`,
      JSON.stringify(ids),
    ] as const)
    await page.reload()
  }

  const always = ['Status', 'Name', 'Started']
  for (const [width, others] of [
    [1_500, ['Fixable vulnerabilities', 'Duration', 'Type', 'Trigger', 'Reference']],
    [1_400, ['Fixable vulnerabilities', 'Duration', 'Type', 'Reference']],
    [1_300, ['Duration', 'Type', 'Reference']],
    [1_100, ['Duration', 'Type']],
    [900, []],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await expect(headers, `columns at ${width} pixels`).toHaveText(['Selection', ...always, ...others, 'Actions'])
  }
  // Where rows are cards, there is room for everything.
  await page.setViewportSize({ width: 700, height: 900 })
  await expect(page.locator('td[data-label=Trigger]')).toBeVisible()

  await page.setViewportSize({ width: 900, height: 900 })
  await showColumns(['type', 'trigger', 'reference'])
  await expect(headers).toHaveText(['Selection', 'Name', 'Type', 'Trigger', 'Reference', 'Actions'])
  await showColumns(['duration', 'type', 'trigger', 'reference'])
  await expect(headers).toHaveText(['Selection', 'Name', 'Duration', 'Type', 'Trigger', 'Reference', 'Actions'])
})

test('LIST-12, LIST-16 a name keeps its width and every chosen column is shown, in a table that scrolls sideways', async ({
  page,
  namespace,
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await createRun(system, namespace, 0)
  await signIn(page, 'admin')
  for (const path of [
    paths.pipelineRuns({ namespace }),
    paths.activityTab({ namespace, application, activityTab: 'pipelineruns' }),
  ]) {
    await page.setViewportSize({ width: 1920, height: 900 })
    await page.goto(`${path}?ff=column-management`)
    await page.getByRole('button', { name: 'Manage columns' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('checkbox', { name: 'Name', exact: true })).toBeVisible()
    const boxes = dialog.getByRole('checkbox', { checked: false })
    for (let count = await boxes.count(); count > 0; count--) await boxes.first().check()
    const columnCount = await dialog.getByRole('checkbox').count()
    await dialog.getByRole('button', { name: 'Save' }).click()
    for (const width of [1920, 1440, 1280, 900]) {
      await page.setViewportSize({ width, height: 900 })
      const table = page.getByRole('table', { name: 'Pipeline runs' })
      await expect(table.getByRole('columnheader')).toHaveCount(columnCount + 2)
      const widths = await table.locator('thead th').evaluateAll((all) => all.map((cell) => cell.clientWidth))
      expect(Math.min(...widths.slice(1, -1)), `narrowest column at ${width} pixels`).toBeGreaterThanOrEqual(80)
      const name = table.getByRole('rowheader')
      expect((await name.boundingBox())?.width, `width of Name at ${width} pixels`).toBeGreaterThanOrEqual(200)
      // Only the table moves, and the name of a row stays in sight.
      const fixed = [page.getByRole('heading', { level: 1 }), page.getByRole('button', { name: 'Manage columns' })]
      const lefts = () => Promise.all(fixed.map(async (element) => (await element.boundingBox())?.x))
      const before = await lefts()
      const last = table.getByRole('button', { name: /^Actions for/ })
      await last.scrollIntoViewIfNeeded()
      await expect(last).toBeInViewport({ ratio: 1 })
      await expect(name).toBeInViewport({ ratio: 1 })
      await expect(name).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
      expect(await lefts(), `what is around the table at ${width} pixels`).toEqual(before)
    }
  }
})

test('LIST-12 a column that a narrow window leaves out is not ticked, and stays when it is', async ({
  page,
  namespace,
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await createRun(system, namespace, 0)
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, 'admin', `${paths.pipelineRuns({ namespace })}?ff=column-management`)
  const header = page.getByRole('columnheader', { name: 'Reference' })
  await expect(page.getByRole('columnheader', { name: 'Name', exact: true })).toBeVisible()
  await expect(header).toBeHidden()
  await page.getByRole('button', { name: 'Manage columns' }).click()
  const box = page.getByRole('dialog').getByRole('checkbox', { name: 'Reference' })
  await expect(box).not.toBeChecked()
  await box.check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(header).toBeVisible()
})

test('a status is shown whole in every window from 800 pixels', async ({ page, namespace, system }) => {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  const snapshot = await system.create(snapshotType, snapshotOf(namespace, 0))
  const conditions = [condition(snapshotConditions.testSucceeded, 'True')]
  await system.replaceStatus(snapshotType, { ...snapshot, status: { conditions } })
  await createRelease(system, namespace, 0)
  await createTestRun(system, namespace)
  await signIn(page, 'admin')
  const at = { namespace, application }
  const tested = 'Succeeded (Test Warnings)'
  for (const [path, status] of [
    [paths.releases(at), 'In Progress'],
    [paths.snapshots(at), 'Succeeded'],
    [paths.pipelineRuns(at), tested],
    [paths.activityTab({ ...at, activityTab: 'pipelineruns' }), tested],
    [paths.activityTab({ ...at, activityTab: 'latest-commits' }), tested],
    [paths.pipelineRunTaskRuns({ ...at, pipelineRun: run }), 'Cancelled (timed out)'],
  ] as const) {
    await page.goto(path)
    const cell = page.getByRole('cell', { name: status })
    for (const width of [1440, 1280, 1200, 1000, 800]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => cutBy(cell), `${status} at ${width} pixels`).toBe(0)
    }
    // Browsers cut text with an ellipsis, and boxes without one.
    await expect(cell.locator('.slipway-status')).toHaveCSS('display', 'inline')
  }
})

test('a comparison shows all that was before and is after', async ({ page, namespace, system }) => {
  const component = 'checkout-api'
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  for (const [digit, found] of [
    ['a', { critical: 3, high: 7, medium: 9, low: 14, unknown: 11 }],
    ['b', { critical: 2, high: 5, medium: 19, low: 12, unknown: 16 }],
  ] as const) {
    const digest = `sha256:${digit.repeat(64)}`
    const git = { url: `https://github.com/shop/${component}`, revision: digit.repeat(40) }
    await system.create(
      snapshotType,
      aSnapshot({
        metadata: { name: `snapshot-${digit}`, namespace },
        spec: {
          application,
          components: [{ name: component, containerImage: `registry.slipway.test/shop@${digest}`, source: { git } }],
        },
      }),
    )
    const marks = { [labels.application]: application, [labels.component]: component, [labels.commitSha]: git.revision }
    const build = await system.create(
      pipelineRunType,
      aPipelineRun({ metadata: { name: `build-${digit}`, namespace, labels: marks } }),
    )
    const conditions = [condition('Succeeded', 'True')]
    const results = [{ name: 'IMAGE_DIGEST', value: digest }]
    await system.replaceStatus(pipelineRunType, { ...build, status: { conditions, results } })
    const scan = await system.create(
      taskRunType,
      aTaskRun({ metadata: { name: `scan-${digit}`, namespace, labels: { [labels.pipelineRun]: `build-${digit}` } } }),
    )
    const output = [{ name: 'SCAN_OUTPUT', value: JSON.stringify({ vulnerabilities: found }) }]
    await system.replaceStatus(taskRunType, { ...scan, status: { conditions, results: output } })
  }
  const at = { namespace, application, snapshot: 'snapshot-b' }
  await signIn(page, 'admin', `${paths.snapshotChanges(at)}?from=snapshot-a`)
  const row = page.getByRole('table', { name: 'Changes' }).getByRole('row', { name: component })
  await expect(row).toContainText('Low 14')
  await expect(row).toContainText('Low 12')
  for (const width of [1440, 1280, 1000]) {
    await page.setViewportSize({ width, height: 900 })
    for (const cell of await row.getByRole('cell').all()) {
      await expect.poll(() => cutBy(cell), `${await cell.innerText()} at ${width} pixels`).toBe(0)
    }
  }
})

test('tabs that fit have no buttons that scroll them, whichever is the current one', async ({
  page,
  namespace,
  system,
}) => {
  const at = { namespace, application, pipelineRun: 'contract' }
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  const marks = { [labels.application]: application, [labels.buildPipeline]: 'enterprise-contract' }
  await system.create(pipelineRunType, aPipelineRun({ metadata: { name: at.pipelineRun, namespace, labels: marks } }))
  await signIn(page, 'admin')
  for (const path of [paths.pipelineRunSecurity(at), paths.pipelineRunLogs(at), paths.pipelineRun(at)]) {
    await page.goto(path)
    const lists = page.locator('.slipway-tabs .pf-v6-c-tabs__list')
    await expect(lists.getByRole('tab', { name: 'Security' })).toBeInViewport({ ratio: 1 })
    const offsets = await lists.evaluateAll(async (all) => {
      await document.fonts.ready
      // The current tab is scrolled to before the second frame.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
      return all.map(({ scrollLeft }) => scrollLeft)
    })
    expect(offsets, path).toEqual([0])
  }
})

test('the whole of a cut name is shown to the keyboard, and by pointing at it', async ({ page, namespace, system }) => {
  await createObjects(system, namespace)
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, 'admin', paths.activityTab({ namespace, application, activityTab: 'pipelineruns' }))
  const cell = page.getByRole('rowheader', { name: run })
  await cell.hover()
  await expect(cell.locator('code')).toHaveAttribute('title', run)
  // By keyboard, from the tab stop before it.
  await cell.getByRole('link').focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(cell.getByRole('link')).toBeFocused()
  const tooltip = page.getByRole('tooltip')
  await expect(tooltip).toContainText(`Name: ${run}`)
  await expect(tooltip).toContainText(/Started: \w+ \d+, \d+ at \d+:\d\d:\d\d [AP]M \S+/)
  await page.keyboard.press('Escape')
  await expect(tooltip).toBeHidden()
})

test('names of secrets that differ only at their end can be told apart, and no header is cut', async ({
  page,
  namespace,
  system,
}) => {
  const component = 'checkout-api'
  const names = ['pull', 'push'].map((use) => `imagerepository-for-checkout-${component}-image-${use}`)
  await createComponents(system, namespace, [component])
  for (const name of names) await system.create(secretType, registrySecret(namespace, name))
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, 'admin', paths.secrets({ namespace }))
  const expectWhole = async (table: Locator) => {
    for (const name of names) await expect(table.getByRole('rowheader', { name })).toBeVisible()
    const cells = table.locator('tbody th, thead .pf-v6-c-table__text')
    const cut = await cells.evaluateAll((all) =>
      all.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    )
    expect(cut).toEqual([])
  }
  await expectWhole(page.getByRole('table', { name: 'Secrets' }))
  await page.goto(paths.linkedSecrets({ namespace, application, component }))
  await page.getByRole('button', { name: 'Link Secrets' }).click()
  await expectWhole(page.getByRole('table', { name: 'Unlinked secrets' }))
})

test('IMP-08, IMP-15, IMP-16, IMP-17 the form that adds a component needs no scrolling in a window of 1440 by 900', async ({
  page,
  namespace,
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, 'admin', paths.createComponent({ namespace, application }))
  const addSecret = page.getByRole('button', { name: 'Add secret' })
  const submit = page.getByRole('button', { name: 'Add component' })
  await expect(addSecret).toBeVisible()
  const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? NaN
  expect((await topOf(addSecret)) + 40).toBeLessThan(await topOf(submit))

  // Nor does a dialog or a telephone cut what a field of a file says.
  await addSecret.click()
  for (const width of [1440, 400]) {
    await page.setViewportSize({ width, height: 900 })
    const file = page.getByPlaceholder('Drop a file here')
    await expect(file).toBeVisible()
    expect(await file.evaluate((input) => input.scrollWidth - input.clientWidth), `at ${width} pixels`).toBe(0)
  }
})

/** Pixels of its text that an element does not show. */
const cutBy = (element: Locator) => element.evaluate((cell) => cell.scrollWidth - cell.clientWidth)

/** How much wider than the window the page and its scrolling part are. */
const overflowOf = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, document.querySelector('main')].map((element) =>
      element ? element.scrollWidth - element.clientWidth : NaN,
    ),
  )

async function createObjects(system: KubeClient, namespace: string) {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  for (let index = 0; index < count; index++) {
    const suffix = `that-has-a-rather-long-name-${index}`
    const other = `${namespace}-${index}`
    await system.create(namespaceType, aNamespace({ metadata: { name: other } }))
    await system.create(roleBindingType, bindingOf('admin', other))
    await system.create(roleBindingType, bindingOf(`user-${index}@example.com`, namespace))
    await system.create(applicationType, anApplication({ metadata: { name: `application-${suffix}`, namespace } }))
    await system.create(
      componentType,
      aComponent({
        metadata: {
          name: `component-${suffix}`,
          namespace,
          annotations: index % 2 ? { [annotations.buildStatus]: built } : {},
        },
        spec: { application },
      }),
    )
    const labelled = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`example.com/label-${at}`, suffix]))
    await system.create(
      secretType,
      aSecret({ metadata: { name: `secret-${suffix}`, namespace, labels: index % 2 ? labelled : {} } }),
    )
    await system.create(snapshotType, snapshotOf(namespace, index))
    await createRelease(system, namespace, index)
    const plan = await system.create(
      releasePlanType,
      aReleasePlan({ metadata: { name: `plan-${suffix}`, namespace }, spec: { application } }),
    )
    const releasePlanAdmission = { name: `release-managed/admission-${suffix}`, active: index % 2 === 0 }
    await system.replaceStatus(releasePlanType, { ...plan, status: { releasePlanAdmission } })
    await system.create(
      releasePlanAdmissionType,
      aReleasePlanAdmission({
        metadata: { name: `admission-${suffix}`, namespace },
        spec: { applications: [application, `application-${suffix}`], origin: namespace },
      }),
    )
    await createRun(system, namespace, index)
    const task = aTaskRun({
      metadata: { name: `task-run-${suffix}`, namespace, labels: { [labels.pipelineRun]: run } },
    })
    await system.create(taskRunType, task)
  }
}

/** Of a pull request to one of a dozen components. */
const snapshotOf = (namespace: string, index: number) =>
  aSnapshot({
    metadata: {
      name: index === 0 ? 'snapshot-0' : `a-rather-long-name-20260131-0900${index}-000`,
      namespace,
      labels: {
        [labels.application]: application,
        [labels.component]: 'component-that-has-a-rather-long-name-1',
        [copiedPacKey(labels.commitSha)]: index.toString(16).padStart(40, 'a'),
        [copiedPacKey(labels.eventType)]: 'pull_request',
        [copiedPacKey(labels.pullRequestNumber)]: '7',
      },
      annotations: {
        // The title of its own page.
        [copiedPacKey(annotations.pacShaTitle)]:
          index === 0 ? 'Round half up' : 'Round half up, as the tax office does, in every currency we take',
      },
    },
    spec: {
      application,
      components: Array.from({ length: 12 }, (_, at) => ({
        name: `component-that-has-a-rather-long-name-${at}`,
        containerImage: 'registry.slipway.test/payments/component',
      })),
    },
  })

async function createRelease(system: KubeClient, namespace: string, index: number) {
  const created = await system.create(
    releaseType,
    aRelease({
      metadata: { name: `checkout-to-the-production-of-all-regions-${index}`, namespace },
      spec: {
        releasePlan: 'checkout-to-the-production-of-all-regions',
        snapshot: `a-rather-long-name-20260131-${index}`,
      },
    }),
  )
  const startTime = '2026-01-31T09:00:00Z'
  const conditions = [condition('Released', 'False', 'Progressing')]
  await system.replaceStatus(releaseType, { ...created, status: { startTime, conditions } })
}

function bindingOf(user: string, namespace: string) {
  const name = user === 'admin' ? emailOf('admin') : user
  return aRoleBinding({
    metadata: { name: `konflux-admin-${user.replace(/\W+/g, '-')}`, namespace },
    roleRef: { name: 'konflux-admin-user-actions' },
    subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name }],
  })
}

/** A run of an integration test with warnings, and a task in it that timed out. */
async function createTestRun(system: KubeClient, namespace: string) {
  const marks = { [labels.application]: application, [labels.commitSha]: 'a'.repeat(40), [labels.scenario]: 'e2e' }
  const created = await system.create(
    pipelineRunType,
    aPipelineRun({ metadata: { name: run, namespace, labels: marks } }),
  )
  const results = [{ name: 'TEST_OUTPUT', value: JSON.stringify({ result: 'WARNING', warnings: 1 }) }]
  const status = { conditions: [condition('Succeeded', 'True')], results }
  await system.replaceStatus(pipelineRunType, { ...created, status })
  const task = await system.create(
    taskRunType,
    aTaskRun({ metadata: { name: 'test', namespace, labels: { [labels.pipelineRun]: run } } }),
  )
  const ended = { ...condition('Succeeded', 'False', 'TaskRunCancelled'), message: 'Its run has timed out.' }
  await system.replaceStatus(taskRunType, { ...task, status: { conditions: [ended] } })
}

/** A push of a commit of its own, days ago. */
async function createRun(system: KubeClient, namespace: string, index: number) {
  const startTime = new Date(Date.now() - (index + 1) * 24 * 3_600_000).toISOString()
  const created = await system.create(
    pipelineRunType,
    aPipelineRun({
      metadata: {
        name: run.replace(/0$/, String(index)),
        namespace,
        labels: {
          [labels.application]: application,
          [labels.component]: `component-that-has-a-rather-long-name-${index}`,
          [labels.pipelineType]: 'build',
          [labels.snapshot]: 'snapshot-0',
          [labels.eventType]: 'push',
          [labels.commitSha]: index.toString(16).padStart(40, 'a'),
        },
        annotations: { [annotations.pacShaTitle]: 'Round half up, as the tax office does, in every currency we take' },
      },
    }),
  )
  const status = {
    conditions: [condition('Succeeded', 'False', 'Failed')],
    startTime,
    completionTime: new Date(Date.parse(startTime) + 3_723_000).toISOString(),
  }
  await system.replaceStatus(pipelineRunType, { ...created, status })
}
