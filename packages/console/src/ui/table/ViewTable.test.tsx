import { roleBindingType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun } from '@slipway/model/testing'
import { pipelineRunView } from '@slipway/model/views/pipeline-runs'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeArchive } from '../../../test/fake-archive'
import { fakeIntersectionObserver } from '../../../test/fake-intersection-observer'
import { namespace } from '../../../test/cluster'
import { renderElement } from '../../../test/render-element'
import { newestStart } from '../../api/archive/origin'
import { queryClient } from '../../api/query-client'
import { FreshnessScope } from '../freshness-scope'
import { PageFreshness } from '../PageFreshness'
import { OriginLabel } from '../status/OriginLabel'
import type { Column, Filter } from './rows'
import { ViewTable } from './ViewTable'

const applicationOf = (run: PipelineRun) => run.metadata.labels?.[labels.application]
const columns: Column<PipelineRun>[] = [
  {
    id: 'name',
    label: 'Name',
    isRowHeader: true,
    sortBy: nameOf,
    cell: nameOf,
    suffix: (run) => <OriginLabel object={run} />,
  },
  { id: 'application', label: 'Application', sortBy: applicationOf, cell: (run) => applicationOf(run) ?? '-' },
]
const filters: Filter<PipelineRun>[] = [
  { id: 'name', label: 'name', text: nameOf },
  { id: 'application', label: 'Only of', choices: applicationOf },
]
const tableWith = (archive?: Parameters<typeof ViewTable<PipelineRun>>[0]['archive']) => (
  <FreshnessScope>
    <PageFreshness />
    <ViewTable<PipelineRun>
      label="Pipeline runs"
      view={{ kind: pipelineRunView.id, namespaces: [namespace] }}
      archive={archive}
      columns={columns}
      filters={filters}
      empty={<p>Nothing yet</p>}
    />
  </FreshnessScope>
)
const table = tableWith()
const run = (index: number) =>
  aPipelineRun({
    metadata: {
      name: `run-${String(index).padStart(3, '0')}`,
      namespace,
      labels: { [labels.application]: index % 2 === 0 ? 'even' : 'odd' },
    },
  })
const runs = (count: number) => Array.from({ length: count }, (_, index) => run(index))

const names = () => screen.queryAllByRole('rowheader').map((cell) => cell.textContent)
const shows = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))

describe('a table of a view', () => {
  it('sorts, filters and counts all rows, although only some are loaded', async () => {
    const { reach } = fakeIntersectionObserver()
    const { user } = await renderElement(table, { objects: runs(104) })
    await waitFor(() => expect(names()[0]).toBe('run-000'))
    expect(screen.getByText('100 of 104')).toBeVisible()
    await user.click(within(screen.getByRole('columnheader', { name: 'Name' })).getByRole('button'))
    // It was not among those that were loaded.
    await waitFor(() => expect(names()[0]).toBe('run-103'))
    expect(location.search).toBe('?sort=-name')

    await user.click(screen.getByRole('button', { name: 'Only of' }))
    expect(await screen.findByRole('menuitem', { name: 'odd 52' })).toBeVisible()
    await user.click(screen.getByRole('checkbox', { name: 'odd 52' }))
    await waitFor(() => expect(screen.getByText('52 total')).toBeVisible())
    expect(names()[0]).toBe('run-103')

    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), '001')
    await shows('run-001')
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    await waitFor(() => expect(names()[0]).toBe('run-103'))
    expect(screen.getByText('100 of 104')).toBeVisible()
    reach()
    await waitFor(() => expect(screen.getByText('104 total')).toBeVisible())
  })

  it('follows what other clients do', async () => {
    const { cluster } = await renderElement(table, { objects: runs(2) })
    await shows('run-000', 'run-001')
    await cluster.system.create(pipelineRunType, run(2))
    await cluster.system.delete(pipelineRunType, 'run-000', { namespace })
    await shows('run-001', 'run-002')
  })

  it('shows at once what it showed last when the user comes back, and then what has changed', async () => {
    const Visits = () => {
      const [isOpen, setIsOpen] = useState(true)
      return (
        <>
          <button onClick={() => setIsOpen(!isOpen)}>Go</button>
          {isOpen && table}
        </>
      )
    }
    const { cluster } = await renderElement(<Visits />, { objects: runs(2) })
    await shows('run-000', 'run-001')
    const go = screen.getByRole('button', { name: 'Go' })
    fireEvent.click(go)
    expect(names()).toEqual([])
    await cluster.system.delete(pipelineRunType, 'run-000', { namespace })
    fireEvent.click(go)
    expect(names()).toEqual(['run-000', 'run-001'])
    await shows('run-001')
  })

  it('is empty, or says that nothing matches', async () => {
    const { user } = await renderElement(table, { query: '?name=zzz', objects: runs(1) })
    expect(await screen.findByRole('heading', { name: 'No results found' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Clear all filters' }))
    await shows('run-000')
  })

  it('says that there is nothing yet', async () => {
    await renderElement(table)
    expect(await screen.findByText('Nothing yet')).toBeVisible()
  })

  it('says that the list is denied, also when the right is taken while it is shown', async () => {
    const { cluster } = await renderElement(table, { objects: runs(1) })
    await shows('run-000')
    const { items } = await cluster.system.list(roleBindingType, { namespace })
    for (const binding of items) await cluster.system.delete(roleBindingType, nameOf(binding), { namespace })
    window.dispatchEvent(new Event('online'))
    expect(await screen.findByRole('heading', { name: 'Restricted Access' })).toBeVisible()
    expect(names()).toEqual([])
  })

  it('says why it cannot be read when that has lasted, and shows its rows once it can', async () => {
    const heal: (() => void)[] = []
    await renderElement(table, {
      objects: runs(1),
      prepare: (faults) =>
        heal.push(
          faults.intercept((path) =>
            path.includes('/pipelineruns')
              ? Response.json({ kind: 'Status', message: 'etcd is down' }, { status: 500 })
              : undefined,
          ),
        ),
    })
    expect(await screen.findByText('Unable to load pipeline runs', {}, { timeout: 30_000 })).toBeVisible()
    expect(screen.getByText(/etcd is down/)).toBeVisible()
    for (const end of heal) end()
    await shows('run-000')
  })

  it('stays live while nothing changes, for longer than the cache keeps what no component observes', async () => {
    const defaults = queryClient.getDefaultOptions()
    queryClient.setDefaultOptions({ queries: { ...defaults.queries, gcTime: 50 } })
    onTestFinished(() => queryClient.setDefaultOptions(defaults))
    const { unmount } = await renderElement(table, { objects: runs(1) })
    expect(await screen.findByText('Live')).toBeVisible()
    const viewsInCache = () => queryClient.getQueryCache().findAll({ queryKey: ['view'] }).length
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(viewsInCache()).toBe(1)
    expect(screen.getByText('Live')).toBeVisible()
    unmount()
    expect(viewsInCache()).toBe(0)
  })

  it('keeps its rows while the cluster cannot be read, and says since when and who reads it', async () => {
    const { cluster, user } = await renderElement(table, { objects: runs(1) })
    await shows('run-000')
    await user.click(await screen.findByText('Live'))
    expect(screen.getByText(/Your browser, since the service for list views/)).toBeVisible()
    const heal = cluster.faults.intercept((path) =>
      path.includes('/pipelineruns') ? Response.json({}, { status: 500 }) : undefined,
    )
    cluster.faults.areSocketsBlocked = true
    cluster.faults.cutSockets()
    await waitFor(() => expect(screen.getAllByText(/Updated \d+ s ago/)[0]).toBeVisible())
    expect(names()).toEqual(['run-000'])
    heal()
    cluster.faults.areSocketsBlocked = false
    await cluster.system.create(pipelineRunType, run(1))
    await shows('run-000', 'run-001')
  })
})

describe('a table of a view with an archive behind it', () => {
  const withArchive = tableWith({
    type: pipelineRunType,
    selection: { namespace },
    mask: pipelineRunView.mask,
    newestBy: newestStart,
    sort: '-started',
  })
  const archived = (name: string, day: number) => ({
    ...run(1),
    metadata: { ...run(1).metadata, name, uid: name, creationTimestamp: `2026-01-0${day}T09:00:00Z` },
    status: { startTime: `2026-01-0${day}T09:00:00Z` },
  })
  const scene = async (live: number, archives: PipelineRun[], query?: string) => {
    const archive = await fakeArchive(archives)
    const { reach } = fakeIntersectionObserver()
    const view = await renderElement(withArchive, {
      objects: runs(live),
      archives: { tektonResults: archive.plugin },
      ...(query && { query }),
    })
    return { ...view, archive, reach }
  }
  const button = () => screen.findByRole('button', { name: 'Load more' })

  it('reads it when the end of the cluster is on the screen, and then counts both', async () => {
    const { archive, reach, user } = await scene(104, [archived('old-b', 2), archived('old-a', 1)])
    expect(await screen.findByText('100 of 104 in the cluster')).toBeVisible()
    reach()
    expect(await screen.findByText('104 loaded')).toBeVisible()
    expect(archive.requests).toEqual([])
    reach()
    expect(await screen.findByText('106 total')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Only of' }))
    expect(await screen.findByRole('menuitem', { name: 'odd 54' })).toBeVisible()
    await user.click(screen.getByRole('checkbox', { name: 'odd 54' }))
    await waitFor(() => expect(screen.getByText('54 total')).toBeVisible())
    await user.keyboard('{Escape}')
    await user.click(within(screen.getByRole('columnheader', { name: 'Name' })).getByRole('button'))
    await waitFor(() => expect(names().slice(0, 3)).toEqual(['old-a Archived', 'old-b Archived', 'run-001']))
  })

  it('reads it only on demand while a filter or another order is set, and says what is sorted', async () => {
    const { archive, reach, user } = await scene(2, [archived('old', 1)], '?sort=name')
    expect(await screen.findByText('2 loaded: only these are sorted')).toBeVisible()
    reach()
    expect(archive.requests).toEqual([])
    await user.type(screen.getByRole('textbox', { name: 'Filter by name' }), 'old')
    expect(await screen.findByRole('heading', { name: 'No loaded results match' })).toBeVisible()
    await user.click(await button())
    await waitFor(() => expect(names()).toEqual(['old Archived']))
    expect(screen.getByText('1 total')).toBeVisible()
    expect(archive.requests).toHaveLength(1)
  })

  it('is not empty before the archive was read', async () => {
    await scene(0, [archived('old', 1)])
    await waitFor(() => expect(names()).toEqual(['old Archived']))
    expect(screen.queryByText('Nothing yet')).not.toBeInTheDocument()
  })

  it('is empty if the archive is, too', async () => {
    await scene(0, [])
    expect(await screen.findByText('Nothing yet')).toBeVisible()
  })
})
