import { paths } from '@slipway/console/paths'
import { componentType } from '@slipway/model/builds/component'
import { labels } from '@slipway/model/labels'
import { aComponent, aPipelineRun } from '@slipway/model/testing'
import {
  aBuild,
  activity,
  application,
  createApplication,
  createRun,
  ended,
  ending,
  patient,
  runRow,
  rowOf,
  test,
  undisturbed,
} from './builds'
import { expect, expectAccessible, signIn } from './fixtures'

test('accessibility of an application, its activity and a commit', async ({ page, namespace, system }) => {
  await createApplication(system, namespace)
  await signIn(page, 'admin', activity(namespace, 'latest-commits'))
  await expect(page.getByText('Monitor your CI/CD activity in one place')).toBeVisible()
  await expectAccessible(page, 'commits-none')

  await system.create(
    componentType,
    aComponent({ metadata: { name: 'checkout-api', namespace, annotations: undisturbed } }),
  )
  await ended(
    system,
    await createRun(system, aBuild({ metadata: { name: 'fails', namespace }, outcomes: { clone: 'fail' } })),
  )
  await expect(rowOf(page, 'Commits', 'Round half up')).toBeVisible()
  await expectAccessible(page, 'commits')
  await page.getByRole('tab', { name: 'Pipeline runs' }).click()
  await expect(runRow(page, 'fails')).toBeVisible()
  await expectAccessible(page, 'pipeline-runs')
  await page.getByRole('button', { name: 'Manage columns' }).click()
  await expect(page.getByRole('dialog', { name: 'Manage columns' })).toBeVisible()
  await expectAccessible(page, 'manage-columns')

  await page.goto(`${paths.application({ namespace, application })}?workflow=collapsed`)
  await expect(page.getByRole('button', { name: '1 component' })).toBeVisible()
  await expectAccessible(page, 'application-overview')
  await page.goto(paths.components({ namespace, application }))
  await expect(rowOf(page, 'Components', 'checkout-api')).toBeVisible()
  await expectAccessible(page, 'components')
  await page.goto(paths.component({ namespace, application, component: 'checkout-api' }))
  await expect(page.getByRole('heading', { name: 'checkout-api', level: 1 })).toBeVisible()
  await expectAccessible(page, 'component')

  await page.goto(paths.commit({ namespace, application, commit: 'a'.repeat(40) }))
  await expect(page.getByRole('button', { name: /^Push checkout-api/ })).toBeVisible()
  await expectAccessible(page, 'commit')
  await page.getByRole('tab', { name: 'Pipeline runs' }).click()
  await expect(runRow(page, 'fails')).toBeVisible()
  await expectAccessible(page, 'commit-pipeline-runs')
})

test('accessibility of a run: graph, panel, list, timeline, task runs, logs', async ({ page, namespace, system }) => {
  await createApplication(system, namespace)
  const run = aBuild({ metadata: { name: 'fails', namespace }, outcomes: { compile: 'fail' } })
  await ended(system, await createRun(system, run))
  const at = { namespace, application, pipelineRun: 'fails' }
  await signIn(page, 'admin', paths.pipelineRun(at))
  const compile = page.getByRole('button', { name: /^compile, Failed/ })
  await expect(compile).toBeVisible()
  await expect(page.getByText('Error: exit status 1')).toBeVisible(patient)
  await expectAccessible(page, 'run')
  await compile.click()
  await expect(page.getByRole('region', { name: 'compile', exact: true })).toBeVisible()
  await expectAccessible(page, 'run-panel')
  await page.goto(`${paths.pipelineRun(at)}?view=list&selected=compile&panel=logs`)
  await expect(page.getByRole('log')).toContainText('compiled file 1', patient)
  await expectAccessible(page, 'run-list-panel-logs')
  await page.goto(`${paths.pipelineRun(at)}?view=timeline`)
  await expect(page.getByRole('button', { name: 'Timeline', pressed: true })).toBeVisible()
  await expectAccessible(page, 'run-timeline')
  await page.goto(`${paths.pipelineRun(at)}?yaml`)
  await expect(page.getByRole('dialog')).toContainText('kind: PipelineRun')
  await expectAccessible(page, 'run-yaml')

  await page.goto(paths.pipelineRunTaskRuns(at))
  const taskRun = page.getByRole('link', { name: 'fails-compile' })
  await expect(taskRun).toBeVisible()
  await expectAccessible(page, 'run-task-runs')
  await page.goto(`${paths.pipelineRunLogs(at)}?task=compile`)
  await page.getByRole('textbox', { name: 'Find in the log of compile' }).fill('file 14')
  await expect(page.getByText(/found in the whole run/)).toBeVisible(patient)
  await expectAccessible(page, 'run-logs-search')
  // In a worker, which must be a script of this build.
  await page.goto(`${paths.pipelineRunLogs(at)}?task=compile&find=${encodeURIComponent('file 1[45]')}&findAs=regex`)
  await expect(page.getByText(/found in the whole run/)).toBeVisible(patient)

  await page.goto(paths.taskRunDetails({ namespace, application, taskRun: 'fails-compile' }))
  await expect(page.getByText('Error: exit status 1')).toBeVisible(patient)
  await expectAccessible(page, 'task-run')
  await page.getByRole('tab', { name: 'Logs' }).click()
  await expect(page.getByRole('log')).toContainText('compiled file 1')
  await expectAccessible(page, 'task-run-logs')
})

test('accessibility of the Enterprise Contract report of a run', async ({ page, namespace, system }) => {
  await createApplication(system, namespace)
  const run = aPipelineRun({
    metadata: {
      name: 'contract',
      namespace,
      labels: {
        [labels.pipelineType]: 'test',
        [labels.buildPipeline]: 'enterprise-contract',
        [labels.scenario]: 'enterprise-contract',
        [labels.snapshot]: 'checkout-1',
      },
      annotations: ending({ verify: 'failure' }),
    },
    spec: {
      taskRunTemplate: { serviceAccountName: 'default' },
      pipelineSpec: undefined,
      pipelineRef: { resolver: 'git', params: [{ name: 'pathInRepo', value: 'pipelines/enterprise-contract.yaml' }] },
      params: [
        {
          name: 'SNAPSHOT',
          value: JSON.stringify({ components: [{ name: 'checkout-api', containerImage: 'registry.test/api:1' }] }),
        },
      ],
    },
  })
  await ended(system, await createRun(system, run))
  await signIn(page, 'admin', paths.pipelineRunSecurity({ namespace, application, pipelineRun: 'contract' }))
  const toggles = page.getByRole('table', { name: 'Results' }).getByRole('button', { name: /^Details of/ })
  await toggles.first().click(patient)
  await expect(page.getByText('Rule Description').first()).toBeVisible()
  await expectAccessible(page, 'security')
})
