import { labels } from '@slipway/model/labels'
import { customRunType } from '@slipway/model/runs/custom-run'
import { anApplication, aTaskRun, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { ended, putPod } from '../../../test/pod-logs'
import { renderRoute } from '../../../test/render-route'
import { aRun, detail, name, page, params, running, started } from '../../../test/run-page'
import { paths } from '../../paths'

describe('task runs that the user may not read', () => {
  it.each(['', '/logs', '/taskruns'])('are not reported as missing, whatever an archive has (%s)', async (tab) => {
    const archive = await fakeArchive()
    const { cluster, router } = await renderRoute(paths.applications({ namespace }), {
      objects: [anApplication(), aRun()],
      archives: { kubeArchive: archive.plugin },
    })
    cluster.faults.intercept((path) =>
      /\/taskruns\?/.test(path) && !path.includes('/plugins/')
        ? Response.json({ kind: 'Status', code: 403, message: 'taskruns is forbidden' }, { status: 403 })
        : undefined,
    )
    await router.navigate(page + tab)
    expect(await screen.findByText(/taskruns is forbidden/)).toBeVisible()
    expect(screen.queryByText('No logs found')).not.toBeInTheDocument()
    expect(screen.queryByText('No task runs found')).not.toBeInTheDocument()
  })
})

describe('task runs that an archive may have', () => {
  const over = aRun({ status: { conditions: [condition('Succeeded', 'True')] } })

  it.each(['/logs', '/security'])(
    'are not reported as missing while it fails, and are read again (%s)',
    async (tab) => {
      const archive = await fakeArchive()
      archive.failure = 422
      const { user } = await renderRoute(page + tab, {
        objects: [anApplication(), over],
        archives: { kubeArchive: archive.plugin },
      })
      expect(await screen.findByRole('heading', { name: 'Unable to load task runs' })).toBeVisible()
      expect(screen.getByText(/^the archive is unavailable/)).toBeVisible()
      archive.failure = undefined
      await user.click(screen.getByRole('button', { name: 'Try again' }))
      await waitFor(() => expect(screen.queryByText(/^the archive is unavailable/)).not.toBeInTheDocument())
    },
  )

  it('are not reported to lack a report while some of them are unknown', async () => {
    const archive = await fakeArchive()
    archive.failure = 422
    const other = aTaskRun({ metadata: { labels: { [labels.pipelineRun]: name, [labels.pipelineTask]: 'init' } } })
    await renderRoute(`${page}/security`, {
      objects: [anApplication(), over, other],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await screen.findByText(/^the archive is unavailable/)).toBeVisible()
    expect(screen.queryByText('Security information unavailable')).not.toBeInTheDocument()
  })

  it('are not requested endlessly if the next page of Tekton Results fails', async () => {
    const archive = await fakeArchive(
      Array.from({ length: 31 }, (_, index) =>
        aTaskRun({
          metadata: { name: `task-${index}`, uid: `task-${index}`, namespace, labels: { [labels.pipelineRun]: name } },
        }),
      ),
    )
    const { cluster, router } = await renderRoute(paths.about(), {
      objects: [anApplication(), over],
      archives: { tektonResults: archive.plugin },
    })
    const asked = () => cluster.calls.filter(({ path }) => path.includes('page_token=')).length
    const heal = cluster.faults.intercept((path) =>
      path.includes('page_token=') ? Response.json({ message: 'the page is torn' }, { status: 422 }) : undefined,
    )
    await router.navigate(page)
    // Some of the tasks do not tell the state of the run.
    expect(await screen.findByText('Unable to load task runs')).toBeVisible()
    expect(asked()).toBe(1)
    // An endless loop would send a request with every render.
    await router.navigate(`${page}?view=list`)
    await screen.findByRole('list', { name: /^Tasks of/ })
    expect(asked()).toBe(1)
    heal()
  })
})

describe('a task run that is in neither half of the history', () => {
  const referring = aRun({
    status: {
      conditions: [condition('Succeeded', 'True')],
      childReferences: [{ name: 'pruned', pipelineTaskName: 'build' }],
    },
  })

  it('is shown as deleted', async () => {
    await renderRoute(`${page}?view=list`, { objects: [anApplication(), referring] })
    expect(await screen.findByText('task run deleted')).toBeVisible()
    expect(screen.queryByText('Unable to load task runs')).not.toBeInTheDocument()
  })

  it('is unknown while the archive fails, with the reason', async () => {
    const archive = await fakeArchive()
    archive.failure = 422
    const objects = [anApplication(), referring]
    await renderRoute(`${page}?view=list`, { objects, archives: { kubeArchive: archive.plugin } })
    expect(await screen.findByText(/the archive is unavailable/)).toBeVisible()
    expect(screen.getByText(/Unable to load task runs/)).toBeVisible()
    const tasks = within(screen.getByRole('list', { name: /^Tasks of/ }))
    expect(tasks.getByText('Unknown')).toBeVisible()
    expect(tasks.queryByText('task run deleted')).not.toBeInTheDocument()
  })
})

it('a run does not show the tasks of an earlier run of the same name', async () => {
  const of = (uid: string, task: string) =>
    aTaskRun({
      metadata: {
        name: `${name}-${task}`,
        uid: `${uid}-${task}`,
        namespace,
        creationTimestamp: started,
        labels: { [labels.pipelineRunUid]: uid, [labels.pipelineTask]: task },
      },
      status: { conditions: [condition('Succeeded', task === 'lint' ? 'False' : 'True')] },
    })
  const run = { uid: 'later', namespace, creationTimestamp: started }
  const archived = aRun({ metadata: run, status: { conditions: [condition('Succeeded', 'True')] } })
  const archive = await fakeArchive([archived, of('earlier', 'lint'), of('later', 'build')])
  await renderRoute(page, { archives: { kubeArchive: archive.plugin } })
  await waitFor(async () => expect(await detail('Task runs')).toHaveTextContent('1 Succeeded'))
  expect(await detail('Task runs')).not.toHaveTextContent('Failed')
})

describe('task runs', () => {
  it('RUN-46, RUN-51, RUN-53, TASK-19 are a table with links and filters', async () => {
    const other = aTaskRun({ metadata: { name: 'scan-run', labels: { [labels.pipelineTask]: 'scan' } } })
    const { user, cluster } = await renderRoute(paths.pipelineRunTaskRuns(params), {
      objects: [anApplication(), aRun(), aTaskRun({ status: { startTime: started, conditions: running } }), other],
    })
    const headers = await screen.findAllByRole('columnheader')
    expect(screen.getByRole('table', { name: 'Task runs' })).toBeVisible()
    expect(headers.map(({ textContent }) => textContent)).toEqual(['Status', 'Name', 'Task', 'Started'])
    const link = await screen.findByRole('link', { name: `${name}-build` })
    expect(link).toHaveAttribute('href', paths.taskRun({ ...params, taskRun: `${name}-build` }))
    expect(await screen.findByRole('row', { name: /Pending scan-run scan -/ })).toBeVisible()
    const ofRun = `labelSelector=${encodeURIComponent(`${labels.pipelineRun}=${name}`)}`
    const lists = cluster.calls.filter(({ path }) => path.includes('/taskruns?'))
    expect(lists.every(({ path }) => path.includes(ofRun))).toBe(true)
    await waitFor(() => expect(cluster.sockets().some(({ search }) => search.includes(ofRun))).toBe(true))
    await user.type(screen.getByRole('textbox', { name: /Filter by name/ }), 'SCAN')
    await waitFor(() => expect(screen.queryByRole('link', { name: `${name}-build` })).not.toBeInTheDocument())
  })

  it('RUN-28, RUN-40 appear on the Details tab as a graph with a panel, and as counts', async () => {
    const { user } = await renderRoute(`${page}?view=list`, {
      objects: [anApplication(), aRun(), aTaskRun({ status: { conditions: [condition('Succeeded', 'True')] } })],
    })
    expect(await screen.findByRole('heading', { name: 'Tasks' })).toBeVisible()
    await waitFor(async () => expect(await detail('Task runs')).toHaveTextContent('1 Succeeded'))
    await user.click(screen.getByRole('button', { name: 'build' }))
    const beside = within(await screen.findByRole('region', { name: 'build' }))
    expect(beside.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Details', 'Logs'])
    expect(beside.getByRole('link', { name: 'Open task run' })).toHaveAttribute(
      'href',
      paths.taskRun({ ...params, taskRun: `${name}-build` }),
    )
    await user.click(beside.getByRole('tab', { name: 'Logs' }))
    expect(await beside.findByText('No logs found.')).toBeVisible()
  })
})

describe('a link to lines of a log', () => {
  const log = 'one\ntwo\nthree\nfour\n'
  const build = aTaskRun({
    metadata: { labels: { [labels.pipelineRunUid]: 'uid-of-run' } },
    status: {
      podName: 'build-pod',
      conditions: [condition('Succeeded', 'True')],
      steps: [{ name: 'build', container: 'step-build', ...ended() }],
    },
  })
  const lines = '#Lbuild:2-3'

  beforeEach(() => {
    // jsdom has no layout, and which lines render depends on the height of the scrolling element.
    const spies = [
      vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600),
      vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800),
    ]
    Element.prototype.scrollTo ??= () => undefined
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  })

  describe.each([
    ['of the page', `${paths.pipelineRunLogs(params)}?task=build${lines}`],
    ['of the panel next to the graph', `${page}?view=list&selected=build&panel=logs${lines}`],
  ])('%s', (_, address) => {
    it.each(['the cluster', 'the archive'])('opens at them, from %s', async (place) => {
      const archive = await fakeArchive()
      const { cluster, router } = await renderRoute(paths.about(), {
        objects: [anApplication(), aRun({ status: { conditions: [condition('Succeeded', 'True')] } }), build],
        archives: { kubeArchive: archive.plugin },
      })
      if (place === 'the cluster') await putPod(cluster.system, 'build-pod', { 'step-build': { state: ended(), log } })
      else archive.logs['build-pod/step-build'] = log
      await router.navigate(address)
      const shown = await screen.findByRole('log', { name: 'Log of build' })
      const marked = () => [...shown.querySelectorAll('[data-selected] .slipway-log__text')].map((e) => e.textContent)
      await waitFor(() => expect(marked()).toEqual(['two', 'three']))
      expect(await screen.findByText(place === 'the archive' ? 'From the archive' : 'Complete')).toBeVisible()
    })
  })
})

describe('a task that is not run as a task run', () => {
  const message = 'Waiting for an approver'
  const approval = {
    apiVersion: 'tekton.dev/v1beta1',
    kind: customRunType.kind,
    metadata: {
      name: `${name}-approve`,
      namespace,
      labels: { [labels.pipelineRun]: name, [labels.pipelineTask]: 'approve' },
    },
    spec: { customRef: { apiVersion: 'openshift-pipelines.org/v1alpha1', kind: 'ApprovalTask' } },
    status: { startTime: started, conditions: [{ ...running[0], message }] },
  }
  const list = { kind: 'CustomRunList', metadata: {}, items: [approval] }
  const open = async (kind: string, address: string, answer = () => Response.json(list)) => {
    const status = {
      pipelineSpec: { tasks: [{ name: 'approve' }] },
      childReferences: [{ kind, name: approval.metadata.name, pipelineTaskName: 'approve' }],
    }
    const { cluster, router } = await renderRoute(paths.applications({ namespace }), {
      objects: [anApplication(), aRun({ status })],
    })
    cluster.faults.intercept((path) => (/\/customruns\?/.test(path) ? answer() : undefined))
    await router.navigate(page + address)
    return router
  }
  const forbidden = () =>
    Response.json({ kind: 'Status', code: 403, message: 'customruns is forbidden' }, { status: 403 })
  const panel = () => screen.findByRole('region', { name: 'approve' })

  it.each([
    ['the panel beside the graph', '?selected=approve', panel, 2],
    ['the panel beside the list', '?view=list&selected=approve', panel, 2],
    ['the logs', '/logs?task=approve', () => screen.findByRole('main'), 1],
  ])('shows the state and the message of its custom run in %s', async (_, address, place, count) => {
    await open('CustomRun', address)
    expect(await within(await place()).findByText(message, { exact: false })).toBeVisible()
    const main = within(screen.getByRole('main'))
    await waitFor(() =>
      expect(main.getAllByText('Running', { selector: '.slipway-status' }).length).toBeGreaterThan(count),
    )
    expect(screen.queryByRole('link', { name: 'Open task run' })).not.toBeInTheDocument()
  })

  it('is a row of the Task runs tab, with a link to its place in the graph', async () => {
    const router = await open('CustomRun', '/taskruns')
    const row = within(await screen.findByRole('row', { name: new RegExp(`Running ${name}-approve approve`) }))
    const link = row.getByRole('link', { name: `${name}-approve` })
    await router.navigate(link.getAttribute('href') ?? '')
    expect(await within(await panel()).findByText(message)).toBeVisible()
  })

  it.each(['', '/taskruns'])('is said to be missing if custom runs may not be read (%s)', async (tab) => {
    await open('CustomRun', tab, forbidden)
    expect(await screen.findByText(/customruns is forbidden/)).toBeVisible()
  })

  it('is in the timeline and in the counts', async () => {
    await open('CustomRun', '?view=timeline')
    expect(await screen.findByText('1 Running')).toBeVisible()
    expect(await screen.findByText(/^, Running, /)).toBeInTheDocument()
  })

  it.each([
    ['Approval', `${page}?selected=approve`],
    ['PipelineRun', paths.pipelineRun({ ...params, pipelineRun: `${name}-approve` })],
  ])('is a row of the Task runs tab and counted as Unknown if it is of the kind %s', async (kind, address) => {
    const router = await open(kind, '/taskruns')
    const row = within(
      await screen.findByRole('row', { name: new RegExp(`Unknown ${name}-approve approve \\(${kind}\\)`) }),
    )
    expect(row.getByRole('link', { name: `${name}-approve` })).toHaveAttribute('href', address)
    await router.navigate(page)
    expect(await screen.findByText('1 Unknown')).toBeVisible()
  })

  it.each([
    ['the graph', '?view=list', /Approval /],
    ['the logs', '/logs?task=approve', /cannot be read/],
  ])('is Unknown if its kind is not known, in %s', async (_, address, text) => {
    await open('Approval', address)
    expect(await screen.findByText(text)).toBeVisible()
    expect(screen.getByText('Unknown', { selector: '.slipway-status' })).toBeVisible()
  })
})
