import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { labels } from '@slipway/model/labels'
import { type Release, releaseType } from '@slipway/model/releases/release'
import {
  type ReleasePlan,
  type ReleasePlanAdmission,
  releasePlanAdmissionType,
  releasePlanType,
} from '@slipway/model/releases/release-plan'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { aRelease, condition } from '@slipway/model/testing'
import { aReleasePlan, aReleasePlanAdmission, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { application, badge, createApplication, detail, ofArchives, patient, rowOf, statusOfPage } from './builds'
import { expect, productWith, recordPageErrors, reject, signIn, test as base, type Product } from './fixtures'

/** A product that archives releases once they have ended. Without the simulator, statuses stay as they are written. */
const test = base.extend<object, { product: Product }>({ product: productWith({ archive: 'kubearchive' }) })

const releaseRow = (page: Page, name: string) => rowOf(page, 'Releases', name)

test('REL-47, REL-48 releases and their pages stay when the archive goes down, and say that it is', async ({
  page,
  namespace,
  system,
}) => {
  const errors = recordPageErrors(page)
  const at = { namespace, application }
  await createApplication(system, namespace)
  for (const name of ['here', 'gone', 'unseen']) await createRelease(system, namespace, name, succeeded)
  await signIn(page, 'admin', paths.releases(at))
  for (const name of ['gone', 'unseen']) await archiveOnly(page, system, { namespace, name })
  await page.reload()
  await expect(releaseRow(page, 'gone')).toContainText('Archived', patient)
  await expect(badge(page, 'Live')).toBeVisible()

  await test.step('while the list is open', async () => {
    await page.route(ofArchives, (route) => reject(route, 503, 'the archive is being moved'))
    await refresh(page, 'Live')
    await expect(page.getByText(/^Could not read the archive: .* What is shown is not complete\.$/)).toBeVisible(
      patient,
    )
    await expect(badge(page, 'Partial')).toBeVisible()
    for (const name of ['here', 'gone', 'unseen']) await expect(releaseRow(page, name)).toContainText('Succeeded')
  })

  await test.step('before the page of an archived release is opened', async () => {
    await releaseRow(page, 'unseen').getByRole('link', { name: 'unseen' }).click()
    await expect(page.getByRole('heading', { name: 'Unable to load release' })).toBeVisible(patient)
    await expect(page.getByText('the archive is being moved')).toBeVisible()
    await page.unroute(ofArchives)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(statusOfPage(page)).toHaveText('Succeeded', patient)
    await expect(badge(page, 'Archive')).toBeVisible()
  })

  await test.step('while the page of a release is open that is then deleted', async () => {
    await page.goto(paths.release({ ...at, release: 'here' }))
    await expect(badge(page, 'Live')).toBeVisible()
    await page.route(ofArchives, (route) => reject(route, 503, 'the archive is being moved'))
    await system.delete(releaseType, 'here', { namespace })
    await expect(page.getByText('This release was deleted')).toBeVisible(patient)
    await expect(page.getByText('The data below is its last known state.')).toBeVisible()
    await expect(statusOfPage(page)).toHaveText('Succeeded')
    for (const [tab, text] of [
      ['Pipeline runs', 'No pipeline runs found'],
      ['Release artifacts', 'No release artifacts images found'],
      ['Overview', 'Release details'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await expect(page.getByRole('heading', { name: text })).toBeVisible()
    }
  })
  expect(errors).toEqual([])
})

test(
  'RPA-02, REL-40, REL-42 admissions and artifacts of unknown shape are shown as they are',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    const errors = recordPageErrors(page)
    const at = { namespace, application }
    await createApplication(system, namespace)
    await system.create(releasePlanAdmissionType, anOddAdmission(namespace))
    // The first plan names the admission as the release service does, the second one does not.
    await createPlan(system, namespace, 'qualified', { name: `${namespace}/odd`, active: true })
    await createPlan(system, namespace, 'bare', { name: 'odd' })
    const artifacts = {
      images: { api: 'registry.slipway.test/api:1' },
      index_image: [{ ocp: '4.18' }],
      'github-release': 7,
      advisory: { severity: ['Low', { of: 'three' }], url: 'javascript:alert(1)' },
      checksums: [['a', 1], []],
    }
    for (const releasePlan of ['qualified', 'bare'])
      await createRelease(system, namespace, `of-${releasePlan}`, { ...inProgress, artifacts }, releasePlan)

    await test.step('in the lists of the release area', async () => {
      await signIn(page, 'admin', paths.releasePlanAdmissions({ namespace }))
      const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'odd' }) })
      for (const text of ['Component groups all, others', 'elsewhere', 'Perhaps']) await expect(row).toContainText(text)
      await page.goto(paths.releaseArea({ namespace }))
      for (const [plan, named] of [
        ['qualified', `${namespace}/odd`],
        ['bare', 'odd'],
      ] as const) {
        await expect(rowOf(page, 'Release plans', plan)).toContainText('Matched')
        await expect(rowOf(page, 'Release plans', plan)).toContainText(named)
      }
    })

    await test.step('on the pages of releases', async () => {
      await page.goto(paths.release({ ...at, release: 'of-qualified' }))
      await expect(detail(page, 'Admission').getByRole('link', { name: 'odd' })).toBeVisible()
      await expect(detail(page, 'Policy')).toContainText('default')
      await expect(page.getByText('The managed pipeline has not started yet.')).toBeVisible()
      await page.goto(paths.release({ ...at, release: 'of-bare' }))
      await expect(detail(page, 'Admission')).toHaveText('odd')
      await page.getByRole('tab', { name: 'Release artifacts' }).click()
      await expect(page.getByRole('heading', { name: 'No release artifacts images found' })).toBeVisible()
      const unknown = page.getByRole('region', { name: 'Other data' })
      for (const text of ['registry.slipway.test/api:1', '4.18', '7'])
        await expect(unknown.getByText(text, { exact: true })).toBeVisible()
      const additional = page.getByRole('region', { name: 'Additional artifacts' })
      for (const text of ['["Low",{"of":"three"}]', 'javascript:alert(1)', '[["a",1],[]]'])
        await expect(additional.getByText(text, { exact: true })).toBeVisible()
      await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0)
    })

    await test.step('in the form that triggers a release', async () => {
      await page.goto(paths.triggerReleaseOf({ namespace, releasePlan: 'bare' }))
      await expect(page.getByRole('button', { name: 'Release plan bare' })).toBeVisible()
    })
    expect(errors).toEqual([])
  },
)

test(
  'TRIG-05, TRIG-31, TRIG-34 a plan that is deleted while its release is entered is an error at its field, and the input stays',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    const errors = recordPageErrors(page)
    await createApplication(system, namespace)
    await system.create(snapshotType, aSnapshot({ metadata: { name: 'shop-1', namespace } }))
    for (const plan of ['to-production', 'to-staging']) await createPlan(system, namespace, plan, {})
    await signIn(page, 'admin', paths.triggerReleaseOf({ namespace, releasePlan: 'to-production', snapshot: 'shop-1' }))
    const trigger = page.getByRole('button', { name: 'Trigger', exact: true })
    const field = (name: string) => page.getByRole('textbox', { name, exact: true })
    await field('Synopsis').fill('Prices in euros')
    await page.getByRole('button', { name: 'Add a bug' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Bug ID' }).fill('SHOP-7')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Source' }).fill('https://issues.example.com/SHOP-7')
    await page.getByRole('dialog').getByRole('button', { name: 'Add bug' }).click()
    await expect(trigger).not.toHaveAttribute('aria-disabled', 'true')

    await system.delete(releasePlanType, 'to-production', { namespace })
    const error = page.getByText('There is no release plan to-production. It may have been deleted.')
    await expect(error).toBeVisible(patient)
    await expect(trigger).toHaveAttribute('aria-disabled', 'true')
    await expect(field('Synopsis')).toHaveValue('Prices in euros')
    await expect(page.getByRole('row', { name: /SHOP-7/ })).toBeVisible()

    await page.getByRole('button', { name: /^Release plan / }).click()
    await page.getByRole('option', { name: /^to-staging/ }).click()
    await expect(error).toBeHidden()
    await trigger.click()
    await expect(page).toHaveURL(paths.releases({ namespace, application }))
    const { items } = await system.list(releaseType, { namespace })
    expect(items.map(({ spec }) => spec)).toEqual([
      {
        releasePlan: 'to-staging',
        snapshot: 'shop-1',
        data: {
          releaseNotes: {
            synopsis: 'Prices in euros',
            issues: { fixed: [{ id: 'SHOP-7', source: 'https://issues.example.com/SHOP-7' }] },
          },
        },
      },
    ])
    expect(errors).toEqual([])
  },
)

const succeeded: Release['status'] = {
  startTime: '2026-01-31T09:00:00Z',
  completionTime: '2026-01-31T09:05:00Z',
  conditions: ['Validated', 'ManagedPipelineProcessed', 'Released'].map((type) => condition(type, 'True', 'Succeeded')),
}
const inProgress: Release['status'] = {
  startTime: '2026-01-31T09:00:00Z',
  conditions: [condition('Validated', 'True', 'Succeeded'), condition('Released', 'False', 'Progressing')],
}

async function createRelease(
  system: KubeClient,
  namespace: string,
  name: string,
  status: Release['status'],
  releasePlan = 'to-production',
) {
  const created = await system.create(
    releaseType,
    aRelease({ metadata: { name, namespace }, spec: { releasePlan, snapshot: 'shop-1' } }),
  )
  await system.replaceStatus(releaseType, { ...created, status })
}

async function createPlan(
  system: KubeClient,
  namespace: string,
  name: string,
  releasePlanAdmission: NonNullable<ReleasePlan['status']>['releasePlanAdmission'],
) {
  const plan = aReleasePlan({
    metadata: { name, namespace, labels: { [labels.autoRelease]: 'false' } },
    spec: { target: namespace },
  })
  const created = await system.create(releasePlanType, plan)
  await system.replaceStatus(releasePlanType, { ...created, status: { releasePlanAdmission } })
}

/** An admission as a later version of the API, or another client, could write it. */
function anOddAdmission(namespace: string): ReleasePlanAdmission {
  const { applications: _applications, ...spec } = aReleasePlanAdmission().spec
  return {
    ...aReleasePlanAdmission({ metadata: { name: 'odd', namespace, labels: { [labels.blockReleases]: 'perhaps' } } }),
    spec: {
      ...spec,
      componentGroups: ['all', 'others'],
      origin: 'elsewhere',
      // Its contents are not defined.
      data: { mapping: 'none', strategy: { steps: [1, { deep: true }] } },
    },
  }
}

/** Deletes a release from the cluster once the archive has it. */
async function archiveOnly(page: Page, system: KubeClient, { namespace, name }: { namespace: string; name: string }) {
  const { group, version, plural } = releaseType
  const archived = `/api/k8s/plugins/kubearchive/apis/${group}/${version}/namespaces/${namespace}/${plural}/${name}`
  await expect.poll(async () => (await page.request.get(archived)).status(), { ...patient, intervals: [100] }).toBe(200)
  await system.delete(releaseType, name, { namespace })
}

/** Loads a page's data again, as a user does. */
async function refresh(page: Page, from: string) {
  await badge(page, from).click()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.keyboard.press('Escape')
}
