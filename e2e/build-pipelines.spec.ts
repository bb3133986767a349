import { paths } from '@slipway/console/paths'
import { annotations } from '@slipway/model/labels'
import { componentType } from '@slipway/model/builds/component'
import { aComponent } from '@slipway/model/testing'
import { application, createApplication, mergePullRequest, patient, test, undisturbed } from './builds'
import { expect, expectAccessible, signIn } from './fixtures'

test('PAC-24, PAC-25, PAC-29, PAC-30 a component gets its pipeline by pull request, and is rolled back @cluster', async ({
  page,
  context,
  namespace,
  system,
}) => {
  await createApplication(system, namespace)
  const status = { [annotations.buildStatus]: JSON.stringify({ pac: { state: 'disabled' }, message: 'done' }) }
  const component = aComponent({
    metadata: { name: 'api', namespace, annotations: { ...undisturbed, ...status } },
    spec: { source: { git: { url: `https://github.com/${namespace}/api` } } },
  })
  await system.create(componentType, component)
  await signIn(page, 'admin', paths.components({ namespace, application }))
  await page.getByRole('button', { name: 'Edit build pipeline plans' }).click()
  const dialog = page.getByRole('dialog', { name: 'Manage build pipeline' })
  await expect(dialog.getByText('0 of 1 component(s) upgraded to custom build')).toBeVisible()
  await dialog.getByRole('button', { name: 'Send pull request: api' }).click()
  await expect(dialog.getByText('Merge pull request')).toBeVisible(patient)
  await expectAccessible(page, 'build-pipelines')

  const pullRequest = dialog.getByRole('link', { name: /^Pull request/ })
  await mergePullRequest(context, (await pullRequest.getAttribute('href')) ?? '')
  await expect(dialog.getByText('1 of 1 component(s) upgraded to custom build')).toBeVisible(patient)
  await expect(dialog.getByText('Custom', { exact: true })).toBeVisible()

  await dialog.getByRole('button', { name: 'Roll back: api' }).click()
  await expect(dialog.getByText('Default', { exact: true })).toBeVisible(patient)
  await expect(dialog.getByRole('link', { name: /^Rollback pull request/ })).toBeVisible()
  await expect(dialog.getByText('0 of 1 component(s) upgraded to custom build')).toBeVisible()
})
