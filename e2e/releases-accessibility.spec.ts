import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { labels } from '@slipway/model/labels'
import { applicationType } from '@slipway/model/builds/application'
import { releaseType, type Release } from '@slipway/model/releases/release'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { anApplication, aRelease, condition } from '@slipway/model/testing'
import { aReleasePlan, aReleasePlanAdmission } from '@slipway/model/testing/tests-and-releases'
import { rowOf } from './builds'
import { expect, expectAccessible, signIn, test } from './fixtures'
import { createTests } from './integration-tests'

const application = 'checkout'

test('accessibility of release plans, admissions, releases and snapshots, also on a telephone', async ({
  page,
  namespace,
  system,
}) => {
  const at = { namespace, application }
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await createTests(system, namespace)
  await createPlans(system, namespace)
  await createReleases(system, namespace)

  await signIn(page, 'admin', paths.releaseArea(at))
  await expect(rowOf(page, 'Release plans', 'unmatched')).toContainText('Not Matched')
  await expectAccessibleAtAllWidths(page, 'release-plans')
  await page.goto(paths.releasePlanAdmissions(at))
  await expect(page.getByRole('rowheader', { name: 'admitted' })).toBeVisible()
  await expectAccessibleAtAllWidths(page, 'release-plan-admissions')

  await page.goto(paths.triggerReleaseOf({ namespace, releasePlan: 'unmatched', snapshot: 'push' }))
  await expect(page.getByText(/^No release plan admission in /)).toBeVisible()
  await addFixes(page)
  await expectAccessibleAtAllWidths(page, 'trigger-release')
  await page.getByRole('button', { name: 'Add a CVE' }).click()
  await page.getByRole('combobox', { name: 'Component' }).fill('check')
  await expect(page.getByRole('option', { name: 'checkout-api' })).toBeVisible()
  await expectAccessibleAtAllWidths(page, 'trigger-release-cve')

  await page.goto(paths.releases(at))
  await expect(rowOf(page, 'Releases', 'failed')).toContainText('Failed')
  await expectAccessibleAtAllWidths(page, 'releases')
  for (const [release, headline] of [
    ['failed', 'The managed pipeline failed.'],
    ['running', 'The managed pipeline is running.'],
    ['succeeded', /The release succeeded/],
  ] as const) {
    await page.goto(paths.release({ ...at, release }))
    await expect(page.getByText(headline)).toBeVisible()
    await expectAccessibleAtAllWidths(page, `release-${release}`)
  }
  await page.goto(paths.releaseArtifacts({ ...at, release: 'succeeded' }))
  await expect(page.getByRole('rowheader', { name: 'checkout-api' })).toBeVisible()
  await expectAccessibleAtAllWidths(page, 'release-artifacts')

  await page.goto(paths.snapshots(at))
  await expect(rowOf(page, 'Snapshots', 'group')).toBeVisible()
  await expectAccessibleAtAllWidths(page, 'snapshots')
  await page.goto(paths.snapshot({ ...at, snapshot: 'push' }))
  await expect(rowOf(page, 'Integration tests', 'suite')).toBeVisible()
  await expectAccessibleAtAllWidths(page, 'snapshot')
})

/** In the widths of a desktop and a telephone, where rows are cards and stages a column. */
async function expectAccessibleAtAllWidths(page: Page, screen: string) {
  for (const width of [400, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page, screen)
  }
}

/** A bug and a CVE of the release notes, as rows of their tables. */
async function addFixes(page: Page) {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add a bug' }).click()
  await dialog.getByRole('textbox', { name: 'Bug ID' }).fill('SHOP-7')
  await dialog.getByRole('textbox', { name: 'Source' }).fill('https://issues.example.com/SHOP-7')
  await dialog.getByRole('button', { name: 'Add bug' }).click()
  await page.getByRole('button', { name: 'Add a CVE' }).click()
  await dialog.getByRole('textbox', { name: 'CVE key' }).fill('CVE-2026-1234')
  await dialog.getByRole('button', { name: 'Add CVE' }).click()
  await expect(page.getByRole('row', { name: /CVE-2026-1234/ })).toBeVisible()
}

/** Plans that are matched, blocked and not matched, and admissions for another namespace. */
async function createPlans(system: KubeClient, namespace: string) {
  const admissions = {
    matched: { name: 'release-managed/admitted', active: true },
    blocked: { name: 'release-managed/blocking', active: false },
    unmatched: {},
  }
  for (const [name, releasePlanAdmission] of Object.entries(admissions)) {
    const plan = aReleasePlan({ metadata: { name, namespace }, spec: { application } })
    const created = await system.create(releasePlanType, plan)
    await system.replaceStatus(releasePlanType, { ...created, status: { releasePlanAdmission } })
  }
  for (const [name, isBlocking] of Object.entries({ admitted: 'false', blocking: 'true' }))
    await system.create(
      releasePlanAdmissionType,
      aReleasePlanAdmission({
        metadata: { name, namespace, labels: { [labels.blockReleases]: isBlocking } },
        spec: { origin: namespace, applications: [application, 'ledger'] },
      }),
    )
}

async function createReleases(system: KubeClient, namespace: string) {
  const startTime = '2026-01-31T09:00:00Z'
  const completionTime = '2026-01-31T09:05:00Z'
  const skipped = ['TenantCollectors', 'ManagedCollectors', 'Tenant'].map((name) =>
    condition(`${name}PipelineProcessed`, 'True', 'Skipped'),
  )
  const statusWith = (reason: string, ended: object): Release['status'] => ({
    target: 'release-managed',
    startTime,
    conditions: [
      condition('Validated', 'True', 'Succeeded'),
      ...skipped,
      ...['ManagedPipelineProcessed', 'Released'].map((type) =>
        condition(type, reason === 'Succeeded' ? 'True' : 'False', reason),
      ),
    ],
    managedProcessing: { pipelineRun: 'release-managed/managed-x4k2p', startTime, ...ended },
    ...ended,
  })
  const images = [
    {
      name: 'checkout-api',
      arches: ['amd64', 'arm64'],
      shasum: `sha256:${'a'.repeat(64)}`,
      urls: ['latest', '2.4'].map((tag) => `registry.slipway.test/released/checkout-api:${tag}`),
    },
  ]
  const artifacts = { images, advisory: { url: 'https://advisories.slipway.test/2026/1' } }
  const releaseNotes = {
    topic: 'Prices in *euros*',
    references: ['https://docs.slipway.test/prices'],
    issues: { fixed: [{ id: 'SHOP-7', source: 'https://issues.example.com/SHOP-7' }] },
    cves: [{ key: 'CVE-2026-1234', component: 'checkout-api', packages: ['openssl'] }],
  }
  const statuses = {
    succeeded: { ...statusWith('Succeeded', { completionTime }), artifacts },
    failed: statusWith('Failed', { completionTime }),
    running: statusWith('Progressing', {}),
  }
  for (const [name, status] of Object.entries(statuses)) {
    const release = aRelease({
      metadata: { name, namespace },
      spec: { releasePlan: 'matched', snapshot: 'push', data: { releaseNotes } },
    })
    const created = await system.create(releaseType, release)
    await system.replaceStatus(releaseType, { ...created, status })
  }
}
