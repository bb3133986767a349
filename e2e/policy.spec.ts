import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { labels } from '@slipway/model/labels'
import { applicationType } from '@slipway/model/builds/application'
import { taskRunType } from '@slipway/model/runs/task-run'
import { enterpriseContractPolicyType } from '@slipway/model/snapshots/enterprise-contract-policy'
import { anApplication, aTaskRun, condition } from '@slipway/model/testing'
import { expect, expectAccessible, signIn, test } from './fixtures'

const application = 'checkout'
const dayMs = 24 * 3_600_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString().replace(/\.\d+/, '')

const rule = (title: string, over: object = {}) => ({
  msg: `${title}?`,
  metadata: { code: `tests.${title.toLowerCase()}`, title, solution: `Mend ${title}.`, ...over },
})
const report = {
  components: [
    {
      name: 'checkout-api',
      violations: [rule('Pinned')],
      warnings: [rule('Signed', { effective_on: inDays(7) })],
      successes: [rule('Hermetic')],
    },
  ],
}

/** The row of a rule or a component, whether or not its name is a link. */
const rowOf = (page: Page, table: string, name: string) =>
  page
    .getByRole('table', { name: table })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) })

/** A verification of an application by a policy with an exception that ends. */
async function createVerification(system: KubeClient, namespace: string) {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await system.create(enterpriseContractPolicyType, {
    metadata: { name: 'default', namespace },
    spec: {
      sources: [
        {
          policy: ['oci::quay.io/conforma/release-policy:latest'],
          volatileConfig: { exclude: [{ value: 'tests.hermetic', effectiveUntil: inDays(12) }] },
        },
      ],
    },
  })
  const created = await system.create(
    taskRunType,
    aTaskRun({
      metadata: {
        name: 'policy-run-verify',
        namespace,
        labels: {
          [labels.application]: application,
          [labels.scenario]: 'policy',
          [labels.pipelineRun]: 'policy-run',
          [labels.pipelineTask]: 'verify',
        },
      },
      spec: { params: [{ name: 'POLICY_CONFIGURATION', value: `${namespace}/default` }] },
    }),
  )
  const time = inDays(-1)
  await system.replaceStatus(taskRunType, {
    ...created,
    status: {
      podName: 'policy-run-pod',
      startTime: time,
      completionTime: time,
      conditions: [condition('Succeeded', 'True')],
      steps: [{ name: 'report-json', terminated: { exitCode: 0, reason: 'Completed' } }],
    },
  })
}

test('what the policy says of the components, and what fails from when on', async ({ page, namespace, system }) => {
  await createVerification(system, namespace)
  await page.route('**/pods/policy-run-pod/log?*', (route) => route.fulfill({ json: report }))
  await signIn(page, 'admin', paths.applications({ namespace }))
  await page.getByRole('link', { name: 'View policy' }).click()
  await expect(rowOf(page, 'Rules', 'Pinned')).toContainText('Failed')
  await page.getByRole('button', { name: 'Details of Pinned' }).click()
  await expect(page.getByRole('list', { name: 'Results of Pinned' })).toContainText('checkout-api: Pinned?')
  await expectAccessible(page, 'policy-results')
  await page.getByRole('button', { name: 'By component' }).click()
  await expect(rowOf(page, 'Components', 'checkout-api')).toContainText('Failed')
  await page.reload()
  await expect(rowOf(page, 'Components', 'checkout-api')).toBeVisible()
  await expectAccessible(page, 'policy-components')

  await page.goto(paths.applicationPolicy({ namespace, application }))
  await page.getByRole('tab', { name: 'Dates' }).click()
  await expect(rowOf(page, 'Policy dates', 'Signed')).toContainText('(in 7 days)')
  await expect(rowOf(page, 'Policy dates', 'Hermetic')).toContainText('Exception ends on')
  await page.getByRole('button', { name: 'Details of Signed' }).click()
  await expect(page.getByRole('list', { name: 'Components of Signed' })).toContainText('checkout-api: Signed?')
  await expectAccessible(page, 'policy-dates')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download calendar' }).click()
  const calendar = await readFile(await (await downloading).path(), 'utf8')
  expect(calendar.match(/^BEGIN:VEVENT/gm)).toHaveLength(2)
})
