import { paths } from '@slipway/console/paths'
import type { KubeClient } from '@slipway/kube/client'
import { annotations, labels } from '@slipway/model/labels'
import { applicationType } from '@slipway/model/builds/application'
import { pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { taskRunType } from '@slipway/model/runs/task-run'
import { anApplication, aPipelineRun, aTaskRun, condition } from '@slipway/model/testing'
import { expect, expectAccessible, signIn, test } from './fixtures'

const application = 'checkout'
const hourMs = 3_600_000

interface RunOf {
  hoursAgo: number
  isGreen?: boolean
  component?: string
  commit?: string
  hermetic?: string
}

/** A build that has ended, with its only task. */
async function createBuild(
  system: KubeClient,
  namespace: string,
  name: string,
  { hoursAgo, isGreen = false, component = 'api', commit = 'a', hermetic = 'false' }: RunOf,
) {
  const time = (minutes: number) =>
    new Date(Date.now() - hoursAgo * hourMs + minutes * 60_000).toISOString().replace(/\.\d+/, '')
  const status = {
    startTime: time(0),
    completionTime: time(3),
    conditions: [condition('Succeeded', isGreen ? 'True' : 'False')],
  }
  const run = await system.create(
    pipelineRunType,
    aPipelineRun({
      metadata: {
        name,
        namespace,
        labels: {
          [labels.application]: application,
          [labels.component]: component,
          [labels.commitSha]: commit.repeat(40),
          [labels.eventType]: 'push',
        },
        annotations: { [annotations.branch]: 'main' },
      },
      spec: { params: [{ name: 'hermetic', value: hermetic }] },
    }),
  )
  await system.replaceStatus(pipelineRunType, { ...run, status })
  const taskRun = await system.create(
    taskRunType,
    aTaskRun({
      metadata: {
        name: `${name}-build`,
        namespace,
        labels: { [labels.component]: component, [labels.pipelineRun]: name },
      },
    }),
  )
  const terminated = { exitCode: isGreen ? 0 : 1, reason: isGreen ? 'Completed' : 'Error' }
  await system.replaceStatus(taskRunType, {
    ...taskRun,
    status: { ...status, podName: `${name}-pod`, steps: [{ name: 'build', terminated }] },
  })
}

test('a failed run is compared with the last green one, and its failure is found in other runs', async ({
  page,
  namespace,
  system,
}) => {
  await system.create(applicationType, anApplication({ metadata: { name: application, namespace } }))
  const create = (name: string, run: RunOf) => createBuild(system, namespace, name, run)
  await create('green', { hoursAgo: 9, isGreen: true })
  await create('outage-web', { hoursAgo: 5, component: 'web' })
  await create('outage-worker', { hoursAgo: 4, component: 'worker' })
  await create('outage-worker-again', { hoursAgo: 3, component: 'worker', isGreen: true })
  await create('outage-api', { hoursAgo: 2, commit: 'b', hermetic: 'true' })
  await page.route(/\/pods\/([^/]+)-pod\/log/, (route) => {
    const isGreen = /\/pods\/(?:green|outage-worker-again)-pod\//.test(route.request().url())
    const last = isGreen ? 'pushed the image' : 'error: Get "https://proxy.test/x": dial tcp: i/o timeout'
    return route.fulfill({ body: `fetching\n${last}\n`, contentType: 'text/plain' })
  })
  const run = { namespace, application, pipelineRun: 'outage-api' }

  await signIn(page, 'admin', paths.pipelineRun(run))
  await page.getByRole('link', { name: 'Compare with last green' }).click()
  const differences = page.getByRole('table', { name: 'Differences' })
  await expect(differences.getByRole('rowheader').first()).toHaveText('hermetic')
  await expect(differences.getByRole('rowheader').nth(1)).toHaveText('Commit')
  await expect(page.getByRole('region', { name: 'Lines that only outage-api has written' })).toHaveText(/i\/o timeout/)
  await expectAccessible(page, 'compare-runs')
  await page.getByRole('link', { name: 'Swap' }).click()
  await expect(page).toHaveURL(/\/pipelineruns\/green\/compare\?with=outage-api$/)
  await expect(differences.getByRole('rowheader').first()).toHaveText('hermetic')

  await page.goto(paths.pipelineRun(run))
  // Without a request, since the service for list views has found the failed runs.
  await expect(page.getByText('Seen 3 times in 7 days in 3 components')).toBeVisible()
  await expectAccessible(page, 'same-failure')
  await page.getByRole('link', { name: 'View pattern' }).click()
  const patterns = page.getByRole('table', { name: 'Failure patterns' })
  await expect(patterns.getByRole('rowheader')).toHaveCount(1)
  await expect(patterns.getByRole('row').nth(1)).toContainText('Infrastructure')
  await expect(page.getByText('3 of 3 failed runs of the last 7 days were read.')).toBeVisible()
  await patterns.getByRole('button', { name: /^Details of / }).click()
  await expect(page.getByRole('list', { name: /^Runs with / }).getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page, 'failure-patterns')
})
