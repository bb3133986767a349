import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { labels } from '@slipway/model/labels'
import { applicationRow } from './applications'
import { aBuild, application, createApplication, createRun, ended, expectAtTheFailingLine, press, test } from './builds'
import { expect, expectAccessible, signIn } from './fixtures'

const builds = { [labels.pipelineType]: 'build', [labels.component]: 'api' }

/** An application with a build that has failed. */
async function failBuild(system: KubeClient, namespace: string) {
  await createApplication(system, namespace)
  const run = aBuild({ metadata: { name: 'fails', namespace, labels: builds }, outcomes: { compile: 'fail' } })
  await ended(system, await createRun(system, run))
}

test('what fails is said by the overview, the lists and the sidebar, and its line is one click away', async ({
  page,
  namespace,
  system,
}) => {
  await failBuild(system, namespace)

  await test.step('the overview quotes the line', async () => {
    await signIn(page, 'admin', paths.overview())
    const failing = page.getByRole('region', { name: /^Failing now/ })
    const line = failing.getByRole('listitem').filter({ hasText: `${namespace} · api` })
    await expect(line).toContainText('Round half up')
    await expect(line).toContainText('Error: exit status 1')
    await expect(page.getByRole('region', { name: /^Your namespaces/ })).toContainText(namespace)
    await expectAccessible(page, 'home')
    await line.getByRole('link', { name: 'Task compile failed in step compile' }).click()
    await expectAtTheFailingLine(page)
  })

  await test.step('the lists say it, and sort it first', async () => {
    await page.goto(`${paths.namespaces()}?sort=status`)
    const listed = page.getByRole('table', { name: 'Namespaces' }).getByRole('row').filter({ hasText: namespace })
    await expect(listed).toContainText(/Failed.*1 failing since/)
    await expectAccessible(page, 'namespaces-failing')
    await listed.getByRole('link', { name: namespace }).click()
    await expect(applicationRow(page, application)).toContainText(/Failed.*1 failing since/)
    await expectAccessible(page, 'applications-failing')
  })

  await test.step('the sidebar counts it, and leads to it', async () => {
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: `1 failing in ${namespace}` }).click()
    await expect(page).toHaveURL(/sort=status/)
  })
})

test('the failing line can be reached with only the keyboard from the overview', async ({
  page,
  namespace,
  system,
}) => {
  await failBuild(system, namespace)
  await signIn(page, 'admin', paths.overview())
  const line = page.getByRole('listitem').filter({ hasText: `${namespace} · api` })
  await press(page, line.getByRole('link', { name: 'Task compile failed in step compile' }))
  await expectAtTheFailingLine(page)
})
