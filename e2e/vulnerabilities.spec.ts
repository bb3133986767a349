import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { applicationType } from '@slipway/model/builds/application'
import { componentType } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { aComponent, anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { expect, expectAccessible, signIn, test } from './fixtures'

const application = 'checkout'
const component = 'checkout-api'

const entry = (cveId: string, cveSeverity: string, componentFixedVersion = '3.0.7-28') => ({
  cveId,
  cveSeverity,
  cveInfo: `https://access.redhat.com/security/cve/${cveId}`,
  componentName: 'openssl-libs',
  componentVersion: '3.0.7-27',
  componentFixedVersion,
})

/** The reports of the scans of two builds, by the pod of the scan. */
const reports: Record<string, ReturnType<typeof entry>[]> = {
  'first-pod': [entry('CVE-2026-1001', 'CRITICAL'), entry('CVE-2026-1002', 'LOW', '')],
  'second-pod': [entry('CVE-2026-1002', 'LOW', ''), entry('CVE-2026-1003', 'MODERATE')],
}

/** A successful build and its scan. */
async function createScan(system: KubeClient, namespace: string, build: string, day: number) {
  const own = {
    [labels.application]: application,
    [labels.component]: component,
    [labels.commitSha]: String(day).repeat(40),
    [labels.pipelineType]: 'build',
    [labels.eventType]: 'push',
  }
  const time = `2026-01-0${day}T09:00:00Z`
  const done = { startTime: time, completionTime: time, conditions: [condition('Succeeded', 'True')] }
  const run = await system.create(pipelineRunType, aPipelineRun({ metadata: { name: build, namespace, labels: own } }))
  await system.replaceStatus(pipelineRunType, { ...run, status: done })
  const scan = await system.create(
    taskRunType,
    aTaskRun({
      metadata: {
        name: `${build}-scan`,
        namespace,
        labels: { ...own, [labels.pipelineRun]: build, [labels.pipelineTask]: 'roxctl-scan' },
      },
    }),
  )
  await system.replaceStatus(taskRunType, {
    ...scan,
    status: {
      ...done,
      podName: `${build}-pod`,
      steps: [{ name: 'rox-image-scan', terminated: { exitCode: 0, reason: 'Completed' } }],
    },
  })
}

test('which component has a vulnerability, and which commit brought or fixed it', async ({
  page,
  namespace,
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  await system.create(
    componentType,
    aComponent({ metadata: { name: component, namespace }, spec: { application, componentName: component } }),
  )
  await createScan(system, namespace, 'first', 1)
  await createScan(system, namespace, 'second', 2)
  await page.route('**/pods/*/log?*', (route) => {
    const [, pod = ''] = /\/pods\/([^/]+)\/log/.exec(route.request().url()) ?? []
    return route.fulfill({ json: { result: { vulnerabilities: reports[pod] } } })
  })
  await signIn(page, 'admin', paths.applications({ namespace }))
  await page.getByRole('link', { name: 'View vulnerabilities' }).click()
  const table = page.getByRole('table', { name: 'Vulnerabilities' })
  await expect(table.getByRole('rowheader')).toHaveText(['CVE-2026-1003', 'CVE-2026-1002'])
  await table.getByRole('button', { name: 'Details of CVE-2026-1003' }).click()
  await expect(page.getByRole('link', { name: /access\.redhat\.com/ })).toBeVisible()
  await expectAccessible(page, 'vulnerabilities')

  await page.getByRole('textbox', { name: 'Filter by identifier or package' }).fill('1002')
  await expect(table.getByRole('rowheader')).toHaveText(['CVE-2026-1002'])
  await expect(page).toHaveURL(/vulnerability=1002/)
  await page.reload()
  await expect(table.getByRole('rowheader')).toHaveText(['CVE-2026-1002'])

  await table.getByRole('link', { name: component }).click()
  await page.getByRole('tab', { name: 'Vulnerabilities' }).click()
  const builds = page.getByRole('table', { name: 'Builds' })
  await expect(builds.getByRole('row', { name: /second/ })).toContainText('1 arrived, 1 fixed')
  await builds.getByRole('button', { name: 'Details of second' }).click()
  await expect(page.getByText('CVE-2026-1001 (openssl-libs)')).toBeVisible()
  await expectAccessible(page, 'vulnerabilities-component')

  await page.goto(`${paths.search()}?q=CVE-2026-1003`)
  await page.getByRole('link', { name: 'Components with CVE-2026-1003' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Components with CVE-2026-1003' })).toBeVisible()
  const components = page.getByRole('table', { name: 'Components' })
  // The last used namespace comes first.
  const row = components.getByRole('row').filter({ has: page.getByRole('link', { name: namespace, exact: true }) })
  await expect(row).toContainText('3.0.7-28')
  await expect(row).toContainText('No release is known')
  await expect(page.getByText(/^Looked at \d+ of \d+ components? in \d+ of \d+ namespaces?\./)).toBeVisible()
  await row.getByRole('button', { name: `Details of ${component}` }).click()
  await expect(page.getByText(/ with 2222222$/)).toBeVisible()
  await expectAccessible(page, 'vulnerabilities-all-namespaces')
})
