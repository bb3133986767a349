import { paths } from '@slipway/console/paths'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import {
  aBuild,
  activity,
  application,
  archived,
  badge,
  createApplication,
  createRun,
  ended,
  ofArchives,
  patient,
  runRow,
  statusIn,
  statusOfPage,
  test as base,
} from './builds'
import { expect, productWith, signIn, type Product } from './fixtures'

/** What users see of a deleted run where only one of the two archives is installed, without any flag. */
const archives = [
  { choice: 'kubearchive', name: 'KubeArchive', other: 'tekton-results' },
  { choice: 'results', name: 'Tekton Results', other: 'kubearchive' },
] as const

for (const { choice, name, other } of archives) {
  const test = base.extend<object, { product: Product }>({
    product: productWith({ simulator: true, speed: 60, archive: choice }),
  })

  test(`a deleted run is listed, found, opened and its log is read from ${name} alone`, async ({
    page,
    namespace,
    system,
  }) => {
    await createApplication(system, namespace)
    for (const name of ['passes', 'fails']) {
      const outcomes: Record<string, string> = name === 'fails' ? { compile: 'fail' } : {}
      const run = await createRun(system, aBuild({ metadata: { name, namespace }, outcomes, compileSteps: 2 }))
      await ended(system, run)
      await archived(system, run)
      await system.delete(pipelineRunType, name, { namespace, propagationPolicy: 'Background' })
    }
    const calls: string[] = []
    await page.route(ofArchives, (route) => {
      calls.push(new URL(route.request().url()).pathname)
      return route.continue()
    })

    await signIn(page, 'admin', activity(namespace, 'pipelineruns'))
    await expect(runRow(page, 'passes')).toContainText('Archived', patient)
    await expect(statusIn(runRow(page, 'fails'))).toHaveText('Failed')
    await page.getByPlaceholder('Filter by name...').fill('FAIL')
    await expect(runRow(page, 'passes')).toBeHidden()

    await runRow(page, 'fails').getByRole('link', { name: 'fails' }).click()
    await expect(page).toHaveURL(new RegExp(`${paths.pipelineRun({ namespace, application, pipelineRun: 'fails' })}$`))
    await expect(statusOfPage(page)).toHaveText('Failed', patient)
    await badge(page, 'Archive').click()
    await expect(page.getByText(`The archive, ${name}.`).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('.slipway-run-failure')).toContainText('Error: exit status 1', patient)
    await page.getByRole('link', { name: 'See logs' }).first().click()
    await expect(page.getByRole('log', { name: 'Log of compile' })).toContainText('Error: exit status 1', patient)
    // Although the step behind the failed one has no log.
    await expect(page.getByText('From the archive')).toBeVisible()

    // The probe of KubeArchive shows which are installed.
    const toOther = calls.filter((path) => path.includes(`/${other}/`))
    expect(new Set(toOther)).toEqual(new Set(other === 'kubearchive' ? ['/api/k8s/plugins/kubearchive/livez'] : []))
  })
}
