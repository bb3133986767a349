import { annotations, labels } from '@slipway/model/labels'
import { pipelineRunType, type PipelineRun } from '@slipway/model/runs/pipeline-run'
import { aComponent, anApplication, aPipelineRun, aTaskRun, condition, type Overrides } from '@slipway/model/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { grantTo } from '../../../test/grant-to'
import { renderRoute } from '../../../test/render-route'
import { fakeIntersectionObserver } from '../../../test/fake-intersection-observer'
import { seeTooltip } from '../../../test/tooltip'
import { paths } from '../../paths'

const at = { namespace, application: 'checkout' }
const runsPath = paths.activityTab({ ...at, activityTab: 'pipelineruns' })
const commitsPath = paths.activityTab({ ...at, activityTab: 'latest-commits' })
const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'
const time = (minute: number) => `2026-01-31T09:${String(minute).padStart(2, '0')}:00Z`

interface Given {
  labels?: Record<string, string>
  annotations?: Record<string, string>
  status?: Overrides<PipelineRun['status']>
}
const run = (name: string, minute: number, given: Given = {}) =>
  aPipelineRun({
    metadata: {
      name,
      labels: { [labels.commitSha]: sha, [labels.eventType]: 'push', ...given.labels },
      annotations: given.annotations ?? {},
    },
    status: {
      startTime: time(minute),
      completionTime: time(minute + 2),
      conditions: [condition('Succeeded', 'True')],
      ...given.status,
    },
  })
const running = { completionTime: undefined, conditions: [condition('Succeeded', 'Unknown', 'Running')] }
const application = anApplication()
const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(`(^| )${name}`) })
/** Waits until a watch delivers the changes of runs. */
const watched = ({ openSockets }: { openSockets(): string[] }) =>
  waitFor(() => expect(openSockets().filter((path) => path.endsWith('/pipelineruns'))).toHaveLength(1))
/** Without the box that selects the row, and its header. */
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .filter((cell) => !within(cell).queryByRole('checkbox'))
    .map((cell) => cell.textContent)
const headers = () =>
  screen
    .getAllByRole('columnheader')
    .map((cell) => cell.textContent)
    .filter((header) => header !== 'Selection')
const isRunList = (path: string) => /^\/api\/k8s\/apis\/tekton\.dev\/v1\/namespaces\/[^/]+\/pipelineruns\?/.test(path)

describe('pipeline runs', () => {
  const other = run('of-another', 9, { labels: { [labels.application]: 'ledger' } })
  const waiting = run('waiting', 0, { status: { startTime: undefined, ...running, conditions: [] } })
  const objects = [application, run('first', 1), run('second', 5), waiting, other]

  it('ACT-02, ACT-21, ACT-26, ACT-27 are those of the application, newest start first', async () => {
    await renderRoute(runsPath, { objects })
    await waitFor(() => expect(rowNames()).toEqual(['waiting', 'second', 'first']))
  })

  it('ACT-15, ACT-17 have their default columns, with links', async () => {
    await renderRoute(runsPath, { objects })
    await rowOf('first')
    expect(screen.getByRole('table', { name: 'Pipeline runs' })).toBeVisible()
    expect(headers()).toEqual(
      'Status,Name,Started,Fixable vulnerabilities,Duration,Type,Trigger,Reference,Actions'.split(','),
    )
    expect(screen.getByRole('link', { name: 'first' })).toHaveAttribute(
      'href',
      paths.pipelineRun({ ...at, pipelineRun: 'first' }),
    )
    const row = within(await rowOf('first'))
    const [status, , , ...others] = cellsOf(await rowOf('first'))
    expect([status, ...others]).toEqual(['Succeeded', '2m2 minutes', 'Build', 'Push', 'faef902', ''])
    expect(row.getAllByRole('cell')[2]?.querySelector('time')).toHaveAttribute('datetime', time(1))
    expect(row.getByRole('link', { name: 'faef902' })).toHaveAttribute('href', paths.commit({ ...at, commit: sha }))
  })

  it('say which branch or pull request and which user they come from, and are filtered by that user', async () => {
    const facts = {
      [annotations.pacShaTitle]: 'Add a checkout',
      [annotations.pacSender]: 'ada',
      [annotations.branch]: 'main',
    }
    const { user } = await renderRoute(runsPath, {
      objects: [
        application,
        run('pushed', 1, { annotations: facts }),
        run('proposed', 5, {
          labels: { [labels.eventType]: 'pull_request', [labels.pullRequestNumber]: '7' },
          annotations: { ...facts, [annotations.pacSender]: 'bob' },
        }),
      ],
    })
    await waitFor(() =>
      expect(rowNames()).toEqual(['Add a checkout proposed #7 · bob', 'Add a checkout pushed main · ada']),
    )
    expect(screen.getByRole('link', { name: 'Add a checkout proposed' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'By user', expanded: false }))
    await user.click(await screen.findByRole('checkbox', { name: /^ada/ }))
    await waitFor(() => expect(rowNames()).toEqual(['Add a checkout pushed main · ada']))
  })

  it('are read once, and watched, with the fields that are shown', async () => {
    const { cluster } = await renderRoute(runsPath, { objects })
    await rowOf('first')
    const asked = cluster.calls.filter(({ path }) => isRunList(path))
    expect(asked).toHaveLength(1)
    const mask = new URL(asked[0]?.path ?? '', 'http://a').searchParams.get('fieldMask') ?? ''
    expect(mask.split(',')).toContain('status.conditions.reason')
    expect(mask.length).toBeLessThan(4_096)
    await waitFor(() =>
      expect(
        cluster
          .sockets()
          .find(({ pathname }) => pathname.endsWith('/pipelineruns'))
          ?.searchParams.get('fieldMask'),
      ).toBe(mask),
    )
  })

  it('ACT-14, ACT-28, PREF-10 show all of their columns on demand', async () => {
    const scan = (name: string, value: object) => ({ name, value: JSON.stringify(value) })
    const tested = aTaskRun({
      metadata: { name: 'scan', labels: { [labels.pipelineRun]: 'tested' } },
      status: {
        results: [
          scan('TEST_OUTPUT', { result: 'WARNING', warnings: 1 }),
          scan('SCAN_OUTPUT', { vulnerabilities: { critical: 2, low: 1 } }),
        ],
      },
    })
    const ids =
      'name,started,vulnerabilities,duration,status,testResult,type,component,snapshot,namespace,trigger,reference'
    const view = renderRoute(paths.about(), {
      objects: [application, run('tested', 1, { labels: { [labels.snapshot]: 'snap-1' } }), tested],
    })
    const { router } = await view
    localStorage.setItem(
      `pipeline-runs-columns-${namespace}/checkout@admin@slipway.test`,
      JSON.stringify(ids.split(',')),
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(runsPath)
    const row = within(await rowOf('tested'))
    expect(headers()).toEqual(
      'Status,Name,Started,Fixable vulnerabilities,Duration,Test result,Type,Component,Snapshot,Namespace,Trigger,Reference,Actions'.split(
        ',',
      ),
    )
    expect(await row.findByText('Critical')).toHaveTextContent('Critical 2')
    expect(row.getByText('Low')).toHaveTextContent('Low 1')
    for (const text of ['Warning', 'snap-1', namespace]) expect(row.getByText(text)).toBeVisible()
    expect(row.getByRole('link', { name: 'checkout-api' })).toHaveAttribute(
      'href',
      paths.component({ ...at, component: 'checkout-api' }),
    )
  })

  it('TIME-05 that are pending show no duration', async () => {
    const waiting = { completionTime: undefined, conditions: [] }
    await renderRoute(runsPath, { objects: [application, run('waits', 1, { status: waiting })] })
    expect(cellsOf(await rowOf('waits')).filter((_, at) => at === 0 || at === 3)).toEqual(['Pending', '-'])
  })

  it('TIME-04, TIME-05 that ended at an unknown time show no running clock', async () => {
    const over = run('over', 1, { status: { completionTime: undefined } })
    await renderRoute(runsPath, { objects: [application, over] })
    expect(cellsOf(await rowOf('over')).filter((_, at) => at === 0 || at === 3)).toEqual(['Succeeded', '-'])
  })

  it('ACT-22, ACT-23 say when their vulnerabilities are unknown', async () => {
    const objects = [application, run('ended', 1), run('going-on', 2, { status: running })]
    const { cluster, router } = await renderRoute(paths.about(), { objects })
    cluster.faults.intercept((path) =>
      path.includes('/taskruns') ? Response.json({ message: 'no task runs for you' }, { status: 403 }) : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(runsPath)
    await waitFor(async () => expect(cellsOf(await rowOf('ended'))[2]).toBe('N/A'))
    expect(cellsOf(await rowOf('going-on'))[2]).toBe('-')
  })

  it('ACT-16, LIST-03 are filtered by name, status and type, without a call or another watch', async () => {
    const test = { [labels.pipelineType]: 'test' }
    const failed = { conditions: [condition('Succeeded', 'False', 'Failed')] }
    const objects = [
      application,
      run('Alpha', 1),
      run('beta', 2, { labels: test }),
      run('gamma', 3, { status: failed }),
    ].map((object) => ({ ...object, metadata: { ...object.metadata, name: object.metadata.name?.toLowerCase() } }))
    const { user, cluster } = await renderRoute(runsPath, { objects })
    await waitFor(() => expect(rowNames()).toEqual(['gamma', 'beta', 'alpha']))
    await watched(cluster)
    await waitFor(() => expect(screen.queryByText(/Loading scan results/)).not.toBeInTheDocument())
    const before = cluster.calls.length
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'ALPH{Enter}')
    await waitFor(() => expect(rowNames()).toEqual(['alpha']))
    await user.click(screen.getByRole('button', { name: 'Clear filter by name' }))
    await user.click(screen.getByRole('button', { name: /^Type/ }))
    await user.click(await screen.findByRole('checkbox', { name: /^Test/ }))
    await waitFor(() => expect(rowNames()).toEqual(['beta']))
    await waitFor(() => expect(location.search).toBe('?type=Test'))
    expect(cluster.calls.slice(before).filter(({ path }) => isRunList(path) || path.includes('taskruns'))).toEqual([])
    await watched(cluster)
    await user.click(screen.getByRole('checkbox', { name: /^Test/ }))
    await user.click(screen.getByRole('button', { name: 'Status', expanded: false }))
    await user.click(await screen.findByRole('checkbox', { name: /^Failed\b/ }))
    await waitFor(() => expect(rowNames()).toEqual(['gamma']))
  })

  it('are filtered by the number of a pull request, at Forgejo too', async () => {
    const review = {
      [labels.eventType]: 'pull_request',
      [labels.pullRequestNumber]: '7',
      [labels.commitSha]: 'abcdef0123',
    }
    const forgejo = {
      [annotations.pacGitProvider]: 'gitea',
      [annotations.pacRepositoryUrl]: 'https://git.slipway.test/payments/api',
    }
    const objects = [application, run('pushed', 1), run('review', 2, { labels: review, annotations: forgejo })]
    const { user, router } = await renderRoute(runsPath, { objects })
    await waitFor(() => expect(rowNames()).toEqual(['review #7', 'pushed']))
    await user.click(screen.getByRole('button', { name: /^Pull request/ }))
    await user.click(await screen.findByRole('checkbox', { name: /#7/ }))
    await waitFor(() => expect(rowNames()).toEqual(['review #7']))
    expect(within(await rowOf('review')).getByRole('link', { name: /#7/ })).toHaveAttribute(
      'href',
      'https://git.slipway.test/payments/api/pulls/7',
    )
    await act(() => router.navigate(`${commitsPath}?pull+request=%237`))
    await waitFor(() => expect(rowNames()).toHaveLength(1))
    expect(screen.getByRole('rowheader')).toHaveTextContent('abcdef0')
  })

  it('ACT-20 have an empty state', async () => {
    await renderRoute(runsPath, { objects: [application] })
    expect(await screen.findByRole('heading', { name: 'Keep tabs on components and activity' })).toBeVisible()
  })

  it('ACT-25 can be rerun, stopped and cancelled', async () => {
    const { user } = await renderRoute(runsPath, { objects: [application, run('build', 1)] })
    await user.click(within(await rowOf('build')).getByRole('button', { name: 'Actions for build' }))
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
      'RerunBuilds the newest commit of its branch',
      'Stop',
      'Cancel',
    ])
  })

  it('RUN-12, RUN-13, RUN-21, ACC-08 that the user may only view say so, and a rerun requires two permissions', async () => {
    const read = ['get', 'list', 'watch']
    const rights = grantTo(
      { apiGroups: ['appstudio.redhat.com'], resources: ['applications', 'snapshots'], verbs: read },
      { apiGroups: ['appstudio.redhat.com'], resources: ['components'], verbs: [...read, 'patch'] },
      { apiGroups: ['tekton.dev'], resources: ['pipelineruns', 'taskruns'], verbs: read },
    )
    const objects = [...rights, application, run('build', 1, { status: running })]
    const { user } = await renderRoute(runsPath, { as: 'outsider', objects })
    await user.click(within(await rowOf('build')).getByRole('button', { name: 'Actions for build' }))
    for (const [label, words] of [
      ['Rerun', "You don't have access to rerun"],
      ['Stop', "You don't have access to stop this pipeline"],
      ['Cancel', "You don't have access to cancel this pipeline"],
    ] as const) {
      const item = await screen.findByRole('menuitem', { name: label })
      expect(item).toHaveAttribute('aria-disabled', 'true')
      await seeTooltip(user, item, words)
    }
  })

  it('RUN-10, RUN-11, RUN-21 require permission to patch, and no other', async () => {
    const verbs = ['get', 'list', 'watch', 'patch']
    const rights = grantTo(
      { apiGroups: ['appstudio.redhat.com'], resources: ['applications', 'snapshots', 'components'], verbs },
      { apiGroups: ['tekton.dev'], resources: ['pipelineruns', 'taskruns'], verbs },
    )
    const objects = [...rights, application, run('build', 1, { status: running })]
    const { user } = await renderRoute(runsPath, { as: 'outsider', objects })
    await user.click(within(await rowOf('build')).getByRole('button', { name: 'Actions for build' }))
    for (const name of [/^Rerun/, 'Stop', 'Cancel']) {
      expect(await screen.findByRole('menuitem', { name })).not.toHaveAttribute('aria-disabled', 'true')
    }
  })

  it('that were rerun link to the new run', async () => {
    const objects = [application, aComponent(), run('build', 1)]
    const { user, cluster } = await renderRoute(runsPath, { objects })
    await watched(cluster)
    await user.click(within(await rowOf('build')).getByRole('button', { name: 'Actions for build' }))
    await user.click(await screen.findByRole('menuitem', { name: /^Rerun/ }))
    const toasts = within(await screen.findByRole('list', { name: 'Notices' }))
    expect(await toasts.findByText(/Rerun requested/)).toBeVisible()
    expect(toasts.queryByText(/Started since then/)).not.toBeInTheDocument()
    await cluster.system.create(pipelineRunType, run('repeated', 5, { labels: { [labels.eventType]: 'incoming' } }))
    expect(await toasts.findByRole('link', { name: 'repeated' })).toHaveAttribute(
      'href',
      paths.pipelineRun({ ...at, pipelineRun: 'repeated' }),
    )
  })

  it('follow changes, and keep showing a run that is deleted meanwhile', async () => {
    const { cluster } = await renderRoute(runsPath, { objects: [application, run('kept', 1), run('goes', 2)] })
    await waitFor(() => expect(rowNames()).toEqual(['goes', 'kept']))
    await watched(cluster)
    await cluster.system.delete(pipelineRunType, 'goes', { namespace })
    expect(await within(await rowOf('goes')).findByText('Deleted')).toBeVisible()
    expect(rowNames()).toEqual(['goes Deleted', 'kept'])
  })

  it('with invalid labels and annotations are shown as far as possible', async () => {
    const annotated = {
      [annotations.pacRepositoryUrl]: 'javascript:alert(1)',
      [annotations.pacShaUrl]: '{',
      [annotations.pacGitProvider]: 'constructor',
    }
    const objects = [application, run('odd', 1, { annotations: annotated, labels: { [labels.eventType]: 'toString' } })]
    await renderRoute(runsPath, { objects })
    expect(within(await rowOf('odd')).getByText('toString')).toBeVisible()
    expect(document.querySelector('a[href^="javascript"]')).toBeNull()
  })
})

describe('archived runs', () => {
  const past = async (objects = [run('old', 1), { ...run('ghost', 2, { status: running }) }]) =>
    fakeArchive(
      objects.map((object) => ({
        ...object,
        metadata: { ...object.metadata, uid: object.metadata.name ?? '', creationTimestamp: time(1) },
      })),
    )

  it('ARCH-11, ARCH-15 follow the others, marked, and none of them is running', async () => {
    const archive = await past()
    const { cluster } = await renderRoute(runsPath, {
      objects: [application, run('new', 9)],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await within(await rowOf('old')).findByText('Archived')).toBeVisible()
    expect(rowNames()).toEqual(['new', 'old Archived'])
    const { path } = cluster.calls.find((call) => call.path.includes('/plugins/kubearchive/apis/')) ?? { path: '' }
    expect(path).toContain('fieldMask=')
    expect(path).not.toContain('pipelineSpec')
  })

  it('are not shown as being deleted, even if the archive saw them last in that state', async () => {
    const old = run('old', 1)
    const archive = await past([{ ...old, metadata: { ...old.metadata, deletionTimestamp: time(3) } }])
    await renderRoute(runsPath, { objects: [application], archives: { kubeArchive: archive.plugin } })
    const row = within(await rowOf('old'))
    expect(await row.findByText('Archived')).toBeVisible()
    expect(row.queryByText('Being deleted')).not.toBeInTheDocument()
  })

  it('ACT-24 that cannot be read are reported above the runs of the cluster', async () => {
    const archive = await past()
    archive.failure = 422
    await renderRoute(runsPath, { objects: [application, run('new', 9)], archives: { kubeArchive: archive.plugin } })
    expect(await screen.findByText('Error while fetching pipeline runs')).toBeVisible()
    expect(screen.getByText(/the archive is unavailable/)).toBeVisible()
    expect(rowNames()).toEqual(['new'])
  })

  it('ACT-24 are shown alone, with the error of the cluster, if the cluster cannot be read', async () => {
    const archive = await past()
    const { cluster, router } = await renderRoute(paths.about(), {
      objects: [application],
      archives: { kubeArchive: archive.plugin },
    })
    cluster.faults.intercept((path) =>
      isRunList(path) ? Response.json({ message: 'the cluster is unavailable' }, { status: 422 }) : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(runsPath)
    expect(await screen.findByText('Error while fetching pipeline runs')).toBeVisible()
    expect(screen.getByText(/the cluster is unavailable/)).toBeVisible()
    await waitFor(() => expect(rowNames()).toEqual(['old Archived']))
  })
})

describe.each([
  ['pipeline runs', runsPath, 'Keep tabs on components and activity'],
  ['commits', commitsPath, 'Monitor your CI/CD activity in one place'],
])('without a row, the table of %s', (noun, path, emptyTitle) => {
  const forbiddenText = `You don't have access to this list in namespace ${namespace}`
  const forbidden = { kind: 'Status', status: 'Failure', code: 403, message: 'pipelineruns is forbidden' }
  const isForbidden = (call: string) => (isRunList(call) ? Response.json(forbidden, { status: 403 }) : undefined)
  const visit = async ({ isLiveForbidden = false, archiveCode = 0 }) => {
    const archive = await fakeArchive()
    if (archiveCode) archive.failure = archiveCode
    const view = await renderRoute(paths.about(), {
      objects: [application],
      archives: { kubeArchive: archive.plugin },
    })
    if (isLiveForbidden) view.cluster.faults.intercept(isForbidden)
    await screen.findByRole('heading', { name: 'About Slipway' })
    await view.router.navigate(path)
    return { ...view, archive }
  }

  it.each([
    [
      'the cluster forbids the list and the archive has none',
      { isLiveForbidden: true },
      `Could not read the cluster: ${forbiddenText}.`,
    ],
    [
      'the cluster has none and the archive forbids its list',
      { archiveCode: 403 },
      'Could not read the archive: the archive is unavailable.',
    ],
    [
      'the cluster has none and the archive fails',
      { archiveCode: 422 },
      'Could not read the archive: the archive is unavailable.',
    ],
  ])('ACT-24 does not say that there is nothing yet when %s', async (_, faults, text) => {
    await visit(faults)
    expect(await screen.findByText(`Error while fetching ${noun}`)).toBeVisible()
    expect(screen.getByText(`${text} It is not known whether there are any ${noun}.`)).toBeVisible()
    expect(screen.queryByText(emptyTitle)).not.toBeInTheDocument()
    expect(screen.queryByText('No results found')).not.toBeInTheDocument()
  })

  it('ACT-24 reports that both halves are unknown when the cluster and the archive both fail', async () => {
    await visit({ isLiveForbidden: true, archiveCode: 403 })
    expect(await screen.findByRole('heading', { name: 'Restricted Access' })).toBeVisible()
    expect(screen.getByText(new RegExp(forbiddenText))).toBeVisible()
    expect(screen.queryByText(emptyTitle)).not.toBeInTheDocument()
  })

  it('says that there is nothing yet once an archive that had failed responds', async () => {
    const { archive, user } = await visit({ archiveCode: 422 })
    await screen.findByText(`Error while fetching ${noun}`)
    archive.failure = undefined
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText(emptyTitle)).toBeVisible()
  })
})

/** One run more than the first page of Tekton Results contains, each of a different commit. */
const manyCommits = () =>
  Array.from({ length: 31 }, (_, number) => {
    const sha = String(number).padStart(40, 'a')
    const each = run(`run-${number}`, number, { labels: { [labels.commitSha]: sha } })
    return { ...each, metadata: { ...each.metadata, uid: String(number), creationTimestamp: time(number) } }
  })

describe('commits', () => {
  const facts = {
    [annotations.pacShaTitle]: 'Add a checkout',
    [annotations.pacRepositoryUrl]: 'https://github.com/payments/api',
    [annotations.pacGitProvider]: 'github',
    [annotations.pacSender]: 'ada',
    [annotations.branch]: 'main',
  }
  const failed = { conditions: [condition('Succeeded', 'False', 'Failed')] }

  const web = { [labels.component]: 'checkout-web' }
  const objects = [
    application,
    run('api', 1, { annotations: facts }),
    run('web', 5, { annotations: facts, labels: web, status: failed }),
  ]

  it('ACT-03 are in a tab beside that of the runs', async () => {
    const { user } = await renderRoute(commitsPath, { objects })
    await rowOf('Add a checkout')
    expect(screen.getByRole('tab', { name: 'Latest commits' })).toHaveAttribute('aria-selected', 'true')
    await user.click(screen.getByRole('tab', { name: 'Pipeline runs' }))
    await waitFor(() => expect(location.pathname).toBe(runsPath))
    await waitFor(() => expect(rowNames()).toEqual(['Add a checkout web main · ada', 'Add a checkout api main · ada']))
  })

  it('ACT-13 have their default columns', async () => {
    await renderRoute(commitsPath, { objects })
    await rowOf('Add a checkout')
    expect(screen.getByRole('table', { name: 'Commits' })).toBeVisible()
    expect(headers()).toEqual('Status,Name,Branch,Component,By user,Latest commit at,Actions'.split(','))
  })

  it('ACT-04, ACT-05, ACT-06, COM-05 are made of runs', async () => {
    const { cluster } = await renderRoute(commitsPath, { objects })
    const row = within(await rowOf('Add a checkout'))
    expect(rowNames()).toEqual(['faef902 Add a checkout'])
    const { metadata } = await cluster.system.get(pipelineRunType, 'api', { namespace })
    expect(row.getAllByRole('cell')[4]?.querySelector('time')).toHaveAttribute('datetime', metadata.creationTimestamp)
    expect(headers()).toEqual('Status,Name,Branch,Component,By user,Latest commit at,Actions'.split(','))
    expect(row.getByRole('link', { name: 'Add a checkout' })).toHaveAttribute(
      'href',
      paths.commit({ ...at, commit: sha }),
    )
    for (const component of ['checkout-api', 'checkout-web']) {
      expect(row.getByRole('link', { name: component })).toHaveAttribute('href', paths.component({ ...at, component }))
    }
    for (const text of ['main', 'ada', 'Failed']) expect(row.getByText(text)).toBeVisible()
  })

  it('ACT-10 load more from Tekton Results when the end of the list comes into view', async () => {
    const { reach } = fakeIntersectionObserver()
    const archive = await fakeArchive(manyCommits())
    await renderRoute(commitsPath, { objects: [application], archives: { tektonResults: archive.plugin } })
    expect(await screen.findByText('30 loaded')).toBeVisible()
    reach()
    expect(await screen.findByText('31 total')).toBeVisible()
  })

  it('ACT-10, ACT-24 load more only on demand after an archive, Tekton Results, has failed', async () => {
    const { reach } = fakeIntersectionObserver()
    const archive = await fakeArchive(manyCommits())
    const { user, cluster } = await renderRoute(runsPath, {
      objects: [application],
      archives: { tektonResults: archive.plugin },
    })
    expect(await screen.findByText('30 loaded')).toBeVisible()
    archive.failure = 422
    reach()
    expect(await screen.findByText('Error while fetching pipeline runs')).toBeVisible()
    const asked = cluster.calls.length
    reach()
    expect(cluster.calls).toHaveLength(asked)
    archive.failure = undefined
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('31 total')).toBeVisible()
    expect(screen.queryByText('Error while fetching pipeline runs')).not.toBeInTheDocument()
  })

  it('ACT-07 link to their source', async () => {
    const open = vi.spyOn(globalThis, 'open').mockReturnValue(null)
    onTestFinished(() => open.mockRestore())
    const { user } = await renderRoute(commitsPath, { objects: [application, run('api', 1, { annotations: facts })] })
    await user.click(within(await rowOf('Add a checkout')).getByRole('button', { name: 'Actions for Add a checkout' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Go to source' }))
    expect(open).toHaveBeenCalledExactlyOnceWith(
      `https://github.com/payments/api/commit/${sha}`,
      '_blank',
      'noopener,noreferrer',
    )
  })

  it('ACT-08, ACT-09 are filtered by name and status', async () => {
    const other = { [labels.commitSha]: 'abcdef0123' }
    const objects = [
      application,
      run('api', 1, { annotations: facts }),
      run('by-hand', 2, { labels: other, status: failed }),
    ]
    const { user } = await renderRoute(commitsPath, { objects })
    await waitFor(() => expect(rowNames().toSorted()).toEqual(['abcdef0 manual build', 'faef902 Add a checkout']))
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'MANUAL{Enter}')
    await waitFor(() => expect(rowNames()).toEqual(['abcdef0 manual build']))
    await user.click(screen.getByRole('button', { name: 'Clear filter by name' }))
    await user.click(screen.getByRole('button', { name: /^Status/, expanded: false }))
    await user.click(await screen.findByRole('checkbox', { name: /^Succeeded/ }))
    await waitFor(() => expect(rowNames()).toEqual(['faef902 Add a checkout']))
    await user.click(screen.getByRole('checkbox', { name: /^Failed\b/ }))
    await waitFor(() => expect(rowNames()).toHaveLength(2))
  })

  it('ACT-13, PREF-05, LIST-09 remember chosen columns until the tab is closed', async () => {
    const { user } = await renderRoute(commitsPath, { objects: [application, run('api', 1, { annotations: facts })] })
    await rowOf('Add a checkout')
    const first = headers()
    await user.click(screen.getByRole('button', { name: 'Manage columns' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('checkbox', { name: 'Branch' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(headers()).toEqual(first.filter((label) => label !== 'Branch')))
    expect(JSON.parse(sessionStorage.getItem('commits-visible-columns') ?? '')).toEqual([
      'status',
      'name',
      'component',
      'byUser',
      'committedAt',
    ])
    expect(localStorage.getItem('commits-visible-columns')).toBeNull()
  })

  it('are no longer shown as running once their run was deleted', async () => {
    const { cluster } = await renderRoute(commitsPath, {
      objects: [application, run('api', 1, { annotations: facts, status: running })],
    })
    const row = within(await rowOf('Add a checkout'))
    expect(row.getByText('Running')).toBeVisible()
    await watched(cluster)
    await cluster.system.delete(pipelineRunType, 'api', { namespace })
    expect(await row.findByText('Unknown')).toBeVisible()
  })

  it('ACT-11, ACT-12 have an empty state, with a button that leads to the import of a component', async () => {
    await renderRoute(commitsPath, { objects: [application] })
    expect(await screen.findByRole('heading', { name: 'Monitor your CI/CD activity in one place' })).toBeVisible()
    const add = await screen.findByRole('link', { name: 'Add component' })
    expect(add).toHaveAttribute('href', paths.createComponent({ namespace, application: 'checkout' }))
  })
})
