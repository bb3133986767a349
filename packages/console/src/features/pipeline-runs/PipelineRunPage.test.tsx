import { configMapType, roleBindingType } from '@slipway/kube/core-types'
import { annotations, labels } from '@slipway/model/labels'
import { componentType } from '@slipway/model/builds/component'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { publicInfoLocation } from '@slipway/model/platform/public-info'
import { snapshotType } from '@slipway/model/snapshots/snapshot'
import { aComponent, anApplication, aPipelineRun, aRoleBinding, aTaskRun, condition } from '@slipway/model/testing'
import { aSnapshot } from '@slipway/model/testing/tests-and-releases'
import { emailOf } from '@slipway/slipway/users'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { ended, putPod } from '../../../test/pod-logs'
import { renderRoute } from '../../../test/render-route'
import { aRun, detail, name, page, params } from '../../../test/run-page'
import { seeTooltip } from '../../../test/tooltip'
import { queryClient } from '../../api/query-client'
import { paths } from '../../paths'
import { publicInfo } from '../../resources/public-info'

const openActions = async (user: Awaited<ReturnType<typeof renderRoute>>['user']) =>
  user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
const patches = (calls: { method: string; path: string; body: unknown }[]) =>
  calls.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path.replace(/^.*v1(alpha1)?\//, ''), body])

describe('the page', () => {
  it('RUN-01, RUN-05, RUN-47, RUN-52 has tabs with URLs, and links back to the runs of the application', async () => {
    const { user } = await renderRoute(page, { objects: [anApplication(), aRun()] })
    expect(await screen.findByRole('heading', { name, level: 1 })).toBeVisible()
    const tabs = await screen.findAllByRole('tab')
    expect(tabs.map((tab) => tab.textContent)).toEqual(expect.arrayContaining(['Details', 'Task runs', 'Logs']))
    expect(screen.queryByRole('tab', { name: 'Security' })).not.toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Pipeline runs' })).toHaveAttribute(
      'href',
      paths.activityTab({ namespace, application: 'checkout', activityTab: 'pipelineruns' }),
    )
    await user.click(screen.getByRole('tab', { name: 'Task runs' }))
    expect(await screen.findByRole('heading', { name: 'No task runs found' })).toBeVisible()
    expect(location.pathname).toBe(paths.pipelineRunTaskRuns(params))
  })

  it('shows its status in the browser tab, before the title and as an icon, until it is left', async () => {
    const icon = document.createElement('link')
    Object.assign(icon, { rel: 'icon', href: '/favicon.svg' })
    document.head.append(icon)
    onTestFinished(() => icon.remove())
    const { cluster, router } = await renderRoute(page, { objects: [anApplication(), aRun()] })
    await waitFor(() => expect(document.title).toBe(`Running: ${name} - Details | Slipway`))
    const iconOfRunning = icon.href
    expect(iconOfRunning).toMatch(/^data:image\/svg/)
    const run = await cluster.system.get(pipelineRunType, name, { namespace })
    const conditions = [condition('Succeeded', 'False')]
    await cluster.system.replaceStatus(pipelineRunType, { ...run, status: { ...run.status, conditions } })
    await waitFor(() => expect(document.title).toBe(`Failed: ${name} - Details | Slipway`))
    expect(icon.href).not.toBe(iconOfRunning)
    await router.navigate(paths.about())
    await waitFor(() => expect(document.title).toBe('About Slipway | Slipway'))
    expect(icon).toHaveAttribute('href', expect.stringMatching(/\/favicon\.svg$/))
  })

  it('RUN-54 shows the not-found page for a run that neither the cluster nor an archive has', async () => {
    await renderRoute(page)
    expect(await screen.findByRole('heading', { name: '404: Page not found' })).toBeVisible()
    expect(screen.getByText(/^There is no pipeline run/)).toHaveTextContent(
      `There is no pipeline run ${name} in the namespace ${namespace}.`,
    )
  })

  it('shows a run that was deleted while it ran as Unknown, with its clock stopped', async () => {
    const { cluster } = await renderRoute(page, { objects: [anApplication(), aRun()] })
    expect(await detail('Status')).toHaveTextContent('Running')
    await screen.findByRole('button', { name: 'Live' })
    await cluster.system.delete(pipelineRunType, name, { namespace })
    expect(await screen.findByText('This pipeline run was deleted')).toBeVisible()
    await waitFor(async () => expect(await detail('Status')).toHaveTextContent('Unknown'))
    expect(await detail('Duration')).toHaveTextContent('-')
    expect(screen.queryByText('Running')).not.toBeInTheDocument()
  })

  it('shows a run that was archived while it ran as Unknown', async () => {
    const archive = await fakeArchive([
      aRun({ metadata: { uid: 'kept', namespace }, spec: { pipelineSpec: undefined } }),
    ])
    await renderRoute(page, { archives: { kubeArchive: archive.plugin } })
    expect(await screen.findByRole('button', { name: 'Archive' })).toBeVisible()
    expect(await detail('Status')).toHaveTextContent('Unknown')
    expect(await detail('Duration')).toHaveTextContent('-')
    expect(screen.getByRole('heading', { name: /The outcome of this pipeline run is unknown/ })).toBeVisible()
    expect(await screen.findByText('This run has no tasks.')).toBeVisible()
    expect(screen.queryByText(/is waiting/)).not.toBeInTheDocument()
  })

  it.each([
    ['kubeArchive', 'KubeArchive'],
    ['tektonResults', 'Tekton Results'],
  ])('says that an archived run is from %s', async (plugin, archiveName) => {
    const archive = await fakeArchive([aRun({ metadata: { uid: 'kept', namespace } })])
    const { user } = await renderRoute(page, { archives: { [plugin]: archive.plugin } })
    await user.click(await screen.findByRole('button', { name: 'Archive' }))
    expect(await screen.findByText(`The archive, ${archiveName}.`)).toBeVisible()
  })

  it('says how many runs of its repository have to end before it leaves their queue, live', async () => {
    const order = { [annotations.executionOrder]: `${namespace}/before,${namespace}/${name}` }
    const ofRepository = (own: string, state: string, spec: PipelineRun['spec']) =>
      aRun({
        metadata: {
          name: own,
          labels: { [labels.repository]: 'checkout-api', [labels.runState]: state },
          annotations: order,
        },
        spec,
        status: { conditions: [] },
      })
    const { cluster } = await renderRoute(page, {
      objects: [
        anApplication(),
        ofRepository('running', 'started', {}),
        ofRepository('before', 'queued', { status: 'PipelineRunPending' }),
        ofRepository(name, 'queued', { status: 'PipelineRunPending' }),
      ],
    })
    expect(await screen.findByText(/^Waits for 2 of 2 runs of this repository to end/)).toBeVisible()
    await cluster.system.delete(pipelineRunType, 'before', { namespace })
    expect(await screen.findByText(/^Waits for 1 of 1 runs of this repository to end/)).toBeVisible()
  })

  it('marks a run that only the archive has, and disables impossible actions', async () => {
    const archived = aRun({
      metadata: { uid: 'kept', namespace, deletionTimestamp: '2026-01-31T10:00:00Z' },
      status: { conditions: [condition('Succeeded', 'True')], completionTime: '2026-01-31T09:05:00Z' },
    })
    const archive = await fakeArchive([archived])
    const { user } = await renderRoute(page, { archives: { kubeArchive: archive.plugin } })
    expect(await screen.findByRole('button', { name: 'Archive' })).toBeVisible()
    expect(screen.queryByText('This pipeline run is being deleted')).not.toBeInTheDocument()
    await openActions(user)
    expect(await screen.findByRole('menuitem', { name: 'Stop' })).toHaveAttribute('aria-disabled', 'true')
  })
})

describe('details', () => {
  const facts = async () => {
    const run = aRun({
      metadata: {
        labels: { [labels.scenario]: 'smoke', [labels.pipeline]: 'docker-build', [labels.snapshot]: 'checkout-1' },
        annotations: {
          [annotations.pacShaTitle]: 'Round half up',
          [annotations.pacRepositoryUrl]: 'https://github.com/slipway/checkout',
          [annotations.pacGitProvider]: 'github',
          [annotations.image]: 'registry.test/checkout:noted',
          [annotations.createSnapshotStatus]: '{"message":"Snapshot checkout-1 was made"}',
        },
      },
      status: {
        conditions: [{ ...condition('Succeeded', 'True'), message: 'Tasks Completed: 1' }],
        completionTime: '2026-01-31T09:01:05Z',
      },
    })
    await renderRoute(page, { objects: [anApplication(), run] })
  }

  it('RUN-29 shows name, namespace, labels and annotations', async () => {
    await facts()
    expect(await detail('Name')).toHaveTextContent(name)
    expect(await detail('Namespace')).toHaveTextContent(namespace)
    expect(await detail('Labels')).toHaveTextContent(`${labels.application}checkout`)
    expect(await detail('Annotations')).toHaveTextContent('Round half up')
  })

  it('RUN-30, RUN-32 shows when it ran, and how it ended', async () => {
    await facts()
    expect(await detail('Status')).toHaveTextContent('Succeeded')
    expect(await detail('Message')).toHaveTextContent('Tasks Completed: 1')
    expect(await detail('Duration')).toHaveTextContent('1m 5s')
    expect(await detail('Created at')).toHaveTextContent(/now|ago/i)
  })

  it('RUN-39, RUN-41 shows what it belongs to', async () => {
    await facts()
    expect(await detail('Integration test')).toHaveTextContent('smoke')
    expect(within(await detail('Component')).getByRole('link')).toHaveAttribute(
      'href',
      paths.component({ namespace, application: 'checkout', component: 'checkout-api' }),
    )
    expect(within(await detail('Application')).getByRole('link')).toHaveAttribute(
      'href',
      paths.application({ namespace, application: 'checkout' }),
    )
    expect(await detail('Commit')).toHaveTextContent('Round half up (aaaaaaa)')
    expect(within(await detail('Source')).getByRole('link')).toHaveAttribute(
      'href',
      `https://github.com/slipway/checkout/commit/${'a'.repeat(40)}`,
    )
  })

  it('RUN-49 shows the snapshot and the image from its annotations', async () => {
    await facts()
    expect(await detail('Pipeline')).toHaveTextContent('docker-build')
    expect(await detail('Snapshot')).toHaveTextContent('checkout-1')
    expect(await detail('Snapshot creation')).toHaveTextContent('Snapshot checkout-1 was made')
    expect(within(await detail('Download SBOM')).getByRole('textbox')).toHaveValue(
      'cosign download sbom registry.test/checkout:noted',
    )
  })

  it('RUN-48, RUN-50 use every label of a run and every part of its status', async () => {
    const run = aRun({
      metadata: {
        labels: {
          [labels.pipelineType]: 'test',
          [labels.eventType]: 'pull_request',
          [labels.snapshot]: 'checkout-7',
          [labels.scenario]: 'smoke',
          [labels.pullRequestNumber]: '12',
          [labels.pipeline]: 'integration',
          [annotations.pacSender]: 'ada',
        },
        annotations: { [annotations.pacRepositoryUrl]: 'https://github.com/slipway/checkout' },
      },
      status: {
        startTime: '2026-01-31T09:00:00Z',
        completionTime: '2026-01-31T09:01:05Z',
        conditions: [{ ...condition('Succeeded', 'True'), message: 'Tasks Completed: 1, Skipped: 1' }],
        results: [{ name: 'VERDICT', value: 'fine' }],
        pipelineSpec: { tasks: [{ name: 'unit' }, { name: 'lint' }], finally: [{ name: 'tidy' }] },
        skippedTasks: [{ name: 'lint', reason: 'When Expressions evaluated to false' }],
      },
    })
    const unit = aTaskRun({
      metadata: { name: 'unit', labels: { [labels.pipelineRun]: name, [labels.pipelineTask]: 'unit' } },
      status: { conditions: [condition('Succeeded', 'True')] },
    })
    await renderRoute(`${page}?view=list`, { objects: [anApplication(), run, unit] })
    expect(await detail('Application')).toHaveTextContent('checkout')
    expect(await detail('Component')).toHaveTextContent('checkout-api')
    expect(await detail('Pipeline')).toHaveTextContent('integration')
    expect(await detail('Snapshot')).toHaveTextContent('checkout-7')
    expect(await detail('Integration test')).toHaveTextContent('smoke')
    expect(await detail('Status')).toHaveTextContent('Succeeded')
    expect(await detail('Message')).toHaveTextContent('Tasks Completed: 1, Skipped: 1')
    expect(await detail('Duration')).toHaveTextContent('1m 5s')
    expect(screen.getByRole('row', { name: /VERDICT fine/ })).toBeVisible()
    const tasks = await screen.findByRole('list', { name: `Tasks of ${name}` })
    const rows = within(tasks)
      .getAllByRole('listitem')
      .map((row) => row.textContent)
    expect(rows[0]).toMatch(/^unit.*Succeeded/)
    expect(rows[1]).toMatch(/^lint.*Skipped/)
    expect(rows[2]).toMatch(/^tidy.*finally.*Idle/)
  })

  it('RUN-31, RUN-35, RUN-36, RUN-37, RUN-38, RUN-44 show the outputs of a build', async () => {
    const run = aRun({
      metadata: { annotations: { [annotations.createSnapshotStatus]: '{"message":"Snapshot checkout-1 was made"}' } },
      status: {
        conditions: [condition('Succeeded', 'True')],
        results: [
          { name: 'IMAGE_URL', value: 'registry.test/api:1' },
          { name: 'IMAGE_DIGEST', value: 'sha256:aa' },
          { name: 'TEST_OUTPUT', value: '{"result":"FAILURE","successes":1,"failures":2,"note":"See the log."}' },
          { name: 'SCAN_OUTPUT', value: '{"vulnerabilities":{"critical":1,"low":2}}' },
          { name: 'HACBS_TEST_OUTPUT', value: '{"result":"MAYBE"}' },
        ],
      },
    })
    const { cluster } = await renderRoute(page, { objects: [anApplication(), run] })
    expect(await detail('Snapshot creation')).toHaveTextContent('Snapshot checkout-1 was made')
    expect(within(await detail('Download SBOM')).getByRole('textbox')).toHaveValue(
      'cosign download sbom registry.test/api@sha256:aa',
    )
    expect(screen.queryByRole('link', { name: /View SBOM/ })).not.toBeInTheDocument()
    const results = screen.getByRole('table', { name: 'Results' })
    expect(within(results).getByRole('row', { name: /IMAGE_DIGEST sha256:aa/ })).toBeVisible()
    for (const [name, report] of [
      ['TEST_OUTPUT', 'Failure: 1 success, 2 failures, 0 warnings. See the log.'],
      ['SCAN_OUTPUT', '1 critical and 2 low vulnerabilities'],
      ['HACBS_TEST_OUTPUT', '{"result":"MAYBE"}'],
    ]) {
      expect(within(results).getByRole('row', { name: new RegExp(`^${name}`) })).toHaveTextContent(report ?? '')
    }

    // A first read that is still in flight would be shared instead of repeated.
    await waitFor(() => expect(queryClient.getQueryData(publicInfo.get().queryKey)).toBeDefined())
    expect(screen.queryByRole('link', { name: /View SBOM/ })).not.toBeInTheDocument()
    const { namespace: place, name: map } = publicInfoLocation
    const info = await cluster.system.get(configMapType, map, { namespace: place })
    const sbom = { integrations: { sbom_server: { url: 'https://sbom.test/<PLACEHOLDER>' } } }
    await cluster.system.replace(configMapType, { ...info, data: { 'info.json': JSON.stringify(sbom) } })
    await queryClient.invalidateQueries({ queryKey: publicInfo.get().queryKey })
    expect(await screen.findByRole('link', { name: /View SBOM/ })).toHaveAttribute(
      'href',
      'https://sbom.test/sha256:aa',
    )
  })

  it('RUN-42, RUN-43 list the other runs of the same commit on demand', async () => {
    const others = { [labels.commitSha]: 'a'.repeat(40), [labels.pipelineType]: 'test' }
    const { user, cluster } = await renderRoute(page, { objects: [anApplication(), aRun()] })
    await user.click(await screen.findByRole('button', { name: 'Show related runs' }))
    const popover = within(await screen.findByRole('dialog'))
    expect(await popover.findByText('No related pipelines')).toBeVisible()
    await cluster.system.create(pipelineRunType, aPipelineRun({ metadata: { name: 'its-test', labels: others } }))
    expect(await popover.findByRole('link', { name: 'its-test' })).toHaveAttribute(
      'href',
      paths.pipelineRun({ ...params, pipelineRun: 'its-test' }),
    )
  })

  it('RUN-45 say that a failed run has no results', async () => {
    await renderRoute(page, {
      objects: [aRun({ status: { conditions: [condition('Succeeded', 'False', 'Failed')] } })],
    })
    expect(await screen.findByText('No results available due to failure')).toBeVisible()
  })

  it.each([
    ['STAT-47', 'StoppedRunFinally', 'This pipeline run was cancelled'],
    ['STAT-48', 'CancelledRunFinally', 'This pipeline run was cancelled'],
    ['STAT-49', 'PipelineRunTimeout', 'This pipeline run has failed'],
  ])('%s show the message of a run that ended with %s', async (_, reason, heading) => {
    const message = 'as somebody has wanted'
    const ended = { conditions: [{ ...condition('Succeeded', 'False', reason), message }] }
    const blameless = aTaskRun({ status: { conditions: [condition('Succeeded', 'False', 'Failed')] } })
    await renderRoute(page, { objects: [anApplication(), aRun({ status: ended }), blameless] })
    const card = await screen.findByRole('heading', { name: new RegExp(heading) })
    expect(card.closest('.slipway-run-failure')).toHaveTextContent(message)
  })

  it('RUN-33, STAT-49 name the tasks that were running when the time was over, with links to their logs', async () => {
    const message = 'TaskRun "build" was cancelled. TaskRun cancelled as the PipelineRun it belongs to has timed out.'
    const cut = aTaskRun({
      status: { conditions: [{ ...condition('Succeeded', 'False', 'TaskRunCancelled'), message }] },
    })
    const status = { conditions: [condition('Succeeded', 'False', 'PipelineRunTimeout')] }
    await renderRoute(page, { objects: [anApplication(), aRun({ status }), cut] })
    const title = await screen.findByRole('heading', { name: /This pipeline run has failed/ })
    const card = title.closest('.slipway-run-failure') as HTMLElement
    await waitFor(() => expect(card).toHaveTextContent('Still running when the time was over: build'))
    expect(within(card).getByRole('link', { name: 'build' })).toHaveAttribute(
      'href',
      `${paths.pipelineRunLogs(params)}?task=build`,
    )
  })

  it('RUN-33, STAT-18 name the tests that have failed in a run that has succeeded', async () => {
    const output = { result: 'FAILURE', failures: 2, note: 'See the suite.' }
    const tested = aTaskRun({
      status: {
        podName: 'build-pod',
        conditions: [condition('Succeeded', 'True')],
        results: [{ name: 'TEST_OUTPUT', value: JSON.stringify(output) }],
        steps: [{ name: 'test', container: 'step-test', ...ended(0) }],
      },
    })
    const own = { labels: { [labels.scenario]: 'e2e' } }
    const run = aRun({ metadata: own, status: { conditions: [condition('Succeeded', 'True')] } })
    const { cluster, router } = await renderRoute(paths.about(), { objects: [anApplication(), run, tested] })
    await putPod(cluster.system, 'build-pod', {
      'step-test': { state: ended(0), log: 'start\n--- FAIL: TestRefund (0.02s)\n--- FAIL: TestCart (0.02s)\n' },
    })
    await router.navigate(page)
    const title = await screen.findByRole('heading', { name: /Tests have failed in task build/ })
    const card = within(title.closest('.slipway-run-failure') as HTMLElement)
    expect(card.getByText('build: 2 failures. See the suite.')).toBeVisible()
    expect(await card.findByRole('link', { name: 'TestCart' })).toHaveAttribute(
      'href',
      `${paths.pipelineRunLogs(params)}?task=build#Ltest:3`,
    )
    expect(card.getByText(/^Failed tests:/)).toHaveTextContent('Failed tests: TestRefund, TestCart')
  })

  it('RUN-33, STAT-19 say that tests could not be run, without a number of failures', async () => {
    const output = { result: 'ERROR', failures: 0, note: 'The tool could not be started.' }
    const tested = aTaskRun({
      status: {
        conditions: [condition('Succeeded', 'True')],
        results: [{ name: 'TEST_OUTPUT', value: JSON.stringify(output) }],
      },
    })
    const run = aRun({
      metadata: { labels: { [labels.scenario]: 'e2e' } },
      status: { conditions: [condition('Succeeded', 'True')] },
    })
    await renderRoute(page, { objects: [anApplication(), run, tested] })
    const title = await screen.findByRole('heading', { name: /Tests could not be run in task build/ })
    expect(title.closest('.slipway-run-failure')).toHaveTextContent(
      /build: The tool could not be started\.$|build: The tool could not be started\.See logs/,
    )
  })

  it('RUN-33 name the violated rules in place of a summary', async () => {
    const report = {
      components: [
        {
          name: 'api',
          violations: [{ msg: 'no', metadata: { code: 'tests.signed', title: 'Signed', solution: 'Sign.' } }],
        },
      ],
    }
    const verify = aTaskRun({
      metadata: { labels: { [labels.pipelineTask]: 'verify' } },
      status: {
        podName: 'build-pod',
        conditions: [{ ...condition('Succeeded', 'False', 'Failed'), message: 'exit status 1' }],
        results: [
          { name: 'TEST_OUTPUT', value: '{"result":"FAILURE","failures":1,"warnings":2,"note":"It is not signed."}' },
        ],
        steps: [
          { name: 'report-json', container: 'step-report-json', ...ended(0) },
          { name: 'assert', container: 'step-assert', ...ended(1) },
        ],
      },
    })
    const run = aRun({ status: { conditions: [condition('Succeeded', 'False', 'Failed')] } })
    const { cluster, router } = await renderRoute(paths.about(), { objects: [anApplication(), run, verify] })
    await putPod(cluster.system, 'build-pod', {
      'step-report-json': { state: ended(0), log: JSON.stringify(report) },
      'step-assert': { state: ended(1), log: '"result": "FAILURE"\n' },
    })
    await router.navigate(page)
    const rules = await screen.findByRole('list', { name: 'Violated rules:' })
    expect(within(rules).getByText('Signed')).toBeVisible()
    expect(within(rules).getByRole('link', { name: 'api' })).toHaveAttribute(
      'href',
      paths.component({ ...params, component: 'api' }),
    )
    expect(rules).toHaveTextContent('Signed tests.signedapi: noTo do: Sign.')
    expect(screen.getByRole('link', { name: 'See logs' })).toHaveAttribute(
      'href',
      `${paths.pipelineRunLogs(params)}?task=verify`,
    )
    expect(screen.queryByText(/"result": "FAILURE"/)).not.toBeInTheDocument()
    expect(screen.getByText('It reports 1 failure, 2 warnings. It is not signed.')).toBeVisible()
    expect(screen.getByRole('link', { name: 'See the policy report' })).toHaveAttribute(
      'href',
      paths.taskRunSecurity({ ...params, taskRun: verify.metadata.name ?? '' }),
    )
  })

  it('RUN-33, STAT-45 name the task that ran too long', async () => {
    const late = aTaskRun({ status: { conditions: [condition('Succeeded', 'False', 'TaskRunTimeout')] } })
    const status = { conditions: [condition('Succeeded', 'False', 'Failed')] }
    await renderRoute(page, { objects: [anApplication(), aRun({ status }), late] })
    expect(await screen.findByRole('heading', { name: /Task build timed out/ })).toBeVisible()
  })

  it('RUN-33, STAT-45 name the task whose image could not be pulled, in the words of the cluster', async () => {
    const message = 'The step "build" in TaskRun "build" failed to pull the image "q/tools".'
    const reason = 'TaskRunImagePullFailed'
    const pulled = aTaskRun({
      status: {
        podName: 'gone',
        conditions: [{ ...condition('Succeeded', 'False', reason), message }],
        steps: [{ name: 'build', terminated: { exitCode: 1, reason } }],
      },
    })
    const status = { conditions: [condition('Succeeded', 'False', 'Failed')] }
    await renderRoute(page, { objects: [anApplication(), aRun({ status }), pulled] })
    const title = await screen.findByRole('heading', { name: /Task build could not start/ })
    const card = title.closest('.slipway-run-failure') as HTMLElement
    expect(card).toHaveTextContent(message)
    expect(card).not.toHaveTextContent(/exit code|Container|no longer accessible|See logs/)
  })

  it('RUN-33, STAT-45, STAT-46 name the failed step, with its log lines and a link to them', async () => {
    const failed = aTaskRun({
      status: {
        podName: 'build-pod',
        conditions: [{ ...condition('Succeeded', 'False', 'Failed'), message: 'step build exited with 1' }],
        steps: [{ name: 'build', container: 'step-build', ...ended(1) }],
      },
    })
    const { cluster, router } = await renderRoute(paths.about(), {
      objects: [anApplication(), aRun({ status: { conditions: [condition('Succeeded', 'False', 'Failed')] } }), failed],
    })
    await putPod(cluster.system, 'build-pod', {
      'step-build': { state: ended(1), log: 'fine\nerror: no such file\nbye\n' },
    })
    await router.navigate(page)
    const title = await screen.findByRole('heading', { name: /Task build failed in step build \(exit code 1\)/ })
    const card = within(title.closest('.slipway-run-failure') as HTMLElement)
    expect(card.getByText('step build exited with 1')).toBeVisible()
    expect(card.getByText('Container step-build of pod build-pod')).toBeVisible()
    expect(await card.findByText(/error: no such file/)).toBeVisible()
    expect(card.getByRole('link', { name: 'See logs' })).toHaveAttribute(
      'href',
      `${paths.pipelineRunLogs(params)}?task=build#Lbuild:2`,
    )
  })

  it('LOG-14 take an empty name of a pod for no pod, and say that there is no log', async () => {
    const failed = aTaskRun({
      status: {
        podName: '',
        conditions: [{ ...condition('Succeeded', 'False', 'Failed'), message: 'step build exited with 1' }],
        steps: [{ name: 'build', container: 'step-build', ...ended(1) }],
      },
    })
    const status = { conditions: [condition('Succeeded', 'False', 'Failed')] }
    await renderRoute(page, { objects: [anApplication(), aRun({ status }), failed] })
    const title = await screen.findByRole('heading', { name: /Task build failed in step build/ })
    const card = within(title.closest('.slipway-run-failure') as HTMLElement)
    expect(await card.findByText(/no longer|not found|No log/i)).toBeVisible()
    expect(card.queryByText(/cannot be named/)).not.toBeInTheDocument()
  })

  it('survive invalid labels and annotations, and a run without either', async () => {
    const bare = aPipelineRun({ metadata: { name, labels: undefined }, spec: { pipelineSpec: undefined } })
    await renderRoute(page, { objects: [bare] })
    expect(await detail('Status')).toHaveTextContent('Pending')
    expect(await detail('Commit')).toHaveTextContent('-')
  })
})

describe('the actions on a run', () => {
  // Some have a description below the label.
  const item = (label: string) => screen.findByRole('menuitem', { name: new RegExp(`^${label}($|Builds)`) })

  it('RUN-07, RUN-08, RUN-09 the actions are Rerun, Stop and Cancel', async () => {
    const { user } = await renderRoute(page, { objects: [anApplication(), aRun()] })
    await openActions(user)
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'RerunBuilds the newest commit of its branch',
      'Stop',
      'Cancel',
      'View YAML',
    ])
  })

  it('RUN-09, RUN-22 include Stop next to the title while it runs, then Rerun, there and in the card of its failure', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [anApplication(), aComponent(), aRun()] })
    expect(await screen.findByRole('button', { name: 'Stop' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Rerun' })).not.toBeInTheDocument()
    const run = await cluster.system.get(pipelineRunType, name, { namespace })
    const conditions = [condition('Succeeded', 'False', 'Failed')]
    await cluster.system.replaceStatus(pipelineRunType, { ...run, status: { ...run.status, conditions } })
    const title = await screen.findByRole('heading', { name: /This pipeline run has failed/ })
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Rerun' })).toHaveLength(2))
    expect(screen.queryByRole('button', { name: 'Stop' })).not.toBeInTheDocument()
    const card = within(title.closest('.slipway-run-failure') as HTMLElement)
    await user.click(card.getByRole('button', { name: 'Rerun' }))
    expect(await screen.findByText(/Rerun requested/)).toBeVisible()
    const { metadata } = await cluster.system.get(componentType, 'checkout-api', { namespace })
    expect(metadata.annotations?.[annotations.buildRequest]).toBe('trigger-pac-build')
  })

  it('RUN-24 say in the card of a failure why it cannot be rerun', async () => {
    const ofPullRequest = aRun({
      metadata: { labels: { [labels.eventType]: 'pull_request' } },
      status: { conditions: [condition('Succeeded', 'False', 'Failed')] },
    })
    const { user } = await renderRoute(page, { objects: [anApplication(), ofPullRequest] })
    const title = await screen.findByRole('heading', { name: /This pipeline run has failed/ })
    const card = within(title.closest('.slipway-run-failure') as HTMLElement)
    await seeTooltip(user, card.getByRole('button', { name: 'Rerun' }), 'Comment `/retest` on pull request to rerun')
  })

  it('RUN-16, RUN-17 stops it, and says so at once', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [anApplication(), aRun()] })
    await openActions(user)
    await user.click(await item('Stop'))
    expect(await screen.findByText(/Running tasks will finish/)).toBeVisible()
    const patch = [{ op: 'replace', path: '/spec/status', value: 'StoppedRunFinally' }]
    expect(patches(cluster.calls)).toEqual([
      [`namespaces/${namespace}/pipelineruns/${name}?dryRun=All`, patch],
      [`namespaces/${namespace}/pipelineruns/${name}`, patch],
    ])
    expect(await detail('Status')).toHaveTextContent('Cancelling')
    await openActions(user)
    expect(await item('Stop')).toHaveAttribute('aria-disabled', 'true')
  })

  it('RUN-18 cancel it', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [anApplication(), aRun()] })
    await openActions(user)
    await user.click(await item('Cancel'))
    expect(
      await screen.findByText('Cancelling. Running tasks are interrupted, then finally tasks will run.'),
    ).toBeVisible()
    const { spec } = await cluster.system.get(pipelineRunType, name, { namespace })
    expect(spec.status).toBe('CancelledRunFinally')
  })

  it('RUN-16 end a run faster that is being ended already', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [anApplication(), aRun()] })
    for (const [label, status] of [
      ['Stop', 'StoppedRunFinally'],
      ['Cancel', 'CancelledRunFinally'],
      ['Cancel finally tasks too', 'Cancelled'],
    ] as const) {
      await openActions(user)
      await user.click(await item(label))
      await expect
        .poll(async () => (await cluster.system.get(pipelineRunType, name, { namespace })).spec.status)
        .toBe(status)
    }
    await openActions(user)
    expect(await item('Cancel')).toHaveAttribute('aria-disabled', 'true')
  })

  it('say why they were rejected, and can be retried', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [anApplication(), aRun()] })
    const heal = cluster.faults.intercept((_, init) =>
      init.method === 'PATCH'
        ? Response.json({ kind: 'Status', status: 'Failure', code: 422, message: 'a webhook says no' }, { status: 422 })
        : undefined,
    )
    await openActions(user)
    await user.click(await item('Stop'))
    expect(await screen.findByText(/Couldn't stop the run/)).toBeVisible()
    expect(screen.getByText('a webhook says no')).toBeVisible()
    heal()
    await openActions(user)
    await user.click(await item('Stop'))
    expect(await screen.findByText(/Running tasks will finish/)).toBeVisible()
    expect(screen.queryByText('a webhook says no')).not.toBeInTheDocument()
  })

  it.each([
    ['RUN-10, RUN-14', 'Stop', "You don't have access to stop a build"],
    ['RUN-11, RUN-15', 'Cancel', "You don't have access to cancel a build"],
    ['RUN-21', 'Rerun', "You don't have access to rerun"],
  ])('%s %s requires permission, and says so when it is missing', async (_, label, reason) => {
    const { user } = await renderRoute(page, { as: 'contributor', objects: [anApplication(), aRun()] })
    await openActions(user)
    expect(await item(label)).toHaveAttribute('aria-disabled', 'true')
    await seeTooltip(user, await item(label), reason)
  })

  it.each(['components', 'snapshots'])(
    'RUN-21 Rerun requires both permissions: %s alone is not enough',
    async (resource) => {
      const role = {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'half', namespace },
        rules: [
          { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
          { apiGroups: ['appstudio.redhat.com'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
          { apiGroups: ['appstudio.redhat.com'], resources: [resource], verbs: ['patch'] },
          { apiGroups: ['tekton.dev'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
        ],
      }
      const binding = aRoleBinding({
        metadata: { name: 'half', namespace },
        roleRef: { kind: 'Role', name: 'half' },
        subjects: [{ kind: 'User', apiGroup: roleBindingType.group, name: emailOf('outsider') }],
      })
      const objects = [anApplication(), aRun(), role, binding]
      const { user } = await renderRoute(page, { as: 'outsider', objects })
      await openActions(user)
      await seeTooltip(user, await item('Rerun'), "You don't have access to rerun")
    },
  )

  it('RUN-22 rerun a build by requesting one from its component', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [anApplication(), aComponent(), aRun()] })
    await openActions(user)
    await user.click(await item('Rerun'))
    expect(await screen.findByText(/Rerun requested/)).toBeVisible()
    const { metadata } = await cluster.system.get(componentType, 'checkout-api', { namespace })
    expect(metadata.annotations?.[annotations.buildRequest]).toBe('trigger-pac-build')
  })

  it('RUN-22 link to the new run once it starts, although the page has not read other runs', async () => {
    const ofMain = () => aRun({ metadata: { annotations: { [annotations.branch]: 'main' } } })
    const earlier = aRun({ metadata: { name: 'earlier', creationTimestamp: '2025-01-31T09:00:00Z' } })
    const { user, cluster } = await renderRoute(page, { objects: [anApplication(), aComponent(), ofMain(), earlier] })
    await openActions(user)
    expect(await item('Rerun')).toHaveTextContent('Builds the newest commit of main')
    await user.click(await item('Rerun'))
    const toasts = within(await screen.findByRole('list', { name: 'Notices' }))
    expect(
      await toasts.findByText(/^Rerun requested of the newest commit of main. A link appears here when it starts.$/),
    ).toBeVisible()
    await cluster.system.create(
      pipelineRunType,
      aRun({ metadata: { name: 'repeated', labels: { [labels.commitSha]: '0123456789abcdef' } } }),
    )
    expect((await toasts.findByRole('link', { name: 'repeated' })).getAttribute('href')).toBe(
      paths.pipelineRun({ ...params, pipelineRun: 'repeated' }),
    )
    expect(toasts.getAllByRole('link')).toHaveLength(1)
    expect(screen.getByRole('list', { name: 'Notices' })).toHaveTextContent(
      'Started since then: repeated (commit 0123456)',
    )
  })

  it('RUN-22 are requested although other runs cannot be read, and no link is promised', async () => {
    const { user, cluster } = await renderRoute(page, { objects: [anApplication(), aComponent(), aRun()] })
    await openActions(user)
    cluster.faults.intercept((path) =>
      path.includes('/pipelineruns?') ? Response.json({ message: 'no' }, { status: 403 }) : undefined,
    )
    await user.click(await item('Rerun'))
    expect(await screen.findByText('The list of runs could not be read, so no link will appear.')).toBeVisible()
    const { metadata } = await cluster.system.get(componentType, 'checkout-api', { namespace })
    expect(metadata.annotations?.[annotations.buildRequest]).toBe('trigger-pac-build')
  })

  it('RUN-23 rerun a test by labelling its snapshot', async () => {
    const snapshot = aSnapshot({ metadata: { name: 'checkout-1', labels: undefined } })
    const test = aRun({
      metadata: {
        labels: { [labels.pipelineType]: 'test', [labels.snapshot]: 'checkout-1', [labels.scenario]: 'smoke' },
      },
    })
    const { user, cluster } = await renderRoute(page, { objects: [anApplication(), snapshot, test] })
    await openActions(user)
    await user.click(await item('Rerun'))
    expect(await screen.findByText(/Rerun requested/)).toBeVisible()
    const { metadata } = await cluster.system.get(snapshotType, 'checkout-1', { namespace })
    expect(metadata.labels?.[labels.rerun]).toBe('smoke')
  })

  it('RUN-25 say why a run cannot be rerun', async () => {
    const test = aRun({ metadata: { labels: { [labels.pipelineType]: 'test' } } })
    const { user } = await renderRoute(page, { objects: [anApplication(), test] })
    await openActions(user)
    await seeTooltip(user, await item('Rerun'), 'Missing snapshot or scenario')
  })
})
