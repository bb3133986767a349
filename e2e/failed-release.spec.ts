import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { namespaceType } from '@slipway/kube/core-types'
import { labels } from '@slipway/model/labels'
import { releaseStatus, releaseType } from '@slipway/model/releases/release'
import { attachedAdmission, releasePlanAdmissionType, releasePlanType } from '@slipway/model/releases/release-plan'
import { parseNamespacedName } from '@slipway/model/namespaced-name'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { aNamespace, aRelease } from '@slipway/model/testing'
import { aReleasePlan, aReleasePlanAdmission, aSnapshot } from '@slipway/model/testing/tests-and-releases'
import {
  application,
  createApplication,
  detail,
  ending,
  markedLine,
  patient,
  rowOf,
  statusOfPage,
  test,
} from './builds'
import { expect, grant, recordPageErrors, signIn } from './fixtures'
import { stage } from './releases'

const [plan, admission, snapshot, release] = ['to-production', 'admitted', 'shop-1', 'fails']
const failingTask = 'push-snapshot'
const failure = `The managed pipeline failed in task ${failingTask}, step ${failingTask}.`

test(
  'ACT-18, REL-33, REL-51 a release that failed in a managed namespace names its run to a user without access there, and links it for an admin',
  { tag: '@cluster' },
  async ({ page, namespace, system }) => {
    const errors = recordPageErrors(page)
    const at = { namespace, application, release }
    const { managed, run } = await failRelease(system, namespace)

    await test.step('a contributor reads which stage failed, and that the run may not be read', async () => {
      await signIn(page, 'contributor', paths.release(at))
      await expect(page.getByText('The managed pipeline failed.')).toBeVisible()
      await expect(
        page.getByText(`You don't have access to the namespace ${managed}, where the pipeline run ${run} is.`),
      ).toBeVisible()
      await expect(page.getByText(/^The release service reports: Tasks Completed: /)).toBeVisible()
      await expect(stage(page, 'Managed pipeline')).toContainText('Failed after')
      await expect(stage(page, 'Managed pipeline')).toContainText(`${run} (no access to ${managed})`)
      await expect(stage(page, 'Managed pipeline').getByRole('link')).toHaveCount(0)
      await expect(statusOfPage(page)).toHaveText('Failed')
      await expect(detail(page, 'Managed pipeline run')).toHaveText(`${run} (no access to ${managed})`)
      await expect(detail(page, 'Admission')).toHaveText(`${admission} (no access to ${managed})`)
      await expect(detail(page, 'Policy')).toHaveText(`Unknown (no access to ${managed}, whose admission names it)`)
    })

    await test.step('so do its other tabs, and the page of the run', async () => {
      await page.getByRole('tab', { name: 'Pipeline runs' }).click()
      await expect(page.getByText(`You don't have access to ${managed}`)).toBeVisible()
      await expect(page.getByRole('rowheader', { name: run })).toBeVisible()
      await expect(rowOf(page, 'Pipeline runs', run)).toHaveCount(0)
      await page.getByRole('tab', { name: 'Release artifacts' }).click()
      await expect(page.getByRole('heading', { name: 'No release artifacts images found' })).toBeVisible()
      await page.goto(paths.pipelineRun({ namespace: managed, application, pipelineRun: run }))
      await expect(page.getByRole('heading', { name: `Unable to access namespace ${managed}` })).toBeVisible()
    })

    await test.step('an admin of the managed namespace reads which task failed, and opens the run', async () => {
      await page.context().clearCookies()
      await signIn(page, 'admin', paths.release(at))
      await expect(page.getByText(failure)).toBeVisible()
      await expect(detail(page, 'Admission').getByRole('link', { name: admission })).toBeVisible()
      await stage(page, 'Managed pipeline').getByRole('link', { name: run }).click()
      await expect(page).toHaveURL(
        `${paths.pipelineRun({ namespace: managed, application, pipelineRun: run })}?releaseName=${release}`,
      )
      await expect(page.getByRole('heading', { name: run, level: 1 })).toBeVisible()
      await expect(statusOfPage(page)).toHaveText('Failed')
    })
    expect(errors).toEqual([])
  },
)

// A real cluster has no logs of simulated pods.
test('a release that failed shows the failing line of its managed run, and leads to it', async ({
  page,
  namespace,
  system,
}) => {
  const at = { namespace, application, release }
  const { managed, run } = await failRelease(system, namespace)
  await signIn(page, 'admin', paths.release(at))
  await expect(page.getByText(failure)).toBeVisible()
  const evidence = page.locator('.slipway-run-failure')
  const line = 'UNAUTHORIZED: access to the requested resource is not authorized'
  await expect(evidence).toContainText(line)
  // A telephone shows the whole line too.
  await page.setViewportSize({ width: 400, height: 800 })
  const excerpt = evidence.getByRole('region')
  await expect.poll(() => excerpt.evaluate((lines) => lines.scrollWidth - lines.clientWidth)).toBe(0)
  await evidence.getByRole('link', { name: 'See logs' }).click()
  await expect(markedLine(page)).toContainText(line)
  expect(page.url()).toContain(paths.pipelineRunLogs({ namespace: managed, application, pipelineRun: run }))
})

/** Runs a release whose managed pipeline fails, in a namespace in which only the user admin has a role. */
async function failRelease(system: KubeClient, namespace: string) {
  const managed = `${namespace}-managed`
  await createApplication(system, namespace)
  await system.create(namespaceType, aNamespace({ metadata: { name: managed } }))
  await grant(system, managed, 'admin')
  await system.create(snapshotType, aSnapshot({ metadata: { name: snapshot, namespace } }))
  await system.create(
    releasePlanAdmissionType,
    aReleasePlanAdmission({
      metadata: { name: admission, namespace: managed, annotations: ending({ [failingTask]: 'fail' }) },
      spec: { origin: namespace, pipeline: { serviceAccountName: 'default' } },
    }),
  )
  await system.create(
    releasePlanType,
    aReleasePlan({
      metadata: { name: plan, namespace, labels: { [labels.autoRelease]: 'false' } },
      spec: { target: managed },
    }),
  )
  const isMatched = async () => attachedAdmission(await system.get(releasePlanType, plan, { namespace })) !== undefined
  await expect.poll(isMatched, { ...patient, intervals: [100] }).toBe(true)
  await system.create(
    releaseType,
    aRelease({ metadata: { name: release, namespace }, spec: { releasePlan: plan, snapshot } }),
  )
  const read = () => system.get(releaseType, release, { namespace })
  await expect.poll(async () => releaseStatus(await read()), { ...patient, intervals: [100] }).toBe('Failed')
  const run = parseNamespacedName((await read()).status?.managedProcessing?.pipelineRun)
  expect(run).toEqual({ namespace: managed, name: expect.stringMatching(/^managed-/) as unknown })
  return { managed, run: run?.name ?? '' }
}
