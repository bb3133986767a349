import type { Locator, Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import type { JsonPatchOperation, KubeClient } from '@slipway/kube/client'
import { namespaceType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { isFinished } from '@slipway/model/runs/tekton'
import { releaseType } from '@slipway/model/releases/release'
import { releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { aNamespace } from '@slipway/model/testing'
import { aReleasePlanAdmission, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { emailOf } from '@slipway/slipway/users'
import {
  action,
  application,
  createApplication,
  detail,
  ending,
  neverReloads,
  openActions,
  patient,
  rowOf,
  statusIn,
  statusOfPage,
  test,
} from './builds'
import { expect, grant, signIn } from './fixtures'
import { stage } from './releases'

const plan = 'to-production'
const planRow = (page: Page) => rowOf(page, 'Release plans', plan)
const box = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })

/** Keeps the managed pipeline running until `letManagedRunEnd`, however slow the machine is. */
const heldTask = 'verify-conforma'
const everyTaskSucceeds: JsonPatchOperation[] = [{ op: 'add', path: '/metadata/annotations', value: ending({}) }]

test(
  'PLAN-12, TRIG-31, REL-12, REL-47 a plan is created and matched, and its release is triggered, followed live and re-run',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    const at = { namespace, application }
    const managed = `${namespace}-managed`
    await createApplication(system, namespace)
    for (const name of ['shop-1', 'shop-2'])
      await system.create(snapshotType, aSnapshot({ metadata: { name, namespace } }))
    await system.create(namespaceType, aNamespace({ metadata: { name: managed } }))
    await grant(system, managed, 'admin')

    await signIn(page, 'admin', paths.releaseArea(at))
    await test.step('a plan with a pipeline of its own is created for another namespace', async () => {
      await page.getByRole('link', { name: 'Create release plan' }).click()
      await box(page, 'Release plan name').fill(plan)
      await page.getByRole('button', { name: /^Application / }).click()
      await page.getByRole('option', { name: application }).click()
      await page.getByRole('radio', { name: 'Target namespace' }).check()
      await page.getByRole('combobox', { name: 'Target' }).fill(managed)
      await page.getByRole('option', { name: managed }).click()
      await box(page, 'Git URL').fill(`https://github.com/${namespace}/release`)
      await box(page, 'Revision').fill('main')
      await box(page, 'Path in repository').fill('pipelines/tenant-release.yaml')
      await box(page, 'Service account').fill('default')
      await page.getByRole('checkbox', { name: 'Standing attribution' }).check()
      await page.getByRole('button', { name: 'Create release plan' }).click()
      await expect(page).toHaveURL(paths.releaseArea(at))
      await expect(statusIn(planRow(page))).toHaveText('Not Matched')
      // Some tasks fail at random otherwise.
      await system.patch(releasePlanType, plan, everyTaskSucceeds, { namespace })
    })

    await test.step('an admission of the other namespace matches it', async () => {
      await system.create(
        releasePlanAdmissionType,
        aReleasePlanAdmission({
          metadata: { name: 'admitted', namespace: managed, annotations: ending({ [heldTask]: 'timeout' }) },
          spec: { origin: namespace, pipeline: { serviceAccountName: 'default', timeouts: { pipeline: '100h0m0s' } } },
        }),
      )
      await expect(statusIn(planRow(page))).toHaveText('Matched')
      await expect(planRow(page)).toContainText(`${managed}/admitted`)
    })

    await test.step('a release with a bug, a CVE and a topic is triggered', async () => {
      await openActions(planRow(page), plan)
      await action(page, 'Trigger release plan').click()
      await page.getByRole('button', { name: /^Snapshot / }).click()
      await page.getByRole('option', { name: /^shop-2/ }).click()
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Add a bug' }).click()
      await box(dialog, 'Bug ID').fill('SHOP-7')
      await box(dialog, 'Source').fill('https://issues.example.com/SHOP-7')
      await dialog.getByRole('button', { name: 'Add bug' }).click()
      await expect(page.getByRole('row', { name: /SHOP-7/ })).toBeVisible()
      await page.getByRole('button', { name: 'Add a CVE' }).click()
      await box(dialog, 'CVE key').fill('CVE-2026-1234')
      await dialog.getByRole('combobox', { name: 'Component' }).fill('check')
      await dialog.getByRole('option', { name: 'checkout-api' }).click()
      await dialog.getByRole('button', { name: 'Add package' }).click()
      await box(dialog.getByRole('group', { name: 'Package 1' }), 'Name').fill('openssl')
      await dialog.getByRole('button', { name: 'Add CVE' }).click()
      await expect(page.getByRole('row', { name: /CVE-2026-1234/ })).toContainText('openssl')
      await box(page, 'Topic').fill('Prices in *euros*')
      await page.getByRole('button', { name: 'Trigger', exact: true }).click()
      await expect(page).toHaveURL(paths.releases(at))
    })
    const release = await onlyRelease(system, namespace)
    const spec = {
      releasePlan: plan,
      snapshot: 'shop-2',
      data: {
        releaseNotes: {
          topic: 'Prices in *euros*',
          issues: { fixed: [{ id: 'SHOP-7', source: 'https://issues.example.com/SHOP-7' }] },
          cves: [{ key: 'CVE-2026-1234', component: 'checkout-api', packages: ['openssl'] }],
        },
      },
    }
    expect(release.spec).toEqual(spec)

    await test.step('its stages are followed live', async () => {
      await rowOf(page, 'Releases', nameOf(release))
        .getByRole('link', { name: nameOf(release) })
        .click()
      const expectNoReload = await neverReloads(page)
      await expect(page.getByText('The managed pipeline is running.')).toBeVisible(patient)
      await expect(stage(page, 'Tenant pipeline')).toContainText('Succeeded after')
      await expect(stage(page, 'Managed pipeline')).toContainText('Running for')
      await expect(stage(page, 'Managed pipeline')).toHaveAttribute('aria-current', 'step')
      await expect(stage(page, 'Final pipeline')).toContainText('Not needed')
      await expect(statusOfPage(page)).toHaveText('In Progress')
      await letManagedRunEnd(system, managed)
      await expect(page.getByText(/The release succeeded: it passed .*the managed pipeline\./)).toBeVisible(patient)
      await expect(stage(page, 'Managed pipeline')).toContainText('Succeeded after')
      await expect(statusOfPage(page)).toHaveText('Succeeded')
      await expect(detail(page, 'Admission')).toContainText('admitted')
      await expect(detail(page, 'Fixed bugs')).toContainText('SHOP-7')
      await expect(detail(page, 'Fixed CVEs')).toHaveText('CVE-2026-1234 in checkout-api (openssl)')
      await page.getByRole('tab', { name: 'Release artifacts' }).click()
      await expect(
        page
          .getByRole('table', { name: 'Released components' })
          .getByRole('row')
          .filter({ has: page.getByRole('rowheader', { name: 'checkout-api' }) }),
      ).toContainText('registry.slipway.test/released/checkout-api:latest')
      expectNoReload()
    })

    await test.step('it is re-run', async () => {
      await system.patch(releasePlanAdmissionType, 'admitted', everyTaskSucceeds, { namespace: managed })
      await openActions(page, nameOf(release))
      await action(page, 'Re-run').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Re-run' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(new RegExp(`^${nameOf(release)}-rerun-`))
      await expect(statusOfPage(page)).toHaveText('Succeeded', patient)
      await expect(page.getByText(/^It contains the same snapshot as/)).toContainText(nameOf(release))
      const { items } = await system.list(releaseType, { namespace })
      const rerun = items.find((each) => nameOf(each) !== nameOf(release))
      expect(items).toHaveLength(2)
      expect(rerun?.spec).toEqual(spec)
      expect(rerun?.metadata.labels?.[labels.automated]).toBe('false')
      expect(rerun?.metadata.annotations?.[labels.author]).toBe(emailOf('admin'))
    })

    await test.step('the plan is deleted once its name is typed, and its releases are kept', async () => {
      await page.goto(paths.releaseArea(at))
      await openActions(planRow(page), plan)
      await action(page, 'Delete release plan').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill(plan)
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByRole('heading', { name: 'No Release Plan found' })).toBeVisible()
      expect((await system.list(releasePlanType, { namespace })).items).toEqual([])
      expect((await system.list(releaseType, { namespace })).items).toHaveLength(2)
    })
  },
)

async function onlyRelease(system: KubeClient, namespace: string) {
  const [release, ...others] = (await system.list(releaseType, { namespace })).items
  expect(others).toEqual([])
  if (!release) throw new Error('There is no release.')
  return release
}

/** Lets the held task of the managed run succeed, and resolves once the run has ended. */
async function letManagedRunEnd(system: KubeClient, namespace: string) {
  const heldTasks = async () =>
    (await system.list(taskRunType, { namespace, labels: { matchLabels: { [labels.pipelineTask]: heldTask } } })).items
  await expect.poll(async () => (await heldTasks()).length, { ...patient, intervals: [100] }).toBe(1)
  const { items: runs } = await system.list(pipelineRunType, { namespace })
  for (const run of runs) await system.patch(pipelineRunType, nameOf(run), everyTaskSucceeds, { namespace })
  // The simulator does not look at a task that hangs again until it changes.
  const hasEnded = async () => {
    const touch = { op: 'add', path: '/metadata/labels/touched', value: String(Date.now()) } as const
    for (const task of await heldTasks()) await system.patch(taskRunType, nameOf(task), [touch], { namespace })
    return (await system.list(pipelineRunType, { namespace })).items.every(isFinished)
  }
  await expect.poll(hasEnded, patient).toBe(true)
}
