import { annotations, copiedPacKey, labels } from '@slipway/model/labels'
import { anApplication, aPipelineRun, condition } from '@slipway/model/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { namespace } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { columnGaps } from '../../../test/column-gaps'
import { renderRoute } from '../../../test/render-route'
import { paths } from '../../paths'

const sha = 'faef902212a6c7cd3c6a79fa778410972259ef03'
const at = { namespace, application: 'checkout', commit: sha }
const build = aPipelineRun({
  metadata: {
    name: 'build',
    labels: { [labels.commitSha]: sha, [labels.eventType]: 'push' },
    annotations: {
      [annotations.pacShaTitle]: 'Add a checkout',
      [annotations.pacShaUrl]: `https://github.com/payments/api/commit/${sha}`,
      [annotations.pacRepositoryUrl]: 'https://github.com/payments/api',
      [annotations.pacGitProvider]: 'github',
      [annotations.pacSender]: 'ada',
      [annotations.branch]: 'main',
      [labels.snapshot]: 'checkout-1',
    },
  },
  status: {
    startTime: '2026-01-31T09:01:00Z',
    completionTime: '2026-01-31T09:05:00Z',
    conditions: [condition('Succeeded', 'True')],
  },
})
const test = aPipelineRun({
  metadata: {
    name: 'test',
    labels: { [copiedPacKey(labels.commitSha)]: sha, [labels.pipelineType]: 'test' },
  },
  status: {
    startTime: '2026-01-31T09:06:00Z',
    completionTime: '2026-01-31T09:07:00Z',
    conditions: [condition('Succeeded', 'False', 'Failed')],
  },
})
const other = aPipelineRun({ metadata: { name: 'other', labels: { [labels.commitSha]: 'abc' } } })
const rowNames = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)

describe('the commit page', () => {
  it('COM-01, COM-06, COM-10, COM-17 has breadcrumbs, tabs and a link to its source', async () => {
    await renderRoute(paths.commit(at), { objects: [anApplication(), build, test, other] })
    expect(await screen.findByRole('heading', { name: 'Add a checkout', level: 1 })).toBeVisible()
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    expect(crumbs.getByText('Commit faef902')).toBeVisible()
    expect(crumbs.getByRole('link', { name: 'checkout' })).toHaveAttribute('href', paths.application(at))
    expect(screen.getByRole('button', { name: 'Go to source' })).toBeEnabled()
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Details', 'Pipeline runs'])
    expect(document.title).toBe('Commit faef902 - Details | Slipway')
  })

  it('COM-11, COM-12 shows the details that its runs provide', async () => {
    await renderRoute(paths.commit(at), { objects: [anApplication(), build, test, other] })
    expect(await screen.findByText(sha)).toBeVisible()
    expect(screen.getByRole('link', { name: /^main/ })).toHaveAttribute(
      'href',
      'https://github.com/payments/api/tree/main',
    )
    expect(screen.getByText('ada')).toBeVisible()
    expect(screen.getByRole('link', { name: 'checkout-1' })).toHaveAttribute(
      'href',
      paths.snapshot({ ...at, snapshot: 'checkout-1' }),
    )
    // The status of its newest run.
    expect(screen.getAllByText('Failed')).not.toHaveLength(0)
  })

  it('COM-07, GRAPH-03, GRAPH-26 renders the workflow of its runs', async () => {
    await renderRoute(paths.commit(at), { objects: [anApplication(), build, test, other] })
    const graph = await screen.findByRole('application', { name: 'Workflow of the commit' })
    const nodes = within(graph).getAllByRole('button', { pressed: false })
    expect(nodes.map((node) => node.getAttribute('aria-label'))).toEqual([
      'faef902, Add a checkout',
      'Push checkout-api, Succeeded, 4 minutes',
    ])
    expect(columnGaps(graph)).toEqual([95])
  })

  it('COM-10 links to its source', async () => {
    const open = vi.spyOn(globalThis, 'open').mockReturnValue(null)
    onTestFinished(() => open.mockRestore())
    const { user } = await renderRoute(paths.commit(at), { objects: [anApplication(), build] })
    await user.click(await screen.findByRole('button', { name: 'Go to source' }))
    expect(open).toHaveBeenCalledExactlyOnceWith(
      `https://github.com/payments/api/commit/${sha}`,
      '_blank',
      'noopener,noreferrer',
    )
  })

  it('is not shown as running if its run was deleted before it ended', async () => {
    const left = { conditions: [condition('Succeeded', 'Unknown', 'Started')], completionTime: undefined }
    const ghost = { ...build, metadata: { ...build.metadata, uid: 'build' }, status: { ...build.status, ...left } }
    const archive = await fakeArchive([ghost])
    await renderRoute(`${paths.commit(at)}?view=list`, {
      objects: [anApplication()],
      archives: { kubeArchive: archive.plugin },
    })
    const list = within(await screen.findByRole('list', { name: 'Workflow of the commit' }))
    expect(list.getAllByRole('listitem')[1]).toHaveTextContent(/^Push checkout-apiafter faef902Unknown-$/)
    expect(screen.queryByText('Running')).not.toBeInTheDocument()
  })

  it('COM-06, COM-08, COM-16, COM-17 lists its runs and no others', async () => {
    const { user } = await renderRoute(paths.commit(at), { objects: [anApplication(), build, test, other] })
    await user.click(await screen.findByRole('tab', { name: 'Pipeline runs' }))
    await waitFor(() => expect(rowNames()).toEqual(['test', 'build']))
    expect(location.pathname).toBe(paths.commitPipelineRuns(at))
    expect(screen.getByRole('textbox', { name: 'Filter by name' })).toBeVisible()
    for (const name of [/^Status/, /^Type/]) expect(screen.getAllByRole('button', { name })).not.toHaveLength(0)
  })

  it('COM-09, PREF-11 remembers the columns of the commit', async () => {
    const { user } = await renderRoute(paths.commitPipelineRuns(at), { objects: [anApplication(), build, test, other] })
    await user.click(await screen.findByRole('button', { name: 'Manage columns' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('checkbox', { name: 'Type' }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Type' })).not.toBeInTheDocument())
    expect(
      localStorage.getItem(`commit-pipeline-runs-columns-${namespace}/checkout/${sha}@admin@slipway.test`),
    ).not.toContain('type')
  })

  it('COM-16 finds archived runs', async () => {
    const kept = { ...build, metadata: { ...build.metadata, uid: 'build', creationTimestamp: '2026-01-31T09:00:00Z' } }
    const archive = await fakeArchive([kept])
    await renderRoute(paths.commit(at), {
      objects: [anApplication()],
      archives: { kubeArchive: archive.plugin },
    })
    expect(await screen.findByRole('heading', { name: 'Add a checkout', level: 1 })).toBeVisible()
    expect(archive.requests[0]?.pathname).toMatch(/\/pipelineruns$/)
  })
})

describe('a commit that cannot be shown', () => {
  it('COM-13 without a build is not found', async () => {
    await renderRoute(paths.commit(at), { objects: [anApplication(), test] })
    expect(await screen.findByRole('heading', { name: 'Unable to load commit details' })).toBeVisible()
    expect(screen.getByText('Not found')).toBeVisible()
    // The list of commits, which is derived from all runs, links here.
    expect(screen.getByRole('link', { name: 'test' })).toHaveAttribute(
      'href',
      paths.pipelineRun({ ...at, pipelineRun: 'test' }),
    )
  })

  it('whose runs the user may not read says so', async () => {
    const { cluster, router } = await renderRoute(paths.about(), { objects: [anApplication(), build] })
    cluster.faults.intercept((path) =>
      path.includes('/pipelineruns') ? Response.json({ message: 'no runs for you' }, { status: 403 }) : undefined,
    )
    await screen.findByRole('heading', { name: 'About Slipway' })
    await router.navigate(paths.commit(at))
    expect(await screen.findByText(/You don't have access to this list in namespace/)).toBeVisible()
  })
})
