import { labels } from '@slipway/model/labels'
import type { TaskRun } from '@slipway/model/runs/task-run'
import { anApplication, aTaskRun, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace } from '../../../test/cluster'
import { ended, putPod } from '../../../test/pod-logs'
import { renderRoute } from '../../../test/render-route'
import { layOut } from '../../../test/run-logs'
import { paths } from '../../paths'

const name = 'checkout-api-on-push-x4k2p-build'
const pipelineRun = 'checkout-api-on-push-x4k2p'
const params = { namespace, application: 'checkout', taskRun: name }
const succeeded = (over: TaskRun['status'] = {}) =>
  aTaskRun({
    status: {
      startTime: '2026-01-31T09:00:00Z',
      completionTime: '2026-01-31T09:01:05Z',
      conditions: [condition('Succeeded', 'True')],
      ...over,
    },
  })
const failed = aTaskRun({
  status: { conditions: [{ ...condition('Succeeded', 'False', 'Failed'), message: 'step build exited with 1' }] },
})
const detail = async (term: string) => {
  const found = await screen.findByText(term, { selector: 'dt *' })
  return within(found.closest('div') as HTMLElement).getByRole('definition')
}

describe('a task run without a tab', () => {
  it('TASK-01, TASK-03, TASK-05 redirects to the details if it has succeeded', async () => {
    await renderRoute(paths.taskRun(params), { objects: [anApplication(), succeeded()] })
    await waitFor(() => expect(location.pathname).toBe(paths.taskRunDetails(params)))
    expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual(['Details', 'Logs'])
  })

  it('TASK-06 redirects to the logs if it has not succeeded', async () => {
    await renderRoute(paths.taskRun(params), { objects: [anApplication(), failed] })
    await waitFor(() => expect(location.pathname).toBe(paths.taskRunLogs(params)))
    expect(await screen.findByText('No logs found.')).toBeVisible()
  })
})

describe('details', () => {
  it('TASK-07 have breadcrumbs with the pipeline run', async () => {
    await renderRoute(paths.taskRunDetails(params), { objects: [anApplication(), succeeded()] })
    await screen.findAllByRole('link', { name: pipelineRun })
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    const links = crumbs.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
    expect(links).toEqual([
      ['Pipeline runs', paths.activityTab({ ...params, activityTab: 'pipelineruns' })],
      [pipelineRun, paths.pipelineRun({ ...params, pipelineRun })],
      ['Task runs', paths.pipelineRunTaskRuns({ ...params, pipelineRun })],
    ])
    expect(crumbs.getByText(name)).toBeVisible()
  })

  const facts = async () => {
    const run = succeeded({
      conditions: [{ ...condition('Succeeded', 'True'), message: 'All Steps have completed executing' }],
      taskSpec: { description: 'Builds an image' },
      steps: [{ name: 'push', terminated: { exitCode: 0, reason: 'Completed' } }],
    })
    await renderRoute(paths.taskRunDetails(params), { objects: [anApplication(), run] })
  }

  it('TASK-08, TASK-16 shows name, namespace, labels and annotations', async () => {
    await facts()
    expect(await detail('Name')).toHaveTextContent(name)
    expect(await detail('Namespace')).toHaveTextContent(namespace)
    expect(await detail('Labels')).toHaveTextContent(`${labels.application}checkout`)
    expect(await detail('Annotations')).toHaveTextContent('-')
  })

  it('TASK-09, TASK-11 shows when it ran, and how it ended', async () => {
    await facts()
    expect(await detail('Created at')).toHaveTextContent(/now|ago/i)
    expect(await detail('Duration')).toHaveTextContent('1m 5s')
    expect(await detail('Status')).toHaveTextContent('Succeeded')
    expect(await detail('Message')).toHaveTextContent('All Steps have completed executing')
  })

  it('TASK-10, TASK-13 shows what it belongs to', async () => {
    await facts()
    expect(await detail('Task')).toHaveTextContent('build')
    expect(await detail('Description')).toHaveTextContent('Builds an image')
    expect(await detail('Steps')).toHaveTextContent('push')
    expect(within(await detail('Pipeline run')).getByRole('link')).toHaveTextContent(pipelineRun)
    expect(await detail('Application')).toHaveTextContent('checkout')
    expect(await detail('Component')).toHaveTextContent('checkout-api')
  })

  it('TASK-15 name the task of the cluster that it runs, if no pipeline names it, and show its log', async () => {
    const run = aTaskRun({
      metadata: { labels: { [labels.pipelineTask]: undefined, [labels.task]: undefined } },
      spec: { taskSpec: undefined, taskRef: { name: 'buildah' } },
      status: { ...succeeded().status, podName: 'buildah-pod', taskSpec: { description: 'Builds an image' } },
    })
    const { cluster, router } = await renderRoute(paths.taskRunDetails(params), { objects: [anApplication(), run] })
    expect(await detail('Task')).toHaveTextContent('buildah')
    expect(await detail('Name')).toHaveTextContent(name)
    expect(await detail('Status')).toHaveTextContent('Succeeded')
    expect(await detail('Description')).toHaveTextContent('Builds an image')
    // From startTime to completionTime.
    expect(await detail('Duration')).toHaveTextContent('1m 5s')
    await router.navigate(paths.taskRunLogs(params))
    await waitFor(() =>
      expect(cluster.calls.map(({ path }) => path)).toContainEqual(expect.stringContaining('/pods/buildah-pod')),
    )
  })

  it.each<[string, object]>([
    [
      'TASK-14, TASK-15 in the format of the current API',
      { results: [{ name: 'IMAGE_URL', value: 'registry.test/api' }] },
    ],
    [
      'TASK-14, TASK-18 in the format of older APIs',
      { taskResults: [{ name: 'IMAGE_URL', value: 'registry.test/api' }] },
    ],
  ])('show results %s', async (_, results) => {
    await renderRoute(paths.taskRunDetails(params), { objects: [anApplication(), succeeded(results)] })
    expect(await screen.findByRole('row', { name: /IMAGE_URL registry.test\/api/ })).toBeVisible()
  })

  it('TASK-11, TASK-12 explain a failure, and link to its log', async () => {
    const run = aTaskRun({
      status: {
        podName: 'gone',
        conditions: failed.status?.conditions,
        steps: [{ name: 'build', terminated: { exitCode: 1, reason: 'Error' } }],
      },
    })
    await renderRoute(paths.taskRunDetails(params), { objects: [anApplication(), run] })
    expect(await detail('Message')).toHaveTextContent('Failure - check logs for details. step build exited with 1')
    const snippet = await detail('Log snippet')
    expect(within(snippet).getByRole('link', { name: 'See logs' })).toHaveAttribute('href', paths.taskRunLogs(params))
    await waitFor(() => expect(snippet).toHaveTextContent('Logs are no longer accessible for build task'))
  })

  it('TASK-11, TASK-17 explain that the image of a step could not be pulled, without a log', async () => {
    const message = 'The step "build" in TaskRun "build" failed to pull the image "q/tools".'
    const reason = 'TaskRunImagePullFailed'
    const run = aTaskRun({
      status: {
        podName: 'gone',
        conditions: [{ ...condition('Succeeded', 'False', reason), message }],
        steps: [{ name: 'build', terminated: { exitCode: 1, reason } }],
      },
    })
    await renderRoute(paths.taskRunDetails(params), { objects: [anApplication(), run] })
    expect(await detail('Message')).toHaveTextContent(message)
    expect(await detail('Steps')).toHaveTextContent(`buildFailed-${message}`)
    expect(screen.queryByText('Log snippet')).not.toBeInTheDocument()
  })

  it('shows how its sidecars ended', async () => {
    const sidecars = [{ name: 'docker', terminated: { exitCode: 137, reason: 'OOMKilled' } }]
    await renderRoute(paths.taskRunDetails(params), { objects: [anApplication(), succeeded({ sidecars })] })
    expect(await detail('Sidecars')).toHaveTextContent('dockerFailed')
    expect(await detail('Sidecars')).toHaveTextContent('OOMKilled, exit code 137')
  })

  it('survive a task run with nothing but a name', async () => {
    const bare = aTaskRun({ metadata: { labels: undefined }, spec: { taskSpec: undefined } })
    await renderRoute(paths.taskRunDetails(params), { objects: [bare] })
    expect(await detail('Status')).toHaveTextContent('Pending')
    expect(await detail('Pipeline run')).toHaveTextContent('-')
  })
})

describe('a task that was retried', () => {
  const steps = [{ name: 'build', container: 'step-build', ...ended(1) }]
  const run = succeeded({
    podName: 'build-pod-retry1',
    steps: [{ name: 'build', container: 'step-build', ...ended() }],
    retriesStatus: [{ podName: 'build-pod', conditions: [condition('Succeeded', 'False', 'Failed')], steps }],
  })

  it('says how often it was tried before, and how long it took with all attempts', async () => {
    const startTime = '2026-01-31T09:00:30Z'
    const tried = succeeded({
      startTime,
      completionTime: '2026-01-31T09:00:43Z',
      retriesStatus: [{ startTime: '2026-01-31T09:00:00Z', completionTime: startTime }],
    })
    await renderRoute(paths.taskRunDetails(params), { objects: [anApplication(), tried] })
    expect(await detail('Earlier tries')).toHaveTextContent('1')
    expect(await detail('Duration')).toHaveTextContent('43 seconds')
  })

  it('shows the log of its last attempt, and that of an earlier one on request', async () => {
    layOut()
    const { user, cluster } = await renderRoute(paths.taskRunDetails(params), { objects: [anApplication(), run] })
    await putPod(cluster.system, 'build-pod', { 'step-build': { state: ended(1), log: 'could not connect\n' } })
    await putPod(cluster.system, 'build-pod-retry1', { 'step-build': { state: ended(), log: 'built\n' } })
    await user.click(await screen.findByRole('tab', { name: 'Logs' }))
    const choice = await screen.findByRole('combobox', { name: 'Attempt' })
    expect(
      within(choice)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Attempt 1 of 2 (Failed)', 'Attempt 2 of 2 (Succeeded)'])
    const logs = () => cluster.calls.filter(({ path }) => path.includes('/log?')).map(({ path }) => path)
    await waitFor(() => expect(logs().some((path) => path.includes('/pods/build-pod-retry1/'))).toBe(true))
    expect(logs().some((path) => path.includes('/pods/build-pod/'))).toBe(false)
    await user.selectOptions(choice, 'Attempt 1 of 2 (Failed)')
    await waitFor(() => expect(logs().some((path) => path.includes('/pods/build-pod/'))).toBe(true))
    await waitFor(() => expect(location.search).toBe('?attempt=build-pod'))
    await user.selectOptions(choice, 'Attempt 2 of 2 (Succeeded)')
    await waitFor(() => expect(location.search).toBe(''))
  })
})
