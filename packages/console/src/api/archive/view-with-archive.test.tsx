import { roleBindingType } from '@slipway/kube/core-types'
import { nameOf } from '@slipway/kube/object'
import { labels } from '@slipway/model/labels'
import { type PipelineRun, pipelineRunType } from '@slipway/model/runs/pipeline-run'
import { aPipelineRun } from '@slipway/model/testing'
import { pipelineRunView } from '@slipway/model/views/pipeline-runs'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { namespace, testCluster } from '../../../test/cluster'
import { fakeArchive } from '../../../test/fake-archive'
import { startApi } from '../../../test/render-route'
import { setFlag } from '../flags/flags'
import { queryClient } from '../query-client'
import type { Source } from '../source'
import type { RowsQuery } from '../views/use-view'
import { newestStart, originOf } from './origin'
import { type ArchiveBehind, useViewWithArchive } from './view-with-archive'

function run(name: string, day: number) {
  const time = `2026-01-${String(day).padStart(2, '0')}T09:00:00Z`
  return aPipelineRun({
    metadata: { name, namespace, uid: name, creationTimestamp: time },
    status: { startTime: time },
  })
}
const view = {
  kind: pipelineRunView.id,
  namespaces: [namespace],
  where: { application: ['checkout'] },
}
const archive: ArchiveBehind<PipelineRun> = {
  type: pipelineRunType,
  selection: { namespace, labels: { [labels.application]: 'checkout' } },
  mask: pipelineRunView.mask,
  newestBy: newestStart,
}

async function scene({
  live = [run('live', 3)],
  archived = [run('old', 2), run('older', 1)],
}: { live?: PipelineRun[]; archived?: PipelineRun[] } = {}) {
  const results = await fakeArchive(archived)
  const kubeArchive = await fakeArchive([run('other', 1)])
  const archives = { tektonResults: results.plugin, kubeArchive: kubeArchive.plugin }
  const cluster = await testCluster({ as: 'admin', objects: live, archives })
  startApi()
  const show = (query: Partial<RowsQuery> = {}, behind = archive) =>
    renderHook(
      (changes: Partial<RowsQuery>) =>
        useViewWithArchive<PipelineRun>({
          view,
          query: { ...view, ...changes },
          name: 'pipeline runs',
          archive: behind,
        }),
      {
        initialProps: query,
        wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
      },
    )
  return { cluster, results, kubeArchive, show }
}

type Shown = { current: Source<PipelineRun> }
const names = ({ current }: Shown) => current.rows?.map(nameOf)
const shows = (shown: Shown, ...expected: string[]) => waitFor(() => expect(names(shown)).toEqual(expected))
const origins = ({ current }: Shown) => current.rows?.map(originOf)
const missingOf = ({ current }: Shown) => current.missing.map(({ name, error }) => `${name}: ${error.message}`)
const reachEnd = (shown: Shown) => act(() => shown.current.more?.load())
const many = (count: number) => Array.from({ length: count }, (_, index) => run(`live-${index}`, 3))

describe('an archive behind a view', () => {
  it('ARCH-10, ARCH-11 is read once the end of what the cluster has is reached', async () => {
    const { results, kubeArchive, show } = await scene()
    const { result } = show()
    await shows(result, 'live')
    expect(result.current).toMatchObject({ archive: undefined, window: { total: 1, archive: 'merged' } })
    expect(results.requests).toEqual([])
    reachEnd(result)
    await shows(result, 'live', 'old', 'older')
    expect(origins(result)).toEqual([undefined, 'archive', 'archive'])
    expect(result.current).toMatchObject({ archive: 'Tekton Results', error: null, missing: [], more: undefined })
    expect(kubeArchive.requests).toEqual([])
  })

  it('ARCH-07 is KubeArchive as soon as its flag is on', async () => {
    const { show } = await scene()
    const { result } = show()
    await shows(result, 'live')
    reachEnd(result)
    await shows(result, 'live', 'old', 'older')
    act(() => setFlag('pipelineruns-kubearchive', true))
    await shows(result, 'live')
    reachEnd(result)
    await shows(result, 'live', 'other')
    expect(result.current.archive).toBe('KubeArchive')
  })

  it('ARCH-23, ARCH-28 is read page by page', async () => {
    const { results, show } = await scene({ archived: Array.from({ length: 31 }, (_, n) => run(`run-${n}`, 31 - n)) })
    const { result } = show()
    await shows(result, 'live')
    reachEnd(result)
    await waitFor(() => expect(result.current.rows).toHaveLength(31))
    reachEnd(result)
    await waitFor(() => expect(result.current.rows).toHaveLength(32))
    expect(result.current.more).toBeUndefined()
    expect(results.requests.map(({ searchParams }) => searchParams.get('page_token'))).toEqual([null, '30'])
  })

  it('ARCH-14 shows no object twice, and prefers that of the cluster', async () => {
    const { cluster, results, show } = await scene()
    const { items } = await cluster.system.list(pipelineRunType, { namespace })
    results.objects.push(...items)
    const { result } = show()
    await shows(result, 'live')
    reachEnd(result)
    await shows(result, 'live', 'old', 'older')
    expect(origins(result)).toEqual([undefined, 'archive', 'archive'])
  })

  it('ARCH-11 is read at once if the cluster has nothing', async () => {
    const { show } = await scene({ live: [] })
    const { result } = show()
    await shows(result, 'old', 'older')
  })

  it('comes after all rows of a long view, and stays when one is added', async () => {
    const { cluster, results, show } = await scene({ live: many(102) })
    const { result } = show()
    await waitFor(() => expect(result.current.rows).toHaveLength(100))
    expect(result.current.window).toMatchObject({ total: 102, archive: 'after' })
    reachEnd(result)
    await waitFor(() => expect(result.current.rows).toHaveLength(102))
    expect(results.requests).toEqual([])
    reachEnd(result)
    await waitFor(() => expect(names(result)?.slice(-2)).toEqual(['old', 'older']))
    const lengths: number[] = []
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => cluster.system.create(pipelineRunType, run(`new-${index}`, 4))),
    )
    await waitFor(() => {
      lengths.push(result.current.rows?.length ?? 0)
      expect(result.current.rows).toHaveLength(204)
    })
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(104)
    expect(names(result)?.slice(-2)).toEqual(['old', 'older'])
  })

  it('keeps an object that the cluster has deleted, marked', async () => {
    const { cluster, show } = await scene({ live: [run('stays', 3), run('goes', 4)] })
    const { result } = show()
    await shows(result, 'goes', 'stays')
    await cluster.system.delete(pipelineRunType, 'goes', { namespace })
    await waitFor(() => expect(origins(result)).toEqual(['deleted', undefined]))
    expect(names(result)).toEqual(['goes', 'stays'])
  })

  it('does not take an object for deleted that a filter leaves out', async () => {
    const { cluster, show } = await scene({ live: [run('first', 3), run('second', 4)] })
    const { result, rerender } = show()
    await shows(result, 'second', 'first')
    rerender({ text: 'first' })
    await shows(result, 'first')
    await cluster.system.create(pipelineRunType, run('first-again', 5))
    await shows(result, 'first-again', 'first')
    rerender({})
    await shows(result, 'first-again', 'second', 'first')
    expect(origins(result)).toEqual([undefined, undefined, undefined])
  })

  it('shows the rows of the cluster when the archive fails, and says so', async () => {
    const { results, show } = await scene()
    results.failure = 422
    const { result } = show()
    await shows(result, 'live')
    reachEnd(result)
    await waitFor(() => expect(missingOf(result)).toEqual(['the archive: the archive is unavailable']))
    expect(names(result)).toEqual(['live'])
    expect(result.current).toMatchObject({ error: null, more: undefined })
    results.failure = undefined
    act(() => result.current.retry())
    await shows(result, 'live', 'old', 'older')
    expect(missingOf(result)).toEqual([])
  })

  const refused = (path: string) =>
    /\/k8s\/apis\/.*\/pipelineruns/.test(path)
      ? new Response(JSON.stringify({ kind: 'Status', message: 'the cluster is down' }), { status: 500 })
      : undefined

  it('ARCH-11 shows the rows of the archive when the cluster fails, and says so', async () => {
    const { cluster, show } = await scene()
    cluster.faults.intercept(refused)
    const { result } = show()
    await shows(result, 'old', 'older')
    expect(missingOf(result)).toEqual(['the cluster: the cluster is down'])
  })

  it('shows no empty list when the cluster fails and there is no archive', async () => {
    const { cluster, show } = await scene()
    cluster.faults.intercept((path) => (path.includes('/plugins/') ? new Response('', { status: 404 }) : undefined))
    cluster.faults.intercept(refused)
    const { result } = show()
    await waitFor(() => expect(result.current.retryReason?.message).toBe('the cluster is down'))
    expect(result.current.rows).toBeUndefined()
  })

  it.each([
    ['shows what it still allows', undefined],
    ['shows nothing if it refuses too', 403],
  ])('is asked again when the user may no longer list the kind, and %s', async (_, failure) => {
    const { cluster, results, show } = await scene()
    const { result } = show()
    await shows(result, 'live')
    reachEnd(result)
    await shows(result, 'live', 'old', 'older')
    results.failure = failure
    const { items } = await cluster.system.list(roleBindingType, { namespace })
    for (const binding of items) await cluster.system.delete(roleBindingType, nameOf(binding), { namespace })
    act(() => void window.dispatchEvent(new Event('online')))
    // Until it is asked again, what it said before stays.
    await waitFor(() => expect(results.requests).toHaveLength(2))
    if (!failure) {
      await shows(result, 'old', 'older')
      expect(missingOf(result)).toEqual([`the cluster: You don't have access to this list in namespace ${namespace}.`])
    } else {
      await waitFor(() => expect(result.current.error).toMatchObject({ code: 403 }))
      expect(result.current.rows).toBeUndefined()
    }
  })
})

describe('an archive that only stands in for a missing kind', () => {
  const answering = (status: number) => (path: string) =>
    /\/k8s\/apis\/.*\/pipelineruns/.test(path)
      ? Response.json({ kind: 'Status', message: 'the cluster says no' }, { status })
      : undefined
  const substitute = { ...archive, isSubstitute: true }

  it('is not read while the cluster has the kind, even if it has no objects, and keeps none that it deletes', async () => {
    const { cluster, results, show } = await scene({ live: [run('stays', 3), run('goes', 4)] })
    const { result } = show({}, substitute)
    await shows(result, 'goes', 'stays')
    expect(result.current).toMatchObject({ more: undefined, window: { total: 2 } })
    await cluster.system.delete(pipelineRunType, 'goes', { namespace })
    await shows(result, 'stays')
    await cluster.system.delete(pipelineRunType, 'stays', { namespace })
    await waitFor(() => expect(result.current.rows).toEqual([]))
    expect(result.current.window).toMatchObject({ total: 0 })
    expect(results.requests).toEqual([])
  })

  it('is read as a whole when the cluster does not serve the kind, until it does', async () => {
    const { cluster, show } = await scene({ archived: Array.from({ length: 31 }, (_, n) => run(`run-${n}`, 31 - n)) })
    const heal = cluster.faults.intercept(answering(404))
    const { result } = show({}, substitute)
    await waitFor(() => expect(result.current.rows).toHaveLength(31))
    expect(result.current).toMatchObject({ archive: 'Tekton Results', error: null, missing: [], more: undefined })
    heal()
    act(() => result.current.retry())
    await shows(result, 'live')
    expect(result.current.archive).toBeUndefined()
  })

  it.each([422, 403])('is not read when the list fails with %d', async (code) => {
    const { cluster, results, show } = await scene()
    cluster.faults.intercept(answering(code))
    const { result } = show({}, substitute)
    await waitFor(() => expect(result.current.error).toMatchObject({ code }))
    expect(result.current.rows).toBeUndefined()
    expect(results.requests).toEqual([])
  })
})
