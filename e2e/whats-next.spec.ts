import type { Page } from '@playwright/test'
import { paths } from '@slipway/console/paths'
import { namespaceType } from '@slipway/kube/core-types'
import { releasePlanAdmissionType } from '@slipway/model/releases/release-plan'
import { snapshotConditions, snapshotType } from '@slipway/model/snapshots/snapshot'
import { aNamespace } from '@slipway/model/testing'
import { aReleasePlanAdmission } from '@slipway/model/testing/tests-and-releases'
import { createUndisturbed, ending, patient, submitAndClose, test } from './builds'
import { expect, expectAccessible, grant, signIn } from './fixtures'

const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const firstCard = (page: Page) => page.getByRole('region', { name: "What's next?" }).getByRole('listitem').first()

/** Expects that the first of the cards has this title, and gives this advice. */
async function expectAdvice(page: Page, title: string, text: string | RegExp) {
  await expect(firstCard(page).getByRole('heading', { name: title })).toBeVisible(patient)
  await expect(firstCard(page)).toContainText(text, patient)
}

test(
  "WNX-01, WNX-02, WNX-03, WNX-04, WNX-07 'What's next?' leads from an empty application to its first release",
  { tag: '@cluster' },
  async ({ page, context, namespace, system }) => {
    const at = { namespace, application: 'shop' }
    const managed = `${namespace}-managed`
    const openOverview = () => page.getByRole('navigation').getByRole('link', { name: 'Applications' }).click()
    const wasProcessed = async () =>
      (await system.list(snapshotType, { namespace })).items.some((snapshot) =>
        snapshot.status?.conditions?.some(({ type }) => type === snapshotConditions.autoReleased),
      )
    await system.create(namespaceType, aNamespace({ metadata: { name: managed } }))
    await grant(system, managed, 'admin')
    await createUndisturbed(page)

    await signIn(page, 'admin', paths.createApplication({ namespace }))
    await test.step('an empty application needs a component', async () => {
      await box(page, 'Application name').fill('shop')
      await page.getByRole('button', { name: 'Create application' }).click()
      await expect(page).toHaveURL(paths.application(at))
      await expectAdvice(page, 'Grow your application', 'Add the first component')
      await expectAccessible(page, 'whats-next-empty')
      await firstCard(page).getByRole('link', { name: 'Add component' }).click()
      await box(page, 'Git repository URL').fill(`https://github.com/${namespace}/web`)
      await expect(box(page, 'Component name')).toHaveValue(/^web-/)
      await box(page, 'Component name').fill('web')
      await page.getByRole('button', { name: /^Pipeline / }).click()
      await page.getByRole('option', { name: /^fbc-builder/ }).click()
      await page.getByRole('button', { name: 'Add component' }).click()
      await expect(page).toHaveURL(paths.components(at))
    })

    let repository = ''
    await test.step('its pull request has to be merged', async () => {
      await page.getByRole('tab', { name: 'Overview' }).click()
      await expectAdvice(page, 'Grow your application', /Merge the pull request .* of web to start the first build\./)
      await expectAccessible(page, 'whats-next-merge')
      const opened = context.waitForEvent('page')
      await firstCard(page)
        .getByRole('link', { name: /^pull request/ })
        .click()
      const gitHost = await opened
      repository = gitHost.url().replace(/\/pull\/\d+$/, '')
      await submitAndClose(gitHost, 'Merge')
    })

    await test.step('a built application needs a test', async () => {
      // The link has the focus, which keeps its card first, until it disappears.
      await expectAdvice(page, 'Add integration tests', 'There is no integration test of your own yet.')
      await firstCard(page).getByRole('link', { name: 'Add integration test' }).click()
      await box(page, 'Integration test name').fill('suite')
      await box(page, 'Git URL').fill(`https://github.com/${namespace}/tests`)
      await box(page, 'Revision').fill('main')
      await box(page, 'Path in repository').fill('pipelines/own.yaml')
      await page.getByRole('button', { name: 'Add integration test' }).click()
      await expect(page).toHaveURL(paths.integrationTests(at))
    })

    await test.step('a tested application needs a release plan', async () => {
      await page.getByRole('tab', { name: 'Overview' }).click()
      await expectAdvice(page, 'Create a release plan', 'There is no release plan yet.')
      // Without a plan, the first build is not released.
      await expect.poll(wasProcessed, patient).toBe(true)
      await firstCard(page).getByRole('link', { name: 'Create release plan' }).click()
      await box(page, 'Release plan name').fill('to-production')
      await page.getByRole('button', { name: /^Application / }).click()
      await page.getByRole('option', { name: 'shop' }).click()
      await page.getByRole('radio', { name: 'Target namespace' }).check()
      await page.getByRole('combobox', { name: 'Target' }).fill(managed)
      await page.getByRole('option', { name: managed }).click()
      await box(page, 'Git URL').fill(`https://github.com/${namespace}/release`)
      await box(page, 'Revision').fill('main')
      await box(page, 'Path in repository').fill('pipelines/tenant-release.yaml')
      await box(page, 'Service account').fill('default')
      await page.getByRole('checkbox', { name: 'Auto release' }).check()
      await page.getByRole('checkbox', { name: 'Standing attribution' }).check()
      await page.getByRole('button', { name: 'Create release plan' }).click()
      await expect(page).toHaveURL(paths.releaseArea(at))
    })

    await test.step('the plan needs an admission', async () => {
      await openOverview()
      await page.getByRole('link', { name: 'shop', exact: true }).click()
      const reason = `No release plan admission in ${managed} matches to-production`
      await expectAdvice(page, 'Create a release plan', reason)
      await expectAccessible(page, 'whats-next-not-matched')
      await system.create(
        releasePlanAdmissionType,
        aReleasePlanAdmission({
          metadata: { name: 'admitted', namespace: managed, annotations: ending({}) },
          spec: {
            applications: ['shop'],
            origin: namespace,
            pipeline: { serviceAccountName: 'default', timeouts: { pipeline: '100h0m0s' } },
          },
        }),
      )
      await expectAdvice(page, 'Make a code change', 'Everything is ready for a release.')
      await expectAccessible(page, 'whats-next-ready')
    })

    await test.step('a push is released', async () => {
      const gitHost = await context.newPage()
      await gitHost.goto(repository)
      const commit = gitHost.locator('form').filter({ has: gitHost.getByRole('button', { name: 'Push commit' }) })
      await commit.getByLabel('Title').fill('Round half up')
      await submitAndClose(gitHost, 'Push commit')
      await expect(page.getByRole('button', { name: /^Release to-production, Succeeded/ })).toBeVisible(patient)
      // Nothing is missing.
      await expectAdvice(page, 'Grow your application', 'Add another component')
      await expect(page.getByRole('region', { name: "What's next?" }).getByText('Done', { exact: true })).toHaveCount(3)
      await expectAccessible(page, 'whats-next-released')
    })
  },
)
